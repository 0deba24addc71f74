//! Puts the test of a loop at its bottom: `while` becomes `if` and `do while`, so that a
//! round takes one branch, and what stands in the loop runs whenever it is entered.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1(%0, 0)
//! block1(%1: i32, %2: i32):
//!     %3 = icmp.i32 eq %1, 0
//!     branch %3, block3, block2
//! block2:
//!     %4 = add.i32 %2, %1
//!     %5 = sub.i32 %1, 1
//!     jump block1(%5, %4)
//! block3:
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %9 = icmp.i32 eq %0, 0
//!     branch %9, block3(0), block6
//! block6:
//!     jump block4(%0, 0)
//! block1(%1: i32, %2: i32):
//!     %3 = icmp.i32 eq %1, 0
//!     branch %3, block5, block4(%1, %2)
//! block5:
//!     jump block3(%2)
//! block4(%10: i32, %11: i32):
//!     jump block2
//! block2:
//!     %4 = add.i32 %11, %10
//!     %5 = sub.i32 %10, 1
//!     jump block1(%5, %4)
//! block3(%8: i32):
//!     return %8
//! }
//! ```
//! The header is copied into the preheader, where it decides whether the loop is entered;
//! in the loop it becomes the latch. What begins a round now is a new block, the header
//! from here on, with a parameter for everything that the old one computes and the rest of
//! the loop uses. Outside nothing is to be mended, as the loop is closed first: its values
//! are used there as arguments of exits only. Each path runs the same instructions in the
//! same order as before, so that effects, traps and polls need no thought. What is
//! copied is a constant where what the loop is entered with decides it, as numbers do, and
//! addresses of the start and the end of an object of known size; where the loop is then
//! entered in any case, no branch asks for it. (LLVM's
//! `LoopRotate` and Go's `loop rotate` have the idea.)
//!
//! A loop whose latch leaves it is in this form already. Left alone are loops whose header
//! does not leave them, so also those that never end, and large headers.
//!
//! Needs: preheaders, single latches and dedicated exits, as `loop_simplify` leaves them;
//! other loops are left alone. Keeps: nothing; loops stay in that form, and marks stay with
//! their headers. Does not try: headers that end in a `switch`; a second round for
//! conditions of several blocks.

use brolga_ir::attribute::LoopFlags;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;
use smallvec::{SmallVec, smallvec};

use super::form::preheader_jump;
use crate::analysis::{Loop, Loops};
use crate::pass::{
    Change, Copies, DedicatedExits, Edge, Graph, IncomingEdges, PassContext, PassResult, Uses,
    can_be_param, close_loops, decide_equality, fold_inst, join_edges,
};

/// The most instructions that a header may have to be copied.
const MOST_COPIED: usize = 24;

/// Puts the tests of loops at their bottoms.
///
/// # Errors
/// None.
pub fn loop_rotate(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let unreachable = context.remove_unreachable_blocks(body);
    let unchanged = if unreachable > 0 { Change::Something } else { Change::Nothing };
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(unchanged);
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let rotations: Vec<Rotation> =
        loops.all().filter_map(|id| Rotation::of(body, graph, &loops, id)).collect();
    if rotations.is_empty() {
        return Ok(unchanged);
    }
    let wanted: Vec<Loop> = rotations.iter().map(|it| it.id).collect();
    let closed = close_loops(body, graph, &loops, &DedicatedExits::new(graph, &loops), &wanted);
    let mut uses = Uses::new(body);
    let mut count = 0;
    for rotation in rotations.iter().filter(|it| closed.contains(it.id)) {
        context.remark(rotation.branch, RemarkKind::Applied, "the test is at the bottom now");
        rotation.rotate(body, &edges, &mut uses);
        count += 1;
    }
    context.statistics.add("loop_rotate", "unreachable blocks", unreachable as u64);
    context.statistics.add("loop_rotate", "rotated loops", count);
    context.statistics.add("loop_rotate", "parameters of exits", closed.params as u64);
    let changed = count > 0 || closed.params > 0;
    Ok(if changed { Change::Something } else { unchanged })
}

/// A loop whose test is at its top.
#[derive(Clone, Copy, Debug)]
struct Rotation {
    id: Loop,
    header: Block,
    /// The end of the preheader.
    jump: Inst,
    /// The end of the header.
    branch: Inst,
    /// Which of its targets leads on in the loop.
    inside: usize,
    /// Where the other one leads.
    exit: Block,
    /// Whether that is outside of a loop around this one, too.
    leaves_more: bool,
}

