//! Turns what stands in stack slots into values: slots come apart into what
//! is loaded and stored, and that becomes values and block parameters.
//!
//! Before:
//! ```text
//! func @f(i1, i64) -> i64 {
//!     ss0 = slot 16
//! block0(%0: i1, %1: i64):
//!     %2 = slot_addr ss0
//!     store.i64 %1, %2+8
//!     branch %0, block1, block2
//! block1:
//!     slot_store.i32 7, ss0, 8
//!     jump block2
//! block2:
//!     %3 = load.i64 %2+8
//!     %4 = load.i64 %2
//!     %5 = add.i64 %3, %4
//!     return %5
//! }
//! ```
//! After:
//! ```text
//! func @f(i1, i64) -> i64 {
//! block0(%0: i1, %1: i64):
//!     branch %0, block1, block2(%1)
//! block1:
//!     %13 = and.i64 %1, -4294967296
//!     %14 = zext.i64 i32:7
//!     %15 = or.i64 %13, %14
//!     jump block2(%15)
//! block2(%9: i64):
//!     %5 = add.i64 %9, 0
//!     return %5
//! }
//! ```
//! Addresses are followed from their slot through constant offsets, selects
//! and block parameters, as long as one is in at most two places; an access at
//! one of two places asks a truth value which of them it is. What loads and
//! stores reach together becomes one value; where they see different types or
//! some of its bytes only, the value is cast, shifted or shuffled. Copies and
//! fills of constant size are cut where values begin and end. What is never
//! stored reads as zero, which is what slots hold at first, and as good as
//! anything of one that is `uninit`. Values join in block parameters where they
//! are live (Braun et al., "Simple and efficient construction of static single
//! assignment form", 2013).
//!
//! What takes an address elsewhere leaves its slot as it is; what needs memory
//! (an atomic or volatile access, bytes that overlap in part) leaves these bytes
//! of it. An address that was stored in a slot is an address again once that
//! slot is gone, so all is done again as long as something is found.
//!
//! Needs: no aggregates; those in memory stay. Keeps: the flow graph. Does not
//! try: addresses with a variable offset; a slot part of which is live in too many blocks.

mod objects;

use brolga_ir::body::Body;
use brolga_ir::entity::EntitySet;

use crate::pass::{Change, PassContext, PassResult, remove_unreachable_blocks, take_apart};

/// How often a body is gone through: an address that stands in a slot whose
/// address stands in a slot takes a round each.
const MOST_ROUNDS: usize = 8;

/// Turns slots into values.
///
/// # Errors
/// None.
pub fn sroa(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !objects::has_objects(body) {
        return Ok(Change::Nothing);
    }
    let removed = remove_unreachable_blocks(body);
    let named = objects::name_objects(body, context);
    let mut change = if removed > 0 { Change::Something } else { named };
    let before = body.slots().len();
    for _ in 0..MOST_ROUNDS {
        if round(body, context) == Change::Nothing {
            break;
        }
        change = Change::Something;
    }
    let gone = before - body.slots().len();
    context.statistics.add("sroa", "slots gone", gone as u64);
    Ok(change)
}

/// Turns the slots into values whose addresses are known now.
fn round(body: &mut Body, context: &mut PassContext<'_>) -> Change {
    if body.slots().len() == 0 {
        return Change::Nothing;
    }
    take_apart(body, context, EntitySet::new(), &[]).unwrap_or(Change::Nothing)
}
