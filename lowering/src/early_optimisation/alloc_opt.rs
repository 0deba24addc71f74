//! Takes new objects apart that nobody else sees: their fields become values, or they stand
//! on the stack, or they go.
//!
//! Before:
//! ```text
//! func @f(ref, ref, i64) -> i64 {
//! block0(%0: ref, %1: ref, %2: i64):
//!     %3 = alloc_object %0, 16
//!     %4 = address_cast.derived %3
//!     store.ref %1, %4
//!     write_barrier %3, %1
//!     store.i64 %2, %4+8
//!     %5 = preserve_begin %3
//!     safepoint
//!     preserve_end %5
//!     %6 = load.i64 %4+8
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(ref, ref, i64) -> i64 {
//! block0(%0: ref, %1: ref, %2: i64):
//!     %5 = preserve_begin %0, %1
//!     safepoint
//!     preserve_end %5
//!     return %2
//! }
//! ```
//! An object is followed from `alloc_object` through casts, offsets, selects and block
//! parameters, as long as an address is one of eight objects at most. It is a matter of this
//! function alone as long as no address of it is stored, handed to a call or an exit,
//! returned, thrown, or compared for order (Choi, Gupta, Serrano, Sreedhar and Midkiff,
//! "Escape analysis for Java", 1999; the steps are those of Julia's `alloc-opt`). Then:
//! - nothing reads it, of whatever known bounds its size is: it goes with all that is written
//!   to it;
//! - it is of constant size: a slot takes its place, filled with zeros where the object was
//!   made, and plain addresses that of the references to it. What is accessed at constant
//!   offsets becomes values at once, as `sroa` does it, and references with it;
//! - references would be left in the slot, where no collector looks: all is put back.
//!
//! Barriers on what is no object go. What preserved such an object preserves its type and the
//! references that it had where that begins; it stays if more could be stored in it while that lasts, and
//! if it is used where the same instruction has made the next one, as both would be one slot.
//! Where a loop is marked `ivdep`, nothing stays in a slot, which each round would use again.
//! An object in a slot is one that was stored in another one that is gone: all is done again
//! as long as something is found. `typeof` of a new object is known even if that gets out, and
//! so is that it is not null.
//!
//! An object of known size has room, as a frame has: that `out_of_memory` never comes is no
//! change of meaning. Where it is negative or not known, the object stays.
//!
//! Needs: no aggregates. Keeps: nothing. Does not try: arrays; what callees do with what they
//! are given; objects that get out on some ways only.

mod alive;
mod convert;
mod judge;
mod known;
mod nodes;
mod unread;

use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, Inst, Slot, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::pass::{Change, PassContext, PassResult, remove_unreachable_blocks, take_apart};
use convert::convert;
use judge::{Findings, Reason};
use nodes::Nodes;

/// How often a body is gone through: an object that stands in an object takes a round more,
/// and so does one that is put back.
const MOST_ROUNDS: usize = 8;

/// Takes new objects apart.
///
/// # Errors
/// None.
pub fn alloc_opt(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::AllocObject, Op::ArrayNew]) {
        return Ok(Change::Nothing);
    }
    let unreachable = remove_unreachable_blocks(body);
    let [types, compares] = known::fold(body);
    context.analyses.drop_all();
    let mut done = Done { unread: unread::remove(body, context), ..Done::default() };
    context.analyses.drop_all();
    let mut refused = EntitySet::new();
    for _ in 0..MOST_ROUNDS {
        if !round(body, context, &mut refused, &mut done) {
            break;
        }
        done.unread += unread::remove(body, context);
        context.analyses.drop_all();
    }
    let counts = [
        ("unreachable blocks", unreachable),
        ("types of new objects", types),
        ("compares of new objects with null", compares),
        ("objects that nothing reads", done.unread),
        ("objects that became values", done.values),
        ("objects on the stack", done.slots),
    ];
    Ok(context.statistics.add_each("alloc_opt", counts))
}

#[derive(Default)]
struct Done {
    unread: usize,
    values: usize,
    slots: usize,
}

/// Takes apart what can be now; says whether there may be more.
fn round(
    body: &mut Body,
    context: &mut PassContext<'_>,
    refused: &mut EntitySet<Value>,
    done: &mut Done,
) -> bool {
    let (graph, edges) = (FlowGraph::new(body), IncomingEdges::new(body));
    let nodes = Nodes::new(body, &edges, refused);
    let mut found = Findings::new(body, &context.module.types, nodes);
    found.refuse_twice_alive(body, &graph);
    found.close();
    found.refuse_preserved(body, &graph);
    found.close();
    let goes = |&index: &u32| found.goes(index);
    let going: Vec<u32> = (0..found.reasons.len() as u32).filter(goes).collect();
    if going.is_empty() {
        tell_reasons(context, &found);
        return false;
    }
    let mut others: EntitySet<Slot> = EntitySet::new();
    for (slot, _) in body.slots() {
        others.insert(slot);
    }
    let must_go = |index: u32| found.deeds[index as usize].must_go;
    let saved = going.iter().any(|&index| must_go(index)).then(|| body.clone());
    let slots = convert(body, &graph, &edges, &found);
    let whole: Vec<Slot> =
        slots.iter().filter(|(index, _)| must_go(*index)).map(|&(_, slot)| slot).collect();
    let count = body.slots().len();
    match take_apart(body, context, others, &whole) {
        Ok(_) => {
            let gone = count - body.slots().len();
            done.values += gone;
            done.slots += slots.len() - gone;
            for &(index, _) in &slots {
                let inst = found.nodes.objects[index as usize].inst;
                context.remark(inst, RemarkKind::Applied, "nobody else sees the object");
            }
        }
        Err(stay) => {
            for (index, _) in slots.iter().filter(|(_, slot)| stay.contains(slot)) {
                let object = &found.nodes.objects[*index as usize];
                refused.insert(object.address);
                context.remark(object.inst, RemarkKind::Missed, Reason::References);
            }
            if let Some(saved) = saved {
                *body = saved;
            }
        }
    }
    true
}

/// Says why objects stay.
fn tell_reasons(context: &mut PassContext<'_>, found: &Findings) {
    let reasons = found.nodes.objects.iter().zip(&found.reasons);
    let reasons: Vec<(Inst, Reason)> =
        reasons.filter_map(|(object, reason)| Some((object.inst, (*reason)?))).collect();
    for (inst, reason) in reasons {
        context.remark(inst, RemarkKind::Missed, reason);
    }
}

#[cfg(test)]
mod tests;
