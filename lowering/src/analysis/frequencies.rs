//! How often blocks and edges run for each time that the function does, as weights say
//! and as is guessed where there are none.
//!
//! Each loop, innermost first, is taken by itself as a graph without cycles, in which
//! the loops that stand in it are one node each: what enters the header as 1 is handed
//! along the edges by their likelihood, and comes out at the exits or comes back. What
//! comes back makes the loop run so much more often. Then, outermost first, each loop
//! is multiplied by how often it is entered (Wu and Larus, "Static branch frequency and
//! program profile analysis", 1994, with loops as nodes). Numbers are whole ones, so
//! that every machine gives the same: 32 binary digits behind the point for shares.
//!
//! A loop runs [`MOST_ROUNDS`] rounds at most. A cycle that is no loop is taken to be
//! run once. Where weights are missing: an edge out of a loop is rare beside those that
//! stay; an edge to where nothing but a trap, a throw or `unreachable` can come, and one
//! to a handler, is very rare; others are equal (Ball and Larus, "Branch prediction for
//! free", 1993, of which these are the ones that hold best).
//!
//! It takes O(blocks + edges + exits), where an edge that leaves several loops at once
//! counts for each. A loop tells the one around it 64 places where it is
//! left, the likeliest, so that deep nests with an exit to everywhere stay linear.
//!
//! Does not try: to be exact; to look at what calls are of cold functions.

mod likelihood;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, SecondaryMap, dense_map};
use brolga_ir::flow::FlowGraph;
use smallvec::SmallVec;

use super::{Loop, Loops};

pub use likelihood::Likelihoods;

/// The most rounds that a loop is taken to run each time that it is entered.
pub const MOST_ROUNDS: u64 = 4096;

/// The most places behind a loop that are told apart.
const MOST_EXITS: usize = 64;

/// One, with 32 binary digits behind the point.
const ONE: u64 = 1 << 32;

/// How often blocks run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frequencies {
    blocks: Vec<u64>,
    likelihoods: Likelihoods,
}

impl Frequencies {
    /// How often the function itself runs, in the numbers of [`of`](Self::of).
    pub const ENTRY: u64 = 1 << 24;

    /// Of the blocks that the entry reaches.
    pub fn new(body: &Body, graph: &FlowGraph, loops: &Loops) -> Frequencies {
        let likelihoods = Likelihoods::new(body, graph, loops);
        let mut flow = Flow::new(graph, loops, &likelihoods);
        flow.distribute();
        Frequencies { blocks: flow.frequencies(), likelihoods }
    }

    /// How often `block` runs where the function runs [`ENTRY`](Self::ENTRY) times; 0
    /// only for blocks that the entry does not reach.
    pub fn of(&self, block: Block) -> u64 {
        self.blocks.get(block.index()).copied().unwrap_or(0)
    }

    /// How often the edge of that index out of `block` is taken.
    pub fn of_edge(&self, block: Block, index: usize) -> u64 {
        times(self.of(block), self.likelihoods.of(block, index))
    }

    /// How likely edges are.
    pub fn likelihoods(&self) -> &Likelihoods {
        &self.likelihoods
    }
}

/// The product of a number and a share.
fn times(number: u64, share: u64) -> u64 {
    let product = (u128::from(number) * u128::from(share)) >> 32;
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// A part of a graph without cycles: a block, or a whole loop.
#[derive(Clone, Copy, Debug)]
enum Node {
    Block(Block),
    Loop(Loop),
}

/// What is known of a loop once it was looked at.
#[derive(Clone, Debug, Default)]
struct Share {
    /// How often it is entered where the loop around it begins a round once.
    entered: u64,
    /// How many rounds it runs for each time.
    rounds: u64,
    /// Where it is left, with the share of all times that it is.
    exits: Vec<(Block, u64)>,
}

/// What is handed along.
struct Flow<'a> {
    graph: &'a FlowGraph,
    loops: &'a Loops,
    likelihoods: &'a Likelihoods,
    /// How often a block runs in a round of its innermost loop.
    shares: Vec<u64>,
    of_loops: SecondaryMap<Loop, Share>,
}

