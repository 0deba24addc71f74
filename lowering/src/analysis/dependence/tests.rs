//! What is told of pairs of accesses, held against the addresses of runs.

use std::collections::BTreeMap;

use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::verify::{Options, verify_module};

use super::*;
use crate::analysis::Analyses;
use crate::analysis::tests::graphs::Random;
use crate::analysis::tests::runs::{Moment, steps};

fn parsed(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    if let Err(errors) = verify_module(&module, &Options::default()) {
        panic!("{errors}\n{text}");
    }
    module
}

fn body_of(module: &Module) -> &Body {
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    function.body.as_deref().unwrap()
}

fn dependences<'a>(module: &Module, body: &'a Body) -> Dependences<'a> {
    let mut analyses = Analyses::default();
    let (accesses, dominators) = (analyses.accesses(body, module), analyses.dominators(body));
    Dependences::new(body, accesses, dominators, &analyses.scalar_evolution(body, module))
}

/// A number that is added up of loops' counters.
fn subscript(random: &mut Random, text: &mut String, depth: usize, count: &mut usize) -> String {
    let mut sum = if random.once_in(3) { "%x" } else { "64" }.to_owned();
    for level in 0..depth {
        let by = ["0", "1", "4", "8", "-4", "12", "16", "2"][random.below(8)];
        let (product, next) = (format!("%m{count}"), format!("%s{count}"));
        *count += 1;
        text.push_str(&format!("    {product} = mul.i64 %i{level}, {by}\n"));
        text.push_str(&format!("    {next} = add.i64 {sum}, {product}\n"));
        sum = next;
    }
    let last = format!("%s{count}");
    *count += 1;
    text.push_str(&format!("    {last} = add.i64 {sum}, {}\n", random.below(9) * 2));
    last
}

fn access(random: &mut Random, text: &mut String, depth: usize, count: &mut usize) {
    let at = subscript(random, text, depth, count);
    let (size, name) = (["i8", "i32", "i64"][random.below(3)], format!("%r{count}"));
    *count += 1;
    let slot = ["ss0", "ss0", "ss1"][random.below(3)];
    text.push_str(&match random.below(4) {
        0 => format!("    {name} = slot_load.{size} {slot}, {at}\n"),
        1 => format!("    slot_store.{size} 1, {slot}, {at}\n"),
        2 => format!("    {name} = ptr_add %base, {at}\n    store.{size} 1, {name}\n"),
        _ => format!("    {name} = ptr_add %p, {at}\n    store.{size} 1, {name}\n"),
    });
}

/// A nest of loops with accesses at every depth.
fn random_nest(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "data @mutable = { zero 2048 }\nfunc @f(i64, i64, ptr) -> i64 {\n    \
                    ss0 = slot 2048\n    ss1 = slot 2048\na(%u: i64, %v: i64, %p: ptr):\n    \
                    %base = slot_addr ss0\n    %y = and.i64 %u, 56\n    %x = add.i64 %y, 32\n    \
                    %n = and.i64 %v, 7\n"
        .to_owned();
    let (depth, mut count) = (1 + random.below(3), 0);
    for level in 0..depth {
        // So that a trace has the values of parameters, too.
        text.push_str(&format!(
            "    jump h{level}(0)\nh{level}(%i{level}: i64):\n    %o{level} = opaque.i64 %i{level}\n"
        ));
        for _ in 0..random.below(3) {
            access(&mut random, &mut text, level + 1, &mut count);
        }
    }
    access(&mut random, &mut text, depth, &mut count);
    for level in (0..depth).rev() {
        if random.once_in(2) {
            access(&mut random, &mut text, level + 1, &mut count);
        }
        let bound = ["1", "3", "5", "%n", "%n"][random.below(5)];
        text.push_str(&format!(
            "    %j{level} = add.i64 %i{level}, 1\n    %c{level} = icmp.i64 ult %j{level}, {bound}\n    \
             branch %c{level}, h{level}(%j{level}), e{level}\ne{level}:\n"
        ));
    }
    text + "    return 0\n}\n"
}

/// An access that a run has made.
#[derive(Debug)]
struct Made {
    inst: Inst,
    address: u128,
    size: u128,
    /// Which run of each loop around it, and which round of that.
    at: BTreeMap<Loop, (u32, i64)>,
}

/// All accesses to memory of one run.
fn accesses_of(
    module: &Module,
    body: &Body,
    evolution: &ScalarEvolution,
    random: &mut Random,
) -> Vec<Made> {
    let loops = evolution.loops();
    let mut moment = Moment::default();
    let (mut at, mut before, mut made) = (BTreeMap::<Loop, (u32, i64)>::new(), None, Vec::new());
    for (inst, results) in steps(module, random) {
        let block = body.layout.block_of(inst).unwrap();
        if body.layout.first_inst(block) == Some(inst)
            && let Some(of) = loops.of_header(block)
        {
            let place = at.entry(of).or_insert((0, 0));
            match before.is_some_and(|before| loops.contains(of, before)) {
                true => place.1 += 1,
                false => *place = (place.0 + 1, 0),
            }
        }
        before = Some(block);
        moment.note(body, inst, &results);
        if let Some(address) = address_of(body, &moment, inst) {
            let size = module.types.layout(body.inst(inst).ty).size.into();
            let at = at.iter().filter(|(of, _)| loops.contains(**of, block));
            let at = at.map(|(&of, &place)| (of, place)).collect();
            made.push(Made { inst, address, size, at });
        }
    }
    made
}

