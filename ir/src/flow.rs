//! The graph of a body's blocks: who leads to whom, and in which order a walk
//! from the entry meets them.

use crate::body::Body;
use crate::entity::{Block, EntityRef, Inst, Value};

/// The edges of a body between its placed blocks. An edge that is taken in
/// two ways, as by both sides of a branch, counts twice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowGraph {
    successors: Adjacency,
    predecessors: Adjacency,
    postorder: Vec<Block>,
    postorder_numbers: Vec<u32>,
}

/// The neighbours of all blocks, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    neighbours: Vec<Block>,
}

const UNREACHED: u32 = u32::MAX;
/// Of a block that has no number yet.
const MET: u32 = u32::MAX - 1;

impl Adjacency {
    /// Sorts `edges` by their first block (a counting sort, which keeps their order).
    fn new(
        block_count: usize,
        edges: impl DoubleEndedIterator<Item = (Block, Block)> + ExactSizeIterator + Clone,
    ) -> Adjacency {
        if edges.len() == 0 {
            return Adjacency::default();
        }
        // Where the neighbours of each block end, which filling from behind makes where
        // they start.
        let mut starts = vec![0; block_count + 1];
        for (from, _) in edges.clone() {
            starts[from.index()] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut neighbours = vec![Block::new(0); edges.len()];
        for (from, to) in edges.rev() {
            let start = &mut starts[from.index()];
            *start -= 1;
            neighbours[*start as usize] = to;
        }
        Adjacency { starts, neighbours }
    }

    #[inline]
    fn of(&self, block: Block) -> &[Block] {
        let range =
            |i: usize| Some(*self.starts.get(i)? as usize..*self.starts.get(i + 1)? as usize);
        range(block.index()).map_or(&[], |range| &self.neighbours[range])
    }
}

impl FlowGraph {
    /// The graph of `body`. Edges to blocks that do not stand in the body are left out.
    pub fn new(body: &Body) -> FlowGraph {
        let count = body.block_count();
        let stands = |block: Block| block.index() < count && body.layout.is_placed(block);
        let mut edges = Vec::with_capacity(2 * count);
        for block in body.layout.blocks().filter(|&block| stands(block)) {
            edges.extend(body.successors(block).filter(|&to| stands(to)).map(|to| (block, to)));
        }
        FlowGraph::of_edges(count, &edges, body.layout.entry().filter(|&entry| stands(entry)))
    }

    fn of_edges(count: usize, edges: &[(Block, Block)], entry: Option<Block>) -> FlowGraph {
        let successors = Adjacency::new(count, edges.iter().copied());
        let predecessors = Adjacency::new(count, edges.iter().map(|&(from, to)| (to, from)));
        let mut graph = FlowGraph { successors, predecessors, ..FlowGraph::default() };
        graph.number(entry, count);
        graph
    }

    /// The graph with every edge turned round, of the blocks that the entry
    /// reaches, and the block that it begins at: one more than the body has, which
    /// leads to each block that leads nowhere, and to each from which no such block
    /// can be reached.
    pub fn reversed(&self) -> (FlowGraph, Block) {
        let count = self.block_capacity();
        let exit = Block::new(count);
        let mut edges = Vec::with_capacity(2 * count);
        for block in self.reverse_postorder() {
            let before = self.predecessors(block).iter().copied();
            edges.extend(before.filter(|&to| self.is_reachable(to)).map(|to| (block, to)));
        }
        let leads_out = self.leads_out();
        let leaves =
            |block: &Block| self.successors(*block).is_empty() || !leads_out[block.index()];
        edges.extend(self.reverse_postorder().filter(leaves).map(|to| (exit, to)));
        (FlowGraph::of_edges(count + 1, &edges, Some(exit)), exit)
    }

    /// For each block, whether some path leads from it to a block without successors.
    fn leads_out(&self) -> Vec<bool> {
        let mut leads_out = vec![false; self.block_capacity()];
        let ends = self.reverse_postorder().filter(|&block| self.successors(block).is_empty());
        let mut stack: Vec<Block> = ends.collect();
        stack.iter().for_each(|end| leads_out[end.index()] = true);
        while let Some(block) = stack.pop() {
            for &before in self.predecessors(block) {
                if !std::mem::replace(&mut leads_out[before.index()], true) {
                    stack.push(before);
                }
            }
        }
        leads_out
    }

