//! Takes branches that go the same way in each round out of loops: the branch is taken once
//! before the loop, of which there is then a copy for each side.
//!
//! Before:
//! ```text
//! func @f(i32, i1) -> i32 {
//! block0(%0: i32, %1: i1):
//!     jump block1(%0)
//! block1(%2: i32):
//!     branch %1, block2, block3
//! block2:
//!     poll
//!     jump block3
//! block3:
//!     %3 = sub.i32 %2, 3
//!     %4 = icmp.i32 sgt %3, 0
//!     branch %4, block1(%3), block4
//! block4:
//!     return %3
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i1) -> i32 {
//! block0(%0: i32, %1: i1):
//!     branch %1, block10, block11
//! block10:
//!     jump block1(%0)
//! block11:
//!     jump block5(%0)
//! block1(%2: i32):
//!     jump block2
//! block2:
//!     poll
//!     jump block3
//! block3:
//!     %3 = sub.i32 %2, 3
//!     %4 = icmp.i32 sgt %3, 0
//!     branch %4, block1(%3), block8
//! block8:
//!     jump block4(%3)
//! block5(%8: i32):
//!     jump block7
//! block7:
//!     %9 = sub.i32 %8, 3
//!     %10 = icmp.i32 sgt %9, 0
//!     branch %10, block5(%9), block9
//! block9:
//!     jump block4(%9)
//! block4(%7: i32):
//!     return %7
//! }
//! ```
//! The loop is closed first: what is used outside goes through its exits, so that the copy
//! needs nothing but edges to these. All branches on the condition are decided in both. Each
//! path runs what it ran before. A branch does nothing that can be seen, so that none needs
//! to be on every way. One loop after another may be taken, and one again for another
//! condition, in a few rounds; only as long as all copies together are no larger than the
//! function was, or than a small number (LLVM's `SimpleLoopUnswitch`).
//!
//! Of a `switch` one case after another is taken so, as a branch on it.
//!
//! Needs: preheaders and dedicated exits, as `loop_simplify` leaves them; `licm` takes the
//! conditions out of the loop. Keeps: nothing; loops stay in that form. Does not try:
//! `select`, which costs no more than the branch that it could be; conditions of which only a
//! part is invariant.

mod switches;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::form::preheader_jump;
use crate::analysis::{Frequencies, Loop, Loops};
use crate::pass::{
    Change, Copies, DedicatedExits, Graph, IncomingEdges, PassContext, PassResult, close_loops,
    drop_stale_marks, join_copied_edges, remove_unreachable_blocks, take_way,
};
use switches::take_cases;

/// The most instructions of a loop that is copied.
const MOST_COPIED: usize = 100;

/// What all copies may have together, however small the function is.
const LEAST_GROWTH: usize = 200;

/// How often loops are looked for.
const MOST_ROUNDS: usize = 4;

/// Takes invariant branches out of loops.
///
/// # Errors
/// None.
pub fn loop_unswitch(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.analyses.loops(body).all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let mut growth = body.layout.all_insts().count().max(LEAST_GROWTH);
    let (mut taken, mut params, mut cases) = (0, 0, 0);
    for _ in 0..MOST_ROUNDS {
        let parted = take_cases(body, context, growth);
        if parted > 0 {
            context.analyses.drop_all();
        }
        cases += parted;
        let (found, closed) = round(body, context, &mut growth);
        taken += found;
        params += closed;
        if found + closed > 0 {
            context.analyses.drop_all();
        }
        if found == 0 {
            break;
        }
    }
    if taken > 0 {
        drop_stale_marks(body);
    }
    let counts = [
        ("unreachable blocks", unreachable),
        ("branches before loops", taken),
        ("cases of switches", cases),
        ("parameters of exits", params),
    ];
    Ok(context.statistics.add_each("loop_unswitch", counts))
}

/// Takes a branch each out of loops that do not stand in each other; gives how many, and
/// how many parameters that took.
fn round(body: &mut Body, context: &mut PassContext<'_>, growth: &mut usize) -> (usize, usize) {
    let loops = context.analyses.loops(body);
    if !loops.all().any(|id| {
        own_ends(body, &loops, id).any(|it| is_invariant(body, &loops, id, it, Op::Branch))
    }) {
        return (0, 0);
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let frequencies = context.analyses.frequencies(body);
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let exits = DedicatedExits::new(graph, &loops);
    let mut choices = apart(&loops, |id| {
        let choice = Choice::of(body, Op::Branch, graph, &loops, &frequencies, (id, &exits))?;
        *growth = growth.checked_sub(choice.size)?;
        Some(choice)
    });
    if choices.is_empty() {
        return (0, 0);
    }
    let wanted: Vec<Loop> = choices.iter().map(|choice| choice.id).collect();
    let closed = close_loops(body, graph, &loops, &exits, &wanted);
    let mut taken = 0;
    for choice in choices.iter_mut().filter(|choice| closed.contains(choice.id)) {
        // The condition may come out of a loop that was closed as well.
        match body.args(choice.branch) {
            &[condition] => choice.condition = condition,
            _ => continue,
        }
        context.remark(choice.branch, RemarkKind::Applied, "branches once before the loop");
        choice.take(body, graph, &loops);
        taken += 1;
    }
    remove_unreachable_blocks(body);
    (taken, closed.params)
}

/// One choice each of loops that do not stand in each other, those inside of a loop before it.
fn apart(loops: &Loops, mut choose: impl FnMut(Loop) -> Option<Choice>) -> Vec<Choice> {
    let mut choices = Vec::new();
    // Those inside of a loop are met before it, and others between.
    let mut is_around: SecondaryMap<Loop, bool> = SecondaryMap::new();
    for id in loops.all().rev() {
        if !is_around[id]
            && let Some(choice) = choose(id)
        {
            choices.push(choice);
            is_around[id] = true;
        }
        if let Some(parent) = loops.get(id).and_then(|data| data.parent.expand()) {
            is_around[parent] |= is_around[id];
        }
    }
    choices
}

/// What ends the blocks of a loop that stand in no loop inside of it.
fn own_ends<'a>(body: &'a Body, loops: &'a Loops, id: Loop) -> impl Iterator<Item = Inst> + 'a {
    loops.own_blocks(id).iter().filter_map(|&block| body.layout.last_inst(block))
}

/// Whether `end` is a branch or switch, as `op` says, that goes the same way in each round.
fn is_invariant(body: &Body, loops: &Loops, id: Loop, end: Inst, op: Op) -> bool {
    let is_outside = |value: Value| {
        let defined = body.defining_block(value);
        body.as_constant(value).is_none() && defined.is_none_or(|block| !loops.contains(id, block))
    };
    body.inst(end).op == op
        && body.args(end).first().is_some_and(|&condition| is_outside(condition))
}

/// A branch that goes the same way in each round of a loop.
#[derive(Debug)]
struct Choice {
    id: Loop,
    /// The end of the preheader.
    jump: Inst,
    branch: Inst,
    condition: Value,
    exits: Vec<Block>,
    size: usize,
}

impl Choice {
    /// The first of that op of the loop, if that may be copied.
    fn of(
        body: &Body,
        op: Op,
        graph: Graph<'_>,
        loops: &Loops,
        frequencies: &Frequencies,
        (id, exits): (Loop, &DedicatedExits),
    ) -> Option<Choice> {
        let jump = preheader_jump(body, graph.flow, loops, id)?;
        let preheader = body.layout.block_of(jump)?;
        let is_often = |end: Inst| {
            let block = body.layout.block_of(end);
            block.is_some_and(|block| frequencies.of(block) > frequencies.of(preheader))
        };
        let branch = own_ends(body, loops, id)
            .find(|&end| is_often(end) && is_invariant(body, loops, id, end, op))?;
        let condition = *body.args(branch).first()?;
        let insts = loops.blocks(id).iter().flat_map(|&block| body.layout.insts(block));
        let size = insts.take(MOST_COPIED + 1).count();
        let exits = exits.of(id).filter(|_| size <= MOST_COPIED)?.to_vec();
        Some(Choice { id, jump, branch, condition, exits, size })
    }

    fn take(&self, body: &mut Body, graph: Graph<'_>, loops: &Loops) {
        let region = loops.blocks(self.id).to_vec();
        let Some(&last) = region.last() else { return };
        let mut copies = Copies::default();
        copies.copy_blocks(body, &region, last);
        join_copied_edges(body, graph.edges, &self.exits, &copies);
        self.enter(body, &copies);
        for block in region {
            self.decide(body, block, 0);
            self.decide(body, copies.block(block), 1);
        }
    }

    /// Ends the preheader with the branch, to a preheader for each copy.
    fn enter(&self, body: &mut Body, copies: &Copies) {
        let (Some(preheader), Some(&way)) =
            (body.layout.block_of(self.jump), body.targets(self.jump).first())
        else {
            return;
        };
        let given = body.target_args(&way).to_vec();
        let loc = body.loc(self.jump);
        let mut after = preheader;
        let targets = [way.block, copies.block(way.block)].map(|header| {
            let block = body.make_block();
            body.layout.insert_block_after(block, after);
            after = block;
            let target = body.target(header, &given);
            let args = body.list(&[]);
            let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(target));
            body.append_inst(block, InstData { loc, ..jump }, &[]);
            body.target(block, &[])
        });
        let args = body.list(&[self.condition]);
        let branch = InstData::new(Op::Branch, Type::NONE, args, Payload::Branch(targets));
        let loc = body.loc(self.branch);
        let branch = body.insert_inst(self.jump, InstData { loc, ..branch }, &[]);
        if let Some(weights) = body.weights(self.branch).map(<[u32]>::to_vec) {
            body.set_weights(branch, &weights);
        }
        body.remove_inst(self.jump);
    }

    /// Puts a jump in the place of a branch on the condition.
    fn decide(&self, body: &mut Body, block: Block, way: usize) {
        let is_decided =
            |end: &Inst| body.inst(*end).op == Op::Branch && body.args(*end) == [self.condition];
        if let Some(end) = body.layout.last_inst(block).filter(is_decided) {
            take_way(body, end, way);
        }
    }
}
