//! What a loop loads and stores, and whether rounds may do it side by side.

use brolga_ir::attribute::{AccessFlags, LoopFlags};
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::refusal::Refusal;
use super::shape::{Mask, Round, Shape, Step};
use crate::analysis::ScalarEvolution;
use crate::analysis::dependence::{Dependence, Dependences, Directions, Extent};

/// The most accesses that are compared with each other.
const MOST_ACCESSES: usize = 32;

/// The most pairs that are compared before the loop.
const MOST_TESTS: usize = 6;

/// The greatest offset, so that those of other rounds are offsets, too.
const MOST_OFFSET: u32 = 1 << 30;

/// How addresses go on from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Each directly behind the one before.
    Up,
    /// Each directly before it.
    Down,
}

/// A load or store of the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) inst: Inst,
    /// The operand that is the address.
    pub(super) address: Value,
    pub(super) ty: Type,
    pub(super) way: Way,
    /// In which rounds, of a store that some do without.
    pub(super) mask: Option<Mask>,
}

/// What is known of the memory that a loop touches.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) moved: Vec<Moved>,
    /// How many rounds may be done side by side at most.
    pub(super) most_lanes: u32,
    /// What must not overlap, two by two.
    pub(super) tests: Vec<[Extent; 2]>,
}

impl Memory {
    pub(super) fn find(&self, inst: Inst) -> Option<&Moved> {
        self.moved.iter().find(|moved| moved.inst == inst)
    }

    /// What the steps of a round load and store.
    pub(super) fn of(
        body: &Body,
        evolution: &mut ScalarEvolution,
        shape: &Shape,
        round: &Round,
    ) -> Result<Memory, Refusal> {
        let mut memory = Memory { most_lanes: u32::MAX, ..Memory::default() };
        for step in &round.steps {
            let &Step::Do(inst, mask) = step else { continue };
            if !matches!(body.inst(inst).op, Op::Load | Op::Store) {
                continue;
            }
            let mut moved = moved(body, evolution, shape, (inst, mask))?;
            if mask.is_some() && !is_there_anyhow(body, round, &moved) {
                if body.inst(inst).op == Op::Load {
                    return Err(Refusal::Conditional(Op::Load));
                }
                moved.mask = mask;
            }
            memory.moved.push(moved);
        }
        match memory.moved.len() > MOST_ACCESSES {
            true => Err(Refusal::Large),
            false => Ok(memory),
        }
    }

    /// Finds out how many rounds may be done side by side, and what must be compared first.
    pub(super) fn compare(
        &mut self,
        body: &Body,
        dependences: &mut Dependences<'_>,
        shape: &Shape,
    ) -> Result<(), Refusal> {
        if has_independent_rounds(body, shape) {
            return Ok(());
        }
        let is_store = |moved: &Moved| body.inst(moved.inst).op == Op::Store;
        for (index, first) in self.moved.iter().enumerate() {
            for second in &self.moved[index + 1..] {
                if !is_store(first) && !is_store(second) {
                    continue;
                }
                let pair = (first.inst, second.inst);
                let Some(distance) = earlier(dependences, pair, shape) else { continue };
                match distance {
                    Some(lanes) if lanes > 1 => self.most_lanes = self.most_lanes.min(lanes),
                    Some(_) => return Err(Refusal::Carried),
                    None => {
                        let test = dependences.to_compare(first.inst, second.inst, shape.of);
                        let test = test.ok_or(Refusal::Aliasing)?;
                        if !self.tests.contains(&test) {
                            self.tests.push(test);
                        }
                    }
                }
            }
        }
        if self.tests.len() > MOST_TESTS { Err(Refusal::Aliasing) } else { Ok(()) }
    }
}

/// How many rounds earlier the second of two accesses touches what the first does; nothing
/// if it never does, and no number if that is not known. In any other round, its place
/// behind the first one is right for vectors, too.
fn earlier(
    dependences: &mut Dependences<'_>,
    (one, other): (Inst, Inst),
    shape: &Shape,
) -> Option<Option<u32>> {
    let Dependence::Levels(levels) = dependences.between(one, other, shape.of) else {
        return None;
    };
    let level = levels.iter().find(|level| level.of == shape.of);
    let Some(level) = level else { return Some(None) };
    if !level.directions.contains(Directions::EARLIER) {
        return None;
    }
    let distance = level.distance.filter(|&distance| distance < 0);
    Some(distance.map(|distance| u32::try_from(distance.unsigned_abs()).unwrap_or(u32::MAX)))
}

/// Whether the loop is promised to touch in no round what an earlier one did.
fn has_independent_rounds(body: &Body, shape: &Shape) -> bool {
    body.layout.insts(shape.header).any(|inst| {
        matches!(body.inst(inst).payload,
            Payload::LoopMark { flags, .. } if flags.contains(LoopFlags::IVDEP))
    })
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
) -> Result<Moved, Refusal> {
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
    let step = recurrence.and_then(|recurrence| evolution.as_signed(recurrence.step));
    let size = i128::from(lane.bits() / 8);
    let way = match step {
        Some(step) if step == size => Way::Up,
        Some(step) if step == -size => Way::Down,
        _ => return Err(Refusal::Stride(data.op)),
    };
    Ok(Moved { inst, address, ty: data.ty, way, mask: None })
}

/// Whether there are vectors of such lanes that memory holds as the lanes one by one.
pub(in crate::vectorisation) fn is_lane(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64
    )
}
