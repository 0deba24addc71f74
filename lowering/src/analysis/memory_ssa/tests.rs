use std::collections::BTreeSet;

use brolga_ir::entity::Value;
use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};

use super::*;
use crate::analysis::access::Location;
use crate::analysis::tests::bodies::on_many_bodies;

struct Setting<'a> {
    body: &'a Body,
    graph: FlowGraph,
    dominators: Dominators,
    accesses: Accesses,
    ssa: MemorySsa,
}

impl<'a> Setting<'a> {
    fn new(module: &Module, body: &'a Body) -> Setting<'a> {
        let graph = FlowGraph::new(body);
        let dominators = Dominators::new(&graph);
        let accesses = Accesses::new(body, &FlowGraph::new(body), module);
        let ssa = MemorySsa::new(body, &graph, &dominators, &accesses);
        Setting { body, graph, dominators, accesses, ssa }
    }

    fn walker(&self, bound: u32) -> Walker<'_> {
        Walker::new(self.body, &self.dominators, &self.accesses, &self.ssa, bound)
    }

    /// The writes, or none for the entry, that are met first on all ways up from `inst`,
    /// instruction by instruction. What is above the definition of a value of the
    /// location is of any round.
    fn first_met(&self, inst: Inst, location: &Location) -> BTreeSet<Option<Inst>> {
        let values: Vec<Value> = location.values().collect();
        let (mut met, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let block = self.body.layout.block_of(inst).unwrap();
        let mut stack = vec![(block, self.body.layout.prev_inst(inst), false)];
        while let Some((block, mut at, mut any)) = stack.pop() {
            if !seen.insert((block, at, any)) {
                continue;
            }
            let mut stopped = false;
            while let Some(inst) = at {
                any |= values.iter().any(|value| self.body.results(inst).contains(value));
                let wanted = if any { location.at_any_time() } else { *location };
                if self.accesses.may_write(inst, &wanted) {
                    met.insert(Some(inst));
                    stopped = true;
                    break;
                }
                at = self.body.layout.prev_inst(inst);
            }
            any |= values.iter().any(|value| self.body.params(block).contains(value));
            let before = self.graph.predecessors(block).iter();
            match stopped {
                true => {}
                false if self.body.layout.entry() == Some(block) => _ = met.insert(None),
                false => stack.extend(
                    before
                        .filter(|&&from| self.graph.is_reachable(from))
                        .map(|&from| (from, self.body.layout.last_inst(from), any)),
                ),
            }
        }
        met
    }

    fn questions(&self) -> Vec<(Inst, Location)> {
        let insts = self.graph.reverse_postorder().flat_map(|block| self.body.layout.insts(block));
        let both = |inst| [self.accesses.reads(inst), self.accesses.writes(inst)];
        insts
            .flat_map(|inst| both(inst).map(|reach| reach.location().map(|&at| (inst, at))))
            .flatten()
            .collect()
    }
}

#[test]
fn a_clobber_is_what_all_ways_up_meet_first() {
    let (mut writes, mut entries, mut meetings) = (0, 0, 0);
    on_many_bodies(|module, body| {
        let setting = Setting::new(module, body);
        let walker = setting.walker(u32::MAX);
        for (inst, location) in setting.questions() {
            let met = setting.first_met(inst, &location);
            let answer = walker.clobber(setting.ssa.found(inst).unwrap(), &location);
            let text = || format!("{inst:?} {location:?}\n{}", print_module(module));
            match setting.ssa.origin(answer) {
                Origin::Entry => {
                    assert_eq!(met, BTreeSet::from([None]), "{}", text());
                    entries += 1;
                }
                Origin::Write(write) => {
                    assert_eq!(met, BTreeSet::from([Some(write)]), "{}", text());
                    writes += 1;
                }
                Origin::Meeting(_) if location.values().next().is_none() => {
                    assert!(met.len() != 1, "{met:?} {}", text());
                    meetings += 1;
                }
                Origin::Meeting(_) => meetings += 1,
            }
        }
    });
    assert!(writes > 30 && entries > 30 && meetings > 10, "{writes} {entries} {meetings}");
}

#[test]
fn a_bound_gives_something_above_which_the_answer_is() {
    on_many_bodies(|module, body| {
        let setting = Setting::new(module, body);
        // Values would be those of the question again, where the second one begins.
        let lasting = |(_, location): &(Inst, Location)| location.values().next().is_none();
        for (inst, location) in setting.questions().into_iter().filter(lasting) {
            let found = setting.ssa.found(inst).unwrap();
            let best = setting.walker(u32::MAX).clobber(found, &location);
            assert_eq!(setting.walker(0).clobber(found, &location), found);
            for bound in [1, 2, 3] {
                let answer = setting.walker(bound).clobber(found, &location);
                assert_eq!(setting.walker(u32::MAX).clobber(answer, &location), best);
            }
        }
    });
}

#[test]
fn every_instruction_finds_what_the_ones_before_left() {
    on_many_bodies(|module, body| {
        let Setting { graph, ssa, accesses, .. } = Setting::new(module, body);
        for block in graph.reverse_postorder() {
            let mut version = ssa.at_start(block).unwrap();
            for inst in body.layout.insts(block) {
                let touches = !accesses.reads(inst).is_nothing();
                let writes = !accesses.writes(inst).is_nothing();
                assert_eq!(ssa.found(inst), (touches || writes).then_some(version));
                assert_eq!(ssa.made(inst).is_some(), writes);
                version = ssa.made(inst).unwrap_or(version);
            }
            assert_eq!(ssa.at_end(block), Some(version));
            let before = graph.predecessors(block).iter().filter(|&&at| graph.is_reachable(at));
            let met: BTreeSet<Version> =
                before.clone().map(|&from| ssa.at_end(from).unwrap()).collect();
            let start = ssa.at_start(block).unwrap();
            match ssa.origin(start) {
                Origin::Meeting(own) if own == block => {
                    assert_eq!(ssa.meeting(block).len(), before.count());
                    assert!(ssa.meeting(block).iter().all(|(_, version)| met.contains(version)));
                }
                _ => assert!(met.iter().all(|&version| version == start)),
            }
        }
    });
}

/// What the last load of a function finds: the op that wrote it, or why there is none.
fn found_by_the_last_load(lines: &str) -> String {
    let text = format!(
        "import func @g()\nfunc @f(ptr, ptr, i64, i1) -> i64 {{\n    ss0 = slot 16\n    ss1 = slot 16\n\
         a(%p: ptr, %q: ptr, %n: i64, %c: i1):\n    %s = slot_addr ss0\n    %t = slot_addr ss1\n\
         {lines}\n    return %n\n}}\n"
    );
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let setting = Setting::new(&module, body);
    let insts = body.layout.all_insts();
    let loads = insts.filter(|&inst| body.inst(inst).op.mnemonic().ends_with("load"));
    let load = loads.last().unwrap();
    let clobber = setting.walker(Walker::BOUND).clobber_of(load).unwrap();
    match setting.ssa.origin(clobber) {
        Origin::Entry => "entry".to_owned(),
        Origin::Meeting(block) => block.to_string(),
        Origin::Write(inst) => {
            let first = body.args(inst).first();
            let stored = first.and_then(|&value| body.as_scalar_constant(value));
            format!("{} {}", body.inst(inst).op, stored.map_or_else(String::new, |n| n.to_string()))
        }
    }
}

#[test]
fn what_cannot_touch_a_place_is_passed_over() {
    let found = found_by_the_last_load;
    assert_eq!(found("store.i64 1, %s\nstore.i64 2, %t\n%x = load.i64 %s"), "store 1");
    assert_eq!(found("store.i64 1, %s\nstore.i64 2, %s+8\n%x = load.i64 %s"), "store 1");
    assert_eq!(found("store.i64 1, %s\nstore.i64 2, %s+4\n%x = load.i64 %s"), "store 2");
    assert_eq!(found("store.i64 1, %s\nstore.i64 2, %p\n%x = load.i64 %s"), "store 1");
    assert_eq!(found("store.i64 1, %p\nstore.i64 2, %q\n%x = load.i64 %p"), "store 2");
    assert_eq!(found("store.i64 1, %s\ncall @g()\n%x = load.i64 %s"), "store 1");
    assert_eq!(found("store.i64 1, %p\ncall @g()\n%x = load.i64 %p"), "call ");
    assert_eq!(found("store.ptr %s, %p\nstore.i64 1, %s\ncall @g()\n%x = load.i64 %s"), "call ");
    assert_eq!(found("store.i64 1, %s\nfence seq_cst\n%x = load.i64 %s"), "store 1");
    assert_eq!(
        found("slot_store.i64 1, ss0, %n\nslot_store.i64 2, ss1, %n\n%x = slot_load.i64 ss0, %n"),
        "slot_store 1"
    );
    assert_eq!(found("store.i64 1, %s\nslot_start ss0\n%x = load.i64 %s"), "slot_start ");
    assert_eq!(found("store.i64 1, %s\nslot_end ss1\n%x = load.i64 %s"), "store 1");
}

#[test]
fn meetings_are_passed_over_where_no_way_to_them_writes() {
    let found = found_by_the_last_load;
    let diamond = |one: &str, other: &str| {
        format!(
            "store.i64 1, %s\nbranch %c, b, d\nb:\n{one}\njump e\nd:\n{other}\njump e\ne:\n\
             %x = load.i64 %s"
        )
    };
    assert_eq!(found(&diamond("store.i64 2, %t", "store.i64 3, %p")), "store 1");
    assert_eq!(found(&diamond("store.i64 2, %s", "store.i64 3, %p")), "block3");
    let round = |line: &str| {
        format!(
            "store.i64 1, %s\njump b(0)\nb(%i: i64):\n%x = load.i64 %s\n{line}\n\
             %j = add.i64 %i, 1\nbranch %c, b(%j), e\ne:"
        )
    };
    assert_eq!(found(&round("store.i64 2, %p")), "store 1");
    assert_eq!(found(&round("store.i64 2, %s")), "block1");
}

#[test]
fn an_address_of_another_round_is_another_address() {
    let found = found_by_the_last_load;
    // What is stored behind %a in one round may be at %a in the next.
    let walk = |line: &str| {
        format!(
            "store.i64 1, %p\njump b(%p)\nb(%a: ptr):\n%x = load.i64 %a\n{line}\n\
             %d = ptr_add %a, 8\nbranch %c, b(%d), e\ne:"
        )
    };
    assert_eq!(found(&walk("store.i64 2, %a+8")), "block1");
    assert_eq!(found(&walk("store.i64 2, %t")), "store 1");
    let inside = "jump b(0)\nb(%i: i64):\n%a = ptr_add %p, %i\nstore.i64 1, %a\nstore.i64 2, \
                  %a+8\n%x = load.i64 %a\n%j = add.i64 %i, 8\nbranch %c, b(%j), e\ne:";
    assert_eq!(found(inside), "store 1");
}
