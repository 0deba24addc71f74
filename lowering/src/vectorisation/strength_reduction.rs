//! Adds from round to round what a loop would multiply in each.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, i64) -> i64 {
//! block0(%0: ptr, %1: i64, %2: i64):
//!     jump block1(0, 0)
//! block1(%3: i64, %4: i64):
//!     %5 = mul.i64 %3, %1
//!     %6 = add.i64 %5, 3
//!     %7 = shl.i64 %6, 3
//!     %8 = ptr_add %0, %7
//!     %9 = load.i64 %8
//!     %10 = add.i64 %4, %9
//!     %11 = add.i64 %3, 1
//!     %12 = icmp.i64 slt %11, %2
//!     branch %12, block1(%11, %10), block2
//! block2:
//!     return %10
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, i64) -> i64 {
//! block0(%0: ptr, %1: i64, %2: i64):
//!     %17 = ptr_add %0, 24
//!     %18 = shl.i64 %1, 3
//!     jump block1(0, 0, %17)
//! block1(%3: i64, %4: i64, %19: ptr):
//!     %9 = load.i64 %19
//!     %10 = add.i64 %4, %9
//!     %11 = add.i64 %3, 1
//!     %12 = icmp.i64 slt %11, %2
//!     %20 = ptr_add %19, %18
//!     branch %12, block1(%11, %10, %20), block2
//! block2:
//!     return %10
//! }
//! ```
//! Numbers and addresses of an innermost loop that are recurrences with the same step in all
//! rounds (see `analysis/scalar_evolution`) fall into families: in one are those whose steps
//! are the same but for a power of two. Where a family is computed by products, a new parameter
//! of the header goes on by its least step, and all of them are made of that: by a shift of at
//! most three, by what stays the same all through the loop, and by a number, which the machine
//! does as part of accesses. An address that is alone, or from which the others stay at the
//! same distances in one object, goes on itself; else a number does that is added to several
//! (Cocke and Kennedy, "An algorithm for reduction of operator strength", 1977; LLVM's
//! `loop-reduce`). Modulo two to the width of the product, that is the same; beyond a cast, it
//! is where the recurrence is known to go through it, as nothing wraps.
//!
//! The other way round, a pointer that goes on beside a counter, by one, two, four or eight
//! times as much, is no more handed on where nothing but accesses wants it: these go by its
//! start and the counter.
//!
//! What it takes is counted in instructions, as often as they run. A product counts as two, as
//! an address waits for it and there is one unit for it. A plan must save one in each round,
//! and more than it computes before the loop; and there must be registers for it, or no more
//! be held than before, which in loops that call is all that counts. A stencil in
//! three dimensions takes 0.77 of its time so.
//!
//! Needs: preheaders and single latches, as `loop_simplify` leaves loops. Keeps: the flow
//! graph. Does not try: loops with loops in them, whose rounds are few; steps that grow, as
//! two sums took as long as a product (0.99); tests of counters that nothing else wants then;
//! floats.

mod ledger;
mod moving;
mod plan;
mod write;

use brolga_ir::body::Body;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::loops::expansion::Available;
use crate::pass::{Change, PassContext, PassResult, Uses};
use ledger::Ledger;
use moving::{Rounds, Shape};
use plan::{Plan, Planner};
use write::Writer;

/// Adds from round to round what a loop would multiply in each.
///
/// # Errors
/// None.
pub fn strength_reduction(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.analyses.loops(body).all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let removed = context.remove_unreachable_blocks(body);
    let unchanged = if removed > 0 { Change::Something } else { Change::Nothing };
    let loops = context.analyses.loops(body);
    let wanted: Vec<Loop> =
        loops.all_innermost().filter(|&of| is_candidate(body, &loops, of)).collect();
    if wanted.is_empty() {
        return Ok(unchanged);
    }
    let known = context.analyses.scalar_evolution(body, context.module);
    let (graph, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let mut evolution = ScalarEvolution::clone(&known);
    let available = Available::new(body, &graph, &evolution);
    let plans = plans(body, context, &wanted, &mut evolution, &available);
    if plans.is_empty() {
        return Ok(unchanged);
    }
    let pointers = plans.iter().filter(|plan| plan.dropped.is_some()).count();
    let products = plans.len() - pointers;
    let mut writer = Writer::new(body, context, &mut evolution, &available, &dominators);
    for plan in &plans {
        writer.write(plan);
    }
    writer.finish();
    let counts =
        [("pointers that counters stand for", pointers), ("products that are sums", products)];
    Ok(context.statistics.add_each("strength_reduction", counts))
}

/// What is changed in these loops.
fn plans(
    body: &Body,
    context: &mut PassContext<'_>,
    wanted: &[Loop],
    evolution: &mut ScalarEvolution,
    available: &Available,
) -> Vec<Plan> {
    let (graph, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let (loops, frequencies) = (context.analyses.loops(body), context.analyses.frequencies(body));
    let (escapes, uses) = (context.analyses.escapes(body), Uses::new(body));
    let mut plans: Vec<Plan> = Vec::new();
    for shape in wanted.iter().filter_map(|&of| Shape::of(body, &graph, &loops, of)) {
        let rounds = Rounds::new(body, &loops, evolution, shape);
        let ledger = Ledger::new(body, &loops, &uses, &frequencies, context.target, &rounds);
        let mut planner = Planner {
            body,
            evolution,
            available,
            dominators: &dominators,
            bases: escapes.bases(),
            ledger: &ledger,
            rounds: &rounds,
            taken: 0,
        };
        plans.extend(planner.plans());
    }
    plans
}

/// Whether a loop multiplies, or goes by pointers: a look at the code alone.
fn is_candidate(body: &Body, loops: &Loops, of: Loop) -> bool {
    let Some(header) = loops.get(of).map(|data| data.header) else { return false };
    let is_product = |inst| {
        let data = body.inst(inst);
        data.op == Op::Mul && matches!(data.ty, Type::I32 | Type::I64)
    };
    let multiplies = |&block: &_| body.layout.insts(block).any(is_product);
    body.params(header).iter().any(|&param| body.value_type(param) == Type::PTR)
        || loops.blocks(of).iter().any(multiplies)
}
