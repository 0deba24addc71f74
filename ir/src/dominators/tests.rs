use super::*;
use proptest::strategy::Strategy;

use crate::body::{Body, SwitchData};
use crate::instruction::{InstData, Payload};
use crate::op::Op;
use crate::types::Type;

/// A body whose block `i` leads to the blocks `edges[i]`.
fn graph(edges: &[Vec<usize>]) -> FlowGraph {
    let mut body = Body::default();
    let blocks: Vec<Block> = edges.iter().map(|_| body.make_block()).collect();
    for (&block, to) in blocks.iter().zip(edges) {
        body.layout.append_block(block);
        let targets: Vec<_> = to.iter().map(|&to| body.target(blocks[to], &[])).collect();
        let table = body.make_switch(SwitchData { cases: vec![], targets });
        let data = InstData::new(Op::Switch, Type::I32, Default::default(), Payload::Switch(table));
        body.append_inst(block, data, &[]);
    }
    FlowGraph::new(&body)
}

/// Whether `above` is on every path to `below`: unreachable without it.
fn dominates_by_paths(edges: &[Vec<usize>], above: usize, below: usize) -> bool {
    let reach = |without: Option<usize>| {
        let mut seen = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if Some(at) != without && !std::mem::replace(&mut seen[at], true) {
                stack.extend(&edges[at]);
            }
        }
        seen
    };
    let all = reach(None);
    all[above] && all[below] && (above == below || !reach(Some(above))[below])
}

fn assert_agrees(edges: &[Vec<usize>]) {
    let tree = Dominators::new(&graph(edges));
    for above in 0..edges.len() {
        for below in 0..edges.len() {
            let expected = dominates_by_paths(edges, above, below);
            let got = tree.dominates(Block::new(above), Block::new(below));
            assert_eq!(got, expected, "{above} over {below} in {edges:?}");
        }
    }
    assert_is_a_tree(edges, &tree);
}

/// Children, depths and common dominators say what the immediate dominators do.
fn assert_is_a_tree(edges: &[Vec<usize>], tree: &Dominators) {
    let blocks = || (0..edges.len()).map(Block::new);
    for block in blocks() {
        let expected: Vec<Block> =
            blocks().filter(|&below| tree.immediate_dominator(below) == Some(block)).collect();
        let mut children: Vec<Block> = tree.children(block).collect();
        children.sort_unstable();
        assert_eq!(children, expected, "children of {block} in {edges:?}");
        let above = blocks().filter(|&above| tree.dominates(above, block)).count();
        assert_eq!(tree.depth(block) as usize, above.saturating_sub(1), "{block} in {edges:?}");
        for other in blocks() {
            let over_both =
                |&above: &Block| tree.dominates(above, block) && tree.dominates(above, other);
            let closest = blocks().filter(over_both).max_by_key(|&above| tree.depth(above));
            assert_eq!(tree.common_dominator(block, other), closest, "{edges:?}");
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]
    #[test]
    fn dominance_is_what_paths_say(
        edges in (1usize..14).prop_flat_map(|n| {
            proptest::collection::vec(proptest::collection::vec(0..n, 0..4), n)
        })
    ) {
        assert_agrees(&edges);
    }
}

#[test]
fn an_empty_body_has_no_dominators() {
    let tree = Dominators::new(&FlowGraph::new(&Body::default()));
    assert!(!tree.is_reachable(Block::new(0)));
    assert!(tree.preorder().is_empty());
    assert_eq!(tree.immediate_dominator(Block::new(0)), None);
}

#[test]
fn the_tree_lists_each_block_behind_its_dominator() {
    let tree = Dominators::new(&graph(&[vec![1, 2], vec![3], vec![3], vec![1], vec![0]]));
    assert_eq!(tree.immediate_dominator(Block::new(1)), Some(Block::new(0)));
    assert_eq!(tree.immediate_dominator(Block::new(3)), Some(Block::new(0)));
    assert_eq!(tree.preorder().len(), 4);
    assert_eq!(tree.preorder()[0], Block::new(0));
    assert!(!tree.is_reachable(Block::new(4)));
}

/// Graphs on which algorithms that walk up the tree at every edge are quadratic.
fn adversarial(n: usize) -> Vec<(&'static str, Vec<Vec<usize>>)> {
    let chain = (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] });
    let ladder = (0..n).map(|i| vec![(i + 1).min(n - 1), (i + 2).min(n - 1)]);
    let back_to_all = (0..n).map(|i| vec![(i + 1) % n, i / 2]);
    let from_entry = (0..n).map(|i| match i {
        0 => (1..n).collect(),
        i => vec![if i + 1 < n { i + 1 } else { 1 }, i - 1],
    });
    // The tail of a long chain jumps forward from everywhere above it.
    let half = n / 2;
    let join = (0..n).map(|i| if i < half { vec![i + 1, n - 1 - i] } else { vec![(i + 1) % n] });
    vec![
        ("chain", chain.collect()),
        ("ladder", ladder.collect()),
        ("back edges", back_to_all.collect()),
        ("irreducible", from_entry.collect()),
        ("crossed", join.collect()),
    ]
}

#[test]
fn work_is_near_linear_in_edges_on_adversarial_graphs() {
    for size in [1000, 8000, 64_000] {
        for (name, edges) in adversarial(size) {
            let graph = graph(&edges);
            let total = (graph.edge_count() + size) as u64;
            let work = Dominators::new(&graph).work();
            assert!(work <= 8 * total, "{name} of {size}: {work} steps for {total} parts");
        }
    }
}