/// Where an access is: the second slot stands behind the first, far away.
fn address_of(body: &Body, moment: &Moment, inst: Inst) -> Option<u128> {
    let number = |value: Value| moment.get(body, value);
    let base = number(body.value_named("base")?)?;
    let args = body.args(inst);
    let in_slot = |index: usize| match body.inst(inst).payload {
        Payload::Slot(slot) if Some(slot) == body.slots().next().map(|(slot, _)| slot) => {
            Some(base + number(args[index])?)
        }
        _ => Some((1 << 90) + number(args[index])?),
    };
    match body.inst(inst).op {
        Op::SlotLoad => in_slot(0),
        Op::SlotStore => in_slot(1),
        Op::Store => number(args[1]),
        _ => None,
    }
}

#[derive(Debug, Default)]
struct Tally {
    pairs: u32,
    independent: u32,
    distances: u32,
    narrowed: u32,
    met: u32,
}

fn check_pair(
    dependence: &Dependence,
    one: &[&Made],
    other: &[&Made],
    within: Loop,
    tally: &mut Tally,
    text: &dyn Fn() -> String,
) {
    for first in one {
        for second in other {
            let is_apart = first.address + first.size <= second.address
                || second.address + second.size <= first.address;
            if is_apart || first.at[&within].0 != second.at[&within].0 {
                continue;
            }
            tally.met += 1;
            let Dependence::Levels(levels) = dependence else {
                panic!("{first:?} meets {second:?}\n{}", text())
            };
            for level in levels {
                // Rounds are of the same run of an inner loop only.
                let ((_, one), (_, other)) = (first.at[&level.of], second.at[&level.of]);
                let direction = match one.cmp(&other) {
                    std::cmp::Ordering::Equal => Directions::SAME,
                    std::cmp::Ordering::Less => Directions::LATER,
                    std::cmp::Ordering::Greater => Directions::EARLIER,
                };
                let about = || format!("{level:?}: {first:?} and {second:?}\n{}", text());
                assert!(level.directions.contains(direction), "{}", about());
                assert!(level.distance.is_none_or(|told| told == other - one), "{}", about());
            }
        }
    }
}

#[test]
fn accesses_of_runs_meet_only_where_it_is_told() {
    let (mut tally, mut random) = (Tally::default(), Random::new(9));
    for seed in 0..250 {
        let module = parsed(&random_nest(seed));
        let body = body_of(&module);
        let mut dependences = dependences(&module, body);
        let loops = Rc::clone(dependences.evolution.loops());
        let mut by_inst: BTreeMap<Inst, Vec<Made>> = BTreeMap::new();
        for made in accesses_of(&module, body, &dependences.evolution, &mut random) {
            by_inst.entry(made.inst).or_default().push(made);
        }
        for (&one, first) in &by_inst {
            for (&other, second) in &by_inst {
                let is_load = |inst: Inst| body.inst(inst).op == Op::SlotLoad;
                if is_load(one) && is_load(other) {
                    continue;
                }
                for within in loops.all() {
                    let Some(blocks) = dependences.blocks(one, other, within) else { continue };
                    let told = dependences.between(one, other, within);
                    let text = || {
                        format!(
                            "{one} {other} in {within}: {told:?} {blocks:?}\n{}",
                            print_module(&module)
                        )
                    };
                    let (first, second): (Vec<_>, Vec<_>) =
                        (first.iter().collect(), second.iter().collect());
                    check_pair(&told, &first, &second, within, &mut tally, &text);
                    tally.pairs += 1;
                    match &told {
                        Dependence::Independent => tally.independent += 1,
                        Dependence::Levels(levels) => {
                            tally.distances +=
                                u32::from(levels.iter().any(|level| level.distance.is_some()));
                            let narrow =
                                levels.iter().any(|level| level.directions != Directions::all());
                            tally.narrowed += u32::from(narrow);
                        }
                    }
                }
            }
        }
    }
    let Tally { pairs, independent, distances, narrowed, met } = tally;
    assert!(
        pairs > 1000 && independent * 5 > pairs && distances > 50 && narrowed > 100 && met > 1000,
        "{tally:?}"
    );
}

fn told(text: &str, pick: [usize; 2]) -> Dependence {
    let module = parsed(text);
    let body = body_of(&module);
    let mut dependences = dependences(&module, body);
    let within = dependences.evolution.loops().all().next().unwrap();
    let is_access = |&inst: &Inst| matches!(body.inst(inst).op, Op::Load | Op::Store);
    let all: Vec<Inst> = body.layout.all_insts().filter(is_access).collect();
    dependences.between(all[pick[0]], all[pick[1]], within)
}

