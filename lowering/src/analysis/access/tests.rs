use std::cell::RefCell;
use std::collections::BTreeSet;

use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::text::{parse_module, print_module};

use super::*;
use crate::analysis::tests::bodies::on_many_bodies;
use crate::analysis::tests::graphs::Random;
use crate::analysis::tests::runs::{Moment, on_many_runs};

/// The bytes that `inst` touches at a moment, with the location that says so.
fn touched(body: &Body, inst: Inst, accesses: &Accesses, moment: &Moment) -> Vec<(u64, Location)> {
    let data = body.inst(inst);
    let args = body.args(inst);
    let operands: &[usize] = match data.op {
        Op::Load => &[0],
        Op::Store => &[1],
        Op::MemCopy => &[1, 0],
        _ => return Vec::new(),
    };
    let Payload::Access(access) = data.payload else { return Vec::new() };
    let reaches = match data.op {
        Op::Load => vec![accesses.reads(inst)],
        Op::Store => vec![accesses.writes(inst)],
        _ => vec![accesses.reads(inst), accesses.writes(inst)],
    };
    let address = |index: &usize| Some(moment.get(body, args[*index])? as u64);
    operands
        .iter()
        .zip(reaches)
        .filter_map(|(index, reach)| {
            let start = address(index)?.wrapping_add(i64::from(access.offset) as u64);
            Some((start, *reach.location().unwrap()))
        })
        .collect()
}

struct Run {
    accesses: Accesses,
    /// What was touched.
    seen: Vec<(Inst, u64, Location)>,
    insts: Vec<Inst>,
    /// Whether some instruction ran again: values may be of different rounds.
    repeats: bool,
}

#[test]
fn places_that_share_a_byte_are_not_told_apart() {
    let (run, mut shared, mut apart) = (RefCell::new(None), 0, 0);
    on_many_runs(
        |module, body| {
            let accesses = Accesses::new(body, &FlowGraph::new(body), module);
            *run.borrow_mut() =
                Some(Run { accesses, seen: Vec::new(), insts: Vec::new(), repeats: false });
        },
        |module, body, inst, moment| {
            let mut run = run.borrow_mut();
            let run = run.as_mut().unwrap();
            if body.layout.entry().and_then(|entry| body.layout.first_inst(entry)) == Some(inst) {
                // Another call: other objects.
                (run.seen, run.insts, run.repeats) = (Vec::new(), Vec::new(), false);
            }
            run.repeats |= run.insts.contains(&inst);
            run.insts.push(inst);
            for (start, location) in touched(body, inst, &run.accesses, moment) {
                let size = location.size.unwrap();
                for (other, other_start, seen) in run.seen.iter().take(60) {
                    let other_size = seen.size.unwrap();
                    let overlap = start < other_start + other_size && *other_start < start + size;
                    let of_any = (location.at_any_time(), seen.at_any_time());
                    let any = run.accesses.overlap(&of_any.0, &of_any.1);
                    let now = run.accesses.overlap(&location, seen);
                    let text = || format!("{inst:?} {other:?}\n{}", print_module(module));
                    assert!(!overlap || any != Overlap::Never, "{}", text());
                    if !run.repeats {
                        assert!(!overlap || now != Overlap::Never, "{}", text());
                        let same = (start, size) == (*other_start, other_size);
                        assert!(now != Overlap::Same || same, "{}", text());
                    }
                    shared += usize::from(overlap);
                    apart += usize::from(now == Overlap::Never);
                }
                run.seen.push((inst, start, location));
            }
        },
    );
    assert!(shared > 30 && apart > 30, "{shared} {apart}");
}

#[test]
fn what_two_instructions_do_is_the_same_seen_from_either() {
    on_many_bodies(|module, body| {
        let accesses = Accesses::new(body, &FlowGraph::new(body), module);
        let insts: Vec<Inst> = body.layout.all_insts().collect();
        for &one in &insts {
            for &other in &insts {
                assert_eq!(accesses.may_alias(one, other), accesses.may_alias(other, one));
                assert_eq!(accesses.conflict(one, other), accesses.conflict(other, one));
                assert!(!accesses.conflict(one, other) || accesses.may_alias(one, other));
                if let Some(location) = accesses.reads(other).location() {
                    let writes = accesses.may_write(one, location);
                    assert!(!writes || accesses.conflict(one, other));
                }
            }
        }
    });
}

