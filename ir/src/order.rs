//! The order of blocks in a function and of instructions in a block: two
//! linked lists, so that a pass inserts and removes in constant time.
//!
//! Only what the body has made has a node here. Any other number reads as
//! standing nowhere and cannot be put anywhere: were nodes made on demand, a
//! made-up number would ask for as much memory as it is large.

use crate::entity::{Block, EntityRef, Inst, PackedOption, SecondaryMap};
use crate::prefetch::prefetch;

#[derive(Clone, Debug, Default, PartialEq)]
struct BlockNode {
    prev: PackedOption<Block>,
    next: PackedOption<Block>,
    first: PackedOption<Inst>,
    last: PackedOption<Inst>,
    placed: Placed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Placed {
    #[default]
    No,
    Yes,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct InstNode {
    block: PackedOption<Block>,
    prev: PackedOption<Inst>,
    next: PackedOption<Inst>,
}

/// Where blocks and instructions stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    blocks: SecondaryMap<Block, BlockNode>,
    insts: SecondaryMap<Inst, InstNode>,
    first: PackedOption<Block>,
    last: PackedOption<Block>,
}

impl Layout {
    /// Asks the processor for the nodes.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(self.blocks.values().as_slice());
        prefetch(self.insts.values().as_slice());
    }

    /// Makes a node for `block`, which the body has made.
    pub(crate) fn admit_block(&mut self, block: Block) {
        if self.blocks.get(block).is_none() {
            self.blocks.resize(block.index() + 1);
        }
    }

    /// Makes a node for `inst`, which the body has made.
    pub(crate) fn admit_inst(&mut self, inst: Inst) {
        if self.insts.get(inst).is_none() {
            self.insts.resize(inst.index() + 1);
        }
    }

    /// The first block, where execution begins.
    #[inline]
    pub fn entry(&self) -> Option<Block> {
        self.first.expand()
    }

    /// The last block.
    #[inline]
    pub fn last_block(&self) -> Option<Block> {
        self.last.expand()
    }

    /// The block behind `block`.
    #[inline]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].next.expand()
    }

    /// Whether `block` stands in the function.
    #[inline]
    pub fn is_placed(&self, block: Block) -> bool {
        self.blocks[block].placed == Placed::Yes
    }

    /// The block in which `inst` stands.
    #[inline]
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.insts[inst].block.expand()
    }

    /// The first instruction of `block`.
    #[inline]
    pub fn first_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].first.expand()
    }

    /// The last instruction of `block`: its terminator, once it has one.
    #[inline]
    pub fn last_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].last.expand()
    }

    /// The instruction behind `inst` in its block.
    #[inline]
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].next.expand()
    }

    /// The instruction before `inst` in its block.
    #[inline]
    pub fn prev_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].prev.expand()
    }

    /// All blocks, in order.
    #[inline]
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.entry(), |&block| self.next_block(block))
    }

    /// All instructions of `block`, in order.
    #[inline]
    pub fn insts(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.first_inst(block), |&inst| self.next_inst(inst))
    }

    /// The instructions of all blocks, in order.
    #[inline]
    pub fn all_insts(&self) -> impl Iterator<Item = Inst> + '_ {
        self.blocks().flat_map(|block| self.insts(block))
    }

    /// Puts `block` behind all others; does nothing if it already stands
    /// somewhere or is of another body.
    pub fn append_block(&mut self, block: Block) {
        match self.last.expand() {
            Some(last) => self.insert_block_after(block, last),
            None => {
                let Some(node) = self.blocks.get_mut(block) else { return };
                node.placed = Placed::Yes;
                self.first = block.into();
                self.last = block.into();
            }
        }
    }

    /// Puts `block` directly behind `after`, which stands somewhere; does
    /// nothing if `block` already stands somewhere or is of another body, or
    /// `after` stands nowhere.
    pub fn insert_block_after(&mut self, block: Block, after: Block) {
        if self.is_placed(block) || !self.is_placed(after) {
            return;
        }
        let next = self.blocks[after].next;
        let Some(node) = self.blocks.get_mut(block) else { return };
        node.placed = Placed::Yes;
        node.prev = after.into();
        node.next = next;
        self.blocks[after].next = block.into();
        match next.expand() {
            Some(next) => self.blocks[next].prev = block.into(),
            None => self.last = block.into(),
        }
    }

    /// Takes `block` out of the function; its instructions stay in it.
    pub fn remove_block(&mut self, block: Block) {
        if !self.is_placed(block) {
            return;
        }
        let node = &mut self.blocks[block];
        let (prev, next) = (node.prev.take(), node.next.take());
        node.placed = Placed::No;
        match prev {
            Some(prev) => self.blocks[prev].next = next.into(),
            None => self.first = next.into(),
        }
        match next {
            Some(next) => self.blocks[next].prev = prev.into(),
            None => self.last = prev.into(),
        }
    }

    /// Puts `inst`, which stands nowhere, behind the others of `block`; does
    /// nothing if one of them is of another body.
    pub fn append_inst(&mut self, inst: Inst, block: Block) {
        let Some(last) = self.blocks.get(block).map(|node| node.last) else { return };
        if self.place(inst, InstNode { block: block.into(), prev: last, next: None.into() }) {
            match last.expand() {
                Some(last) => self.insts[last].next = inst.into(),
                None => self.blocks[block].first = inst.into(),
            }
            self.blocks[block].last = inst.into();
        }
    }

    /// Puts `inst`, which stands nowhere, directly before `before`, which
    /// stands somewhere; does nothing if one of them is of another body.
    pub fn insert_inst_before(&mut self, inst: Inst, before: Inst) {
        let Some(block) = self.block_of(before) else { return };
        let prev = self.insts[before].prev;
        if self.place(inst, InstNode { block: block.into(), prev, next: before.into() }) {
            self.insts[before].prev = inst.into();
            match prev.expand() {
                Some(prev) => self.insts[prev].next = inst.into(),
                None => self.blocks[block].first = inst.into(),
            }
        }
    }

    /// Gives `inst` its node, and says whether it has one and stood nowhere.
    fn place(&mut self, inst: Inst, node: InstNode) -> bool {
        match self.insts.get_mut(inst) {
            Some(free) if free.block.is_none() => {
                *free = node;
                true
            }
            _ => false,
        }
    }

    /// Takes `inst` out of its block.
    pub fn remove_inst(&mut self, inst: Inst) {
        let node = self.insts.get_mut(inst).map(std::mem::take).unwrap_or_default();
        let Some(block) = node.block.expand() else { return };
        match node.prev.expand() {
            Some(prev) => self.insts[prev].next = node.next,
            None => self.blocks[block].first = node.next,
        }
        match node.next.expand() {
            Some(next) => self.insts[next].prev = node.prev,
            None => self.blocks[block].last = node.prev,
        }
    }

    /// Moves `first` and all behind it in its block to the end of `block`,
    /// if that is another one of the same body: the second half of splitting
    /// a block.
    pub fn move_tail(&mut self, first: Inst, block: Block) {
        if self.block_of(first) == Some(block) || self.blocks.get(block).is_none() {
            return;
        }
        let mut next = Some(first);
        while let Some(inst) = next {
            next = self.next_inst(inst);
            self.remove_inst(inst);
            self.append_inst(inst, block);
        }
    }
}

#[cfg(test)]
mod tests;
