//! What the passes ask of loops and slots.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, Initial};
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntitySet, Inst, Slot};
use brolga_ir::flow::{Edge, FlowGraph};
use brolga_ir::instruction::{Access, Payload, Target};
use brolga_ir::op::Op;

use crate::analysis::memory_ssa::{Origin, Walker};
use crate::analysis::{Accesses, Loop, Loops, MemorySsa};

/// The jump that ends the preheader of a loop.
pub(crate) fn preheader_jump(
    body: &Body,
    graph: &FlowGraph,
    loops: &Loops,
    id: Loop,
) -> Option<Inst> {
    let preheader = loops.preheader(id, graph)?;
    body.layout.last_inst(preheader).filter(|&last| body.inst(last).op == Op::Jump)
}

/// The edge by which a loop goes back to its header, if there is one only.
pub(crate) fn back_edge(body: &Body, loops: &Loops, id: Loop) -> Option<Edge> {
    let data = loops.get(id)?;
    let &[latch] = data.latches.as_slice() else { return None };
    let inst = body.layout.last_inst(latch)?;
    let leads_back = |(_, target): &(u32, &Target)| target.block == data.header;
    let mut back = (0..).zip(body.targets(inst)).filter(leads_back);
    match (back.next(), back.next()) {
        (Some((index, _)), None) => Some(Edge { inst, index }),
        _ => None,
    }
}

/// The first instruction of a block behind the marks of a loop.
pub(crate) fn after_marks(body: &Body, block: Block) -> Option<Inst> {
    body.layout.insts(block).find(|&inst| body.inst(inst).op != Op::LoopMark)
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
    for inst in body.layout.all_insts() {
        if let (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) =
            (body.inst(inst).op, body.inst(inst).payload)
        {
            steady.remove(slot);
        }
    }
    steady
}

/// What reads in loops find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reads<'a> {
    pub(super) dominators: &'a Dominators,
    pub(super) loops: &'a Loops,
    pub(super) accesses: &'a Accesses,
    pub(super) memory: &'a MemorySsa,
}

impl Reads<'_> {
    /// Whether nothing in the loop writes to what `inst` reads.
    pub(super) fn finds_the_same(&self, body: &Body, id: Loop, inst: Inst) -> bool {
        let Some(location) = self.accesses.reads(inst).location() else { return false };
        let is_invariant = |access: &Access| access.flags.contains(AccessFlags::INVARIANT);
        if self.accesses.is_constant(location.base)
            || body.inst(inst).access().is_some_and(is_invariant)
        {
            return true;
        }
        let Some(found) = self.memory.found(inst) else { return false };
        let (dominators, accesses, memory) = (self.dominators, self.accesses, self.memory);
        let walker = Walker::new(body, dominators, accesses, memory, Walker::BOUND);
        let written = match self.memory.origin(walker.clobber(found, location)) {
            Origin::Entry => None,
            Origin::Write(inst) => body.layout.block_of(inst),
            Origin::Meeting(block) => Some(block),
        };
        written.is_none_or(|block| !self.loops.contains(id, block))
    }
}
