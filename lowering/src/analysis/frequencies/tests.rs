use brolga_ir::dominators::Dominators;
use brolga_ir::text::parse_module;

use super::*;
use crate::analysis::tests::graphs::{Random, block, body_of, long_graphs, on_many};

fn frequencies_of(body: &Body) -> (FlowGraph, Loops, Frequencies) {
    let graph = FlowGraph::new(body);
    let loops = Loops::new(&graph, &Dominators::new(&graph));
    let frequencies = Frequencies::new(body, &graph, &loops);
    (graph, loops, frequencies)
}

/// What each block gets from those before it, round by round until nothing moves.
fn by_rounds(graph: &FlowGraph, likelihoods: &Likelihoods) -> Vec<f64> {
    let mut known = vec![0.0; graph.block_capacity()];
    for _ in 0..20_000 {
        let mut next = vec![0.0; known.len()];
        next[graph.postorder().last().unwrap().index()] = 1.0;
        for &from in graph.postorder() {
            for (index, to) in graph.successors(from).iter().enumerate() {
                let share = likelihoods.of(from, index) as f64 / ONE as f64;
                next[to.index()] += known[from.index()] * share;
            }
        }
        let moved = next.iter().zip(&known).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        known = next;
        if moved < 1e-9 {
            break;
        }
    }
    known
}

#[test]
fn what_comes_into_a_block_is_what_runs_in_it() {
    let (mut random, mut compared) = (Random::new(1), 0);
    on_many(|edges| {
        let (mut body, mut weighed) = (body_of(edges), Vec::new());
        for at in (0..edges.len()).filter(|&at| edges[at].len() > 1) {
            let last = body.layout.last_inst(block(at)).unwrap();
            let weights: Vec<u32> = edges[at].iter().map(|_| 1 + random.below(9) as u32).collect();
            body.set_weights(last, &weights);
            weighed.push((block(at), weights));
        }
        let (graph, loops, frequencies) = frequencies_of(&body);
        for (at, weights) in weighed.iter().filter(|(at, _)| graph.is_reachable(*at)) {
            let all: u32 = weights.iter().sum();
            for (index, &weight) in weights.iter().enumerate() {
                let share = frequencies.likelihoods().of(*at, index) as f64 / ONE as f64;
                let off = share - f64::from(weight) / f64::from(all);
                assert!(off.abs() < 1e-6, "{at} {index}: {share} for {weights:?}");
            }
        }
        let (reversed, exit) = graph.reversed();
        let endless =
            |at: Block| reversed.successors(exit).contains(&at) && !graph.successors(at).is_empty();
        if loops.has_irreducible() || graph.postorder().iter().any(|&at| endless(at)) {
            return;
        }
        let expected = by_rounds(&graph, frequencies.likelihoods());
        // A loop that runs longer than is believed.
        if expected.iter().any(|&often| often > MOST_ROUNDS as f64 / 2.0) {
            return;
        }
        compared += 1;
        for &at in graph.postorder() {
            let got = frequencies.of(at) as f64 / Frequencies::ENTRY as f64;
            let off = (got - expected[at.index()]).abs();
            let close = off <= expected[at.index()] * 1e-3 + 1e-4;
            assert!(close, "{at}: {got} for {} in {edges:?}", expected[at.index()]);
        }
    });
    assert!(compared > 60, "{compared}");
}

#[test]
fn only_what_is_not_reached_never_runs() {
    on_many(|edges| {
        let (graph, _, frequencies) = frequencies_of(&body_of(edges));
        for at in (0..edges.len()).map(block) {
            assert_eq!(frequencies.of(at) > 0, graph.is_reachable(at), "{at} in {edges:?}");
        }
    });
}

#[test]
fn loops_run_often_and_traps_do_not() {
    let text = "func @f(i64, i1) -> i64 {
a(%n: i64, %bad: i1):
    jump b(0)
b(%i: i64):
    branch %bad, c, d
c:
    trap bounds
d:
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, b(%j), e
e:
    return %j
}";
    let module = parse_module(text).unwrap();
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let (_, _, frequencies) = frequencies_of(function.body.as_deref().unwrap());
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at| frequencies.of(block(at)));
    assert_eq!(a, Frequencies::ENTRY);
    assert!((30 * a..33 * a).contains(&b), "{b}");
    assert!(c < a / 100, "{c}");
    assert!(d > 30 * a && e > a - a / 100 && e <= a, "{d} {e}");
}

#[test]
fn an_endless_loop_runs_no_more_than_is_believed() {
    let (_, _, frequencies) = frequencies_of(&body_of(&[vec![1], vec![2], vec![1]]));
    assert_eq!(frequencies.of(block(1)), Frequencies::ENTRY * MOST_ROUNDS);
    assert_eq!(frequencies.of_edge(block(1), 0), Frequencies::ENTRY * MOST_ROUNDS);
}

#[test]
fn deep_and_long_graphs_take_no_time() {
    for (name, edges) in long_graphs(20_000) {
        let (graph, _, frequencies) = frequencies_of(&body_of(&edges));
        let all = graph.postorder().iter().all(|&at| frequencies.of(at) > 0);
        assert!(all, "{name}");
    }
}
