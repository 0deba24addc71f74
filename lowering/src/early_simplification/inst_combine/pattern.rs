//! Finding rules that fit, and binding their names.

use std::sync::LazyLock;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::{Constant, ConstantBits};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

use super::bound::Binding;
use super::cost::{cost_of_tree, has_two_orders};
use super::rule::{Condition, Literal, Node, OpNode, Rule, Suffix};
use super::rules::THEMES;

/// A rule with what is known of it before any code is seen.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    /// What its result costs.
    pub(super) cost: u32,
    /// In how many ways the operands of its ops may be ordered.
    orders: u32,
}

/// Rules, as the bits of their numbers among those of one op.
type Set = u128;

/// The rules of which an operand may be part, by what it is.
#[derive(Default, Debug)]
struct Sieve {
    /// Whatever it is.
    any: Set,
    /// If it is a constant.
    constant: Set,
    /// If it is that constant.
    literals: Vec<(Literal, Set)>,
    /// If that op gives it.
    ops: Vec<(Op, Set)>,
}

impl Sieve {
    fn add(&mut self, node: &Node, rule: Set) {
        match node {
            Node::Op(node) => match self.ops.iter_mut().find(|(op, _)| *op == node.op) {
                Some((_, set)) => *set |= rule,
                None => self.ops.push((node.op, rule)),
            },
            Node::Constant(_) => self.constant |= rule,
            // Zeros of either sign are equal, and not the same.
            &Node::Literal(literal @ Literal::Float(_)) => self.literals.push((literal, rule)),
            &Node::Literal(literal) => {
                match self.literals.iter_mut().find(|(known, _)| *known == literal) {
                    Some((_, set)) => *set |= rule,
                    None => self.literals.push((literal, rule)),
                }
            }
            Node::Value(_) | Node::Typed(..) => self.any |= rule,
        }
    }

    fn of(&self, body: &Body, value: Value) -> Set {
        let others = match body.value_def(value) {
            ValueDef::Result(inst, _) => {
                let own = body.inst(inst).op;
                self.ops.iter().find(|(op, _)| *op == own).map_or(0, |(_, set)| *set)
            }
            ValueDef::Param(..) => 0,
            _ => body.as_constant(value).map_or(0, |constant| self.of_constant(constant)),
        };
        self.any | others
    }

    fn of_constant(&self, constant: &Constant) -> Set {
        let literals = self.literals.iter().filter(|(literal, _)| is_literal(constant, *literal));
        literals.fold(self.constant, |all, (_, set)| all | set)
    }
}

/// The rules for an op.
#[derive(Default, Debug)]
pub(super) struct Rules {
    entries: Vec<Entry>,
    /// Which of them each operand may be part of.
    straight: Vec<Sieve>,
    /// The same of rules that fit with the first two operands the other way round, too.
    swapped: [Sieve; 2],
}

/// The rules by the op of their roots.
static INDEX: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let mut index: Vec<Rules> = Op::ALL.iter().map(|_| Rules::default()).collect();
    for rule in THEMES.iter().copied().flatten() {
        index[rule.pattern.op as usize].add(rule);
    }
    index
});

fn count_ordered(node: &OpNode) -> u32 {
    let below = node.args.iter().map(|arg| match arg {
        Node::Op(op) => count_ordered(op),
        _ => 0,
    });
    u32::from(has_two_orders(node)) + below.sum::<u32>()
}

impl Rules {
    fn add(&mut self, rule: &'static Rule) {
        debug_assert!(self.entries.len() < Set::BITS as usize, "more rules than a set has bits");
        let (pattern, bit) = (rule.pattern, 1 << self.entries.len());
        self.straight.resize_with(self.straight.len().max(pattern.args.len()), Sieve::default);
        for (sieve, node) in self.straight.iter_mut().zip(pattern.args) {
            sieve.add(node, bit);
        }
        if has_two_orders(pattern) {
            for (sieve, node) in self.swapped.iter_mut().zip(pattern.args.iter().rev()) {
                sieve.add(node, bit);
            }
        }
        let orders = 1 << count_ordered(pattern);
        self.entries.push(Entry { rule, cost: cost_of_tree(&rule.result), orders });
    }

