//! Marks of loops stand in headers, and go when a loop does; what they ask for.

use brolga_ir::attribute::LoopFlags;
use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::has_op;

/// Puts what followed a call at the end of `here`. A mark belongs to the header of its loop, which
/// `whole` still is, of which `here` was split off.
pub(crate) fn attach_behind(body: &mut Body, inst: Inst, whole: Block, here: Block) {
    let first = body.layout.first_inst(whole);
    match first.filter(|_| body.inst(inst).op == Op::LoopMark) {
        Some(first) => body.layout.insert_inst_before(inst, first),
        None => body.layout.append_inst(inst, here),
    }
}

/// Drops the marks of loops that are gone.
pub(crate) fn drop_stale_marks(body: &mut Body) {
    if !has_op(body, &[Op::LoopMark]) {
        return;
    }
    let graph = FlowGraph::new(body);
    let dominators = Dominators::new(&graph);
    let is_header = |block: Block| {
        graph.predecessors(block).iter().any(|&from| dominators.dominates(block, from))
    };
    let stale: Vec<Inst> = body
        .layout
        .all_insts()
        .filter(|&inst| body.inst(inst).op == Op::LoopMark)
        .filter(|&mark| !body.layout.block_of(mark).is_some_and(is_header))
        .collect();
    for mark in stale {
        body.remove_inst(mark);
    }
}

/// How many rounds the mark of a loop asks to follow each other; one for it to stay as it is.
pub(crate) fn wished_rounds(body: &Body, header: Block) -> Option<u32> {
    body.layout.insts(header).find_map(|inst| match body.inst(inst).payload {
        Payload::LoopMark { unroll, .. } if unroll > 0 => Some(unroll),
        _ => None,
    })
}

/// Marks a loop that is as it should be: nothing unrolls it from now on.
pub(crate) fn settle_rounds(body: &mut Body, header: Block) {
    let mark = body.layout.insts(header).find(|&inst| body.inst(inst).op == Op::LoopMark);
    match mark {
        Some(mark) => {
            if let Payload::LoopMark { unroll, .. } = &mut body.inst_mut(mark).payload {
                *unroll = 1;
            }
        }
        None => {
            let Some(first) = body.layout.first_inst(header) else { return };
            let none = body.list(&[]);
            let payload = Payload::LoopMark { flags: LoopFlags::empty(), unroll: 1 };
            let mark = InstData::new(Op::LoopMark, Type::NONE, none, payload);
            body.insert_inst(first, InstData { loc: body.loc(first), ..mark }, &[]);
        }
    }
}
