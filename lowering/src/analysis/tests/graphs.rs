//! Flow graphs from seeds, and what is true of them by walking every path.

use brolga_ir::body::{Body, SwitchData};
use brolga_ir::entity::{Block, EntityRef};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// Numbers from a seed (Marsaglia's xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end.max(1)
    }

    /// Yes, once in that many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A graph by the successors of each of its nodes; 0 is the entry.
pub(crate) type Edges = Vec<Vec<usize>>;

/// A graph of up to `most` nodes: anything, or mostly forward as programs are.
pub(crate) fn random_edges(random: &mut Random, most: usize) -> Edges {
    let count = 1 + random.below(most);
    let forward = random.once_in(2);
    let node = |random: &mut Random, from: usize| match forward && !random.once_in(4) {
        true => (from + 1 + random.below(3)).min(count - 1),
        false => random.below(count),
    };
    let successors = |random: &mut Random, from| {
        let count = [0, 1, 1, 2, 2, 2, 2, 3][random.below(8)];
        (0..count).map(|_| node(random, from)).collect()
    };
    (0..count).map(|from| successors(random, from)).collect()
}

/// The same, as the blocks of a function: nothing leads to the first one.
pub(crate) fn random_blocks(random: &mut Random, most: usize) -> Edges {
    let mut edges = random_edges(random, most);
    let count = edges.len();
    for to in edges.iter_mut().flatten() {
        *to = (*to).max(1) % count.max(2);
    }
    if count == 1 {
        edges[0].clear();
    }
    edges
}

/// Calls `try_on` with many graphs, small and not so small.
pub(in crate::analysis) fn on_many(mut try_on: impl FnMut(&Edges)) {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let most = if seed % 20 == 0 { 20 } else { 9 };
        try_on(&random_edges(&mut random, most));
    }
}

/// A body whose block `i` leads to the blocks `edges[i]`.
pub(in crate::analysis) fn body_of(edges: &[Vec<usize>]) -> Body {
    let mut body = Body::default();
    let blocks: Vec<Block> = edges.iter().map(|_| body.make_block()).collect();
    for (&block, to) in blocks.iter().zip(edges) {
        body.layout.append_block(block);
        let targets: Vec<_> = to.iter().map(|&to| body.target(blocks[to], &[])).collect();
        let data = match to.is_empty() {
            true => InstData::new(Op::Return, Type::NONE, Default::default(), Payload::None),
            false => {
                let table = body.make_switch(SwitchData { cases: vec![], targets });
                InstData::new(Op::Switch, Type::I32, Default::default(), Payload::Switch(table))
            }
        };
        body.append_inst(block, data, &[]);
    }
    body
}

pub(in crate::analysis) fn graph_of(edges: &[Vec<usize>]) -> FlowGraph {
    FlowGraph::new(&body_of(edges))
}

/// What is reached from `from` on paths that do not go through `without`; `from`
/// itself is, unless it is left out.
pub(in crate::analysis) fn reached(
    edges: &[Vec<usize>],
    from: usize,
    without: Option<usize>,
) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if Some(at) != without && !std::mem::replace(&mut seen[at], true) {
            stack.extend(&edges[at]);
        }
    }
    seen
}

/// Whether every path from the entry to `below` leads through `above`.
pub(crate) fn dominates(edges: &[Vec<usize>], above: usize, below: usize) -> bool {
    let all = reached(edges, 0, None);
    all[above] && all[below] && !reached(edges, 0, Some(above))[below]
}

pub(in crate::analysis) fn block(index: usize) -> Block {
    Block::new(index)
}

/// A long graph of each kind that makes careless algorithms slow: a chain, a ladder,
/// loops in loops, loops with one exit each, loops behind one another, a wide switch.
pub(in crate::analysis) fn long_graphs(n: usize) -> Vec<(&'static str, Edges)> {
    let last = n - 1;
    let half = n / 2;
    let chain = (0..n).map(|i| if i < last { vec![i + 1] } else { vec![] });
    let ladder = (0..n).map(|i| match i {
        i if i < last => vec![(i + 1).min(last), (i + 2).min(last)],
        _ => vec![],
    });
    let nested = (0..n).map(|i| match i {
        i if i < half => vec![i + 1],
        i if i < last => vec![n - 1 - i, i + 1],
        _ => vec![],
    });
    let left_early = (0..n).map(|i| match i {
        i if i < half => vec![i + 1, last],
        i if i < last => vec![n - 1 - i, i + 1],
        _ => vec![],
    });
    let row = (0..n).map(|i| match i {
        0 => vec![1],
        i if i < last => vec![i, i + 1],
        _ => vec![],
    });
    let wide = (0..n).map(|i| match i {
        0 => (1..n).collect(),
        i if i < last => vec![last],
        _ => vec![],
    });
    vec![
        ("chain", chain.collect()),
        ("ladder", ladder.collect()),
        ("nested", nested.collect()),
        ("left early", left_early.collect()),
        ("row", row.collect()),
        ("wide", wide.collect()),
    ]
}
