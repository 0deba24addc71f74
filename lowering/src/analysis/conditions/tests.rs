use std::cell::RefCell;

use brolga_ir::interpret::eval::compare;
use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};

use super::*;
use crate::analysis::tests::runs::{Moment, on_many_runs};

struct Setting {
    facts: ValueFacts,
    conditions: Conditions,
}

impl Setting {
    fn new(module: &Module, body: &Body) -> Setting {
        let graph = FlowGraph::new(body);
        let conditions = Conditions::new(body, &graph, &Dominators::new(&graph));
        Setting { facts: ValueFacts::new(body, &graph, module), conditions }
    }
}

fn holds(body: &Body, moment: &Moment, known: &Known) -> Option<bool> {
    let width = body.value_type(known.value).as_scalar()?.bits();
    let operand = match known.operand {
        Operand::Number(number) => number,
        Operand::Value(value) => moment.get(body, value)?,
    };
    Some(compare::icmp(known.condition, width, moment.get(body, known.value)?, operand))
}

#[test]
fn what_is_known_at_a_place_holds_whenever_it_is_reached() {
    let (setting, mut held, mut decided) = (RefCell::new(None), 0, 0);
    on_many_runs(
        |module, body| *setting.borrow_mut() = Some(Setting::new(module, body)),
        |module, body, inst, moment| {
            let setting = setting.borrow();
            let Setting { facts, conditions } = setting.as_ref().unwrap();
            let at = conditions.at(body, inst);
            for known in conditions.known(at) {
                let text = || format!("{known:?} at {inst:?} in\n{}", print_module(module));
                if let Some(holds) = holds(body, moment, &known) {
                    assert!(holds, "{}", text());
                    held += 1;
                }
                let fact = conditions.fact(body, facts, at, known.value);
                if let (Some(fact), Some(bits)) = (fact, moment.get(body, known.value)) {
                    assert!(fact.contains(bits), "{bits} {fact:?} {}", text());
                }
                let Operand::Value(other) = known.operand else { continue };
                let numbers = (moment.get(body, known.value), moment.get(body, other));
                let (Some(one), Some(two)) = numbers else { continue };
                let width = body.value_type(other).as_scalar().unwrap().bits();
                for &condition in IntCond::ALL {
                    let asked = (condition, known.value, other);
                    let told = conditions.compare(body, facts, at, asked);
                    let is = compare::icmp(condition, width, one, two);
                    assert!(told.is_none_or(|told| told == is), "{condition} {}", text());
                    decided += usize::from(told.is_some());
                }
            }
        },
    );
    assert!(held > 300 && decided > 30, "{held} {decided}");
}

#[test]
fn outcomes_of_conditions_are_those_of_numbers() {
    for (a, b) in (0..256_u128).flat_map(|a| [0, 1, 7, 127, 128, 129, 255].map(|b| (a, b))) {
        let unsigned = a < b;
        let signed = (a as u8 as i8) < (b as u8 as i8);
        let outcome = match (a == b, unsigned, signed) {
            (true, _, _) => Outcomes::EQUAL,
            (_, true, true) => Outcomes::LESS,
            (_, true, false) => Outcomes::UNSIGNED_LESS,
            (_, false, true) => Outcomes::SIGNED_LESS,
            (_, false, false) => Outcomes::GREATER,
        };
        for &condition in IntCond::ALL {
            let expected = compare::icmp(condition, 8, a, b);
            assert_eq!(Outcomes::of(condition).contains(outcome), expected, "{a} {condition} {b}");
            assert_eq!(outcome.decide(condition), Some(expected));
        }
    }
    assert_eq!(Outcomes::of(IntCond::Ule).decide(IntCond::Eq), None);
    assert_eq!(Outcomes::of(IntCond::Ult).decide(IntCond::Ne), Some(true));
}

const TEXT: &str = "func @f(i64, i64, i1) -> i64 {
    exit0 = trap bounds
a(%x: i64, %y: i64, %c: i1):
    %less = icmp.i64 ult %x, %y
    %small = icmp.i64 ult 10, %y
    %not = not.i1 %small
    %both = and.i1 %less, %not
    branch %both, b, d
b:
    %p = add.i64 %x, 1
    switch.i64 %x, [1: e, 2: f], g
e:
    return 1
f:
    return 2
g:
    check %c, exit0
    %q = add.i64 %x, 2
    return %q
d:
    return 3
}";

#[test]
fn conditions_are_taken_apart_and_reach_as_far_as_their_edge_dominates() {
    let module = parse_module(TEXT).unwrap();
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let Setting { facts, conditions } = Setting::new(&module, body);
    let block = |name: usize| body.layout.blocks().nth(name).unwrap();
    let &[x, y, c] = body.params(block(0)) else { panic!() };
    let at = |name| conditions.at_start(block(name));
    let compare = |name, condition| conditions.compare(body, &facts, at(name), (condition, x, y));
    assert_eq!(compare(1, IntCond::Ult), Some(true));
    assert_eq!(compare(1, IntCond::Eq), Some(false));
    assert_eq!(compare(1, IntCond::Uge), Some(false));
    assert_eq!(compare(1, IntCond::Slt), None);
    assert_eq!(compare(5, IntCond::Ult), None);
    assert_eq!(compare(0, IntCond::Ult), None);
    let fact = |name, value| conditions.fact(body, &facts, at(name), value).unwrap();
    assert_eq!(fact(1, y).unsigned().1, 10);
    assert_eq!(fact(2, x).as_constant(), Some(1));
    assert_eq!(fact(4, x).as_constant(), None);
    let not_there = conditions.known(at(4)).filter(|known| known.condition == IntCond::Ne);
    assert_eq!(not_there.count(), 2);

    let first = body.layout.first_inst(block(4)).unwrap();
    let behind = body.layout.next_inst(first).unwrap();
    let of_c = |inst| {
        let at = conditions.at(body, inst);
        conditions.fact(body, &facts, at, c).unwrap().as_constant()
    };
    assert_eq!((of_c(first), of_c(behind)), (None, Some(1)));
    assert_eq!(conditions.on_edge(body, block(1), 1).next().unwrap().operand, Operand::Number(2));
}

#[test]
fn an_edge_that_is_not_alone_says_nothing() {
    let text = "func @f(i1) -> i1 {\na(%c: i1):\n    branch %c, b, b\nb:\n    return %c\n}";
    let module = parse_module(text).unwrap();
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let Setting { conditions, .. } = Setting::new(&module, body);
    let last = body.layout.last_block().unwrap();
    assert_eq!(conditions.known(conditions.at_start(last)).count(), 0);
    let first = body.layout.entry().unwrap();
    assert_eq!(conditions.on_edge(body, first, 1).count(), 1);
}

#[test]
fn what_a_condition_decides_of_another_holds_for_all_pairs_of_numbers_and_nothing_else_does() {
    let numbers = || 0..16u128;
    let pairs: Vec<(u128, u128)> = numbers().flat_map(|x| numbers().map(move |y| (x, y))).collect();
    for &condition in IntCond::ALL {
        for &other in IntCond::ALL {
            let given = pairs.iter().filter(|(x, y)| compare::icmp(condition, 4, *x, *y));
            let gives: Vec<bool> = given.map(|&(x, y)| compare::icmp(other, 4, x, y)).collect();
            let expected = match (gives.contains(&true), gives.contains(&false)) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            };
            let decided = Outcomes::of(condition).decide(other);
            assert_eq!(decided, expected, "{condition:?} {other:?}");
        }
    }
}