/// What the last two accesses of a function with these lines have in common, and whether
/// their order matters.
fn last_two(lines: &str) -> (Option<Overlap>, bool) {
    let text = format!(
        "class !memory\nclass !a in !memory\nclass !b in !memory\ndata @one = {{ zero 16 }}\n\
         data @two = {{ zero 16 }}\ndata @fixed const = {{ i64 [1] }}\nimport data @far size 8\n\
         import func @g()\nimport func @none() memory none\nimport func @reads() memory read\n\
         import func @keep(ptr)\n\
         func @f(ptr, ptr, i64, i64) {{\n    ss0 = slot 32\n    ss1 = slot 32\n    \
         scope0 = \"x\"\n    scope1 = \"y\"\n\
         a(%p: ptr, %q: ptr, %n: i64, %m: i64):\n    %s = slot_addr ss0\n    %t = slot_addr ss1\n\
         {lines}\n    return\n}}\n"
    );
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let accesses = Accesses::new(body, &FlowGraph::new(body), &module);
    let insts = body.layout.all_insts();
    let touches =
        |inst: &Inst| !accesses.reads(*inst).is_nothing() || !accesses.writes(*inst).is_nothing();
    let all: Vec<Inst> = insts.filter(touches).collect();
    let [.., one, other] = all[..] else { panic!("{lines}") };
    let place =
        |inst: Inst| accesses.writes(inst).location().or_else(|| accesses.reads(inst).location());
    let overlap = place(one).zip(place(other)).map(|(a, b)| accesses.overlap(a, b));
    (overlap, accesses.conflict(one, other))
}

#[test]
fn distances_objects_and_promises_tell_places_apart() {
    let apart = [
        "store.i64 1, %p\nstore.i64 2, %p+8",
        "store.i64 1, %p+8\nstore.i32 2, %p+4",
        "%x = ptr_add %p, %n\nstore.i64 1, %x-8\nstore.i64 2, %x",
        "%x = ptr_add %s, 4\nstore.i32 1, %x\nstore.i32 2, %s",
        "%x = ptr_add %s, %n\nstore.i32 1, %x\nstore.i32 2, %t",
        "store.i64 1, %s\nstore.i64 2, %p",
        "call @keep(%s)\nstore.i64 1, %s\nstore.i64 2, %p",
        "%x = load.ptr %p\nstore.i64 1, %s\nstore.i64 2, %x",
        "%x = data_addr @one\nstore.i64 1, %s\nstore.i64 2, %x",
        "%x = data_addr @one\n%y = data_addr @two\nstore.i64 1, %x\nstore.i64 2, %y",
        "data_store.i64 1, @one, %n\ndata_store.i64 2, @two, %n",
        "slot_store.i64 1, ss0, 0\nslot_store.i64 2, ss0, 8",
        "slot_store.i64 1, ss0, %n\nslot_store.i64 2, ss1, %n",
        "%x = stack_alloc 8, 8\n%y = stack_alloc 8, 8\nstore.i64 1, %x\nstore.i64 2, %y",
        "store.i64 1, %p class !a\nstore.i64 2, %q class !b",
        "store.i64 1, %p scopes(scope0)\nstore.i64 2, %q noalias(scope0)",
        "store.i64 1, %p noalias(scope0, scope1)\nstore.i64 2, %q scopes(scope1)",
        "mem_fill %p, 1, 8\nstore.i64 2, %p+8",
    ];
    for lines in apart {
        assert_eq!(last_two(lines), (Some(Overlap::Never), false), "{lines}");
    }
}