    /// Those for the op of `inst` that the ops of its operands do not rule out: few, of
    /// dozens.
    pub(super) fn that_may_fit(
        body: &Body,
        inst: Inst,
    ) -> impl Iterator<Item = &'static Entry> + use<> {
        let data = body.inst(inst);
        let rules = &INDEX[data.op as usize];
        let condition = match data.payload {
            Payload::IntCond(condition) => Some(condition),
            _ => None,
        };
        let mut left = rules.candidates(body, inst);
        let candidates = std::iter::from_fn(move || {
            let entry = rules.entries.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(entry)
        });
        candidates.filter(move |entry| match entry.rule.pattern.condition {
            Condition::Int(wanted) => condition == Some(wanted),
            _ => true,
        })
    }

    fn candidates(&self, body: &Body, inst: Inst) -> Set {
        if self.entries.is_empty() {
            return 0;
        }
        let fitting = |sieves: &[Sieve]| {
            let sets = sieves.iter().zip(body.args(inst)).map(|(sieve, &arg)| sieve.of(body, arg));
            sets.fold(Set::MAX, |all, set| all & set)
        };
        let all = Set::MAX.checked_shr(Set::BITS - self.entries.len() as u32).unwrap_or(0);
        (fitting(&self.straight) | fitting(&self.swapped)) & all
    }
}

impl Entry {
    /// What the names of the rule stand for at `inst`, in each order that fits.
    pub(super) fn bindings<'a>(
        &'a self,
        body: &'a Body,
        inst: Inst,
    ) -> impl Iterator<Item = Binding> + 'a {
        (0..self.orders).filter_map(move |order| bind(self.rule, body, inst, order))
    }
}

/// Binds the names of a rule, the operands of its ops ordered as the bits of `order` say.
pub(super) fn bind(rule: &Rule, body: &Body, inst: Inst, order: u32) -> Option<Binding> {
    let result = *body.results(inst).first()?;
    let binding = Binding::new(body.value_type(result), body.inst(inst).ty);
    let mut matcher = Matcher { body, binding, order };
    matcher.op(rule.pattern, inst, 0).then_some(matcher.binding)
}

struct Matcher<'a> {
    body: &'a Body,
    binding: Binding,
    order: u32,
}

impl Matcher<'_> {
    /// Whether `inst`, of the number `index` in the pattern, fits.
    fn op(&mut self, node: &OpNode, inst: Inst, index: usize) -> bool {
        let data = self.body.inst(inst);
        let args = self.body.args(inst);
        if data.op != node.op || args.len() != node.args.len() {
            return false;
        }
        if !self.condition(node.condition, &data.payload) {
            return false;
        }
        if let Suffix::Bound(number) = node.suffix {
            self.binding.types[number] = data.ty;
        }
        let swaps = has_two_orders(node) && self.next_order();
        node.args.iter().enumerate().all(|(position, node)| {
            let position = if swaps { 1 - position } else { position };
            self.node(node, args[position], index)
        })
    }

    fn next_order(&mut self) -> bool {
        let bit = self.order & 1;
        self.order >>= 1;
        bit == 1
    }

    fn node(&mut self, node: &Node, value: Value, parent: usize) -> bool {
        match *node {
            Node::Value(number) => self.name(number, value),
            Node::Constant(number) => {
                self.body.as_constant(value).is_some() && self.name(number, value)
            }
            Node::Literal(literal) => {
                let constant = self.body.as_constant(value);
                constant.is_some_and(|constant| is_literal(constant, literal))
            }
            Node::Typed(..) => false,
            Node::Op(op) => {
                let ValueDef::Result(inst, 0) = self.body.value_def(value) else { return false };
                self.binding.inner.push((inst, parent));
                let index = self.binding.inner.len();
                self.body.results(inst).len() == 1 && self.op(op, inst, index)
            }
        }
    }

    fn name(&mut self, number: usize, value: Value) -> bool {
        *self.binding.values[number].get_or_insert(value) == value
    }

    fn condition(&mut self, wanted: Condition, payload: &Payload) -> bool {
        match (wanted, *payload) {
            (Condition::None, _) => true,
            (Condition::Int(wanted), Payload::IntCond(cond)) => wanted == cond,
            (Condition::Float(wanted), Payload::FloatCond(cond)) => wanted == cond,
            (Condition::Bound, Payload::IntCond(cond)) => {
                *self.binding.int.get_or_insert(cond) == cond
            }
            (Condition::Bound, Payload::FloatCond(cond)) => {
                *self.binding.float.get_or_insert(cond) == cond
            }
            (Condition::Inner, Payload::FloatCond(cond)) => {
                *self.binding.inner_float.get_or_insert(cond) == cond
            }
            _ => false,
        }
    }
}

/// Whether a constant is that number in every lane.
fn is_literal(constant: &Constant, literal: Literal) -> bool {
    let Some(lane) = constant.ty().lane() else { return false };
    let bits = literal.bits(lane);
    match constant.bits() {
        ConstantBits::Scalar(own) => *own == bits,
        ConstantBits::Lanes(lanes) => lanes.iter().all(|&own| own == bits),
        ConstantBits::Zero => false,
    }
}
