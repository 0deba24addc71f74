//! How likely each edge out of a block is.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use super::{Loops, ONE};

/// The weight of an edge that stays in a loop, where one that leaves has [`LEAVES`].
const STAYS: u32 = 31 * LEAVES;
const LEAVES: u32 = 1 << 10;

/// The weight of an edge to where no return is.
const HOPELESS: u32 = 1;

/// How likely edges are. What leaves a block adds up to one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Likelihoods {
    /// Where those of a block begin.
    starts: Vec<u32>,
    shares: Vec<u64>,
}

impl Likelihoods {
    /// One, as a likelihood.
    pub const CERTAIN: u64 = ONE;

    pub(super) fn new(body: &Body, graph: &FlowGraph, loops: &Loops) -> Likelihoods {
        let hopeless = hopeless_blocks(body, graph);
        let capacity = graph.block_capacity();
        // Most blocks end in a branch or a jump.
        let (starts, shares) = (Vec::with_capacity(capacity + 1), Vec::with_capacity(2 * capacity));
        let mut found = Likelihoods { starts, shares };
        found.starts.push(0);
        let mut weights = Vec::new();
        for block in (0..capacity).map(Block::new) {
            if graph.is_reachable(block) {
                weights.clear();
                weigh(body, graph, loops, &hopeless, block, &mut weights);
                let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
                let share = |&weight: &u32| match total {
                    0 => ONE / weights.len() as u64,
                    total => (u64::from(weight) << 32) / total,
                };
                found.shares.extend(weights.iter().map(share));
            }
            found.starts.push(found.shares.len() as u32);
        }
        found
    }

    /// How likely the edge of that index out of `block` is, as a part of
    /// [`CERTAIN`](Self::CERTAIN); edges are rounded down.
    pub fn of(&self, block: Block, index: usize) -> u64 {
        let starts = self.starts.get(block.index()..block.index() + 2);
        let own = starts.map(|ends| &self.shares[ends[0] as usize..ends[1] as usize]);
        own.and_then(|own| own.get(index).copied()).unwrap_or(0)
    }
}

/// The weights of the edges of a block: those that it has, or a guess.
fn weigh(
    body: &Body,
    graph: &FlowGraph,
    loops: &Loops,
    hopeless: &[bool],
    block: Block,
    weights: &mut Vec<u32>,
) {
    let successors = graph.successors(block);
    let last = body.layout.last_inst(block);
    if let Some(known) = last.and_then(|last| body.weights(last))
        && known.len() == successors.len()
    {
        return weights.extend(known);
    }
    let is_try = last.is_some_and(|last| body.inst(last).op.is_try_call());
    let stays = |to: Block| loops.innermost(block).is_none_or(|id| loops.contains(id, to));
    weights.extend(successors.iter().enumerate().map(|(index, &to)| match to {
        to if hopeless[to.index()] || (is_try && index == 1) => HOPELESS,
        to if stays(to) => STAYS,
        _ => LEAVES,
    }));
}

/// The blocks from which nothing but a trap, a throw or `unreachable` can come.
fn hopeless_blocks(body: &Body, graph: &FlowGraph) -> Vec<bool> {
    let mut hopeless = vec![false; graph.block_capacity()];
    for &block in graph.postorder() {
        let ends_badly = || {
            let last = body.layout.last_inst(block).map(|last| body.inst(last).op);
            matches!(last, Some(Op::Trap | Op::Unreachable | Op::Throw))
        };
        let successors = graph.successors(block);
        hopeless[block.index()] = match successors.is_empty() {
            true => ends_badly(),
            false => successors.iter().all(|to| hopeless[to.index()]),
        };
    }
    hopeless
}
