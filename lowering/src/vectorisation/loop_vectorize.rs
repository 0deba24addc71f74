//! Does several rounds of a loop at once, with vectors.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, i32) {
//! block0(%0: ptr, %1: i64, %2: i32):
//!     jump block1(0)
//! block1(%3: i64):
//!     %4 = shl.i64 %3, 2
//!     %5 = ptr_add %0, %4
//!     %6 = load.i32 %5
//!     %7 = add.i32 %6, %2
//!     store.i32 %7, %5
//!     %8 = add.i64 %3, 1
//!     %9 = icmp.i64 ult %8, %1
//!     branch %9, block1(%8), block2
//! block2:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, i32) {
//! block0(%0: ptr, %1: i64, %2: i32):
//!     %13 = umax.i64 %1, 1
//!     %15 = add.i64 %13, -1
//!     %17 = icmp.i64 uge %15, 7
//!     %18 = add.i64 %15, 1
//!     %20 = and.i64 %18, -8
//!     %21 = icmp.i64 eq %20, %18
//!     branch %17, block3, block6(0)
//! block3:
//!     %28 = splat.i32x4 %2
//!     jump block4(0)
//! block4(%23: i64):
//!     loop_mark unroll 1
//!     %25 = shl.i64 %23, 2
//!     %26 = ptr_add %0, %25
//!     %27 = load.i32x4 %26
//!     %29 = add.i32x4 %27, %28
//!     store.i32x4 %29, %26
//!     %30 = load.i32x4 %26+16
//!     %31 = add.i32x4 %30, %28
//!     store.i32x4 %31, %26+16
//!     %32 = add.i64 %23, 8
//!     %33 = icmp.i64 ne %32, %20
//!     branch %33, block4(%32), block5
//! block5:
//!     branch %21, block2, block6(%20)
//! block6(%22: i64):
//!     jump block1(%22)
//! block1(%3: i64):
//!     loop_mark unroll 1
//!     %4 = shl.i64 %3, 2
//!     %5 = ptr_add %0, %4
//!     %6 = load.i32 %5
//!     %7 = add.i32 %6, %2
//!     store.i32 %7, %5
//!     %8 = add.i64 %3, 1
//!     %9 = icmp.i64 ult %8, %1
//!     branch %9, block1(%8), block2
//! block2:
//!     return
//! }
//! ```
//! Vectors do as many rounds as they can, if there are enough for one; the loop as it was does
//! what is left over, or all of it (Allen and Kennedy, "Automatic translation of FORTRAN
//! programs to vector form", 1987). How often the loop goes round is known before it (see
//! `analysis/scalar_evolution`); its loads and stores go on by the size of what they touch, up
//! or down, or by a few times that; and no round touches what a later place of the body does in
//! one of the rounds before it, closer than a vector is long (see `analysis/dependence`). Where
//! only running can tell, what pairs of accesses touch is compared before the loop. Blocks of
//! the loop are put in a row: what arms compute is computed in all rounds, and chosen from
//! (Allen, Kennedy, Porterfield and Warren, "Conversion of control dependence to data
//! dependence", 1983). Sums, products and extremes are put together in each lane, and the lanes
//! behind the loop: those of floats if they are permitted to be regrouped, but for `fmin` and
//! `fmax`, which are the same in any order. Of integers that are narrower than their sum, those
//! of several vectors are put together in narrow lanes first (see `narrow`). A value of the
//! round before comes from the lane before. Behind the loop, what it has handed on, and what
//! counts have been, is known from the number of rounds; if anything else is used there, the
//! loop as it was does the last one. What goes down in memory is turned round in registers, if
//! not all does. A store that only some rounds make is one of the whole vector where all do,
//! and asked lane by lane where only some do (see `build/some`).
//!
//! Where each round comes to two, three or four elements side by side, in loads or in stores,
//! these are vectors in memory, too (see `groups`). They are taken apart, or put together, by
//! shuffles (see `network`); where the same is done to all elements of a round, they stay as
//! they are (see `alike`). Such accesses are made in one place, and what may be between is
//! asked about (see `compare`).
//!
//! Addresses are computed for the first round of a vector as the loop would compute them
//! there, and nothing else is, so that counts may wrap as they like. Several vectors are
//! done one behind the other, each with sums of its own (see `cost`). Vectors are as long as
//! the smallest lane fills a register; longer ones of wider lanes `legalize` splits. Where a
//! store asks for its lanes, they fill several registers, as long as all that is in use has
//! room: one question serves all of them. Both loops are marked for `loop_unroll` to leave
//! them as they are.
//!
//! Needs: preheaders, single latches and tests at the bottom, as `loop_simplify` and
//! `loop_rotate` leave loops. Keeps: nothing. Does not try: outer loops; loops that are left
//! in the middle, or have calls, polls, traps, volatile or atomic accesses; loads that only
//! some rounds make; stores that leave elements out, and addresses that go on by more than
//! four of them; rounds left over in shorter vectors.

