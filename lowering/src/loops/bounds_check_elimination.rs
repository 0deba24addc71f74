//! Takes range checks out of loops.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, i64) -> i8 {
//!     exit0 = trap bounds
//! block0(%0: ptr, %1: i64, %2: i64):
//!     jump block1(0, 0)
//! block1(%3: i64, %4: i8):
//!     %5 = icmp.i64 ult %3, %1
//!     check %5, exit0
//!     %6 = ptr_add %0, %3
//!     %7 = load.i8 %6
//!     %8 = add.i8 %4, %7
//!     %9 = add.i64 %3, 1
//!     %10 = icmp.i64 slt %9, %2
//!     branch %10, block1(%9, %8), block2
//! block2:
//!     return %8
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, i64) -> i8 {
//!     exit0 = trap bounds
//! block0(%0: ptr, %1: i64, %2: i64):
//!     %32 = icmp.i64 ult 0, %1
//!     %33 = icmp.i64 slt 1, %2
//!     %34 = and.i1 %32, %33
//!     branch %34, block7, block6(0, 0) weights(2000, 1)
//! block7:
//!     %28 = add.i64 %1, -1
//!     %29 = add.i64 %2, -1
//!     %30 = umin.i64 %28, %29
//!     %31 = add.i64 %30, 1
//!     jump block1(0, 0)
//! block1(%3: i64, %4: i8):
//!     %6 = ptr_add %0, %3
//!     %7 = load.i8 %6
//!     %8 = add.i8 %4, %7
//!     %9 = add.i64 %3, 1
//!     %35 = icmp.i64 slt %9, %31
//!     branch %35, block1(%9, %8), block8
//! block8:
//!     %26 = icmp.i64 slt %9, %2
//!     branch %26, block6(%9, %8), block4 weights(1, 2000)
//! block6(%24: i64, %25: i8):
//!     jump block3(%24, %25)
//! block4:
//!     jump block2(%8)
//! block3(%16: i64, %17: i8):
//!     %18 = icmp.i64 ult %16, %1
//!     check %18, exit0
//!     %19 = ptr_add %0, %16
//!     %20 = load.i8 %19
//!     %21 = add.i8 %17, %20
//!     %22 = add.i64 %16, 1
//!     %23 = icmp.i64 slt %22, %2
//!     branch %23, block3(%22, %21), block5
//! block5:
//!     jump block2(%21)
//! block2(%14: i8):
//!     return %14
//! }
//! ```
//! What a check compares goes along a line while its loop runs (see
//! `analysis/scalar_evolution`), so that from the first round on it holds in a number of
//! rounds that can be computed before the loop. Where the loop provably goes to no more
//! rounds, the compare is true and the check goes. Elsewhere the rounds are split: those in
//! which all checks are known to pass, and the loop is known to go on, run without checks;
//! then the loop as it was goes on from there, with all its checks, if rounds are left. Each
//! round runs once and in order, so that traps come where they came, behind the same stores
//! and calls (Würthinger, Wimmer and Mössenböck, "Array bounds check elimination for the Java
//! HotSpot client compiler", 2007; the split is that of LLVM's inductive range check
//! elimination).
//!
//! A number of rounds is a difference in the order of the compare, divided by the step. It
//! is right for all numbers, wherever they wrap, provided that the compare holds in the
//! first round: whether it does is asked first. What the first round does between its checks
//! and is the same in each round, above all loads of lengths, then stands between these
//! questions, so that nothing is loaded that the loop would not have loaded. The loop without
//! checks ends when what it compares equals a number that it comes to by then, at most.
//!
//! What leaves the loop for a trap, a throw or a call that never returns counts as a check;
//! so does what leaves it where an address that goes along a line is null.
//!
//! With the option `proofs`, no loop is split: for early, while later passes can still find
//! what makes a split needless.
//!
//! Needs: preheaders, single latches, dedicated exits, as `loop_simplify` leaves them, the
//! test at the bottom, as of `loop_rotate`; it finds more behind `licm` and `gvn`. Keeps:
//! nothing; loops stay in that form. Does not try: loops with loops in them; compares of two
//! numbers that both move; loops that only data end.

mod plan;
mod proof;
mod rounds;
mod split;

use std::cell::LazyCell;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use self::plan::{Plan, Surroundings};
use self::proof::Reasoning;
use self::split::Split;
use super::expansion::Available;
use super::form::Reads;
use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::pass::{
    Change, DedicatedExits, Graph, IncomingEdges, PassContext, PassResult, close_loops,
    drop_stale_marks, headers, remove_unreachable_blocks,
};

/// The option by which nothing is copied.
const PROOFS: &str = "proofs";

/// How many steps are followed from a compare to a parameter that moves.
const MOST_STEPS: u32 = 4;

/// What all copies may have together, however small the function is.
const LEAST_GROWTH: usize = 400;

/// Takes range checks out of loops.
///
/// # Errors
/// None.
pub fn bounds_check_elimination(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let (flow, loops) = (context.analyses.flow(body), context.analyses.loops(body));
    if loops.all().len() == 0 || !asks_in_rounds(body, &flow, &loops) {
        return Ok(Change::Nothing);
    }
    let mut unreachable = context.remove_unreachable_blocks(body);
    let proved = proof::prove(body, context);
    if proved.compares > 0 {
        unreachable += remove_unreachable_blocks(body);
        if proved.branches > 0 {
            // Before a loop around takes over what was a header.
            drop_stale_marks(body);
        }
        context.analyses.drop_all();
    }
    let (split, checks, params) = match context.option {
        PROOFS => (0, 0, 0),
        _ => split_loops(body, context),
    };
    if split > 0 {
        drop_stale_marks(body);
    }
    let counts = [
        ("unreachable blocks", unreachable),
        ("compares that hold in all rounds", proved.compares),
        ("checks that hold in all rounds", proved.checks),
        ("branches that go one way in all rounds", proved.branches),
        ("split loops", split),
        ("checks left out of split loops", checks),
        ("parameters of exits", params),
    ];
    Ok(context.statistics.add_each("bounds_check_elimination", counts))
}

/// Whether loops compare numbers for more than to know whether there is another round, and
/// what is compared may move, or a check or a way out of the loop depends on it: what is to
/// be known of numbers to prove anything costs more than all else here.
fn asks_in_rounds(body: &Body, flow: &FlowGraph, loops: &Loops) -> bool {
    let headers = headers(flow);
    body.layout.blocks().any(|block| {
        let Some(of) = loops.innermost(block) else { return false };
        let last = body.layout.last_inst(block);
        let turns = body.successors(block).any(|to| headers.contains(to));
        // Asked for many compares, and the same for all of a block.
        let leaves = LazyCell::new(|| leaves(body, loops, (block, of)));
        let checks = LazyCell::new(|| has_check(body, block));
        let decides = |inst: Inst| {
            let condition = last.and_then(|last| body.args(last).first().copied());
            condition.is_some() && condition == body.result(inst)
        };
        let asks = |inst: Inst| {
            let ends = decides(inst);
            let is_told = || (ends && *leaves) || *checks;
            let moves = |value: &Value| may_move(body, loops, *value, MOST_STEPS);
            rounds::is_compare(body, inst)
                && !(turns && ends)
                && (body.args(inst).iter().any(moves) || is_told())
        };
        body.layout.insts(block).any(asks)
    })
}

fn leaves(body: &Body, loops: &Loops, (block, of): (Block, Loop)) -> bool {
    body.successors(block).any(|to| !loops.contains(of, to))
}

fn has_check(body: &Body, block: Block) -> bool {
    body.layout.insts(block).any(|inst| body.inst(inst).op == Op::Check)
}

/// Whether a value may be another one in each round that follows from the round's number: it
/// is made of parameters of headers by what is known to make lines of lines, in a few steps.
fn may_move(body: &Body, loops: &Loops, value: Value, steps: u32) -> bool {
    let inst = match body.value_def(value) {
        ValueDef::Param(block, _) => return loops.innermost(block).is_some(),
        ValueDef::Result(inst, _) => inst,
        _ => return false,
    };
    let is_inside = || body.layout.block_of(inst).is_some_and(|at| loops.innermost(at).is_some());
    if !ScalarEvolution::sees_through(body.inst(inst).op) || !is_inside() {
        return false;
    }
    steps == 0 || body.args(inst).iter().any(|&arg| may_move(body, loops, arg, steps - 1))
}

/// Whether a loop is one that is split, or stands in one, and `of` does not: behind the split, a
/// value of it is what the copy without checks has computed, and no more what `of` begins with.
fn is_of_another(loops: &Loops, planned: &SecondaryMap<Loop, bool>, home: Loop, of: Loop) -> bool {
    let parent = |&of: &Loop| loops.get(of)?.parent.expand();
    let header = loops.get(of).map(|data| data.header);
    let has = |around: Loop| header.is_some_and(|header| loops.contains(around, header));
    std::iter::successors(Some(home), parent).any(|around| planned[around] && !has(around))
}

/// Splits loops; how many, how many checks that saves them, and how many parameters it took.
fn split_loops(body: &mut Body, context: &mut PassContext<'_>) -> (usize, usize, usize) {
    let analyses = &mut *context.analyses;
    let (flow, dominators) = (analyses.flow(body), analyses.dominators(body));
    let loops = analyses.loops(body);
    let (accesses, memory) =
        (analyses.accesses(body, context.module), analyses.memory_ssa(body, context.module));
    let frequencies = analyses.frequencies(body);
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let exits = DedicatedExits::new(graph, &loops);
    let reads =
        Reads { dominators: &dominators, loops: &loops, accesses: &accesses, memory: &memory };
    let mut reasoning = Reasoning::new(body, context);
    let available = Available::new(body, &flow, &reasoning.evolution);
    let around =
        Surroundings { reads, frequencies: &frequencies, exits: &exits, available: &available };
    let mut growth = body.layout.all_insts().count().max(LEAST_GROWTH);
    let mut plans: Vec<Plan> = Vec::new();
    let mut planned: SecondaryMap<Loop, bool> = SecondaryMap::new();
    for of in loops.all() {
        if let Some(plan) = Plan::of(&mut reasoning, context, &around, of)
            && plan.size <= growth
            && !plan.names(&reasoning, &|home| is_of_another(&loops, &planned, home, of))
        {
            growth -= plan.size;
            planned[of] = true;
            plans.push(plan);
        }
    }
    let mut evolution = reasoning.evolution;
    if plans.is_empty() {
        return (0, 0, 0);
    }
    let wanted: Vec<Loop> = plans.iter().map(|plan| plan.of).collect();
    let closed = close_loops(body, graph, &loops, &exits, &wanted);
    plans.retain(|plan| closed.contains(plan.of));
    let checks = plans.iter().map(|plan| plan.checks.len() + plan.branches.len()).sum();
    for plan in &plans {
        let message = "rounds whose checks are known to pass run without them";
        context.remark(plan.latch, RemarkKind::Applied, message);
    }
    let splits: Vec<Split> =
        plans.into_iter().filter_map(|plan| Split::new(body, graph, &loops, plan)).collect();
    remove_unreachable_blocks(body);
    context.analyses.drop_all();
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let available = Available::new(body, &flow, &evolution);
    for split in &splits {
        split.fill(body, context, (&mut evolution, &available, &dominators));
    }
    Split::clean(body, &splits);
    Split::join(body, &splits);
    context.analyses.drop_all();
    (splits.len(), checks, closed.params)
}
