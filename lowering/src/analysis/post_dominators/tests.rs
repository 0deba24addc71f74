use super::*;
use crate::analysis::tests::graphs::{block, graph_of, on_many, reached};

/// Whether every path from `before` to an end leads through `behind`.
fn post_dominates_by_paths(edges: &[Vec<usize>], behind: usize, before: usize) -> bool {
    let from_entry = reached(edges, 0, None);
    if !from_entry[behind] || !from_entry[before] {
        return false;
    }
    let returns = |at: usize| edges[at].is_empty();
    let leads_out =
        |at: usize| (0..edges.len()).any(|to| returns(to) && reached(edges, at, None)[to]);
    let is_end = |at: usize| returns(at) || !leads_out(at);
    let around = reached(edges, before, Some(behind));
    !(0..edges.len()).any(|at| around[at] && is_end(at))
}

#[test]
fn post_dominance_is_what_paths_say() {
    on_many(|edges| {
        let tree = PostDominators::new(&graph_of(edges));
        for behind in 0..edges.len() {
            for before in 0..edges.len() {
                let expected = post_dominates_by_paths(edges, behind, before);
                let got = tree.post_dominates(block(behind), block(before));
                assert_eq!(got, expected, "{behind} behind {before} in {edges:?}");
            }
        }
    });
}

#[test]
fn the_tree_stands_on_blocks_of_the_body_only() {
    on_many(|edges| {
        let graph = graph_of(edges);
        let tree = PostDominators::new(&graph);
        let mut all: Vec<Block> = tree.preorder().collect();
        all.sort_unstable();
        let mut reachable = graph.postorder().to_vec();
        reachable.sort_unstable();
        assert_eq!(all, reachable, "{edges:?}");
        for &at in &reachable {
            let behind = tree.immediate_post_dominator(at);
            assert!(behind.is_none_or(|behind| tree.children(behind).any(|child| child == at)));
            assert!(behind.is_none_or(|behind| graph.is_reachable(behind)));
        }
    });
}

#[test]
fn nothing_is_certain_to_come_in_an_endless_loop() {
    let tree = PostDominators::new(&graph_of(&[vec![1], vec![2], vec![1]]));
    assert!(!tree.post_dominates(block(2), block(1)));
    assert!(!tree.post_dominates(block(1), block(0)));
    let left = PostDominators::new(&graph_of(&[vec![1], vec![2, 3], vec![1], vec![]]));
    assert!(left.post_dominates(block(3), block(0)));
    assert_eq!(left.immediate_post_dominator(block(2)), Some(block(1)));
    assert_eq!(left.immediate_post_dominator(block(3)), None);
}
