//! Straight lines: a block that a single jump leads to belongs to the one before.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::op::Op;

use super::Counts;
use super::shape::{Way, count_edges};
use crate::pass::{Renames, retain_params};

/// Joins straight lines of blocks, from the first block of each on.
pub(super) fn merge(body: &mut Body, counts: &mut Counts) {
    let order: Vec<Block> = FlowGraph::new(body).reverse_postorder().collect();
    let mut renames = Renames::default();
    counts.params += drop_single_params(body, &mut renames);
    let edges = count_edges(body);
    for block in order {
        if !body.layout.is_placed(block) {
            continue;
        }
        while let Some((jump, way)) = only_way(body, block) {
            if edges[way.block] != 1 || way.block == block {
                break;
            }
            absorb(body, &mut renames, block, jump, &way);
            counts.merged += 1;
        }
    }
    renames.apply(body);
}

/// Lets the arguments of an edge stand for the parameters of a block that has no other.
fn drop_single_params(body: &mut Body, renames: &mut Renames) -> usize {
    let incoming = IncomingEdges::new(body);
    let blocks: Vec<Block> = body.layout.blocks().collect();
    let mut dropped = 0;
    for block in blocks {
        let &[edge] = incoming.of(block) else { continue };
        // The results of a call are there on its edges alone, as arguments.
        let is_plain = matches!(body.inst(edge.inst).op, Op::Branch | Op::Switch);
        if !is_plain || body.params(block).is_empty() {
            continue;
        }
        for (index, param) in body.params(block).to_vec().into_iter().enumerate() {
            if let Some(arg) = edge.arg(body, index) {
                renames.rename(param, arg);
                dropped += 1;
            }
        }
        retain_params(body, block, &[edge], |_| false);
    }
    dropped
}

/// The jump that ends `block`, and where it leads.
fn only_way(body: &Body, block: Block) -> Option<(Inst, Way)> {
    let last = body.layout.last_inst(block).filter(|&last| body.inst(last).op == Op::Jump)?;
    Some((last, Way::of(body, last, 0)?))
}

/// Moves what stands in the block behind `jump` to the end of `block`.
fn absorb(body: &mut Body, renames: &mut Renames, block: Block, jump: Inst, way: &Way) {
    for (&param, &arg) in body.params(way.block).iter().zip(&way.args) {
        renames.rename(param, arg);
    }
    body.remove_inst(jump);
    // The header of a loop has a second edge: a mark here is of a loop that is gone.
    let is_mark = |inst: &Inst| body.inst(*inst).op == Op::LoopMark;
    let marks: Vec<Inst> = body.layout.insts(way.block).filter(is_mark).collect();
    for mark in marks {
        body.remove_inst(mark);
    }
    if let Some(first) = body.layout.first_inst(way.block) {
        body.layout.move_tail(first, block);
    }
    body.layout.remove_block(way.block);
}