impl<'a> Flow<'a> {
    fn new(graph: &'a FlowGraph, loops: &'a Loops, likelihoods: &'a Likelihoods) -> Flow<'a> {
        let shares = vec![0; graph.block_capacity()];
        let of_loops = dense_map(loops.all().len());
        Flow { graph, loops, likelihoods, shares, of_loops }
    }

    /// Looks at every loop, innermost first, then at what is in none.
    fn distribute(&mut self) {
        let mut nodes: SecondaryMap<Loop, Vec<Node>> = dense_map(self.loops.all().len());
        let mut outside = Vec::with_capacity(self.graph.block_capacity());
        for block in self.graph.reverse_postorder() {
            let innermost = self.loops.innermost(block);
            let mut place = |id: Option<Loop>, node| match id {
                Some(id) => nodes[id].push(node),
                None => outside.push(node),
            };
            if let Some(id) = self.loops.of_header(block) {
                place(self.loops.get(id).and_then(|data| data.parent.expand()), Node::Loop(id));
            }
            place(innermost, Node::Block(block));
        }
        for id in self.loops.all().rev() {
            let Some(header) = self.loops.get(id).map(|data| data.header) else { continue };
            self.shares[header.index()] = ONE;
            let (back, exits) = self.distribute_in(Some(id), &nodes[id]);
            let share = &mut self.of_loops[id];
            share.rounds = rounds(back);
            share.exits = exits;
        }
        if let Some(&entry) = self.graph.postorder().last() {
            match self.loops.of_header(entry) {
                Some(id) => self.of_loops[id].entered = ONE,
                None => self.shares[entry.index()] = ONE,
            }
        }
        self.distribute_in(None, &outside);
    }

    /// Hands along what its header has, and gives what comes back and what leaves.
    fn distribute_in(&mut self, around: Option<Loop>, nodes: &[Node]) -> (u64, Vec<(Block, u64)>) {
        let (mut back, mut exits) = (0, Vec::new());
        let header = around.and_then(|id| self.loops.get(id)).map(|data| data.header);
        for &node in nodes {
            for (to, share) in self.leaving(node) {
                if Some(to) == header {
                    back += share;
                } else if around.is_some_and(|id| !self.loops.contains(id, to)) {
                    exits.push((to, share));
                } else if self.is_forward(node, to) {
                    self.hand(around, to, share);
                }
            }
        }
        (back, merged(exits, self.graph))
    }

    /// Where a node leads to, with what is handed there.
    fn leaving(&self, node: Node) -> SmallVec<[(Block, u64); 2]> {
        match node {
            Node::Block(block) => {
                let share = self.shares[block.index()];
                let edges = self.graph.successors(block).iter().enumerate();
                let part = |index| times(share, self.likelihoods.of(block, index));
                edges.map(|(index, &to)| (to, part(index))).collect()
            }
            Node::Loop(id) => {
                let share = &self.of_loops[id];
                let total: u64 = share.exits.iter().map(|&(_, part)| part).sum();
                let part = |part: u64| {
                    (u128::from(share.entered) * u128::from(part) / u128::from(total.max(1))) as u64
                };
                share.exits.iter().map(|&(to, exit)| (to, part(exit))).collect()
            }
        }
    }

    /// Whether an edge leads onward: one of a cycle that is no loop may not.
    fn is_forward(&self, node: Node, to: Block) -> bool {
        let from = match node {
            Node::Block(block) => Some(block),
            Node::Loop(id) => self.loops.get(id).map(|data| data.header),
        };
        let number = |block| self.graph.reverse_postorder_number(block);
        from.is_some_and(|from| number(from) < number(to))
    }

    fn hand(&mut self, around: Option<Loop>, to: Block, share: u64) {
        let entered = self.loops.of_header(to).filter(|&id| Some(id) != around);
        let sum = match entered {
            Some(id) => &mut self.of_loops[id].entered,
            None => &mut self.shares[to.index()],
        };
        *sum = sum.saturating_add(share);
    }

    /// Multiplies each block by how often its loops run.
    fn frequencies(&self) -> Vec<u64> {
        let mut scales: SecondaryMap<Loop, u64> = dense_map(self.loops.all().len());
        for id in self.loops.all() {
            let around = self.loops.get(id).and_then(|data| data.parent.expand());
            let outer = around.map_or(Frequencies::ENTRY, |outer| scales[outer]);
            let share = &self.of_loops[id];
            scales[id] = times(times(outer, share.entered).max(1), share.rounds);
        }
        let mut frequencies = vec![0; self.graph.block_capacity()];
        for &block in self.graph.postorder() {
            let outer = self.loops.innermost(block);
            let scale = outer.map_or(Frequencies::ENTRY, |outer| scales[outer]);
            frequencies[block.index()] = times(scale, self.shares[block.index()]).max(1);
        }
        frequencies
    }
}

/// How many rounds a loop runs of which that share comes back.
fn rounds(back: u64) -> u64 {
    let leaves = ONE.saturating_sub(back).max(ONE / MOST_ROUNDS);
    ((u128::from(ONE) << 32) / u128::from(leaves)) as u64
}

/// The places where a loop is left, each once and the likeliest of them.
fn merged(mut exits: Vec<(Block, u64)>, graph: &FlowGraph) -> Vec<(Block, u64)> {
    exits.sort_unstable_by_key(|&(to, _)| graph.reverse_postorder_number(to));
    exits.dedup_by(|next, first| {
        let same = next.0 == first.0;
        first.1 = if same { first.1.saturating_add(next.1) } else { first.1 };
        same
    });
    if exits.len() > MOST_EXITS {
        exits.sort_by_key(|&(_, share)| std::cmp::Reverse(share));
        exits.truncate(MOST_EXITS);
    }
    exits
}

#[cfg(test)]
mod tests;
