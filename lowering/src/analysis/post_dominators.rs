//! Which blocks stand on every path from a block to an end of the function.
//!
//! The dominators of the graph with every edge turned round, from a block that is not
//! there and that every end leads to; see [`Dominators`] for the algorithm and its
//! cost, O(m log n).
//!
//! An end is a block without successors: it returns, traps, throws or calls in the
//! place of the function. A block from which no end can be reached is taken for an end
//! itself: in an endless loop nothing is certain to come, so nothing is said of what
//! comes. What a path leads through is said only of paths that come to an end; a loop
//! that might be left might also run for ever.
//!
//! Does not try: traps, throws and stops inside of blocks, which leave on the way.

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::Block;
use brolga_ir::flow::FlowGraph;

/// Which blocks stand on every path to an end from which others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostDominators {
    tree: Dominators,
    /// The block that is not there, behind every end.
    exit: Block,
}

impl PostDominators {
    /// The tree of the blocks that the entry reaches.
    pub fn new(graph: &FlowGraph) -> PostDominators {
        let (reversed, exit) = graph.reversed();
        PostDominators { tree: Dominators::new(&reversed), exit }
    }

    /// The closest other block on every path from `block` to an end; nothing where
    /// paths come to different ends, for ends, and for blocks that the entry does not
    /// reach.
    pub fn immediate_post_dominator(&self, block: Block) -> Option<Block> {
        self.tree.immediate_dominator(block).filter(|&below| below != self.exit)
    }

    /// Whether every path from `before` to an end leads through `behind`; a block
    /// post-dominates itself. False when the entry does not reach one of them.
    pub fn post_dominates(&self, behind: Block, before: Block) -> bool {
        behind != self.exit && self.tree.dominates(behind, before)
    }

    /// The blocks that `block` is the immediate post-dominator of.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.tree.children(block)
    }

    /// The reachable blocks, each behind its immediate post-dominator.
    pub fn preorder(&self) -> impl Iterator<Item = Block> + '_ {
        self.tree.preorder().iter().copied().filter(|&block| block != self.exit)
    }
}

#[cfg(test)]
mod tests;