impl Rotation {
    /// The loop, if it can be rotated and its test is not yet at the bottom.
    fn of(body: &Body, graph: Graph<'_>, loops: &Loops, id: Loop) -> Option<Rotation> {
        let data = loops.get(id)?;
        let header = data.header;
        let jump = preheader_jump(body, graph.flow, loops, id)?;
        let &[latch] = data.latches.as_slice() else { return None };
        let behind = graph.flow.successors(latch);
        let is_single = behind.iter().filter(|&&to| to == header).count() == 1;
        if !is_single || !behind.iter().all(|&to| loops.contains(id, to)) {
            return None;
        }
        let branch = body.layout.last_inst(header).filter(|&it| body.inst(it).op == Op::Branch)?;
        let &[yes, no] = body.targets(branch) else { return None };
        let (inside, exit) = match [yes, no].map(|target| loops.contains(id, target.block)) {
            [true, false] => (0, no.block),
            [false, true] => (1, yes.block),
            _ => return None,
        };
        let leaves_more = loops.innermost(exit) != data.parent.expand();
        let rotation = Rotation { id, header, jump, branch, inside, exit, leaves_more };
        can_be_copied(body, header).then_some(rotation)
    }

    fn rotate(&self, body: &mut Body, edges: &IncomingEdges, uses: &mut Uses) {
        let Some(&Target { block: next, .. }) = body.targets(self.branch).get(self.inside) else {
            return;
        };
        let copies = self.copy_header(body, uses);
        let ways = [0, 1].map(|index| {
            let args = body.targets(self.branch).get(index).map(|it| body.target_args(it));
            args.map_or_else(Vec::new, |args| args.iter().map(|&arg| copies.value(arg)).collect())
        });
        let inside = Edge { inst: self.branch, index: self.inside as u32 };
        let top = join_edges(body, next, &[inside], self.header);
        let leaving = self.lead_out(body, edges, uses);
        body.layout.last_inst(top).into_iter().for_each(|jump| uses.add(body, jump));
        self.move_mark(body, top);
        let carried = self.carry(body, uses, top, leaving);
        let carried: Vec<Value> = carried.into_iter().map(|value| copies.value(value)).collect();
        self.guard(body, &copies, (top, &carried), &ways[1 - self.inside], uses);
    }

    /// Copies what the header does to the end of the preheader.
    fn copy_header(&self, body: &mut Body, uses: &mut Uses) -> Copies {
        let mut copies = Copies::default();
        let given = body.targets(self.jump).first().map(|it| body.target_args(it).to_vec());
        let params = body.params(self.header).to_vec();
        for (param, arg) in params.into_iter().zip(given.unwrap_or_default()) {
            copies.stand_in(param, arg);
        }
        for inst in copied_insts(body, self.header).collect::<Vec<_>>() {
            let copy = copies.copy_inst(body, inst);
            if let Some(constants) = decided(body, copy) {
                let results = body.results(inst).iter().zip(constants);
                results.for_each(|(&result, constant)| copies.stand_in(result, constant));
                continue;
            }
            body.layout.insert_inst_before(copy, self.jump);
            uses.add(body, copy);
        }
        copies
    }

    /// Leads the edge from the old header to the exit through a block of its own, and what
    /// else leaves the loop for that exit through another: there, values of the old header
    /// are those of the round, and here those of the next. The exit is reached from the
    /// guard, too, and could not be one of the loop alone. Gives the first block.
    fn lead_out(&self, body: &mut Body, edges: &IncomingEdges, uses: &mut Uses) -> Block {
        let (own, others): (Vec<Edge>, Vec<Edge>) =
            edges.of(self.exit).iter().partition(|edge| edge.inst == self.branch);
        let groups = [own, others].into_iter().filter(|edges| !edges.is_empty());
        let ways: Vec<Block> =
            groups.map(|edges| join_edges(body, self.exit, &edges, self.header)).collect();
        for &block in &ways {
            body.layout.last_inst(block).into_iter().for_each(|jump| uses.add(body, jump));
        }
        ways.first().copied().unwrap_or(self.exit)
    }

    /// The mark of a loop stands in its header. A round is now the rest of one and the test of
    /// the next: where the test accesses memory, that rounds are independent says nothing of
    /// these.
    fn move_mark(&self, body: &mut Body, top: Block) {
        let is_mark = |inst: &Inst| body.inst(*inst).op == Op::LoopMark;
        let mark = body.layout.insts(self.header).find(is_mark);
        if let (Some(mark), Some(first)) = (mark, body.layout.first_inst(top)) {
            body.layout.remove_inst(mark);
            body.layout.insert_inst_before(mark, first);
            let accessing = Effects::READ | Effects::WRITE;
            let accesses = |inst: Inst| body.inst(inst).op.info().effects.intersects(accessing);
            if body.layout.insts(self.header).any(accesses)
                && let Payload::LoopMark { flags, .. } = &mut body.inst_mut(mark).payload
            {
                *flags -= LoopFlags::IVDEP;
            }
        }
    }

