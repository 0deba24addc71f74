//! The dominator tree, by Lengauer and Tarjan's algorithm with simple linking
//! ("A fast algorithm for finding dominators in a flowgraph", 1979). It takes
//! O(m log n) steps on any graph; the iterative algorithms and the semi-NCA
//! variant, quicker on common graphs, are quadratic on some that an attacker
//! can write down.

use crate::entity::{Block, EntityRef, PackedOption};
use crate::flow::FlowGraph;

/// Which blocks stand on every path from the entry to which others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dominators {
    nodes: Vec<Node>,
    preorder: Vec<Block>,
    work: u64,
}

/// A block in the tree. `first..end` are the numbers of its subtree in a
/// depth-first walk, so that dominance is one comparison of intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Node {
    idom: PackedOption<Block>,
    first: u32,
    end: u32,
    depth: u32,
}

impl Dominators {
    /// The dominator tree of the blocks that the entry reaches.
    pub fn new(graph: &FlowGraph) -> Dominators {
        let mut search = Search::new(graph);
        search.find_semidominators(graph);
        search.resolve();
        let mut tree = Dominators { work: search.work, ..Dominators::default() };
        tree.build(&search);
        tree
    }

    fn build(&mut self, search: &Search) {
        let count = search.order.len();
        let mut first_child = vec![NONE; count];
        let mut next_sibling = vec![NONE; count];
        for v in (1..count).rev() {
            let parent = search.idom[v] as usize;
            next_sibling[v] = std::mem::replace(&mut first_child[parent], v as u32);
        }
        self.nodes = vec![Node::default(); search.numbers.len()];
        self.preorder.reserve_exact(count);
        let mut stack = Vec::with_capacity(count);
        stack.extend((count > 0).then_some(0));
        while let Some(v) = stack.pop() {
            let block = search.order[v as usize];
            let mut node = Node { first: self.preorder.len() as u32, ..Node::default() };
            if v != 0 {
                let above = search.order[search.idom[v as usize] as usize];
                node.idom = above.into();
                node.depth = self.nodes[above.index()].depth + 1;
            }
            self.nodes[block.index()] = node;
            self.preorder.push(block);
            let mut child = first_child[v as usize];
            while child != NONE {
                stack.push(child);
                child = next_sibling[child as usize];
            }
        }
        for i in (0..count).rev() {
            let block = self.preorder[i].index();
            let end = self.nodes[block].end.max(i as u32 + 1);
            self.nodes[block].end = end;
            if let Some(idom) = self.nodes[block].idom.expand() {
                let above = &mut self.nodes[idom.index()];
                above.end = above.end.max(end);
            }
        }
    }

    /// Whether the entry reaches `block`.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.nodes.get(block.index()).is_some_and(|node| node.end != 0)
    }

    /// The closest other block on every path from the entry to `block`;
    /// nothing for the entry and for blocks that it does not reach.
    #[inline]
    pub fn immediate_dominator(&self, block: Block) -> Option<Block> {
        self.nodes.get(block.index())?.idom.expand()
    }

    /// Whether every path from the entry to `below` leads through `above`; a
    /// block dominates itself. False when either is unreachable.
    #[inline]
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        match (self.nodes.get(above.index()), self.nodes.get(below.index())) {
            (Some(above), Some(below)) => {
                below.end != 0 && (above.first..above.end).contains(&below.first)
            }
            _ => false,
        }
    }

    /// How many other blocks stand on every path from the entry to `block`.
    pub fn depth(&self, block: Block) -> u32 {
        self.nodes.get(block.index()).map_or(0, |node| node.depth)
    }

    /// The blocks that `block` is the immediate dominator of.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let inside = self.nodes.get(block.index()).copied().unwrap_or_default();
        // A child is followed by its own subtree, then by the next child.
        let child = move |at: u32| self.preorder.get(at as usize).filter(|_| at < inside.end);
        let next = move |block: &Block| child(self.nodes[block.index()].end).copied();
        std::iter::successors(child(inside.first + 1).copied(), next)
    }

    /// The closest block that dominates both; nothing when either is unreachable.
    /// Takes as many steps as the tree is deep at most.
    pub fn common_dominator(&self, one: Block, other: Block) -> Option<Block> {
        let above = |&block: &Block| self.immediate_dominator(block);
        std::iter::successors(Some(one), above).find(|&block| self.dominates(block, other))
    }

    /// The reachable blocks, each behind its immediate dominator, subtree by subtree.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// How many elementary steps the computation took, for tests of linearity.
    pub fn work(&self) -> u64 {
        self.work
    }
}

