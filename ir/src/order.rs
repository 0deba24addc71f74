//! The order of blocks in a function and of instructions in a block: two
//! linked lists, so that a pass inserts and removes in constant time.

use crate::entity::{Block, Inst, PackedOption, SecondaryMap};

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
    /// The first block, where execution begins.
    pub fn entry(&self) -> Option<Block> {
        self.first.expand()
    }

    /// The last block.
    pub fn last_block(&self) -> Option<Block> {
        self.last.expand()
    }

    /// The block behind `block`.
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].next.expand()
    }

    /// Whether `block` stands in the function.
    pub fn is_placed(&self, block: Block) -> bool {
        self.blocks[block].placed == Placed::Yes
    }

    /// The block in which `inst` stands.
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.insts[inst].block.expand()
    }

    /// The first instruction of `block`.
    pub fn first_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].first.expand()
    }

    /// The last instruction of `block`: its terminator, once it has one.
    pub fn last_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].last.expand()
    }

    /// The instruction behind `inst` in its block.
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].next.expand()
    }

    /// The instruction before `inst` in its block.
    pub fn prev_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].prev.expand()
    }

    /// All blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.entry(), |&block| self.next_block(block))
    }

    /// All instructions of `block`, in order.
    pub fn insts(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.first_inst(block), |&inst| self.next_inst(inst))
    }

    /// Puts `block` behind all others; does nothing if it already stands somewhere.
    pub fn append_block(&mut self, block: Block) {
        match self.last.expand() {
            Some(last) => self.insert_block_after(block, last),
            None if self.is_placed(block) => {}
            None => {
                self.blocks[block].placed = Placed::Yes;
                self.first = block.into();
                self.last = block.into();
            }
        }
    }

    /// Puts `block` directly behind `after`, which stands somewhere; does
    /// nothing if `block` already stands somewhere or `after` does not.
    pub fn insert_block_after(&mut self, block: Block, after: Block) {
        if self.is_placed(block) || !self.is_placed(after) {
            return;
        }
        let next = self.blocks[after].next;
        let node = &mut self.blocks[block];
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

    /// Puts `inst`, which stands nowhere, behind the others of `block`.
    pub fn append_inst(&mut self, inst: Inst, block: Block) {
        if self.block_of(inst).is_some() {
            return;
        }
        let last = self.blocks[block].last;
        self.insts[inst] = InstNode { block: block.into(), prev: last, next: None.into() };
        match last.expand() {
            Some(last) => self.insts[last].next = inst.into(),
            None => self.blocks[block].first = inst.into(),
        }
        self.blocks[block].last = inst.into();
    }

    /// Puts `inst`, which stands nowhere, directly before `before`, which stands somewhere.
    pub fn insert_inst_before(&mut self, inst: Inst, before: Inst) {
        let Some(block) = self.block_of(before) else { return };
        if self.block_of(inst).is_some() {
            return;
        }
        let prev = self.insts[before].prev;
        self.insts[inst] = InstNode { block: block.into(), prev, next: before.into() };
        self.insts[before].prev = inst.into();
        match prev.expand() {
            Some(prev) => self.insts[prev].next = inst.into(),
            None => self.blocks[block].first = inst.into(),
        }
    }

    /// Takes `inst` out of its block.
    pub fn remove_inst(&mut self, inst: Inst) {
        let node = std::mem::take(&mut self.insts[inst]);
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
    /// if that is another one: the second half of splitting a block.
    pub fn move_tail(&mut self, first: Inst, block: Block) {
        if self.block_of(first) == Some(block) {
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
mod tests {
    use super::*;
    use crate::entity::EntityRef;

    fn order(layout: &Layout, block: Block) -> Vec<usize> {
        layout.insts(block).map(Inst::index).collect()
    }

    #[test]
    fn instructions_keep_their_order_through_insertion_and_removal() {
        let (mut layout, block) = (Layout::default(), Block::new(0));
        layout.append_block(block);
        let inst: Vec<Inst> = (0..4).map(Inst::new).collect();
        layout.append_inst(inst[0], block);
        layout.append_inst(inst[2], block);
        layout.insert_inst_before(inst[1], inst[2]);
        layout.insert_inst_before(inst[3], inst[0]);
        assert_eq!(order(&layout, block), [3, 0, 1, 2]);
        layout.remove_inst(inst[3]);
        layout.remove_inst(inst[2]);
        assert_eq!(order(&layout, block), [0, 1]);
        assert_eq!(layout.last_inst(block), Some(inst[1]));
        assert_eq!(layout.block_of(inst[2]), None);
    }

    #[test]
    fn a_tail_moves_to_another_block() {
        let mut layout = Layout::default();
        let (a, b) = (Block::new(0), Block::new(1));
        layout.append_block(a);
        layout.insert_block_after(b, a);
        for i in 0..4 {
            layout.append_inst(Inst::new(i), a);
        }
        layout.move_tail(Inst::new(2), b);
        assert_eq!(order(&layout, a), [0, 1]);
        assert_eq!(order(&layout, b), [2, 3]);
    }

    #[test]
    fn blocks_keep_their_order() {
        let mut layout = Layout::default();
        let blocks: Vec<Block> = (0..3).map(Block::new).collect();
        layout.append_block(blocks[0]);
        layout.append_block(blocks[2]);
        layout.insert_block_after(blocks[1], blocks[0]);
        layout.append_block(blocks[1]);
        assert_eq!(layout.blocks().collect::<Vec<_>>(), blocks);
        layout.remove_block(blocks[0]);
        assert_eq!(layout.entry(), Some(blocks[1]));
        layout.remove_block(blocks[2]);
        assert_eq!(layout.last_block(), Some(blocks[1]));
    }
}
