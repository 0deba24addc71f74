//! What a loop loads and stores, and whether rounds may do it side by side.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::groups::{Group, Walk, grouped, stride_of};
use super::refusal::Refusal;
use super::shape::{Mask, Round, Shape, Step};
use crate::analysis::ScalarEvolution;
use crate::analysis::dependence::Extent;

/// The most accesses that are compared with each other.
const MOST_ACCESSES: usize = 32;

/// The greatest offset, so that those of other rounds are offsets, too.
pub(super) const MOST_OFFSET: u32 = 1 << 30;

/// How addresses go on from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Up,
    Down,
}

/// The place of an access in a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) group: usize,
    /// Which of the elements of the group it is.
    pub(super) place: u32,
}

/// A load or store of the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) inst: Inst,
    /// The operand that is the address.
    pub(super) address: Value,
    pub(super) ty: Type,
    pub(super) way: Way,
    /// How many elements it goes on by.
    pub(super) stride: u32,
    /// The group that it is made with, if it leaves elements out.
    pub(super) part: Option<Part>,
    /// In which rounds, of a store that some do without.
    pub(super) mask: Option<Mask>,
    /// Whether some rounds do without it as it is written: what it promises of its place holds of
    /// theirs alone that make it.
    pub(super) is_conditional: bool,
}

impl Moved {
    /// How many bytes it touches.
    pub(super) fn size(&self) -> u32 {
        self.ty.as_scalar().map_or(1, Scalar::bits) / 8
    }
}

/// What is known of the memory that a loop touches.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) moved: Vec<Moved>,
    pub(super) groups: Vec<Group>,
    /// Whether vectors must leave the last round over: they read what is behind it.
    pub(super) leaves_last: bool,
    /// How many rounds may be done side by side at most.
    pub(super) most_lanes: u32,
    /// What must not overlap, two by two.
    pub(super) tests: Vec<[Extent; 2]>,
}

impl Memory {
    pub(super) fn find(&self, inst: Inst) -> Option<&Moved> {
        self.moved.iter().find(|moved| moved.inst == inst)
    }

    /// The group that an access is made with.
    pub(super) fn group_of(&self, inst: Inst) -> Option<&Group> {
        self.groups.get(self.find(inst)?.part?.group)
    }

    /// The address by which an access is made.
    pub(super) fn address(&self, moved: &Moved) -> Value {
        let group = moved.part.and_then(|part| self.groups.get(part.group));
        group.map_or(moved.address, |group| group.address)
    }

    /// What the steps of a round load and store.
    pub(super) fn of(
        body: &Body,
        evolution: &mut ScalarEvolution,
        shape: &Shape,
        round: &Round,
    ) -> Result<Memory, Refusal> {
        let mut memory = Memory { most_lanes: u32::MAX, ..Memory::default() };
        let mut walks = Vec::new();
        for step in &round.steps {
            let &Step::Do(inst, mask) = step else { continue };
            if !matches!(body.inst(inst).op, Op::Load | Op::Store) {
                continue;
            }
            let (mut moved, walk) = moved(body, evolution, shape, (inst, mask))?;
            if mask.is_some() && !is_there_anyhow(body, round, &moved) {
                if body.inst(inst).op == Op::Load {
                    return Err(Refusal::Conditional(Op::Load));
                }
                moved.mask = mask;
            }
            memory.moved.push(moved);
            walks.push(walk);
        }
        if memory.moved.len() > MOST_ACCESSES {
            return Err(Refusal::Large);
        }
        let groups = grouped(body, evolution, &mut memory.moved, &walks)?;
        (memory.groups, memory.leaves_last) = (groups.all, groups.has_gaps);
        Ok(memory)
    }
}

/// Whether every round touches all bytes of an access that only some make: then all may
/// load them.
fn is_there_anyhow(body: &Body, round: &Round, moved: &Moved) -> bool {
    let place = |inst: Inst| {
        let args = body.args(inst);
        let address = if body.inst(inst).op == Op::Load { args.first() } else { args.get(1) };
        Some((*address?, body.inst(inst).access()?.offset))
    };
    let bits = |ty: Type| ty.as_scalar().map_or(0, Scalar::bits);
    body.inst(moved.inst).op == Op::Load
        && round.steps.iter().any(|step| match *step {
            Step::Do(other, None) if matches!(body.inst(other).op, Op::Load | Op::Store) => {
                place(other) == place(moved.inst) && bits(body.inst(other).ty) >= bits(moved.ty)
            }
            _ => false,
        })
}

fn moved(
    body: &Body,
    evolution: &mut ScalarEvolution,
    shape: &Shape,
    (inst, mask): (Inst, Option<Mask>),
) -> Result<(Moved, Walk), Refusal> {
    let data = body.inst(inst);
    let access = data.access().copied().unwrap_or_default();
    if access.flags.contains(AccessFlags::VOLATILE) {
        return Err(Refusal::Volatile);
    }
    let lane = data.ty.as_scalar().filter(|&scalar| is_lane(scalar));
    let lane = lane.ok_or(Refusal::Type(data.op))?;
    let args = body.args(inst);
    let address = if data.op == Op::Load { args.first() } else { args.get(1) };
    let &address = address.ok_or(Refusal::Form)?;
    if access.offset.unsigned_abs() > MOST_OFFSET {
        return Err(Refusal::Large);
    }
    let block = body.layout.block_of(inst).ok_or(Refusal::Form)?;
    // The first round of a vector gives the address, also where it does without the access:
    // what is known only where that is made does not hold of it.
    let block = if mask.is_some() { shape.header } else { block };
    let expr = evolution.of_use(body, address, block);
    let recurrence = expr.and_then(|expr| evolution.as_affine(expr, shape.of));
    let refusal = Refusal::Stride(data.op);
    let recurrence = recurrence.ok_or(refusal)?;
    let step = evolution.as_signed(recurrence.step).ok_or(refusal)?;
    let (stride, way) = stride_of(step, i128::from(lane.bits() / 8)).ok_or(refusal)?;
    let first = evolution.add_constant(recurrence.start, i128::from(access.offset) as u128);
    let (ty, is_conditional) = (data.ty, mask.is_some());
    let moved = Moved { inst, address, ty, way, stride, part: None, mask: None, is_conditional };
    Ok((moved, Walk { first, step }))
}

/// Whether there are vectors of such lanes that memory holds as the lanes one by one.
pub(in crate::vectorisation) fn is_lane(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64
    )
}
