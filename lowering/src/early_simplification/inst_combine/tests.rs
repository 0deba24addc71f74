mod instance;
mod random;

use brolga_ir::datum::Datum;
use brolga_ir::types::Type;

use self::instance::{Choices, Instance, NUMBERS, constants_of, types};
use super::MOST_LEVELS;
use super::bound::Bound;
use super::build::{Builder, Written};
use super::cost::{cost_of, cost_of_tree};
use super::pattern::bind;
use super::rule::{Gain, Node, OpNode, Rule};
use super::rules::THEMES;

fn rules() -> impl Iterator<Item = &'static Rule> {
    THEMES.iter().copied().flatten()
}

/// How many combinations of values an instance of a rule is tried with, at most, by the
/// number of constants in it, each of which has many values itself.
const MOST_SAMPLES: [usize; 3] = [1 << 12, 1 << 8, 32];

#[test]
fn every_rule_writes_what_costs_no_more() {
    for rule in rules() {
        let pattern = cost_of_tree(&Node::Op(rule.pattern));
        let result = cost_of_tree(&rule.result);
        match rule.gain {
            Gain::Cheaper => assert!(result < pattern, "{}", rule.text),
            Gain::Canonical => assert!(result <= pattern, "{}", rule.text),
        }
        // What stays when all operands have other uses must pay for itself at times.
        assert!(result <= pattern && cost_of(rule.pattern.op) > 0, "{}", rule.text);
    }
}

#[test]
fn no_rule_sees_more_levels_than_a_change_is_followed_through() {
    fn levels(node: &OpNode) -> u8 {
        let below = node.args.iter().map(|arg| match arg {
            Node::Op(op) => levels(op),
            _ => 0,
        });
        1 + below.max().unwrap_or(0)
    }
    for rule in rules() {
        assert!(levels(rule.pattern) <= MOST_LEVELS, "{}", rule.text);
    }
}

#[test]
fn no_rule_stands_twice() {
    let mut texts: Vec<&str> = rules().map(|rule| rule.text).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert!(count - texts.len() <= 12, "more than rules with two conditions explain");
}

/// Every rule gives what its pattern gives: for all numbers of 8 bits where there are
/// few enough combinations, else for those at the edges; and there are types for it.
#[test]
fn every_rule_keeps_the_meaning() {
    let mut faults = String::new();
    for rule in rules() {
        let mut tried = 0;
        for root in types() {
            let mut choices = Choices::default();
            loop {
                tried += check_types(rule, root, &mut choices, &mut faults);
                if !choices.advance() {
                    break;
                }
            }
        }
        if tried == 0 {
            faults.push_str(&format!("{}: fits nowhere\n", rule.text));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Tries a rule at the types of the choices, with many constants.
fn check_types(rule: &Rule, root: Type, choices: &mut Choices, faults: &mut String) -> usize {
    let Some(first) = Instance::new(rule, root, choices, &[]) else { return 0 };
    let names = first.constants.clone();
    let mut tried = 0;
    for constants in constants_of(&names) {
        let Some(instance) = Instance::new(rule, root, choices, &constants) else { continue };
        tried += check_instance(rule, instance, faults);
    }
    tried
}

/// Tries an instance with many values.
fn check_instance(rule: &Rule, mut instance: Instance, faults: &mut String) -> usize {
    let orders = 1 << 4;
    let binding = (0..orders).find_map(|order| {
        bind(rule, &instance.body, instance.root, order)
            .filter(|binding| (rule.holds)(&Bound { body: &instance.body, binding }))
    });
    let Some(binding) = binding else { return 0 };
    let mut fresh = Vec::new();
    let root = instance.root;
    let mut builder =
        Builder { body: &mut instance.body, binding: &binding, before: root, fresh: &mut fresh };
    let Some(written) = builder.write(&rule.result) else { return 0 };
    let result = match written {
        Written::Value(value) => value,
        Written::Inst(data) => {
            let made = instance.body.insert_inst(root, data, &[binding.root]);
            instance.body.result(made).unwrap()
        }
    };
    for values in instance.samples(MOST_SAMPLES[instance.constants.len().min(2)]) {
        let (expected, found) = instance.evaluate(&values, result);
        let agree = match (&expected, &found) {
            (Ok(expected), Ok(found)) => expected.agrees(found, &Default::default(), binding.root),
            // An operand traps: it stays, and traps before.
            (Err(_), _) => true,
            _ => false,
        };
        if !agree {
            let constants: Vec<&Datum> = instance.given.iter().collect();
            faults.push_str(&format!(
                "{} at {}: {values:?}, constants {constants:?}: {expected:?}, not {found:?}\n",
                rule.text, binding.root
            ));
            break;
        }
    }
    1
}

#[test]
fn numbers_at_the_edges_are_many() {
    assert!(NUMBERS.len() >= 16);
}
