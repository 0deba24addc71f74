//! Which loops do nothing but fill or copy memory, and what branches ask for.

use brolga_ir::attribute::{AccessFlags, IntCond};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Effects, Op};

use crate::analysis::dependence::{Dependence, Dependences, Directions};
use crate::analysis::{Dominators, Loop, Loops, ScalarEvolution};
use crate::pass::{PassContext, count_uses, effects_of};

/// The flow of the body, which stays as it is.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) loops: &'a Loops,
    pub(super) graph: &'a FlowGraph,
    pub(super) dominators: &'a Dominators,
}

/// A loop that does nothing but store, in every round, what it has loaded or had before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) of: Loop,
    pub(super) preheader: Block,
    pub(super) store: Inst,
    pub(super) load: Option<Inst>,
    /// How many bytes a round stores.
    pub(super) size: u64,
}

/// The loops that look as if they fill or copy.
pub(super) fn find(body: &Body, context: &PassContext<'_>, setting: Setting<'_>) -> Vec<Move> {
    setting.loops.all().filter_map(|of| only_move(body, context, setting, of)).collect()
}

/// Those of them that copy what was there before.
pub(super) fn retain_sound(
    body: &Body,
    context: &mut PassContext<'_>,
    mut found: Vec<Move>,
    evolution: &mut ScalarEvolution,
) -> Vec<Move> {
    if found.iter().all(|it| it.load.is_none()) {
        return found;
    }
    let uses = count_uses(body);
    let accesses = context.analyses.accesses(body, context.module);
    let dominators = context.analyses.dominators(body);
    let mut dependences = Dependences::new(body, accesses, dominators, evolution);
    found.retain(|it| match it.load {
        None => true,
        Some(load) => {
            let is_only_stored = body.result(load).is_some_and(|value| uses[value] == 1);
            is_only_stored && reads_before(&mut dependences, load, it.store, it.of)
        }
    });
    *evolution = dependences.into_evolution();
    found
}

/// Whether no round loads what an earlier one has stored.
fn reads_before(dependences: &mut Dependences<'_>, load: Inst, store: Inst, of: Loop) -> bool {
    match dependences.between(load, store, of) {
        Dependence::Independent => true,
        Dependence::Levels(levels) => {
            levels.iter().all(|level| !level.directions.contains(Directions::EARLIER))
        }
    }
}

/// The store, and the load of what it stores, of a loop that does nothing else and has no
/// loop in it.
fn only_move(
    body: &Body,
    context: &PassContext<'_>,
    setting: Setting<'_>,
    of: Loop,
) -> Option<Move> {
    let Setting { loops, graph, dominators } = setting;
    if !loops.is_innermost(of) {
        return None;
    }
    let blocks = loops.blocks(of);
    let is_busy =
        |&inst: &Inst| !(effects_of(context.module, body, inst) - Effects::TERMINATE).is_empty();
    let insts = blocks.iter().flat_map(|&block| body.layout.insts(block));
    let busy: Vec<Inst> = insts.filter(is_busy).take(3).collect();
    let is = |inst: Inst, op: Op| body.inst(inst).op == op;
    let (store, load) = match *busy.as_slice() {
        [store] if is(store, Op::Store) => (store, None),
        [one, other] if is(one, Op::Store) && is(other, Op::Load) => (one, Some(other)),
        [one, other] if is(one, Op::Load) && is(other, Op::Store) => (other, Some(one)),
        _ => return None,
    };
    let stored = body.args(store).first().copied();
    let is_copy = load.is_none_or(|load| stored.is_some() && body.result(load) == stored);
    let is_plain = |inst: Inst| {
        let access = body.inst(inst).access();
        access.is_some_and(|access| !access.flags.contains(AccessFlags::VOLATILE))
    };
    let ty = body.inst(store).ty;
    let lane = ty.lane().filter(|lane| !lane.is_managed())?;
    let size = context.module.types.layout(ty).size;
    let is_whole = u64::from(lane.bits()) * u64::from(ty.lanes()) == 8 * size;
    let home = body.layout.block_of(store)?;
    let latches = &loops.get(of)?.latches;
    let is_in_every_round = latches.iter().all(|&latch| dominators.dominates(home, latch));
    let is_fine = is_copy && is_whole && is_in_every_round;
    let preheader = loops.preheader(of, graph)?;
    let is_fine = is_fine && is_plain(store) && load.is_none_or(is_plain);
    is_fine.then_some(Move { of, preheader, store, load, size })
}

/// What a branch goes by that asks whether two numbers are equal.
pub(super) struct Equality {
    pub(super) compare: Inst,
    pub(super) operands: [Value; 2],
    /// Which way it goes where they are.
    pub(super) equal: usize,
}

/// That of a branch, if it asks so.
pub(super) fn equality(body: &Body, branch: Inst) -> Option<Equality> {
    let (Op::Branch, &[condition]) = (body.inst(branch).op, body.args(branch)) else {
        return None;
    };
    let ValueDef::Result(compare, _) = body.value_def(condition) else { return None };
    let (Op::Icmp, &[a, b]) = (body.inst(compare).op, body.args(compare)) else { return None };
    let equal = match body.inst(compare).payload {
        Payload::IntCond(IntCond::Eq) => 0,
        Payload::IntCond(IntCond::Ne) => 1,
        _ => return None,
    };
    Some(Equality { compare, operands: [a, b], equal })
}
