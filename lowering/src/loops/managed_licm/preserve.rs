//! Regions that keep objects alive around whole loops.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::{Shape, move_before};
use crate::analysis::Loop;
use crate::loops::form::after_marks;
use crate::pass::{DedicatedExits, Graph, IncomingEdges, PassContext, Uses, has_op};

/// The most exits of a loop that get an end.
const MOST_EXITS: usize = 8;

/// How many blocks a region may have.
const MOST_BLOCKS: usize = 64;

/// Moves the begins of regions before loops and their ends behind them; says how many.
pub(super) fn hoist(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    if !has_op(body, &[Op::PreserveBegin]) {
        return 0;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let loops = context.analyses.loops(body);
    let shape = Shape { flow: &flow, dominators: &dominators, loops: &loops };
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let dedicated = DedicatedExits::new(graph, &loops);
    let mut uses = Uses::new(body);
    let mut hoisted = 0;
    for id in loops.all().rev() {
        let (Some(jump), Some(exits)) = (shape.preheader_jump(body, id), dedicated.of(id)) else {
            continue;
        };
        if exits.len() > MOST_EXITS {
            continue;
        }
        for begin in shape.own_insts(body, id, Op::PreserveBegin) {
            let Some(ends) = ends_inside(body, &shape, &uses, id, begin) else { continue };
            let Some(open) = open_exits(body, &shape, id, begin, &ends) else { continue };
            if body.layout.block_of(jump).is_none_or(|before| may_reach(&shape, &open, before)) {
                continue;
            }
            ends.into_iter().for_each(|end| body.remove_inst(end));
            move_before(body, begin, jump);
            let ended = exits.iter().copied().filter(|&exit| !open.contains(exit));
            end_at(body, &mut uses, begin, ended);
            context.remark(begin, RemarkKind::Applied, "once around the loop");
            hoisted += 1;
        }
    }
    hoisted
}

/// The ends of a region that begins in a loop with what comes from outside, if all are in it.
fn ends_inside(
    body: &Body,
    shape: &Shape<'_>,
    uses: &Uses,
    id: Loop,
    begin: Inst,
) -> Option<SmallVec<[Inst; 4]>> {
    let token = body.result(begin)?;
    let ends = uses.of(body, token);
    let is_inside = |&end: &Inst| {
        let block = body.layout.block_of(end);
        body.inst(end).op == Op::PreserveEnd
            && block.is_some_and(|block| shape.loops.contains(id, block))
    };
    let is_invariant = body.args(begin).iter().all(|&arg| shape.is_invariant(body, id, arg));
    (is_invariant && !ends.is_empty() && ends.iter().all(is_inside)).then_some(ends)
}

/// The exits of a loop that ways from the begin of a region come to before its end, which stays
/// open there; nothing if one comes to the begin again.
fn open_exits(
    body: &Body,
    shape: &Shape<'_>,
    id: Loop,
    begin: Inst,
    ends: &[Inst],
) -> Option<EntitySet<Block>> {
    let mut seen: EntitySet<Block> = EntitySet::new();
    let mut exits: EntitySet<Block> = EntitySet::new();
    let mut open: Vec<Inst> = body.layout.next_inst(begin).into_iter().collect();
    let mut left = MOST_BLOCKS;
    while let Some(first) = open.pop() {
        let next = |&inst: &Inst| body.layout.next_inst(inst);
        let stops = |inst: &Inst| *inst == begin || ends.contains(inst);
        match std::iter::successors(Some(first), next).find(stops) {
            Some(inst) if inst == begin => return None,
            Some(_) => continue,
            None => {}
        }
        for &behind in shape.flow.successors(body.layout.block_of(first)?) {
            if !shape.loops.contains(id, behind) {
                exits.insert(behind);
            } else if seen.insert(behind) {
                left = usize::checked_sub(left, 1)?;
                open.extend(body.layout.first_inst(behind));
            }
        }
    }
    Some(exits)
}

/// Whether ways from where a region stays open may come to the loop again: an end behind that
/// is not one of the region that stays open, which would have the same token.
fn may_reach(shape: &Shape<'_>, exits: &EntitySet<Block>, before: Block) -> bool {
    let mut seen = exits.clone();
    let mut open: Vec<Block> = exits.iter().collect();
    let mut left = MOST_BLOCKS;
    while let Some(block) = open.pop() {
        if block == before || left == 0 {
            return true;
        }
        left -= 1;
        let behind = shape.flow.successors(block).iter().copied();
        open.extend(behind.filter(|&block| seen.insert(block)));
    }
    false
}

/// Ends a region where each of the blocks begins.
fn end_at(body: &mut Body, uses: &mut Uses, begin: Inst, exits: impl Iterator<Item = Block>) {
    let Some(token) = body.result(begin) else { return };
    for exit in exits {
        // Marks of a loop that begins there stay in front.
        let Some(first) = after_marks(body, exit) else { continue };
        let args = body.list(&[token]);
        let data = InstData::new(Op::PreserveEnd, Type::NONE, args, Payload::None);
        let loc = body.loc(first);
        let end = body.insert_inst(first, InstData { loc, ..data }, &[]);
        uses.add(body, end);
    }
}
