//! Runs several rounds of a loop for each test of whether there are more.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, i8) {
//! block0(%0: ptr, %1: i64, %2: i8):
//!     jump block1(%0, %1)
//! block1(%3: ptr, %4: i64):
//!     loop_mark unroll 2
//!     store.i8 %2, %3
//!     %5 = ptr_add %3, 3
//!     %6 = sub.i64 %4, 1
//!     %7 = icmp.i64 ne %6, 0
//!     branch %7, block1(%5, %6), block2
//! block2:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, i8) {
//! block0(%0: ptr, %1: i64, %2: i8):
//!     %12 = add.i64 %1, -1
//!     %14 = icmp.i64 uge %12, 2
//!     %16 = and.i64 %12, -2
//!     branch %14, block3, block6(%0, %1)
//! block3:
//!     jump block4(%0, %1, 0)
//! block4(%17: ptr, %18: i64, %29: i64):
//!     loop_mark unroll 1
//!     store.i8 %2, %17
//!     %19 = ptr_add %17, 3
//!     %20 = sub.i64 %18, 1
//!     %21 = icmp.i64 ne %20, 0
//!     jump block5(%19, %20)
//! block5(%22: ptr, %23: i64):
//!     store.i8 %2, %22
//!     %24 = ptr_add %22, 3
//!     %25 = sub.i64 %23, 1
//!     %26 = icmp.i64 ne %25, 0
//!     %30 = add.i64 %29, 2
//!     %31 = icmp.i64 ne %30, %16
//!     branch %31, block4(%24, %25, %30), block6(%24, %25)
//! block6(%27: ptr, %28: i64):
//!     jump block1(%27, %28)
//! block1(%3: ptr, %4: i64):
//!     loop_mark unroll 1
//!     store.i8 %2, %3
//!     %5 = ptr_add %3, 3
//!     %6 = sub.i64 %4, 1
//!     %7 = icmp.i64 ne %6, 0
//!     branch %7, block1(%5, %6), block2
//! block2:
//!     return
//! }
//! ```
//! Of a loop whose number of rounds is known before it (see `analysis/scalar_evolution`) and
//! that ends by the branch at its bottom, copies do all rounds but the last ones, with a
//! count of their own instead of a test in each; the loop as it was does what is left over,
//! one round at least, so that what is used behind it stays as it is. If the number is
//! known to be a multiple, only the last copy has a test. Any other loop is copied with its
//! exits: then only jumps are saved, and it is done for those that ask for it alone. What
//! rounds do stays in its order, calls, traps, stores and polls.
//!
//! `loop_mark unroll n` is obeyed within bounds: `n` rounds follow each other. Beside these,
//! a loop is taken that runs often and is small, each round the same instructions, if what
//! only the last of several rounds has (the test, a counter that nothing but the test needs,
//! and what brings values to where the next round looks for them) is a good part of what
//! keeps the processor busy, and what one round hands to the next does not make it wait.
//! What comes out is marked `unroll 1`, as the loops of `loop_vectorize` are, so that it is
//! not done again.
//!
//! Needs: preheaders and single latches, tests at the bottom, as `loop_simplify` and
//! `loop_rotate` leave loops. Keeps: nothing. Does not try: loops with loops in them, of
//! which those that ask for it are told; sums with a part for each copy, for which there are
//! vectors.

mod build;
mod choose;
mod round;

use brolga_ir::body::Body;
use brolga_ir::entity::Block;
use brolga_ir::observe::RemarkKind;

use super::loop_vectorize::guard::{Before, Guard};
use crate::analysis::{Loops, ScalarEvolution};
use crate::loops::expansion::Available;
use crate::pass::{
    Change, Editor, PassContext, PassResult, Uses, closed_of, drop_stale_marks, wished_rounds,
};
use choose::{Chooser, Plan, Way, is_candidate};

