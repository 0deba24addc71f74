use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::Block;
use brolga_ir::flow::FlowGraph;
use brolga_ir::interpret::{CallError, Interpreter, OpCounts};
use brolga_ir::op::{Op, Safety};
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::verify::{Options as Border, require_safe, verify_module};

use super::{Access, Generated, Managed, Options, generate, needs_runtime};

const PROGRAMS: u64 = 1500;

fn programs(options: Options) -> impl Iterator<Item = (u64, Generated)> {
    (0..PROGRAMS).map(move |seed| (seed, generate(seed, &options)))
}

fn executed_ops(generated: &Generated) -> OpCounts {
    let mut interpreter = Interpreter::new(&[&generated.module]).expect("it links");
    for call in &generated.calls {
        // Whether it traps is not the question here.
        let _ = interpreter.call(&call.function, &call.args);
    }
    interpreter.counts().clone()
}

#[test]
fn the_verifier_accepts_every_program() {
    for (seed, generated) in programs(Options::default()) {
        if let Err(errors) = verify_module(&generated.module, &Border::default()) {
            panic!("seed {seed}: {errors}");
        }
    }
}

#[test]
fn programs_without_addresses_are_safe_to_load() {
    let options =
        Options { managed: Managed::Exclude, access: Access::Checked, ..Options::default() };
    for (seed, generated) in programs(options).take(300) {
        if let Err(errors) = require_safe(&generated.module) {
            panic!("seed {seed}: {errors}");
        }
    }
}

#[test]
fn no_program_breaks_a_promise_or_leaves_its_objects() {
    for (seed, generated) in programs(Options::default()) {
        let mut interpreter = Interpreter::new(&[&generated.module]).expect("it links");
        for call in &generated.calls {
            match interpreter.call(&call.function, &call.args) {
                Ok(_) => {}
                Err(CallError::Trap(trap)) => assert!(
                    !matches!(
                        trap.code,
                        TrapCode::BrokenPromise
                            | TrapCode::InvalidAccess
                            | TrapCode::OutOfFuel
                            | TrapCode::StackOverflow
                    ),
                    "seed {seed}: {trap}"
                ),
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
    }
}

#[test]
fn half_of_the_programs_execute_a_hundred_ops_and_all_together_every_row() {
    let mut all = OpCounts::default();
    let mut sizes = Vec::new();
    for (_, generated) in programs(Options::default()) {
        let counts = executed_ops(&generated);
        sizes.push(counts.iter().map(|(_, count)| count).sum::<u64>());
        all.merge(&counts);
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] >= 100, "median {}", sizes[sizes.len() / 2]);
    // A million programs execute each row a thousand times at least.
    let rare: Vec<_> = all.iter().filter(|(_, count)| *count < 1 + PROGRAMS / 1000).collect();
    assert!(rare.is_empty(), "{rare:?}");
}

#[test]
fn what_options_exclude_does_not_occur() {
    let options =
        Options { managed: Managed::Exclude, access: Access::Checked, ..Options::default() };
    let mut all = OpCounts::default();
    for (_, generated) in programs(options).take(300) {
        all.merge(&executed_ops(&generated));
    }
    for (op, count) in all.iter() {
        let info = op.info();
        let is_excluded = needs_runtime(op) || info.safety == Safety::Raw;
        assert!(!is_excluded || count == 0, "{op}");
    }
    assert!(all.of(Op::SlotLoad) > 0);
}

#[test]
fn a_seed_names_its_program() {
    let text = |seed| print_module(&generate(seed, &Options::default()).module);
    assert_eq!(text(5), text(5));
    assert_ne!(text(5), text(6));
}

#[test]
fn the_text_of_a_program_is_the_program() {
    for (seed, generated) in programs(Options::default()).take(300) {
        let text = print_module(&generated.module);
        let parsed = parse_module(&text).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        assert_eq!(print_module(&parsed), text, "seed {seed}");
    }
}

/// Edges that lead back, of which the end stands on every way to the start, or does not.
fn edges_back(body: &Body, stands_on_every_way: bool) -> Vec<(Block, Block)> {
    let graph = FlowGraph::new(body);
    let dominators = Dominators::new(&graph);
    let edges = graph
        .postorder()
        .iter()
        .flat_map(|&from| graph.successors(from).iter().map(move |&to| (from, to)));
    let is_back = |&(from, to): &(Block, Block)| {
        graph.postorder_number(to) >= graph.postorder_number(from)
            && dominators.dominates(to, from) == stands_on_every_way
    };
    edges.filter(is_back).collect()
}

#[test]
fn some_loops_have_several_ways_in_and_some_several_ways_back() {
    let (mut ways_in, mut ways_back) = (0, 0);
    for (_, generated) in programs(Options::default()) {
        for body in generated.module.functions().filter_map(|(_, it)| it.body.as_deref()) {
            ways_in += u32::from(!edges_back(body, false).is_empty());
            let mut headers: Vec<Block> = edges_back(body, true).iter().map(|it| it.1).collect();
            let count = headers.len();
            headers.sort_unstable();
            headers.dedup();
            ways_back += u32::from(headers.len() < count);
        }
    }
    assert!(ways_in >= 100 && ways_back >= 100, "{ways_in} and {ways_back} functions");
}