#[test]
fn what_may_be_the_same_place_is_not_told_apart() {
    let maybe = [
        "store.i64 1, %p\nstore.i64 2, %q",
        "store.i64 1, %p\nstore.i64 2, %p+7",
        "store.i64 1, %p\nstore.i32 2, %p",
        "%x = ptr_add %p, %n\nstore.i64 1, %x\nstore.i64 2, %p+64",
        "%x = load.ptr %p\ncall @keep(%s)\nstore.i64 1, %s\nstore.i64 2, %x",
        "store.ptr %s, %q\n%x = load.ptr %p\nstore.i64 1, %s\nstore.i64 2, %x",
        "%x = select.ptr 1, %p, %s\nstore.i64 1, %s\nstore.i64 2, %x",
        "%x = data_addr @one\nstore.i64 1, %p\nstore.i64 2, %x",
        "%x = data_addr @one\n%y = data_addr @far\nstore.i64 1, %x\nstore.i64 2, %y",
        "slot_store.i64 1, ss0, %n\nslot_store.i64 2, ss0, %m",
        "slot_store.i64 1, ss0, %n\nslot_store.i64 2, ss0, 0",
        "slot_store.i64 1, ss0, %n\nstore.i64 2, %s",
        "store.i64 1, %p class !a\nstore.i64 2, %q class !memory",
        "store.i64 1, %p class !a\nstore.i64 2, %q",
        "store.i64 1, %p scopes(scope0)\nstore.i64 2, %q noalias(scope1)",
        "store.i64 1, %p noalias(scope0)\nstore.i64 2, %q noalias(scope0)",
        "mem_fill %p, 1, %n\nstore.i64 2, %p+8",
        "store.i64 1, %p volatile\nstore.i64 2, %p+8 volatile",
    ];
    for lines in maybe {
        assert_eq!(last_two(lines), (Some(Overlap::Maybe), true), "{lines}");
    }
    let same = [
        "store.i64 1, %p\nstore.i64 2, %p",
        "%x = ptr_add %p, 8\nstore.i64 1, %x-8\nstore.f64 2.0, %p",
        "slot_store.i64 1, ss0, %n\nslot_store.i64 2, ss0, %n",
        "slot_store.i64 1, ss0, 8\nstore.i64 2, %s+8",
    ];
    for lines in same {
        assert_eq!(last_two(lines), (Some(Overlap::Same), true), "{lines}");
    }
}

/// What an access says of itself: its class, its scopes, and those that it does not alias.
struct Said {
    class: Option<usize>,
    scopes: BTreeSet<usize>,
    no_alias: BTreeSet<usize>,
}

impl Said {
    const CLASSES: usize = 9;
    const SCOPES: usize = 5;

    fn random(random: &mut Random) -> Said {
        let mut some = || (0..Said::SCOPES).filter(|_| random.below(5) == 0).collect();
        let (scopes, no_alias) = (some(), some());
        let class = Some(random.below(Said::CLASSES + 3)).filter(|&it| it < Said::CLASSES);
        Said { class, scopes, no_alias }
    }

    fn text(&self) -> String {
        let list = |name: &str, scopes: &BTreeSet<usize>| match scopes.is_empty() {
            true => String::new(),
            false => {
                let names: Vec<String> = scopes.iter().map(|it| format!("scope{it}")).collect();
                format!(" {name}({})", names.join(", "))
            }
        };
        let class = self.class.map_or_else(String::new, |class| format!(" class !c{class}"));
        class + &list("scopes", &self.scopes) + &list("noalias", &self.no_alias)
    }

    /// Whether it and another one say that they do not overlap; `within` has all classes that a
    /// class is one of.
    fn is_apart(&self, other: &Said, within: &[BTreeSet<usize>]) -> bool {
        let classes = self.class.zip(other.class);
        classes.is_some_and(|(a, b)| !within[a].contains(&b) && !within[b].contains(&a))
            || !self.scopes.is_disjoint(&other.no_alias)
            || !self.no_alias.is_disjoint(&other.scopes)
    }
}