mod alike;
mod build;
mod compare;
mod cost;
mod groups;
pub(super) mod guard;
mod memory;
mod narrow;
mod network;
mod plan;
pub(super) mod reduction;
mod refusal;
mod remarks;
pub(super) mod shape;

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::observe::RemarkKind;
use rustc_hash::FxHashSet;

use crate::analysis::dependence::Dependences;
use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::loops::expansion::Available;
use crate::pass::{
    Change, DedicatedExits, Editor, Graph, IncomingEdges, PassContext, PassResult, Uses, closed_of,
    drop_stale_marks, remove_unreachable_blocks,
};
use guard::{Before, Guard};
pub(super) use memory::is_lane;
use plan::{Known, Plan};
use refusal::Refusal;
use remarks::{refuse, tell_of_others};
use shape::{Round, Shape};

/// Does several rounds of a loop at once.
///
/// # Errors
/// None.
pub fn loop_vectorize(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    tell_of_others(body, context, &loops);
    if loops.all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let unchanged = if unreachable > 0 { Change::Something } else { Change::Nothing };
    let loops = context.analyses.loops(body);
    let (mut plans, evolution) = plans(body, context, &loops);
    if plans.is_empty() {
        return Ok(unchanged);
    }
    let guards = guards(body, context, &mut plans, evolution);
    let wanted = plans.iter().filter(|plan| !plan.keeps_last).map(|plan| plan.shape.of).collect();
    let closed = closed_of(body, context, &loops, wanted);
    let (mut count, mut long, mut groups, mut alike) = (0, 0, 0, 0);
    for (plan, guard) in plans.drain(..).zip(guards) {
        let of = plan.shape.of;
        let is_closed = plan.keeps_last || closed.contains(&of);
        let guard = match guard.and_then(|it| if is_closed { Ok(it) } else { Err(Refusal::Form) }) {
            Ok(guard) => guard,
            Err(reason) => {
                refuse(body, context, &loops, (of, reason));
                continue;
            }
        };
        let (lanes, copies) = (plan.lanes, plan.copies);
        let message = format_args!("vectorised by {lanes} × interleave {copies}");
        context.remark(plan.shape.branch, RemarkKind::Applied, message);
        build::build(body, context, &plan, guard);
        count += 1;
        groups += plan.memory.groups.len() as u64;
        alike += u64::from(plan.parts > 1);
        long += u64::from(plan.shares_questions(context.target));
    }
    remove_unreachable_blocks(body);
    drop_stale_marks(body);
    context.statistics.add("loop_vectorize", "vectorised loops", count);
    context.statistics.add("loop_vectorize", "groups of accesses", groups);
    context.statistics.add("loop_vectorize", "loops over elements that are alike", alike);
    context.statistics.add("loop_vectorize", "questions about several registers", long);
    Ok(Change::Something)
}

