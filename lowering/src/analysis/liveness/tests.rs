use std::collections::BTreeSet;

use super::*;
use crate::analysis::tests::bodies::on_many_bodies;

/// By the equations of data flow, solved round by round.
fn live_by_rounds(body: &Body, graph: &FlowGraph) -> Vec<BTreeSet<Value>> {
    let mut live_in = vec![BTreeSet::new(); graph.block_capacity()];
    loop {
        let before = live_in.clone();
        for &block in graph.postorder() {
            let behind = graph.successors(block).iter();
            let mut live: BTreeSet<Value> =
                behind.flat_map(|&to| before[to.index()].iter().copied()).collect();
            let insts: Vec<_> = body.layout.insts(block).collect();
            for &inst in insts.iter().rev() {
                let used = body.uses(inst).filter(|&value| body.as_constant(value).is_none());
                live.extend(used);
                body.results(inst).iter().for_each(|result| _ = live.remove(result));
            }
            body.params(block).iter().for_each(|param| _ = live.remove(param));
            live_in[block.index()] = live;
        }
        if live_in == before {
            return live_in;
        }
    }
}

#[test]
fn live_values_are_those_that_the_equations_give() {
    let mut seen = 0;
    on_many_bodies(|module, body| {
        let graph = FlowGraph::new(body);
        let liveness = Liveness::new(body, &graph);
        let expected = live_by_rounds(body, &graph);
        for block in body.layout.blocks() {
            let live: Vec<Value> = expected[block.index()].iter().copied().collect();
            seen += live.len();
            let text = || brolga_ir::text::print_module(module);
            assert_eq!(liveness.live_in(block), live, "{block} of\n{}", text());
            let out = graph.successors(block).iter().flat_map(|to| &expected[to.index()]);
            let out: BTreeSet<Value> = out.copied().collect();
            let out: Vec<Value> = out.into_iter().filter(|_| graph.is_reachable(block)).collect();
            if graph.is_reachable(block) {
                assert_eq!(liveness.live_out(block, &graph), out, "{block} of\n{}", text());
            }
            for value in (0..body.value_count()).map(Value::new) {
                assert_eq!(liveness.is_live_in(block, value), live.contains(&value));
                let leaves = graph.is_reachable(block) && out.contains(&value);
                let found = graph.is_reachable(block) && liveness.is_live_out(block, &graph, value);
                assert_eq!(found, leaves);
            }
        }
    });
    assert!(seen > 300, "{seen}");
}

#[test]
fn who_asks_for_some_values_gets_those() {
    on_many_bodies(|_, body| {
        let graph = FlowGraph::new(body);
        let all = Liveness::new(body, &graph);
        let is_even = |value: Value| value.index().is_multiple_of(2);
        let some = Liveness::of(body, &graph, is_even);
        for block in body.layout.blocks() {
            let expected = all.live_in(block).iter().copied().filter(|&value| is_even(value));
            assert_eq!(some.live_in(block), expected.collect::<Vec<_>>());
        }
    });
}
