use super::*;
use crate::analysis::tests::graphs::{
    Edges, block, dominates, graph_of, long_graphs, on_many, reached,
};

fn loops_of(edges: &[Vec<usize>]) -> (FlowGraph, Loops) {
    let graph = graph_of(edges);
    let dominators = Dominators::new(&graph);
    let loops = Loops::new(&graph, &dominators);
    (graph, loops)
}

/// The loop of a header as the book has it: what reaches a latch without the header.
fn natural_loop(edges: &[Vec<usize>], header: usize) -> Option<Vec<bool>> {
    let latches: Vec<usize> = (0..edges.len())
        .filter(|&at| edges[at].contains(&header) && dominates(edges, header, at))
        .collect();
    let from_entry = reached(edges, 0, None);
    let reaches_latch = |at: usize| {
        at == header
            || (from_entry[at] && {
                let around = reached(edges, at, Some(header));
                latches.iter().any(|&latch| around[latch])
            })
    };
    (!latches.is_empty()).then(|| (0..edges.len()).map(reaches_latch).collect())
}

#[test]
fn loops_are_what_reaches_a_latch_without_the_header() {
    on_many(|edges| {
        let (graph, loops) = loops_of(edges);
        for header in 0..edges.len() {
            let expected = natural_loop(edges, header);
            let found = loops.of_header(block(header));
            assert_eq!(found.is_some(), expected.is_some(), "{header} in {edges:?}");
            let (Some(id), Some(expected)) = (found, expected) else { continue };
            for (at, expected) in expected.into_iter().enumerate() {
                assert_eq!(loops.contains(id, block(at)), expected, "{id} {at} in {edges:?}");
            }
            check_lists(edges, &graph, &loops, id);
        }
    });
}

/// What a loop says of itself follows from which blocks it contains.
fn check_lists(edges: &Edges, graph: &FlowGraph, loops: &Loops, id: Loop) {
    let data = loops.get(id).unwrap();
    let inside = |at: &usize| loops.contains(id, block(*at));
    let mut blocks = loops.blocks(id).to_vec();
    assert_eq!(blocks[0], data.header);
    blocks.sort_unstable();
    let expected: Vec<Block> = (0..edges.len()).filter(inside).map(block).collect();
    assert_eq!(blocks, expected, "{edges:?}");

    let leads_back =
        |at: &usize| inside(at) && edges[*at].iter().any(|&to| block(to) == data.header);
    let latches: Vec<Block> = (0..edges.len()).filter(leads_back).map(block).collect();
    assert_eq!(data.latches, latches, "{edges:?}");

    let all = (0..edges.len()).flat_map(|from| edges[from].iter().map(move |&to| (from, to)));
    let mut expected: Vec<(Block, Block)> = all
        .filter(|(from, to)| inside(from) && !inside(to))
        .map(|(from, to)| (block(from), block(to)))
        .collect();
    let mut exits: Vec<(Block, Block)> = loops.exits(id, graph).collect();
    expected.sort_unstable();
    exits.sort_unstable();
    assert_eq!(exits, expected, "{edges:?}");

    let others = loops.all().filter(|&other| other != id && loops.encloses(other, id));
    let around: Vec<Loop> = others.collect();
    let closest = around.iter().copied().min_by_key(|&other| loops.blocks(other).len());
    assert_eq!(data.parent.expand(), closest, "{edges:?}");
    assert_eq!(data.depth as usize, around.len() + 1, "{edges:?}");
    assert!(around.iter().all(|&other| other < id), "{edges:?}");

    if let Some(before) = loops.preheader(id, graph) {
        assert!(!loops.contains(id, before));
        assert_eq!(graph.successors(before), [data.header]);
        let entering = graph.predecessors(data.header).iter();
        let outside = entering.filter(|&&at| graph.is_reachable(at) && !loops.contains(id, at));
        assert_eq!(outside.count(), 1, "{edges:?}");
    }
}

#[test]
fn a_block_is_in_its_innermost_loop() {
    on_many(|edges| {
        let (_, loops) = loops_of(edges);
        for at in (0..edges.len()).map(block) {
            let around: Vec<Loop> = loops.all().filter(|&id| loops.contains(id, at)).collect();
            assert_eq!(loops.depth(at) as usize, around.len());
            let innermost = around.into_iter().min_by_key(|&id| loops.blocks(id).len());
            assert_eq!(loops.innermost(at), innermost, "{at} in {edges:?}");
        }
    });
}

#[test]
fn every_cycle_is_a_loop_or_marked() {
    on_many(|edges| {
        let (graph, loops) = loops_of(edges);
        let back = |from: usize, to: usize| dominates(edges, to, from);
        let forward: Edges = (0..edges.len())
            .map(|from| edges[from].iter().copied().filter(|&to| !back(from, to)).collect())
            .collect();
        for at in 0..edges.len() {
            let on_cycle = forward[at].iter().any(|&next| reached(&forward, next, None)[at]);
            let expected = on_cycle && graph.is_reachable(block(at));
            assert_eq!(loops.is_irreducible(block(at)), expected, "{at} in {edges:?}");
        }
        assert_eq!(
            loops.has_irreducible(),
            (0..edges.len()).any(|at| loops.is_irreducible(block(at)))
        );
        let first_of_cycle = |&at: &usize| {
            let around = reached(&forward, at, None);
            let mut others = (0..edges.len()).filter(|&to| around[to]);
            let number = |at: usize| graph.reverse_postorder_number(block(at));
            loops.is_irreducible(block(at))
                && !others.any(|to| reached(&forward, to, None)[at] && number(to) < number(at))
        };
        let mut firsts: Vec<Block> = (0..edges.len()).filter(first_of_cycle).map(block).collect();
        firsts.sort_unstable_by_key(|&at| graph.reverse_postorder_number(at));
        assert_eq!(loops.irreducible_cycles(), firsts, "{edges:?}");
        for id in loops.all() {
            let expected = !loops.blocks(id).iter().any(|&at| loops.is_irreducible(at));
            assert_eq!(loops.is_reducible(id), expected, "{id} in {edges:?}");
        }
    });
}

#[test]
fn two_latches_of_one_header_make_one_loop() {
    let (graph, loops) = loops_of(&[vec![1], vec![2, 3], vec![1], vec![1, 4], vec![]]);
    let id = loops.of_header(block(1)).unwrap();
    assert_eq!(loops.all().len(), 1);
    assert_eq!(loops.get(id).unwrap().latches, [block(2), block(3)]);
    assert_eq!(loops.preheader(id, &graph), Some(block(0)));
    assert_eq!(loops.exits(id, &graph).collect::<Vec<_>>(), [(block(3), block(4))]);
}

#[test]
fn deep_and_long_graphs_take_no_time() {
    for (name, edges) in long_graphs(20_000) {
        let (_, loops) = loops_of(&edges);
        let expected = match name {
            "nested" | "left early" => edges.len() / 2 - 1,
            "row" => edges.len() - 1,
            _ => 0,
        };
        assert!(loops.all().len().abs_diff(expected) <= 1, "{name}: {}", loops.all().len());
    }
}
