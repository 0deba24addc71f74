//! Where paths from definitions meet: the iterated dominance frontier, that is, the
//! blocks that need a parameter for a variable that those blocks give a value.
//!
//! One question takes one walk over the dominator subtrees below the definitions,
//! deepest first, along the edges that leave a subtree (Sreedhar and Gao, "A linear
//! time algorithm for placing φ-nodes", 1995), with a heap for the order: O(m log n)
//! for a variable that is defined everywhere, little for one that is defined at few
//! places. Frontiers themselves, whose sizes add up to O(n²), are never written out.
//!
//! Does not try: to know where the variable is still used; who asks says which blocks
//! are of interest, and gives pruned form (Choi, Cytron and Ferrante, 1991) where they
//! are those in which it is live.

use std::collections::BinaryHeap;

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef};
use brolga_ir::flow::FlowGraph;

/// What answers for one variable after another, in the same memory.
#[derive(Debug)]
pub struct Frontier<'a> {
    graph: &'a FlowGraph,
    dominators: &'a Dominators,
    /// The question by which a block was walked over, put into the heap or answered last.
    walked: Vec<u32>,
    queued: Vec<u32>,
    answered: Vec<u32>,
    question: u32,
    /// Blocks with their depths: the deepest comes first, so that no subtree is walked twice.
    heap: BinaryHeap<(u32, Block)>,
}

impl<'a> Frontier<'a> {
    /// Answers for the variables of one body.
    pub fn new(graph: &'a FlowGraph, dominators: &'a Dominators) -> Frontier<'a> {
        let never = vec![0; graph.block_capacity()];
        Frontier {
            graph,
            dominators,
            walked: never.clone(),
            queued: never.clone(),
            answered: never,
            question: 0,
            heap: BinaryHeap::new(),
        }
    }

    /// The blocks of interest where different definitions may arrive, in reverse
    /// postorder. A definition at the entry is one more where the variable has a value
    /// from the start. Definitions in blocks that the entry does not reach are none.
    pub fn of(
        &mut self,
        definitions: impl IntoIterator<Item = Block>,
        is_of_interest: impl Fn(Block) -> bool,
    ) -> Vec<Block> {
        self.question += 1;
        for block in definitions {
            self.enqueue(block);
        }
        let mut frontier = Vec::new();
        let mut stack = Vec::new();
        while let Some((depth, root)) = self.heap.pop() {
            self.walked[root.index()] = self.question;
            stack.push(root);
            while let Some(block) = stack.pop() {
                self.leave(block, depth, &is_of_interest, &mut frontier);
                for child in self.dominators.children(block) {
                    if std::mem::replace(&mut self.walked[child.index()], self.question)
                        != self.question
                    {
                        stack.push(child);
                    }
                }
            }
        }
        frontier.sort_unstable_by_key(|&block| self.graph.reverse_postorder_number(block));
        frontier
    }

    fn enqueue(&mut self, block: Block) {
        if self.dominators.is_reachable(block)
            && std::mem::replace(&mut self.queued[block.index()], self.question) != self.question
        {
            self.heap.push((self.dominators.depth(block), block));
        }
    }

    /// Notes where edges of `block` lead out of the subtree whose root has that depth.
    fn leave(
        &mut self,
        block: Block,
        depth: u32,
        is_of_interest: &impl Fn(Block) -> bool,
        frontier: &mut Vec<Block>,
    ) {
        for &to in self.graph.successors(block) {
            if self.dominators.depth(to) <= depth
                && is_of_interest(to)
                && std::mem::replace(&mut self.answered[to.index()], self.question) != self.question
            {
                frontier.push(to);
                self.enqueue(to);
            }
        }
    }
}

#[cfg(test)]
mod tests;
