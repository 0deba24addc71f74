//! Finding rules that fit, and binding their names.

use std::sync::LazyLock;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::{Constant, ConstantBits};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

use super::bound::Binding;
use super::cost::{cost_of, cost_of_tree, has_two_orders};
use super::rule::{Condition, Literal, Node, OpNode, Rule, Suffix};
use super::rules::THEMES;

/// A rule with what is known of it before any code is seen.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    /// What its result costs.
    pub(super) cost: u32,
    /// Whether it pays whatever becomes superfluous beside the root.
    pub(super) always_pays: bool,
    /// In how many ways the operands of its ops may be ordered.
    orders: u32,
    /// Whether those of its root may be.
    has_two_orders: bool,
}

/// Rules, as the bits of their numbers among those of one op.
type Set = u128;

/// An operand, as far as it rules out rules.
#[derive(Clone, Copy)]
enum Operand<'a> {
    /// A result of that op, and whether the op's second operand is a constant.
    Op(Op, bool),
    Constant(&'a Constant),
    /// Anything else.
    Plain,
}

impl Operand<'_> {
    fn of(body: &Body, value: Value) -> Operand<'_> {
        match body.value_def(value) {
            ValueDef::Result(inst, _) => {
                let second = body.args(inst).get(1);
                let is_constant = second.is_some_and(|&arg| body.as_constant(arg).is_some());
                Operand::Op(body.inst(inst).op, is_constant)
            }
            ValueDef::Param(..) => Operand::Plain,
            _ => body.as_constant(value).map_or(Operand::Plain, Operand::Constant),
        }
    }
}

/// The rules of which an operand may be part, by what it is.
#[derive(Default, Debug)]
struct Sieve {
    /// Whatever it is.
    any: Set,
    /// If it is a constant.
    constant: Set,
    /// If it is that number, wrapped.
    numbers: Vec<(i64, Set)>,
    /// If it is another literal.
    literals: Vec<(Literal, Set)>,
    /// If an op gives it: where its sets stand, by the number of the op.
    ops: Vec<u8>,
    /// The rules that ask for an op, by whether its second operand is a constant; none stand
    /// first.
    sets: Vec<[Set; 2]>,
}

impl Sieve {
    fn add(&mut self, node: &Node, rule: Set) {
        match node {
            Node::Op(node) => self.add_op(node, rule),
            Node::Constant(_) => self.constant |= rule,
            &Node::Literal(Literal::Int(number)) => {
                match self.numbers.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, set)) => *set |= rule,
                    None => self.numbers.push((number, rule)),
                }
            }
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

    fn add_op(&mut self, node: &OpNode, rule: Set) {
        let number = node.op as usize;
        self.sets.resize(self.sets.len().max(1), [0; 2]);
        self.ops.resize(self.ops.len().max(number + 1), 0);
        if self.ops[number] == 0 {
            self.ops[number] = self.sets.len() as u8;
            self.sets.push([0; 2]);
        }
        let [other, constant] = &mut self.sets[usize::from(self.ops[number])];
        *constant |= rule;
        let is_constant = |node: &Node| matches!(node, Node::Constant(_) | Node::Literal(_));
        if !node.args.get(1).is_some_and(is_constant) {
            *other |= rule;
        }
    }

    fn of(&self, operand: Operand<'_>) -> Set {
        let others = match operand {
            Operand::Op(op, is_constant) => match self.ops.get(op as usize) {
                Some(&place @ 1..) => self.sets[usize::from(place)][usize::from(is_constant)],
                _ => 0,
            },
            Operand::Constant(constant) => self.of_constant(constant),
            Operand::Plain => 0,
        };
        self.any | others
    }

    fn of_constant(&self, constant: &Constant) -> Set {
        let others = self.literals.iter().filter(|(literal, _)| is_literal(constant, *literal));
        let others = others.fold(self.constant, |all, (_, set)| all | set);
        let (ConstantBits::Scalar(bits), Some(lane)) = (constant.bits(), constant.ty().lane())
        else {
            let is_number = |number| is_literal(constant, Literal::Int(number));
            let numbers = self.numbers.iter().filter(|(number, _)| is_number(*number));
            return numbers.fold(others, |all, (_, set)| all | set);
        };
        let mask = Literal::Int(-1).bits(lane);
        let is_number = |number: i64| i128::from(number) as u128 & mask == *bits;
        let numbers = self.numbers.iter().filter(|(number, _)| is_number(*number));
        numbers.fold(others, |all, (_, set)| all | set)
    }
}

