use super::*;
use crate::analysis::tests::graphs::{
    Random, block, body_of, dominates, graph_of, long_graphs, on_many, reached,
};

/// The blocks that some definition leads to but does not dominate all the way, again
/// and again with these as definitions.
fn iterated(edges: &[Vec<usize>], definitions: &[usize], interest: &[bool]) -> Vec<Block> {
    let from_entry = reached(edges, 0, None);
    let mut defined: Vec<bool> =
        (0..edges.len()).map(|at| from_entry[at] && definitions.contains(&at)).collect();
    let mut frontier = vec![false; edges.len()];
    loop {
        let before = frontier.clone();
        for definition in (0..edges.len()).filter(|&at| defined[at]) {
            for from in (0..edges.len()).filter(|&from| dominates(edges, definition, from)) {
                for &to in &edges[from] {
                    let strictly = to != definition && dominates(edges, definition, to);
                    frontier[to] |= interest[to] && !strictly;
                }
            }
        }
        defined.iter_mut().zip(&frontier).for_each(|(defined, &new)| *defined |= new);
        if frontier == before {
            return (0..edges.len()).filter(|&at| frontier[at]).map(block).collect();
        }
    }
}

#[test]
fn definitions_meet_where_none_dominates() {
    let mut random = Random::new(5);
    on_many(|edges| {
        let graph = graph_of(edges);
        let dominators = Dominators::new(&graph);
        let mut frontier = Frontier::new(&graph, &dominators);
        for _ in 0..3 {
            let definitions: Vec<usize> =
                (0..random.below(4)).map(|_| random.below(edges.len())).collect();
            let all = random.once_in(2);
            let interest: Vec<bool> = edges.iter().map(|_| all || random.once_in(2)).collect();
            let mut found =
                frontier.of(definitions.iter().map(|&at| block(at)), |at| interest[at.index()]);
            let is_sorted = found.is_sorted_by_key(|&at| graph.reverse_postorder_number(at));
            assert!(is_sorted, "{found:?} in {edges:?}");
            found.sort_unstable();
            let expected = iterated(edges, &definitions, &interest);
            assert_eq!(found, expected, "{definitions:?} of {interest:?} in {edges:?}");
        }
    });
}

#[test]
fn the_blocks_behind_a_diamond_and_a_loop_are_met() {
    let graph = graph_of(&[vec![1, 2], vec![3], vec![3], vec![3, 4], vec![]]);
    let dominators = Dominators::new(&graph);
    let mut frontier = Frontier::new(&graph, &dominators);
    assert_eq!(frontier.of([block(1)], |_| true), [block(3)]);
    assert_eq!(frontier.of([block(0)], |_| true), []);
    assert_eq!(frontier.of([block(3)], |_| true), [block(3)]);
    assert_eq!(frontier.of([block(1)], |at| at != block(3)), []);
}

#[test]
fn one_variable_that_is_defined_everywhere_takes_no_time() {
    for (name, edges) in long_graphs(20_000) {
        let graph = FlowGraph::new(&body_of(&edges));
        let dominators = Dominators::new(&graph);
        let mut frontier = Frontier::new(&graph, &dominators);
        let met = frontier.of((0..edges.len()).map(block), |_| true);
        let joins = (0..edges.len()).map(block).filter(|&at| graph.predecessors(at).len() > 1);
        assert!(met.len() <= joins.count(), "{name}");
    }
}
