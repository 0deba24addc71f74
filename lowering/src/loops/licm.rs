//! Takes out of loops what is the same in every round: instructions go before the loop, or
//! behind it where only code behind it uses them, and memory that a loop writes again and
//! again is kept in a parameter and written behind it.
//!
//! Before:
//! ```text
//! data @scale = { i32 3 }
//! data @last = { i32 0 }
//!
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     jump block1(0)
//! block1(%2: i32):
//!     %3 = data_load.i32 @scale, 0
//!     %4 = mul.i32 %0, %3
//!     %5 = add.i32 %2, %4
//!     data_store.i32 %5, @last, 0
//!     %6 = mul.i32 %5, %5
//!     %7 = icmp.i32 slt %5, %1
//!     branch %7, block1(%5), block2
//! block2:
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! data @scale = { i32 3 }
//! data @last = { i32 0 }
//!
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %3 = data_load.i32 @scale, 0
//!     %4 = mul.i32 %0, %3
//!     jump block1(0)
//! block1(%2: i32):
//!     %5 = add.i32 %2, %4
//!     %7 = icmp.i32 slt %5, %1
//!     branch %7, block1(%5), block2
//! block2:
//!     %10 = mul.i32 %5, %5
//!     data_store.i32 %5, @last, 0
//!     return %10
//! }
//! ```
//! Every loop is gone through on its own, inner ones first, so that what leaves an inner
//! loop is looked at again in the one around. An instruction whose operands come from
//! outside goes into the preheader if it
//! - does nothing but compute: always, unless its block runs less often;
//! - reads memory at a place that nothing in the loop writes to, by memory SSA: where each
//!   entry of the loop comes to it before anything may leave, polls aside; a read within the
//!   bounds of a slot or data object harms nobody and may go always;
//! - may trap, as a check or division may: where each entry of the loop comes to it before
//!   anything else that can be seen, so that no trap passes another, a store or a call.
//!
//! Of volatile and atomic accesses, polls and other calls than those that are declared to
//! touch no memory and to return, none moves.
//!
//! A place that a loop accesses by plain loads and stores of one type alone becomes a
//! variable of the loop where nobody can tell: its store is on every way out, and nothing in
//! the loop leaves by a trap or throw, which code outside would see the memory behind; or
//! it is in a slot whose address never gets out (promotion of Cooper and Lu, "Register
//! promotion in C programs", 1997). Either way it is read before the loop and written behind
//! it only where it is known to be in its object: by a distance that is constant, or because
//! an access of the loop comes to it on every way.
//!
//! An instruction that only computes and is used behind the loop alone is computed there,
//! once for each exit, of four at most.
//!
//! Needs: preheaders, for the last two dedicated exits too, as `loop_simplify` leaves them,
//! and finds more behind `loop_rotate`. Keeps: what is known of the blocks. Does not try:
//! to regroup sums for invariant parts (`reassociate`); guards for what may trap later.

mod hoist;
mod promote;
mod sink;

use brolga_ir::body::Body;

use crate::analysis::Kept;
use crate::pass::{Change, PassContext, PassResult};

/// Takes what is invariant out of loops.
///
/// # Errors
/// None.
pub fn licm(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let unreachable = context.remove_unreachable_blocks(body);
    if context.analyses.loops(body).all().len() == 0 {
        return Ok(if unreachable > 0 { Change::Something } else { Change::Nothing });
    }
    let hoisted = hoist::hoist(body, context);
    context.analyses.keep(Kept::GRAPH);
    let promoted = promote::promote(body, context);
    context.analyses.keep(Kept::GRAPH);
    let sunk = sink::sink(body, context);
    let counts = [
        ("unreachable blocks", unreachable),
        ("hoisted instructions", hoisted),
        ("promoted places", promoted),
        ("sunk instructions", sunk),
    ];
    Ok(context.statistics.add_each("licm", counts))
}
