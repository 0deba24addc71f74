//! Fills and copies in the place of loops.

use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::shape::{Move, Setting};
use crate::analysis::access::Location;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{Accesses, Loop, Loops, ScalarEvolution};
use crate::loops::expansion::{Available, Expansion, end_of};
use crate::pass::{Editor, PassContext};

/// The most instructions that addresses and length cost before the loop.
pub(super) const MOST: u32 = 8;

/// The most bytes of an element that others may look at. Fills and copies of the libraries that
/// there are go by no less for elements that lie at multiples of their size, so that each is
/// seen whole or not at all, as where the loop stores it.
const MOST_WHOLE: u64 = 8;

/// Where an access begins in memory: the lowest address that it goes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// The address that is added to.
    address: Value,
    pub(super) added: Expr,
    pub(super) way: Way,
}

/// Which way an access goes from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Up,
    Down,
}

/// What comes before the loop in its place.
#[derive(Debug)]
struct Plan {
    to: Start,
    from: Source,
    length: Expr,
    access: Access,
}

#[derive(Debug)]
enum Source {
    Byte(Value),
    Memory(Start),
}

/// Puts ops in the place of the stores; how many fill and how many copy.
pub(super) fn replace(
    body: &mut Body,
    context: &mut PassContext<'_>,
    setting: Setting<'_>,
    available: &Available,
    evolution: &mut ScalarEvolution,
    moves: Vec<Move>,
) -> [u64; 2] {
    let mut counts = [0; 2];
    // What is written before one loop changes nothing that is asked of another.
    let accesses = context.analyses.accesses(body, context.module);
    for it in moves {
        let Setting { dominators, .. } = setting;
        let mut expansion = Expansion { evolution, available, dominators, block: it.preheader };
        let plan = plan(body, &accesses, setting, &mut expansion, &it);
        if let Some(plan) = plan
            && write(body, context, &mut expansion, &it, &plan).is_some()
        {
            counts[usize::from(it.load.is_some())] += 1;
        }
    }
    counts
}

fn plan(
    body: &mut Body,
    accesses: &Rc<Accesses>,
    setting: Setting<'_>,
    expansion: &mut Expansion<'_>,
    it: &Move,
) -> Option<Plan> {
    let to = *accesses.writes(it.store).location()?;
    let from = match it.load {
        Some(load) => Some((load, *accesses.reads(load).location()?)),
        None => None,
    };
    let is_steady = |(_, location): &(Inst, Location)| accesses.is_steady(location.base);
    let is_unseen = accesses.escapes().is_private(to.base) && from.as_ref().is_none_or(is_steady);
    if it.size > MOST_WHOLE && !is_unseen {
        return None;
    }
    let length = length(body, setting, expansion, it)?;
    let mut access = *body.inst(it.store).access()?;
    let to = start(body, accesses, expansion, (it.of, it.size), (it.store, to), length)?;
    let from = match from {
        Some((load, location)) => {
            let class = body.inst(load).access()?.class;
            let class = access.class.expand().filter(|_| class == access.class).into();
            access = Access { class, ..Access::default() };
            let from =
                start(body, accesses, expansion, (it.of, it.size), (load, location), length)?;
            // What comes out the other way round is no copy.
            Source::Memory(Some(from).filter(|from| from.way == to.way)?)
        }
        None => Source::Byte(the_byte(body, it, setting.loops)?),
    };
    let mut cost = expansion.cost(body, length, Type::I64);
    cost = cost.saturating_add(expansion.cost(body, to.added, Type::I64));
    if let Source::Memory(from) = &from {
        cost = cost.saturating_add(expansion.cost(body, from.added, Type::I64));
    }
    (cost <= MOST).then_some(Plan { to, from, length, access: of_bytes(access) })
}

/// How many bytes the loop stores.
fn length(
    body: &Body,
    setting: Setting<'_>,
    expansion: &mut Expansion<'_>,
    it: &Move,
) -> Option<Expr> {
    let evolution = &mut *expansion.evolution;
    let trips = evolution.trips(it.of)?;
    let (again, &[(exit, _)]) = (trips.exact?, trips.exits.as_slice()) else { return None };
    let again = evolution.resized(64, again);
    // The last round leaves before the store, or behind it.
    let is_made = setting.dominators.dominates(body.layout.block_of(it.store)?, exit);
    let times = evolution.add_constant(again, u128::from(is_made));
    Some(evolution.scale(times, u128::from(it.size)))
}

