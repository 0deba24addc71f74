//! Swaps two loops, or has several rounds of the outer one follow each other in the inner one,
//! where they wait for less memory then.
//!
//! Before:
//! ```text
//! func @f(ptr) {
//! block0(%0: ptr):
//!     jump block1(0)
//! block1(%1: i64):
//!     jump block2(0)
//! block2(%2: i64):
//!     %3 = shl.i64 %2, 12
//!     %4 = ptr_add %0, %3
//!     %5 = shl.i64 %1, 2
//!     %6 = ptr_add %4, %5
//!     %7 = load.i32 %6
//!     %8 = add.i32 %7, 1
//!     store.i32 %8, %6
//!     %9 = add.i64 %2, 1
//!     %10 = icmp.i64 ult %9, 100
//!     branch %10, block2(%9), block3
//! block3:
//!     %11 = add.i64 %1, 1
//!     %12 = icmp.i64 ult %11, 1000
//!     branch %12, block1(%11), block4
//! block4:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr) {
//! block0(%0: ptr):
//!     jump block5(0)
//! block5(%20: i64):
//!     %26 = shl.i64 %20, 12
//!     %27 = ptr_add %0, %26
//!     jump block7(0)
//! block7(%23: i64):
//!     %28 = shl.i64 %23, 2
//!     %29 = ptr_add %27, %28
//!     %30 = load.i32 %29
//!     %31 = add.i32 %30, 1
//!     store.i32 %31, %29
//!     %24 = add.i64 %23, 1 nuw
//!     %25 = icmp.i64 ult %24, 1000
//!     branch %25, block7(%24), block6
//! block6:
//!     %21 = add.i64 %20, 1 nuw
//!     %22 = icmp.i64 ult %21, 100
//!     branch %22, block5(%21), block4
//! block4:
//!     return
//! }
//! ```
//! A load brings a line of memory into the cache, from which neighbours are loaded soon. An
//! inner loop that goes down a column of a matrix touches a line in each round, and comes back
//! to these when the outer loop is at the next column: if they have left the cache, each
//! access waits for memory. Rows that are a power of two apart come to few places of it, so
//! that a dozen rounds do this. If all accesses go along lines by the outer loop, the two are
//! swapped. If some do by one and others by the other, as where a matrix is turned over its
//! diagonal, one loop goes in strips: eight of its rounds follow each other in the innermost
//! loop, then the other loop goes on, and around both a third goes from strip to strip. That is
//! the loop along which stores follow each other. (Swapping is due to Allen and Kennedy,
//! "Automatic loop interchange", 1984; strips to Wolfe, "More iteration space tiling", 1989.)
//!
//! Where lines need no other order, but the inner loop adds to the same places in each round of
//! the outer one, as a product of matrices row by row does, up to eight rounds of the outer
//! loop are done at once: the places are loaded and stored once for all of them. ("Unroll and
//! jam": Carr and Kennedy, "Improving the ratio of memory operations to floating-point
//! operations in loops", 1994.)
//!
//! Which order is right, dependence says (see `analysis/dependence`): no two accesses to
//! the same bytes, of which one stores, change their order. What the outer loop alone loads would
//! be loaded in each round of the inner one, or of a strip: as another thread may store there
//! meanwhile, it must be constant, or the function's own. The loops are written anew, with
//! counters of rounds; what is the same all through a loop is computed before it.
//!
//! Needs: preheaders, single latches, tests at the bottom and no checks in the loops. Keeps:
//! nothing. Does not try: numbers of rounds, and rows so far apart, as is known only when it
//! runs, and numbers of rounds that are odd for doing several at once; deeper nests; sums that no
//! memory holds; loops with marks, and accesses of the outer loop alone but loads.

mod build;
mod nest;
mod order;

use brolga_ir::body::Body;
use brolga_ir::observe::RemarkKind;

use super::loop_vectorize::shape::Shape;
use crate::analysis::dependence::Dependences;
use crate::analysis::{Loop, Loops};
use crate::pass::{Change, PassContext, PassResult, Uses, remove_unreachable_blocks};
use build::build;
use nest::{Nest, shapes};
use order::{Order, Way};

/// The most blocks of two loops that are looked at.
const MOST_BLOCKS: usize = 16;

/// Brings loops into the order in which they go along lines of memory.
///
/// # Errors
/// None.
pub fn loop_interchange(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    let pairs: Vec<[Loop; 2]> = pairs(&loops).collect();
    let found = candidates(body, context, &loops, &pairs);
    if found.is_empty() {
        return Ok(Change::Nothing);
    }
    let plans = plans(body, context, found);
    if plans.is_empty() {
        return Ok(Change::Nothing);
    }
    let (mut strips, mut swapped, mut jammed) = (0, 0, 0);
    for (nest, order) in &plans {
        let (message, count) = match order.way {
            Way::Swapped => ("two loops are swapped, and go along lines of memory", &mut swapped),
            Way::Strips(..) => ("two loops go in strips, along lines of memory", &mut strips),
            Way::Jammed(..) => ("several rounds of the outer loop are done at once", &mut jammed),
        };
        *count += 1;
        context.remark(nest.outer.shape.branch, RemarkKind::Applied, message);
        build(body, context, nest, order);
    }
    remove_unreachable_blocks(body);
    let counts =
        [("loops in strips", strips), ("swapped loops", swapped), ("jammed loops", jammed)];
    Ok(context.statistics.add_each("loop_interchange", counts))
}

/// Loops with one loop in them, and that one.
fn pairs(loops: &Loops) -> impl Iterator<Item = [Loop; 2]> + '_ {
    loops.all_innermost().filter_map(|inner| {
        let outer = loops.get(inner)?.parent.expand()?;
        let blocks = loops.blocks(outer).len();
        let is_only = loops.own_blocks(outer).len() + loops.blocks(inner).len() == blocks;
        (is_only && blocks <= MOST_BLOCKS).then_some([outer, inner])
    })
}

/// Of those, the ones that have the form, by a look that costs little.
fn candidates(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
    pairs: &[[Loop; 2]],
) -> Vec<[Shape; 2]> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let graph = context.analyses.flow(body);
    let of = |&pair: &[Loop; 2]| shapes(body, context.module, (&graph, loops), pair);
    pairs.iter().filter_map(of).collect()
}

/// Which loops are written anew, and how; of those that would gain by it, why not.
fn plans(body: &Body, context: &mut PassContext<'_>, found: Vec<[Shape; 2]>) -> Vec<(Nest, Order)> {
    let evolution = context.analyses.scalar_evolution(body, context.module);
    let uses = Uses::new(body);
    let nests = found.into_iter().filter_map(|pair| Nest::of(body, &evolution, &uses, pair));
    let nests: Vec<Nest> = nests.collect();
    if nests.is_empty() {
        return Vec::new();
    }
    let accesses = context.analyses.accesses(body, context.module);
    let dominators = context.analyses.dominators(body);
    let mut dependences = Dependences::new(body, accesses, dominators, &evolution);
    let mut plans = Vec::new();
    for nest in nests {
        match Order::of(body, &mut dependences, &nest, context.target.cache()) {
            Ok(Some(order)) => plans.push((nest, order)),
            Ok(None) => {}
            Err(reason) => {
                let message = format_args!("the loops walk across lines of memory, as {reason}");
                context.remark(nest.outer.shape.branch, RemarkKind::Missed, message);
            }
        }
    }
    plans
}
