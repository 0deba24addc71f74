//! Puts one op in the place of loops that fill or copy memory or look for a byte in it, and
//! counts the rounds of loops that take bit after bit of a number.
//!
//! Before:
//! ```text
//! func @f(ptr, i64) {
//! block0(%0: ptr, %1: i64):
//!     jump block1(0)
//! block1(%2: i64):
//!     %3 = icmp.i64 ult %2, %1
//!     branch %3, block2, block3
//! block2:
//!     %4 = ptr_add %0, %2
//!     store.i8 7, %4
//!     %5 = add.i64 %2, 1
//!     jump block1(%5)
//! block3:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64) {
//! block0(%0: ptr, %1: i64):
//!     mem_fill %0, 7, %1
//!     jump block1(0)
//! block1(%2: i64):
//!     %3 = icmp.i64 ult %2, %1
//!     branch %3, block2, block3
//! block2:
//!     %4 = ptr_add %0, %2
//!     %5 = add.i64 %2, 1
//!     jump block1(%5)
//! block3:
//!     return
//! }
//! ```
//! The store is the only thing that the loop does; each round makes it once, of the same
//! byte, at an address that goes on or back by its size; and how often the loop goes round
//! is known before it (see `analysis/scalar_evolution`). What is left of the loop,
//! `loop_deletion` takes out.
//!
//! A loop that stores what it has just loaded, at addresses that go the same way, is a
//! `mem_copy`, which reads all before it writes: no round may read what an earlier one has
//! stored, of which dependence analysis says so. An array may so be moved down inside of
//! itself by a loop that goes up. Stores of more than eight bytes become fills and copies only
//! where nobody else looks at the object, and nobody writes to what is copied: elsewhere
//! each of them is seen whole or not at all, as far as the machine can, and words are what
//! the library goes by.
//!
//! A loop that leaves when nothing is left of a number of which each round takes the lowest
//! bit (`x &= x - 1`), or the bit at one end (`x >>= 1`, `x <<= 1`), goes round as often as
//! the number has bits, or bits up to the last that is set: `popcount`, `clz` or `ctz` says
//! so before it. It counts down from there instead, which `induction` knows the end of.
//!
//! A loop that reads byte after byte and leaves where one is equal to a number that stays the
//! same, or by a count, is a `mem_find`, which looks at no byte behind that, either. It begins
//! with its last round then, and that leads out of it.
//!
//! Needs: preheaders and single latches, as `loop_simplify` leaves them. Keeps: the flow
//! graph, if nothing is looked for. Does not try: loops that do other things as well; fills
//! and copies in several stores; a compare before the loop of whether source and destination
//! meet; searches for one of several bytes, for other bytes than one, or backwards; compares
//! that stop where two objects differ: no op gives the place, and `mem_compare` wants all
//! bytes to be there, which a loop that stops early does not say.

mod bits;
mod memory;
mod search;
mod shape;

use brolga_ir::body::Body;

use super::expansion::Available;
use crate::analysis::{Kept, ScalarEvolution};
use crate::pass::{Change, PassContext, PassResult, remove_unreachable_blocks};

/// Puts one op in the place of loops.
///
/// # Errors
/// None.
pub fn loop_idiom(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let loops = context.analyses.loops(body);
    let graph = context.analyses.flow(body);
    let dominators = context.analyses.dominators(body);
    let setting = shape::Setting { loops: &loops, graph: &graph, dominators: &dominators };
    let [filled, copied] = move_memory(body, context, setting);
    let counted = bits::count(body, context, &loops, &graph, &dominators);
    if filled + copied + counted > 0 {
        context.analyses.keep(Kept::GRAPH);
    }
    let searches = find_bytes(body, context, setting);
    let change = context.statistics.add_each(
        "loop_idiom",
        [
            ("unreachable blocks", unreachable as u64),
            ("loops that fill memory", filled),
            ("loops that copy memory", copied),
            ("loops that count by bits", counted),
            ("loops that look for a byte", searches),
        ],
    );
    if searches > 0 {
        remove_unreachable_blocks(body);
        context.analyses.drop_all();
    }
    Ok(change)
}

/// Puts searches in the place of loops; how many.
fn find_bytes(body: &mut Body, context: &mut PassContext<'_>, setting: shape::Setting<'_>) -> u64 {
    let searches = search::find(body, context, setting);
    if searches.is_empty() {
        return 0;
    }
    let known = context.analyses.scalar_evolution(body, context.module);
    let mut evolution = ScalarEvolution::clone(&known);
    let available = Available::new(body, setting.graph, &evolution);
    search::replace(body, context, setting, &available, &mut evolution, &searches)
}

/// Puts fills and copies in the place of loops; how many of each.
fn move_memory(
    body: &mut Body,
    context: &mut PassContext<'_>,
    setting: shape::Setting<'_>,
) -> [u64; 2] {
    let moves = shape::find(body, context, setting);
    if moves.is_empty() {
        return [0; 2];
    }
    let mut evolution =
        ScalarEvolution::clone(&context.analyses.scalar_evolution(body, context.module));
    let available = Available::new(body, setting.graph, &evolution);
    let moves = shape::retain_sound(body, context, moves, &mut evolution);
    memory::replace(body, context, setting, &available, &mut evolution, moves)
}