    fn number(&mut self, entry: Option<Block>, count: usize) {
        let mut stack: Vec<(Block, u32)> = Vec::with_capacity(count);
        self.postorder_numbers = vec![UNREACHED; count];
        self.postorder.reserve_exact(count);
        if let Some(entry) = entry {
            self.postorder_numbers[entry.index()] = MET;
            stack.push((entry, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            let block = *block;
            match self.successors.of(block).get(*next as usize) {
                Some(&to) => {
                    *next += 1;
                    let number = &mut self.postorder_numbers[to.index()];
                    if *number == UNREACHED {
                        *number = MET;
                        stack.push((to, 0));
                    }
                }
                None => {
                    self.postorder_numbers[block.index()] = self.postorder.len() as u32;
                    self.postorder.push(block);
                    stack.pop();
                }
            }
        }
    }

    /// The blocks behind `block`, one for each edge, in the order of its targets.
    #[inline]
    pub fn successors(&self, block: Block) -> &[Block] {
        self.successors.of(block)
    }

    /// The blocks before `block`, one for each edge, in the order of the blocks.
    #[inline]
    pub fn predecessors(&self, block: Block) -> &[Block] {
        self.predecessors.of(block)
    }

    /// The reachable blocks, each behind all that it leads to except along back edges.
    #[inline]
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// The reachable blocks, each before all that it leads to except along back edges.
    #[inline]
    pub fn reverse_postorder(&self) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.postorder.iter().rev().copied()
    }

    /// Where `block` stands in [`postorder`](Self::postorder).
    #[inline]
    pub fn postorder_number(&self, block: Block) -> Option<u32> {
        self.postorder_numbers.get(block.index()).copied().filter(|&number| number != UNREACHED)
    }

    /// Where `block` stands in [`reverse_postorder`](Self::reverse_postorder): an
    /// edge to a block that does not stand further back closes a cycle.
    #[inline]
    pub fn reverse_postorder_number(&self, block: Block) -> Option<u32> {
        Some(self.postorder.len() as u32 - 1 - self.postorder_number(block)?)
    }

    /// Whether some path leads from the entry to `block`.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.postorder_number(block).is_some()
    }

    /// A number above that of every block.
    pub fn block_capacity(&self) -> usize {
        self.postorder_numbers.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.successors.neighbours.len()
    }
}

/// An edge: a target of the instruction that ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The instruction.
    pub inst: Inst,
    /// The index of the target.
    pub index: u32,
}

impl Edge {
    /// What the edge gives for the parameter of that index.
    pub fn arg(self, body: &Body, param: usize) -> Option<Value> {
        let target = body.targets(self.inst).get(self.index as usize)?;
        body.target_args(target).get(param).copied()
    }
}

/// The edges that lead to each block, from blocks that stand in the body; in the order of
/// [`FlowGraph::predecessors`].
#[derive(Clone, Debug)]
pub struct IncomingEdges {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl IncomingEdges {
    /// The edges of `body` (a counting sort by the block that they lead to).
    pub fn new(body: &Body) -> IncomingEdges {
        let count = body.block_count();
        let mut found: Vec<(Block, Edge)> = Vec::with_capacity(2 * count);
        for inst in body.layout.blocks().filter_map(|block| body.layout.last_inst(block)) {
            let targets = (0..).zip(body.targets(inst));
            // Edges to blocks that stand nowhere are none of the graph's.
            let targets = targets.filter(|(_, target)| body.layout.is_placed(target.block));
            found.extend(targets.map(|(index, target)| (target.block, Edge { inst, index })));
        }
        // As in `Adjacency`.
        let mut starts = vec![0_u32; count + 1];
        for (block, _) in &found {
            starts[block.index()] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut edges = vec![Edge { inst: Inst::new(0), index: 0 }; found.len()];
        for (block, edge) in found.into_iter().rev() {
            starts[block.index()] -= 1;
            edges[starts[block.index()] as usize] = edge;
        }
        IncomingEdges { starts, edges }
    }

    /// The edges to `block`, in the order of the blocks that they leave.
    pub fn of(&self, block: Block) -> &[Edge] {
        let at = |index: usize| self.starts.get(index).map(|&start| start as usize);
        match (at(block.index()), at(block.index() + 1)) {
            (Some(start), Some(end)) => &self.edges[start..end],
            _ => &[],
        }
    }
}