/// Runs several rounds of loops for each test.
///
/// # Errors
/// None.
pub fn loop_unroll(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    tell_of_outer(body, context, &loops);
    if !loops.all_innermost().any(|of| is_candidate(body, &loops, of)) {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let unchanged = if unreachable > 0 { Change::Something } else { Change::Nothing };
    let loops = context.analyses.loops(body);
    let (plans, evolution) = plans(body, context, &loops);
    if plans.is_empty() {
        return Ok(unchanged);
    }
    let guards = guards(body, context, &plans, evolution);
    let wanted = plans.iter().filter(|plan| matches!(plan.way, Way::AnyExit));
    let wanted = wanted.map(|plan| plan.of).collect();
    // What is used behind loops that keep their exits leads through these.
    let closed = closed_of(body, context, &loops, wanted);
    let mut count = 0;
    for (plan, guard) in plans.iter().zip(guards) {
        let is_ready = match plan.way {
            Way::Even(_) => true,
            Way::Counted(..) => guard.is_some(),
            Way::AnyExit => closed.contains(&plan.of),
        };
        let rounds = plan.rounds;
        if is_ready {
            let message = format_args!("unrolled: {rounds} rounds for each jump back");
            context.remark(plan.place, RemarkKind::Applied, message);
            build::build(body, context, plan, guard);
            count += 1;
        } else if matches!(plan.way, Way::AnyExit) {
            let message = "the loop is not unrolled: what it computes is used behind several exits";
            context.remark(plan.place, RemarkKind::Missed, message);
        }
    }
    drop_stale_marks(body);
    context.statistics.add("loop_unroll", "unrolled loops", count);
    Ok(Change::Something)
}

/// Says of loops that ask for it and have loops in them that they stay.
fn tell_of_outer(body: &Body, context: &mut PassContext<'_>, loops: &Loops) {
    for of in loops.all().filter(|&of| !loops.is_innermost(of)) {
        let header = loops.get(of).map(|data| data.header);
        let asks = |&header: &Block| wished_rounds(body, header).is_some_and(|rounds| rounds > 1);
        if let Some(place) = header.filter(asks).and_then(|it| body.layout.last_inst(it)) {
            let message = "the loop is not unrolled: a loop is in it";
            context.remark(place, RemarkKind::Missed, message);
        }
    }
}

/// Which loops are unrolled; of those that ask for it, why not.
fn plans(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
) -> (Vec<Plan>, ScalarEvolution) {
    let graph = context.analyses.flow(body);
    let dominators = context.analyses.dominators(body);
    let frequencies = context.analyses.frequencies(body);
    let mut evolution = (*context.analyses.scalar_evolution(body, context.module)).clone();
    let available = Available::new(body, &graph, &evolution);
    let uses = Uses::new(body);
    let mut plans = Vec::new();
    for of in loops.all_innermost() {
        let mut chooser = Chooser {
            body,
            graph: &graph,
            loops,
            frequencies: &frequencies,
            uses: &uses,
            facts: context.target,
            before: Before {
                evolution: &mut evolution,
                available: &available,
                dominators: &dominators,
            },
        };
        match chooser.plan(of) {
            Ok(plan) => plans.extend(plan),
            Err((place, reason)) => {
                let message = format_args!("the loop is not unrolled: {reason}");
                context.remark(place, RemarkKind::Missed, message);
            }
        }
    }
    (plans, evolution)
}

/// Writes before the loops how many rounds copies do, while all that was found out holds.
fn guards(
    body: &mut Body,
    context: &mut PassContext<'_>,
    plans: &[Plan],
    mut evolution: ScalarEvolution,
) -> Vec<Option<Guard>> {
    let graph = context.analyses.flow(body);
    let dominators = context.analyses.dominators(body);
    let available = Available::new(body, &graph, &evolution);
    let mut before =
        Before { evolution: &mut evolution, available: &available, dominators: &dominators };
    let mut editor = Editor::new(body, context);
    let guard = |plan: &Plan| before.write(&mut editor, &plan.counted()?);
    plans.iter().map(guard).collect()
}
