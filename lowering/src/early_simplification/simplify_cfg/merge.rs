//! Straight lines: a block that a single jump leads to belongs to the one before.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::op::Op;

use super::Counts;
use super::shape::Way;
use crate::pass::{Renames, retain_params};

/// Joins straight lines of blocks, from the first block of each on.
pub(super) fn merge(body: &mut Body, graph: &FlowGraph, counts: &mut Counts) {
    let mut renames = Renames::default();
    counts.params += drop_single_params(body, graph, &mut renames);
    for block in graph.reverse_postorder() {
        if !body.layout.is_placed(block) {
            continue;
        }
        while let Some((jump, way)) = only_way(body, block) {
            if graph.predecessors(way.block).len() != 1 || way.block == block {
                break;
            }
            absorb(body, &mut renames, block, jump, &way);
            counts.merged += 1;
        }
    }
    renames.apply(body);
}

/// Lets the arguments of an edge stand for the parameters of a block that has no other.
fn drop_single_params(body: &mut Body, graph: &FlowGraph, renames: &mut Renames) -> usize {
    let is_single = |block: &Block| {
        !body.params(*block).is_empty()
            && match *graph.predecessors(*block) {
                [before] => body.layout.last_inst(before).is_some_and(|end| is_plain(body, end)),
                _ => false,
            }
    };
    let blocks: Vec<Block> = body.layout.blocks().filter(is_single).collect();
    if blocks.is_empty() {
        return 0;
    }
    let incoming = IncomingEdges::new(body);
    let mut dropped = 0;
    for block in blocks {
        let &[edge] = incoming.of(block) else { continue };
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

/// Whether an end hands on what was there before it: the results of a call are there on its
/// edges alone, as arguments.
fn is_plain(body: &Body, end: Inst) -> bool {
    matches!(body.inst(end).op, Op::Branch | Op::Switch)
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
