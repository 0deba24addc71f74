//! What a loop is, and where a block stands.

use std::ops::Range;

use super::{
    Block, Dominators, EntityRef, FlowGraph, Loop, PackedOption, PrimaryMap, SecondaryMap, find,
};

/// One loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopData {
    /// The block through which the loop is entered.
    pub header: Block,
    /// The closest loop in which this one stands.
    pub parent: PackedOption<Loop>,
    /// How many loops it stands in, itself among them: 1 for an outermost one.
    pub depth: u32,
    /// The blocks in the loop that lead back to its header, each once, in the order of
    /// the blocks.
    pub latches: Vec<Block>,
    /// Where its blocks stand in the list of all.
    pub(super) range: Range<u32>,
    /// Whether cycles that are no loops stand in it.
    pub(super) reducible: bool,
}

/// The loops of a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    pub(super) loops: PrimaryMap<Loop, LoopData>,
    pub(super) innermost: SecondaryMap<Block, PackedOption<Loop>>,
    /// The blocks that stand in loops: those of a loop side by side, its own first.
    pub(super) blocks: Vec<Block>,
    /// Where a block that stands in a loop stands in the list.
    pub(super) positions: SecondaryMap<Block, u32>,
    /// The blocks on cycles that are no loops; empty where there are none.
    pub(super) irreducible: Vec<bool>,
    /// Of each such cycle the block that is met first in reverse postorder, in that order.
    pub(super) cycles: Vec<Block>,
}

impl Loops {
    /// The loops of the blocks that the entry reaches.
    pub fn new(graph: &FlowGraph, dominators: &Dominators) -> Loops {
        find::loops(graph, dominators)
    }

    /// All loops, a loop before those that stand in it; the other way round, behind them.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<> {
        self.loops.keys()
    }

    /// The loop, if it is one of this forest.
    pub fn get(&self, id: Loop) -> Option<&LoopData> {
        self.loops.get(id)
    }

    /// The innermost loop in which `block` stands.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block].expand()
    }

    /// The loop whose header is `block`.
    pub fn of_header(&self, block: Block) -> Option<Loop> {
        self.innermost(block).filter(|&id| self.loops[id].header == block)
    }

    /// How many loops `block` stands in.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id].depth)
    }

    /// The blocks of a loop and of those that stand in it: the header first, then its
    /// own in reverse postorder, then loop by loop.
    pub fn blocks(&self, id: Loop) -> &[Block] {
        let range = self.loops.get(id).map_or(0..0, |data| data.range.clone());
        &self.blocks[range.start as usize..range.end as usize]
    }

    /// The blocks of a loop that stand in no loop inside of it, in reverse postorder.
    pub fn own_blocks(&self, id: Loop) -> &[Block] {
        let blocks = self.blocks(id);
        &blocks[..blocks.partition_point(|&block| self.innermost(block) == Some(id))]
    }

    /// Whether no loop stands in the loop.
    pub fn is_innermost(&self, id: Loop) -> bool {
        self.blocks(id).last().is_some_and(|&last| self.innermost(last) == Some(id))
    }

    /// The loops in which no others stand.
    pub fn all_innermost(&self) -> impl Iterator<Item = Loop> + '_ {
        self.all().filter(|&id| self.is_innermost(id))
    }

    /// Whether `block` stands in a loop or in one that stands in it.
    pub fn contains(&self, id: Loop, block: Block) -> bool {
        let range = self.loops.get(id).map(|data| &data.range);
        self.innermost(block).is_some()
            && range.is_some_and(|range| range.contains(&self.positions[block]))
    }

    /// Whether the loop `inner` is `outer` or stands in it.
    pub fn encloses(&self, outer: Loop, inner: Loop) -> bool {
        self.loops.get(inner).is_some_and(|data| self.contains(outer, data.header))
    }

    /// The edges that leave a loop, by the order of its blocks; takes a step for each
    /// edge in it.
    pub fn exits<'a>(
        &'a self,
        id: Loop,
        graph: &'a FlowGraph,
    ) -> impl Iterator<Item = (Block, Block)> + 'a {
        let edges = self.blocks(id).iter().flat_map(|&from| {
            let successors = graph.successors(from).iter();
            successors.map(move |&to| (from, to))
        });
        edges.filter(move |&(_, to)| !self.contains(id, to))
    }

    /// The blocks outside from which edges enter a loop, one for each edge.
    pub fn entering<'a>(
        &'a self,
        id: Loop,
        graph: &'a FlowGraph,
    ) -> impl Iterator<Item = Block> + 'a {
        let header = self.loops.get(id).map(|data| data.header);
        let before = header.into_iter().flat_map(|header| graph.predecessors(header));
        before.copied().filter(move |&from| graph.is_reachable(from) && !self.contains(id, from))
    }

    /// The block that leads to the header of a loop and nowhere else, and is alone in
    /// entering it: where code goes that runs once before the loop.
    pub fn preheader(&self, id: Loop, graph: &FlowGraph) -> Option<Block> {
        let mut entering = self.entering(id, graph);
        let only = entering.next().filter(|_| entering.next().is_none())?;
        (graph.successors(only).len() == 1).then_some(only)
    }

    /// Whether `block` is on a cycle that is no loop.
    pub fn is_irreducible(&self, block: Block) -> bool {
        self.irreducible.get(block.index()).copied().unwrap_or(false)
    }

    /// Of each cycle that is no loop the block that is met first in reverse postorder, in that
    /// order. Cycles that share blocks are one.
    pub fn irreducible_cycles(&self) -> &[Block] {
        &self.cycles
    }

    /// Whether all cycles in a loop are loops.
    pub fn is_reducible(&self, id: Loop) -> bool {
        self.loops.get(id).is_none_or(|data| data.reducible)
    }

    /// Whether some cycle is no loop.
    pub fn has_irreducible(&self) -> bool {
        !self.irreducible.is_empty()
    }
}