/// The rules for an op.
#[derive(Default, Debug)]
pub(super) struct Rules {
    entries: Vec<Entry>,
    /// Those whose first two operands are one value.
    twins: Set,
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
        if let [Node::Value(first), Node::Value(second), ..] = pattern.args
            && first == second
        {
            self.twins |= bit;
        }
        let has_two_orders = has_two_orders(pattern);
        if has_two_orders {
            for (sieve, node) in self.swapped.iter_mut().zip(pattern.args.iter().rev()) {
                sieve.add(node, bit);
            }
        }
        let orders = 1 << count_ordered(pattern);
        let cost = cost_of_tree(&rule.result);
        let always_pays = rule.gain.pays(cost, cost_of(pattern.op));
        self.entries.push(Entry { rule, cost, always_pays, orders, has_two_orders });
    }

    /// Those for the op of `inst` that its operands do not rule out: few, of dozens.
    pub(super) fn that_may_fit(
        body: &Body,
        inst: Inst,
    ) -> impl Iterator<Item = (&'static Entry, Orders)> + use<> {
        let data = body.inst(inst);
        let rules = &INDEX[data.op as usize];
        let condition = match data.payload {
            Payload::IntCond(condition) => Some(condition),
            _ => None,
        };
        let [straight, swapped] = rules.candidates(body, inst);
        let mut left = straight | swapped;
        let candidates = std::iter::from_fn(move || {
            let number = left.trailing_zeros();
            let entry = rules.entries.get(number as usize)?;
            left &= left - 1;
            let has = |set: Set| set >> number & 1 == 1;
            Some((entry, entry.orders(has(straight), has(swapped))))
        });
        candidates.filter(move |(entry, _)| match entry.rule.pattern.condition {
            Condition::Int(wanted) => condition == Some(wanted),
            _ => true,
        })
    }

    /// Those that may fit with the first two operands as they are, and the other way round.
    fn candidates(&self, body: &Body, inst: Inst) -> [Set; 2] {
        if self.entries.is_empty() {
            return [0; 2];
        }
        let args = body.args(inst);
        let operand =
            |index: usize| args.get(index).map_or(Operand::Plain, |&arg| Operand::of(body, arg));
        let (first, second) = (operand(0), operand(1));
        let mut all = Set::MAX.checked_shr(Set::BITS - self.entries.len() as u32).unwrap_or(0);
        if args.len() > 1 && args[0] != args[1] {
            all &= !self.twins;
        }
        let mut straight = all;
        for (sieve, operand) in self.straight.iter().zip([first, second]) {
            straight &= sieve.of(operand);
        }
        for (sieve, &arg) in self.straight.iter().zip(args).skip(2) {
            straight &= sieve.of(Operand::of(body, arg));
        }
        let [other, one] = &self.swapped;
        [straight, all & other.of(first) & one.of(second)]
    }
}

/// The orders in which the operands of a rule's ops are tried: the first of so many, and how
/// far the next one is.
pub(super) type Orders = std::iter::StepBy<std::ops::Range<u32>>;

impl Entry {
    /// The orders of a rule whose root may fit with its first operands as they are, or the
    /// other way round, which the lowest bit of an order says.
    fn orders(&self, straight: bool, swapped: bool) -> Orders {
        match (self.has_two_orders, straight, swapped) {
            (true, true, false) => (0..self.orders).step_by(2),
            (true, false, true) => (1..self.orders).step_by(2),
            _ => (0..self.orders).step_by(1),
        }
    }

    /// What the names of the rule stand for at `inst`, in each of those orders that fits.
    pub(super) fn bindings<'a>(
        &'a self,
        body: &'a Body,
        inst: Inst,
        orders: Orders,
    ) -> impl Iterator<Item = Binding> + 'a {
        orders.filter_map(move |order| bind(self.rule, body, inst, order))
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
        // Where no order is left, none is the other way round.
        let swaps = self.order != 0 && has_two_orders(node) && self.next_order();
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