/// Where an access goes that each round makes at the next place, up or down.
pub(super) fn start(
    body: &Body,
    accesses: &Accesses,
    expansion: &mut Expansion<'_>,
    (of, size): (Loop, u64),
    (inst, location): (Inst, Location),
    length: Expr,
) -> Option<Start> {
    let address = *body.args(inst).last()?;
    let offset = body.inst(inst).access()?.offset;
    let size = u128::from(size);
    let evolution = &mut *expansion.evolution;
    let moving = evolution.of_use(body, address, body.layout.block_of(inst)?)?;
    let recurrence = evolution.as_affine(moving, of)?;
    let step = evolution.as_signed(recurrence.step)?;
    let way = match step {
        up if up == size as i128 => Way::Up,
        down if down == -(size as i128) => Way::Down,
        _ => return None,
    };
    let (address, rest) = expansion.address_parts(body, recurrence.start, Type::PTR)?;
    let evolution = &mut *expansion.evolution;
    let mut added = evolution.add_constant(rest, i128::from(offset) as u128);
    if way == Way::Down {
        // The first place is the last one in memory.
        added = evolution.add_constant(added, size);
        added = evolution.sub(added, length);
    }
    let bases = accesses.escapes().bases();
    (bases.of(address) == location.base).then_some(Start { address, added, way })
}

/// The byte of which what is stored consists, if it is the same in all rounds.
fn the_byte(body: &mut Body, it: &Move, loops: &Loops) -> Option<Value> {
    let &[value, _] = body.args(it.store) else { return None };
    let ty = body.value_type(value);
    let bits = ty.as_scalar()?.bits();
    if let Some(number) = body.as_scalar_constant(value) {
        let byte = number & 0xff;
        let is_same = (0..bits / 8).all(|at| (number >> (8 * at)) & 0xff == byte);
        let constant = Constant::scalar(Type::I8, byte)?;
        return is_same.then(|| body.constant(constant));
    }
    let is_outside = match body.value_def(value) {
        ValueDef::Param(block, _) => !loops.contains(it.of, block),
        ValueDef::Result(inst, _) => {
            !body.layout.block_of(inst).is_some_and(|block| loops.contains(it.of, block))
        }
        _ => false,
    };
    (ty == Type::I8 && is_outside).then_some(value)
}

/// The access of all bytes that a loop comes to. Of one that comes to none, nothing is said of
/// the address.
pub(super) fn of_bytes(access: Access) -> Access {
    Access { offset: 0, align_log2: 0, flags: AccessFlags::empty(), ..access }
}

fn write(
    body: &mut Body,
    context: &mut PassContext<'_>,
    expansion: &mut Expansion<'_>,
    it: &Move,
    plan: &Plan,
) -> Option<()> {
    let end = end_of(body, it.preheader)?;
    let mut editor = Editor::new(body, context);
    editor.stand_before(end);
    let to = write_start(&mut editor, expansion, plan.to)?;
    let (op, second, what) = match plan.from {
        Source::Byte(byte) => (Op::MemFill, byte, "the loop fills memory"),
        Source::Memory(from) => {
            (Op::MemCopy, write_start(&mut editor, expansion, from)?, "the loop copies memory")
        }
    };
    let length = expansion.write(&mut editor, plan.length, Type::I64)?;
    let args = editor.body.list(&[to, second, length]);
    editor.insert(InstData::new(op, Type::NONE, args, Payload::Access(plan.access)), &[]);
    context.remark(it.store, RemarkKind::Applied, what);
    body.layout.remove_inst(it.store);
    if let Some(load) = it.load {
        body.layout.remove_inst(load);
    }
    Some(())
}

pub(super) fn write_start(
    editor: &mut Editor<'_, '_>,
    expansion: &mut Expansion<'_>,
    start: Start,
) -> Option<Value> {
    if expansion.evolution.as_constant(start.added) == Some(0) {
        return Some(start.address);
    }
    let added = expansion.write(editor, start.added, Type::I64)?;
    Some(editor.op(Op::PtrAdd, Type::NONE, &[start.address, added]))
}
