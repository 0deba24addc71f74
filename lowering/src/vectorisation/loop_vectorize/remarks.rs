//! What is told of the loops that stay as they are.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::observe::RemarkKind;

use super::refusal::Refusal;
use crate::analysis::{Loop, Loops};
use crate::pass::PassContext;

/// Tells why a loop stays as it is that was looked at.
pub(super) fn refuse(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
    (of, reason): (Loop, Refusal),
) {
    context.statistics.add("loop_vectorize", "loops that stay", 1);
    if let Some(place) = place_of(body, loops, of) {
        context.remark(place, RemarkKind::Missed, reason);
    }
}

/// Tells of the loops that are not looked at: those in which others stand, and cycles that are
/// none.
pub(super) fn tell_of_others(body: &Body, context: &mut PassContext<'_>, loops: &Loops) {
    if !context.journal.takes_remarks() {
        return;
    }
    for of in loops.all().filter(|&of| !loops.is_innermost(of)) {
        if let Some(place) = place_of(body, loops, of) {
            context.remark(place, RemarkKind::Missed, Refusal::Outer);
        }
    }
    for &entry in loops.irreducible_cycles() {
        if let Some(place) = body.layout.first_inst(entry) {
            context.remark(place, RemarkKind::Missed, Refusal::Entries);
        }
    }
}

/// The instruction by which a loop is named: the end of the block that leads back.
fn place_of(body: &Body, loops: &Loops, of: Loop) -> Option<Inst> {
    let data = loops.get(of)?;
    let block: Block = data.latches.first().copied().unwrap_or(data.header);
    body.layout.last_inst(block)
}