/// What is to become of which loops; what is not, is told of the others.
fn plans(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
) -> (Vec<Plan>, ScalarEvolution) {
    let graph = context.analyses.flow(body);
    // What is asked behind this costs far more.
    let mut shapes = Vec::new();
    for of in loops.all_innermost() {
        let shape = match has_cycle(loops, of) {
            true => Err(Refusal::Outer),
            false => Shape::of(body, &graph, loops, of),
        };
        let is_plain = |shape: &Shape| plan::check_ops(body, context.module, shape);
        match shape.and_then(|shape| is_plain(&shape).map(|()| shape)) {
            Ok(shape) => shapes.push(shape),
            Err(reason) => refuse(body, context, loops, (of, reason)),
        }
    }
    if shapes.is_empty() {
        return (Vec::new(), ScalarEvolution::default());
    }
    let accesses = context.analyses.accesses(body, context.module);
    let dominators = context.analyses.dominators(body);
    let post = context.analyses.post_dominators(body);
    let evolution = context.analyses.scalar_evolution(body, context.module);
    let mut dependences = Dependences::new(body, accesses, dominators.clone(), &evolution);
    let available = Available::new(body, &graph, &evolution);
    let uses = Uses::new(body);
    let facts = context.analyses.value_facts(body, context.module);
    let edges = IncomingEdges::new(body);
    let exits =
        DedicatedExits::new(Graph { flow: &graph, dominators: &dominators, edges: &edges }, loops);
    let mut plans = Vec::new();
    for shape in shapes {
        let of = shape.of;
        let known = Known { body, uses: &uses, facts: &facts };
        let planned = Round::of(body, &graph, &post, &shape)
            .and_then(|round| Plan::of(&known, &mut dependences, shape, round))
            .and_then(|mut plan| {
                plan.keeps_last |= exits.of(of).is_none();
                let rounds = rounds(dependences.evolution(), &plan);
                plan.choose(body, context.target, rounds)?;
                let evolution = dependences.evolution();
                let mut before =
                    Before { evolution, available: &available, dominators: &dominators };
                match before.is_cheap(body, &plan.rounds()) {
                    true => Ok(plan),
                    false => Err(Refusal::Count),
                }
            });
        match planned {
            Ok(plan) => plans.push(plan),
            Err(reason) => refuse(body, context, loops, (of, reason)),
        }
    }
    (plans, dependences.into_evolution())
}

/// Whether a cycle that is no loop stands in an innermost loop. One that the loop itself is part
/// of goes through its header.
fn has_cycle(loops: &Loops, of: Loop) -> bool {
    let header = loops.get(of).map(|data| data.header);
    !loops.is_reducible(of) && header.is_some_and(|header| !loops.is_irreducible(header))
}

/// How often a loop runs, if that is one number, and how often at most.
fn rounds(evolution: &ScalarEvolution, plan: &Plan) -> (Option<u128>, Option<u128>) {
    let more = |again: u128| again.saturating_add(1);
    let most = evolution.trips(plan.shape.of).and_then(|trips| trips.most).map(more);
    (evolution.as_constant(plan.again).map(more), most)
}

/// Writes before the loops what must be known there, while all that was found out holds. That
/// may be made of values of other loops before: the last ones come first, so that each loop's
/// own guard is written when all that names its values is. Where the last round is then done
/// alone, what is left may be less than a vector. That keeps the names, too, which plans of later
/// loops have noted: uses in the body alone are led through exits.
fn guards(
    body: &mut Body,
    context: &mut PassContext<'_>,
    plans: &mut [Plan],
    mut evolution: ScalarEvolution,
) -> Vec<Result<Guard, Refusal>> {
    let graph = context.analyses.flow(body);
    let mut order: Vec<usize> = (0..plans.len()).collect();
    order.sort_by_key(|&index| graph.postorder_number(plans[index].shape.preheader));
    let dominators = context.analyses.dominators(body);
    let available = Available::new(body, &graph, &evolution);
    let mut before =
        Before { evolution: &mut evolution, available: &available, dominators: &dominators };
    let mut editor = Editor::new(body, context);
    let (mut guards, mut named) = (vec![Err(Refusal::Count); plans.len()], FxHashSet::default());
    let mut noted = FxHashSet::default();
    for index in order {
        let plan = &mut plans[index];
        let is_named = plan.untold(editor.body).any(|value| named.contains(&value));
        let is_noted = plan.shape.blocks.iter().any(|block| noted.contains(block));
        plan.keeps_last |= is_named || is_noted;
        noted.extend(plan.named().filter_map(|value| editor.body.defining_block(value)));
        let first = editor.body.inst_count();
        guards[index] = before.write(&mut editor, &plan.rounds()).ok_or_else(|| {
            let again = before.evolution.as_constant(plan.again);
            again.map_or(Refusal::Count, |again| Refusal::Short(again.saturating_add(1)))
        });
        let new = (first..editor.body.inst_count()).map(|inst| Inst::from_u32(inst as u32));
        named.extend(new.flat_map(|inst| editor.body.args(inst).iter().copied()));
    }
    guards
}