/// A loop over two arrays that are given.
fn loop_over(body: &str) -> String {
    format!(
        "func @f(ptr, ptr, i64) {{\na(%p: ptr, %q: ptr, %n: i64):\n    jump h(0)\nh(%i: i64):\n    \
         %o = shl.i64 %i, 3\n    %x = ptr_add %p, %o\n    %y = ptr_add %q, %o\n{body}    \
         %j = add.i64 %i, 1\n    %c = icmp.i64 ult %j, %n\n    branch %c, h(%j), e\ne:\n    return\n}}"
    )
}

#[test]
fn a_store_meets_the_load_of_three_rounds_before() {
    let text = loop_over("    %v = load.i64 %x\n    store.i64 %v, %x+24\n");
    let Dependence::Levels(levels) = told(&text, [1, 0]) else { panic!() };
    assert_eq!((levels[0].distance, levels[0].directions), (Some(3), Directions::LATER));
    let text = loop_over("    %v = load.i64 %x\n    store.i64 %v, %x\n");
    let Dependence::Levels(levels) = told(&text, [1, 0]) else { panic!() };
    assert_eq!((levels[0].distance, levels[0].directions), (Some(0), Directions::SAME));
}

#[test]
fn what_is_between_the_steps_is_independent() {
    let text = loop_over("    %v = load.i32 %x\n    store.i32 %v, %x+4\n");
    assert_eq!(told(&text, [0, 1]), Dependence::Independent);
    let text = loop_over("    %v = load.i32 %x\n    store.i64 %v2, %x+4\n")
        .replace("    store.i64 %v2", "    %v2 = zext.i64 %v\n    store.i64 %v2");
    assert!(matches!(told(&text, [0, 1]), Dependence::Levels(_)));
}

#[test]
fn two_arrays_that_are_given_are_compared_before_the_loop() {
    let text = loop_over("    %v = load.i64 %x\n    store.i64 %v, %y\n");
    let Dependence::Levels(levels) = told(&text, [0, 1]) else { panic!() };
    assert_eq!((levels[0].distance, levels[0].directions), (None, Directions::all()));
    let module = parsed(&text);
    let body = body_of(&module);
    let mut dependences = dependences(&module, body);
    let within = dependences.evolution.loops().all().next().unwrap();
    let block = body.layout.blocks().nth(1).unwrap();
    let accesses =
        body.layout.insts(block).filter(|&inst| matches!(body.inst(inst).op, Op::Load | Op::Store));
    let accesses: Vec<Inst> = accesses.collect();
    let [one, other] = dependences.to_compare([accesses[0]; 2], [accesses[1]; 2], within).unwrap();
    assert_ne!(one.low, other.low);
    let length =
        |extent: Extent, evolution: &mut ScalarEvolution| evolution.sub(extent.high, extent.low);
    let evolution = &mut dependences.evolution;
    assert_eq!(length(one, evolution), length(other, evolution));
    let scoped = text
        .replace("func @f(ptr, ptr, i64) {", "func @f(ptr, ptr, i64) {\n    scope0 = \"x\"")
        .replace("load.i64 %x", "load.i64 %x scopes(scope0)")
        .replace("store.i64 %v, %y", "store.i64 %v, %y noalias(scope0)");
    assert_eq!(told(&scoped, [0, 1]), Dependence::Independent);
}

#[test]
fn what_meets_in_rows_that_do_not_reach_into_each_other_is_in_the_same_place() {
    let nest = |pitch: &str, size: &str| {
        format!(
            "func @f(ptr) {{\na(%p: ptr):\n    jump o(0)\no(%i: i64):\n    jump h(0)\nh(%k: i64):\n    \
             %r = mul.i64 %k, {pitch}\n    %c = shl.i64 %i, 3\n    %s = add.i64 %r, %c\n    \
             %x = ptr_add %p, %s\n    store.{size} 1, %x\n    store.{size} 2, %x\n    \
             %l = add.i64 %k, 1\n    %d = icmp.i64 ult %l, 50\n    branch %d, h(%l), n\nn:\n    \
             %j = add.i64 %i, 1\n    %e = icmp.i64 ult %j, 10\n    branch %e, o(%j), q\nq:\n    \
             return\n}}"
        )
    };
    let directions = |text: &str| {
        let Dependence::Levels(levels) = told(text, [0, 1]) else { panic!() };
        levels.iter().map(|level| (level.directions, level.distance)).collect::<Vec<_>>()
    };
    let same = (Directions::SAME, Some(0));
    assert_eq!(directions(&nest("80", "i64")), [same, same]);
    assert_eq!(directions(&nest("-80", "i64")), [same, same]);
    // A row begins with the last element of the one before.
    assert_ne!(directions(&nest("72", "i64")), [same, same]);
    // An element is two places long, and the last one reaches into the next row.
    assert_ne!(directions(&nest("80", "i128")), [same, same]);
}
