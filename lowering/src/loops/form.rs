//! What the passes ask of loops and slots.

use brolga_ir::body::{Body, Initial};
use brolga_ir::entity::{EntitySet, Inst, Slot};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

use crate::analysis::{Loop, Loops};
use crate::pass::placed_insts;

/// The jump that ends the preheader of a loop.
pub(super) fn preheader_jump(
    body: &Body,
    graph: &FlowGraph,
    loops: &Loops,
    id: Loop,
) -> Option<Inst> {
    let preheader = loops.preheader(id, graph)?;
    body.layout.last_inst(preheader).filter(|&last| body.inst(last).op == Op::Jump)
}

/// The slots that are there all the time and hold something from the start, so that they
/// may be read anywhere.
pub(super) fn steady_slots(body: &Body) -> EntitySet<Slot> {
    let mut steady: EntitySet<Slot> = EntitySet::new();
    for (slot, data) in body.slots() {
        if data.initial == Initial::Zeroed {
            steady.insert(slot);
        }
    }
    for inst in placed_insts(body) {
        if let (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) =
            (body.inst(inst).op, body.inst(inst).payload)
        {
            steady.remove(slot);
        }
    }
    steady
}
