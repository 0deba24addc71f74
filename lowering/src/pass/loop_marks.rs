//! Marks of loops stand in headers, and go when a loop does.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use super::{has_op, placed_insts};

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
    let stale: Vec<Inst> = placed_insts(body)
        .filter(|&inst| body.inst(inst).op == Op::LoopMark)
        .filter(|&mark| !body.layout.block_of(mark).is_some_and(is_header))
        .collect();
    for mark in stale {
        body.remove_inst(mark);
    }
}
