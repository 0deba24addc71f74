//! What is left of the rounds that loops around a block are in.
//!
//! A loop around the block where a function is left would be entered in the middle, at that block:
//! it would have the header of a loop inside of it, and be one with that. So what is left of its
//! round stands in a copy, from which the next round goes to the loop itself, by its header; of
//! several loops one in another, the copy of each leads to that of the next one around. For `x`
//! around `y` around the block `z`:
//! ```text
//! entry ─► z in a copy of y ─► the header of y in a copy of x ─► the header of x
//! ```
//! As peeling does it, but for the beginning of the round.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Value};
use brolga_ir::flow::FlowGraph;

use crate::analysis::Loops;
use crate::pass::Copies;

/// So many instructions are copied at most: loops one in another are copied as often as they are
/// deep.
const MOST_COPIED: usize = 2000;

/// A loop around the block.
#[derive(Debug)]
struct Around {
    header: Block,
    blocks: Vec<Block>,
}

/// Loops around a block, each once, from the inside, and their copies.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    around: Vec<Around>,
    copies: Vec<Copies>,
}

impl Rounds {
    /// The loops around the one that a block is the header of, or around the block, if they are
    /// not too large.
    pub(super) fn around(
        body: &Body,
        graph: &FlowGraph,
        dominators: &Dominators,
        block: Block,
    ) -> Rounds {
        let loops = Loops::new(graph, dominators);
        let own = loops.of_header(block);
        let mut next = loops.innermost(block);
        let (mut around, mut size) = (Vec::new(), 0);
        while let Some(id) = next {
            let Some(data) = loops.get(id) else { break };
            next = data.parent.expand();
            if own == Some(id) {
                continue;
            }
            let blocks = loops.blocks(id).to_vec();
            size += blocks.iter().map(|&it| body.layout.insts(it).count()).sum::<usize>();
            around.push(Around { header: data.header, blocks });
        }
        if size > MOST_COPIED {
            around.clear();
        }
        Rounds { around, copies: Vec::new() }
    }

    /// Copies the loops behind the block `after`; gives where `block` is entered.
    pub(super) fn copy(&mut self, body: &mut Body, block: Block, mut after: Block) -> Block {
        for Around { blocks, .. } in &self.around {
            let mut copies = Copies::default();
            copies.copy_blocks(body, blocks, after);
            after = blocks.last().map_or(after, |&last| copies.block(last));
            self.copies.push(copies);
        }
        for (index, Around { header, blocks }) in self.around.iter().enumerate() {
            for &block in blocks {
                let Some(last) = body.layout.last_inst(block) else { continue };
                let leads = |to: Block| match self.copies[index].block(to) {
                    copy if copy != to && to != *header => copy,
                    _ => self.copy_from(index + 1, to),
                };
                let to: Vec<Block> =
                    body.targets(last).iter().map(|target| leads(target.block)).collect();
                let copy = body.layout.last_inst(self.copies[index].block(block));
                let targets = copy.map_or(&mut [][..], |copy| body.targets_mut(copy));
                targets.iter_mut().zip(to).for_each(|(target, to)| target.block = to);
            }
        }
        self.copy_from(0, block)
    }

    /// A block in the first copy of those from that one on which has it, or itself.
    fn copy_from(&self, first: usize, block: Block) -> Block {
        let copies = self.copies.get(first..).unwrap_or(&[]);
        copies.iter().map(|copy| copy.block(block)).find(|&copy| copy != block).unwrap_or(block)
    }

    /// The values that loops define, which have copies then.
    pub(super) fn values(&self, body: &Body) -> Vec<Value> {
        let outermost = self.around.last().map_or(&[][..], |around| &around.blocks);
        let of_block = |&block: &Block| {
            let insts = body.layout.insts(block);
            let results = insts.flat_map(|inst| body.results(inst));
            body.params(block).iter().chain(results).copied().collect::<Vec<_>>()
        };
        outermost.iter().flat_map(of_block).collect()
    }

    /// The copies of a value.
    pub(super) fn copies_of(&self, value: Value) -> impl Iterator<Item = Value> + '_ {
        self.copies.iter().map(move |copy| copy.value(value)).filter(move |&copy| copy != value)
    }
}