    /// Gives the new header a parameter for each value of the old one that the rest of the
    /// loop uses; gives these values.
    fn carry(&self, body: &mut Body, uses: &mut Uses, top: Block, leaving: Block) -> Vec<Value> {
        let results = body.layout.insts(self.header).flat_map(|inst| body.results(inst));
        let defined: Vec<Value> = body.params(self.header).iter().chain(results).copied().collect();
        let mut carried = Vec::new();
        for value in defined {
            let mut users = uses.of(body, value);
            users.retain(|user| {
                let home = body.layout.block_of(*user);
                home != Some(self.header) && home != Some(leaving)
            });
            if users.is_empty() {
                continue;
            }
            let ty = body.value_type(value);
            let param = body.append_param(top, ty);
            for user in users {
                uses.replace(body, user, value, param);
            }
            body.push_target_arg(self.branch, self.inside, value);
            carried.push(value);
        }
        uses.add(body, self.branch);
        carried
    }

    /// Ends the preheader with the copied test, unless that is known to lead in.
    fn guard(
        &self,
        body: &mut Body,
        copies: &Copies,
        (top, carried): (Block, &[Value]),
        leaving: &[Value],
        uses: &mut Uses,
    ) {
        let Some(guard) = body.layout.block_of(self.jump) else { return };
        let condition = body.args(self.branch).iter().map(|&arg| copies.value(arg));
        let condition: Vec<Value> = condition.collect();
        let known = condition.first().and_then(|&value| body.as_scalar_constant(value));
        let is_entered = known.is_some_and(|bits| usize::from(bits & 1 == 0) == self.inside);
        let into = block_with_jump(body, guard, self.branch, top, carried, uses);
        let into = body.target(into, &[]);
        let data = match is_entered {
            true => InstData::new(Op::Jump, Type::NONE, body.list(&[]), Payload::Jump(into)),
            false => {
                let out = self.way_past(body, guard, leaving, uses);
                let targets = if self.inside == 0 { [into, out] } else { [out, into] };
                let args = body.list(&condition);
                InstData::new(Op::Branch, Type::NONE, args, Payload::Branch(targets))
            }
        };
        let loc = body.loc(self.branch);
        let end = body.insert_inst(self.jump, InstData { loc, ..data }, &[]);
        let weights = body.weights(self.branch).filter(|_| !is_entered).map(<[u32]>::to_vec);
        if let Some(weights) = weights {
            body.set_weights(end, &weights);
        }
        body.remove_inst(self.jump);
        uses.add(body, end);
    }

    /// Where the preheader leads if the loop is not entered.
    fn way_past(
        &self,
        body: &mut Body,
        guard: Block,
        leaving: &[Value],
        uses: &mut Uses,
    ) -> Target {
        if !self.leaves_more {
            return body.target(self.exit, leaving);
        }
        let out = block_with_jump(body, guard, self.branch, self.exit, leaving, uses);
        body.target(out, &[])
    }
}

/// What a copy gives of the values that a loop is entered with, if that is known: then the
/// loop is entered, or not, and no pass takes the question for one that rounds share.
fn decided(body: &mut Body, inst: Inst) -> Option<SmallVec<[Value; 2]>> {
    if let Some(Ok(constants)) = fold_inst(body, inst) {
        return Some(constants);
    }
    let constant = Constant::scalar(Type::I1, decide_equality(body, inst)?.into())?;
    Some(smallvec![body.constant(constant)])
}

/// A new block behind `after` that jumps to `to`, from where `like` is.
fn block_with_jump(
    body: &mut Body,
    after: Block,
    like: Inst,
    to: Block,
    args: &[Value],
    uses: &mut Uses,
) -> Block {
    let block = body.make_block();
    body.layout.insert_block_after(block, after);
    let target = body.target(to, args);
    let args = body.list(&[]);
    let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(target));
    let jump = body.append_inst(block, InstData { loc: body.loc(like), ..jump }, &[]);
    uses.add(body, jump);
    block
}

/// What of a header is copied: all but its mark and its end.
fn copied_insts(body: &Body, header: Block) -> impl Iterator<Item = Inst> + '_ {
    let last = body.layout.last_inst(header);
    let is_copied = move |inst: &Inst| Some(*inst) != last && body.inst(*inst).op != Op::LoopMark;
    body.layout.insts(header).filter(is_copied)
}

fn can_be_copied(body: &Body, header: Block) -> bool {
    let can_be_carried =
        |inst: Inst| body.results(inst).iter().all(|&result| can_be_param(body.value_type(result)));
    copied_insts(body, header).take(MOST_COPIED + 1).count() <= MOST_COPIED
        && copied_insts(body, header).all(can_be_carried)
}
