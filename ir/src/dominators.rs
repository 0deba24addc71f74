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
        search.list_children();
        let mut tree = Dominators { work: search.work, ..Dominators::default() };
        tree.build(&search);
        tree
    }

    fn build(&mut self, search: &Search) {
        let vertices = &search.vertices;
        self.nodes = vec![Node::default(); search.numbers.len()];
        self.preorder.reserve_exact(vertices.len());
        let mut stack: Vec<u32> = Vec::with_capacity(vertices.len());
        stack.extend((!vertices.is_empty()).then_some(0));
        while let Some(v) = stack.pop() {
            let Vertex { block, idom, mut first, .. } = vertices[v as usize];
            let mut node = Node { first: self.preorder.len() as u32, ..Node::default() };
            if v != 0 {
                let above = vertices[idom as usize].block;
                node.idom = above.into();
                node.depth = self.nodes[above.index()].depth + 1;
            }
            self.nodes[block.index()] = node;
            self.preorder.push(block);
            while first != NONE {
                stack.push(first);
                first = vertices[first as usize].next;
            }
        }
        self.close_intervals();
    }

    fn close_intervals(&mut self) {
        for (i, block) in self.preorder.iter().enumerate().rev() {
            let end = self.nodes[block.index()].end.max(i as u32 + 1);
            self.nodes[block.index()].end = end;
            if let Some(idom) = self.nodes[block.index()].idom.expand() {
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

    /// The place of a reachable block in [`preorder`](Self::preorder): a block dominates those of
    /// a stretch that it begins.
    #[inline]
    pub fn preorder_number(&self, block: Block) -> Option<u32> {
        let node = self.nodes.get(block.index()).filter(|node| node.end != 0);
        node.map(|node| node.first)
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
/// A block, by its number in a depth-first walk, at which vertices name each other.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    block: Block,
    parent: u32,
    semi: u32,
    idom: u32,
    ancestor: u32,
    /// The vertex of least semidominator between the vertex and its ancestor.
    label: u32,
    /// A linked list: first of those of which it is the semidominator, then of those of
    /// which it is the immediate dominator.
    first: u32,
    next: u32,
}

/// The state of the algorithm.
struct Search {
    /// The number of each block, [`NONE`] for unreachable ones.
    numbers: Vec<u32>,
    vertices: Vec<Vertex>,
    path: Vec<u32>,
    work: u64,
}

impl Search {
    fn new(graph: &FlowGraph) -> Search {
        let mut search = Search {
            numbers: vec![NONE; graph.block_capacity()],
            vertices: Vec::with_capacity(graph.postorder().len()),
            path: Vec::new(),
            work: 0,
        };
        search.walk(graph);
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
        let number = self.vertices.len() as u32;
        self.numbers[block.index()] = number;
        let (semi, label, idom) = (number, number, 0);
        let (ancestor, first, next) = (NONE, NONE, NONE);
        self.vertices.push(Vertex { block, parent, semi, idom, ancestor, label, first, next });
    }

    fn at(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.vertices[vertex as usize]
    }

    /// Puts a vertex before the others of another one's list.
    fn list(&mut self, vertex: u32, of: u32) {
        let next = std::mem::replace(&mut self.at(of).first, vertex);
        self.at(vertex).next = next;
    }

    fn find_semidominators(&mut self, graph: &FlowGraph) {
        for w in (1..self.vertices.len() as u32).rev() {
            let Vertex { block, parent, mut semi, .. } = *self.at(w);
            for &before in graph.predecessors(block) {
                let v = self.numbers[before.index()];
                if v != NONE {
                    let u = self.eval(v);
                    semi = semi.min(self.at(u).semi);
                    self.at(w).semi = semi;
                }
            }
            self.list(w, semi);
            self.at(w).ancestor = parent;
            let mut v = std::mem::replace(&mut self.at(parent).first, NONE);
            while v != NONE {
                let u = self.eval(v);
                let closer = self.at(u).semi < self.at(v).semi;
                self.at(v).idom = if closer { u } else { parent };
                v = self.at(v).next;
            }
        }
    }

    fn resolve(&mut self) {
        for w in 1..self.vertices.len() as u32 {
            let Vertex { idom, semi, .. } = *self.at(w);
            if idom != semi {
                self.at(w).idom = self.at(idom).idom;
            }
        }
    }

    /// Lists the vertices under their immediate dominators, the first first.
    fn list_children(&mut self) {
        self.vertices.iter_mut().for_each(|vertex| vertex.first = NONE);
        for v in (1..self.vertices.len() as u32).rev() {
            let parent = self.at(v).idom;
            self.list(v, parent);
        }
    }

    /// The vertex of least semidominator on the path up to the root of `v`'s
    /// tree in the forest, the root left out.
    fn eval(&mut self, v: u32) -> u32 {
        self.work += 1;
        if self.at(v).ancestor == NONE {
            return v;
        }
        self.compress(v);
        self.at(v).label
    }

    fn compress(&mut self, v: u32) {
        let mut at = v;
        loop {
            let above = self.at(at).ancestor;
            if self.at(above).ancestor == NONE {
                break;
            }
            self.path.push(at);
            at = above;
        }
        while let Some(below) = self.path.pop() {
            self.work += 1;
            let Vertex { ancestor, label: lower, .. } = *self.at(below);
            let Vertex { ancestor: further, label: upper, .. } = *self.at(ancestor);
            if self.at(upper).semi < self.at(lower).semi {
                self.at(below).label = upper;
            }
            self.at(below).ancestor = further;
        }
    }
}

#[cfg(test)]
mod tests;