const NONE: u32 = u32::MAX;

/// The state of the algorithm. Blocks are named by their number in a
/// depth-first walk, at which all vectors but `numbers` are indexed.
struct Search {
    /// The number of each block, [`NONE`] for unreachable ones.
    numbers: Vec<u32>,
    order: Vec<Block>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    idom: Vec<u32>,
    ancestor: Vec<u32>,
    /// The vertex of least semidominator between the vertex and its ancestor.
    label: Vec<u32>,
    path: Vec<u32>,
    work: u64,
}

impl Search {
    fn new(graph: &FlowGraph) -> Search {
        let reached = graph.postorder().len();
        let mut search = Search {
            numbers: vec![NONE; graph.block_capacity()],
            order: Vec::with_capacity(reached),
            parent: Vec::with_capacity(reached),
            semi: Vec::new(),
            idom: Vec::new(),
            ancestor: Vec::new(),
            label: Vec::new(),
            path: Vec::new(),
            work: 0,
        };
        search.walk(graph);
        let count = search.order.len();
        search.semi = (0..count as u32).collect();
        search.label = search.semi.clone();
        search.idom = vec![0; count];
        search.ancestor = vec![NONE; count];
        search
    }

    fn walk(&mut self, graph: &FlowGraph) {
        let mut stack: Vec<(Block, u32)> = Vec::with_capacity(graph.postorder().len());
        if let Some(&entry) = graph.postorder().last() {
            self.enter(entry, NONE);
            stack.push((entry, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            let (block, index) = (*block, *next as usize);
            *next += 1;
            self.work += 1;
            match graph.successors(block).get(index) {
                Some(&to) if self.numbers[to.index()] == NONE => {
                    self.enter(to, self.numbers[block.index()]);
                    stack.push((to, 0));
                }
                Some(_) => {}
                None => {
                    stack.pop();
                }
            }
        }
    }

    fn enter(&mut self, block: Block, parent: u32) {
        self.numbers[block.index()] = self.order.len() as u32;
        self.order.push(block);
        self.parent.push(parent);
    }

    fn find_semidominators(&mut self, graph: &FlowGraph) {
        let count = self.order.len();
        // Vertices by their semidominator: a linked list for each.
        let mut first = vec![NONE; count];
        let mut next = vec![NONE; count];
        for w in (1..count).rev() {
            for &before in graph.predecessors(self.order[w]) {
                let v = self.numbers[before.index()];
                if v != NONE {
                    let u = self.eval(v);
                    self.semi[w] = self.semi[w].min(self.semi[u as usize]);
                }
            }
            let semi = self.semi[w] as usize;
            next[w] = std::mem::replace(&mut first[semi], w as u32);
            let parent = self.parent[w];
            self.ancestor[w] = parent;
            let mut v = std::mem::replace(&mut first[parent as usize], NONE);
            while v != NONE {
                let u = self.eval(v);
                let closer = self.semi[u as usize] < self.semi[v as usize];
                self.idom[v as usize] = if closer { u } else { parent };
                v = next[v as usize];
            }
        }
    }

    fn resolve(&mut self) {
        for w in 1..self.order.len() {
            if self.idom[w] != self.semi[w] {
                self.idom[w] = self.idom[self.idom[w] as usize];
            }
        }
    }

    /// The vertex of least semidominator on the path up to the root of `v`'s
    /// tree in the forest, the root left out.
    fn eval(&mut self, v: u32) -> u32 {
        self.work += 1;
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        self.compress(v);
        self.label[v as usize]
    }

    fn compress(&mut self, v: u32) {
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            self.work += 1;
            let above = self.ancestor[below as usize] as usize;
            let (upper, lower) = (self.label[above], self.label[below as usize]);
            if self.semi[upper as usize] < self.semi[lower as usize] {
                self.label[below as usize] = upper;
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
    }
}

#[cfg(test)]
mod tests;