/// Classes and scopes against sets of what they mean.
#[test]
fn classes_and_scopes_tell_apart_what_their_sets_do() {
    const ACCESSES: usize = 24;
    let (mut random, mut apart) = (Random::new(5), 0);
    for _ in 0..40 {
        let mut text = String::new();
        let mut within: Vec<BTreeSet<usize>> = Vec::new();
        for class in 0..Said::CLASSES {
            let parent = Some(random.below(class + 1)).filter(|&parent| parent < class);
            text += &format!("class !c{class}");
            text += &parent.map_or_else(String::new, |parent| format!(" in !c{parent}"));
            text += "\n";
            let mut all = parent.map_or_else(BTreeSet::new, |parent| within[parent].clone());
            all.insert(class);
            within.push(all);
        }
        text += "func @f(ptr) {\n";
        for scope in 0..Said::SCOPES {
            text += &format!("    scope{scope} = \"s{scope}\"\n");
        }
        text += "a(%p: ptr):\n";
        let said: Vec<Said> = (0..ACCESSES).map(|_| Said::random(&mut random)).collect();
        for index in 0..ACCESSES {
            text += &format!("    %q{index} = load.ptr %p+{}\n", 8 * index);
        }
        for (index, said) in said.iter().enumerate() {
            text += &format!("    store.i64 1, %q{index}{}\n", said.text());
        }
        text += "    return\n}\n";
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let function = module.function(module.function_named("f").unwrap()).unwrap();
        let body = function.body.as_deref().unwrap();
        let accesses = Accesses::new(body, &FlowGraph::new(body), &module);
        let is_store = |inst: &Inst| body.inst(*inst).op == Op::Store;
        let stores: Vec<Inst> = body.layout.all_insts().filter(is_store).collect();
        for (one, of_one) in stores.iter().zip(&said) {
            for (other, of_other) in stores.iter().zip(&said).filter(|(it, _)| *it != one) {
                let expected = of_one.is_apart(of_other, &within);
                let [a, b] = [one, other].map(|it| accesses.writes(*it).location().unwrap());
                let found = accesses.overlap(a, b) == Overlap::Never;
                assert_eq!(found, expected, "{one} {other}\n{text}");
                apart += usize::from(found);
            }
        }
    }
    assert!(apart > 1000, "{apart}");
}

#[test]
fn calls_and_order_reach_what_is_shared() {
    let conflict = |lines: &str| last_two(lines).1;
    assert!(conflict("store.i64 1, %p\ncall @g()"));
    assert!(conflict("%x = load.i64 %p\ncall @g()"));
    assert!(conflict("store.i64 1, %p\ncall @reads()"));
    assert!(!conflict("%x = load.i64 %p\ncall @reads()"));
    assert!(!conflict("store.i64 1, %s\ncall @g()"));
    assert!(conflict("call @keep(%s)\nstore.i64 1, %s\ncall @g()"));
    assert!(!conflict("store.i64 1, %p\n%x = load.i64 %s\ncall @none()"));
    assert!(!conflict("%x = data_load.i64 @fixed, 0\ncall @reads()"));
    assert!(conflict("store.i64 1, %p\nfence seq_cst"));
    assert!(!conflict("store.i64 1, %s\nfence seq_cst"));
    assert!(conflict("store.i64 1, %p\natomic_store.i64 release 1, %q+8"));
    assert!(conflict("%x = load.i64 %p\n%y = atomic_load.i64 acquire %p+8"));
    assert!(!conflict("%x = load.i64 %p\n%y = atomic_load.i64 relaxed %p+8"));
    assert!(conflict("store.i64 1, %s\natomic_store.i64 release 1, %s+8"));
    assert!(conflict("%x = load.i64 %p volatile\n%y = load.i64 %q volatile"));
    assert!(conflict("%x = load.i64 %p volatile\n%y = load.i64 %p"));
    assert!(!conflict("%x = load.i64 %p volatile\n%y = load.i64 %p+8"));
    assert!(conflict("mem_copy %s, %p, 8 volatile\n%y = load.i64 %s"));
    assert!(conflict("slot_store.i64 1, ss0, 0\nslot_end ss0"));
    assert!(!conflict("slot_store.i64 1, ss0, 0\nslot_start ss1"));
}

#[test]
fn a_value_of_any_round_may_be_elsewhere() {
    let text =
        "func @f(ptr) {\na(%p: ptr):\n    store.i64 1, %p\n    store.i64 2, %p+8\n    return\n}";
    let module = parse_module(text).unwrap();
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let accesses = Accesses::new(body, &FlowGraph::new(body), &module);
    let insts: Vec<Inst> = body.layout.insts(body.layout.entry().unwrap()).collect();
    let [one, other] = [0, 1].map(|at| *accesses.writes(insts[at]).location().unwrap());
    assert_eq!(accesses.overlap(&one, &other), Overlap::Never);
    assert_eq!(accesses.overlap(&one.at_any_time(), &other), Overlap::Maybe);
    let param = body.params(body.layout.entry().unwrap())[0];
    assert_eq!(one.values().collect::<Vec<Value>>(), [param]);
    assert_eq!(one.at_any_time().values().count(), 0);
}
