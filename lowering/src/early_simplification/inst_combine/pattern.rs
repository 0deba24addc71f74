//! Finding rules that fit, and binding their names.

use std::sync::LazyLock;

use brolga_ir::body::{Body, ValueDef};
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

/// The rules by the op of their roots.
static INDEX: LazyLock<Vec<Vec<Entry>>> = LazyLock::new(|| {
    let mut index: Vec<Vec<Entry>> = Op::ALL.iter().map(|_| Vec::new()).collect();
    for rule in THEMES.iter().copied().flatten() {
        let orders = 1 << count_ordered(rule.pattern);
        let entry = Entry { rule, cost: cost_of_tree(&rule.result), orders };
        index[rule.pattern.op as usize].push(entry);
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

/// The rules for an op.
pub(super) fn rules_for(op: Op) -> &'static [Entry] {
    &INDEX[op as usize]
}

impl Entry {
    /// What the names of the rule stand for at `inst`, in each order that fits.
    pub(super) fn bindings<'a>(
        &'a self,
        body: &'a Body,
        inst: Inst,
    ) -> impl Iterator<Item = Binding> + 'a {
        let orders = if self.may_fit(body, inst) { self.orders } else { 0 };
        (0..orders).filter_map(move |order| bind(self.rule, body, inst, order))
    }

    /// Whether the ops of the operands are those of the pattern: most rules fail here.
    fn may_fit(&self, body: &Body, inst: Inst) -> bool {
        let (nodes, args) = (self.rule.pattern.args, body.args(inst));
        let fits = |node: &Node, arg: Value| match node {
            Node::Op(op) => op_of(body, arg) == Some(op.op),
            Node::Constant(_) | Node::Literal(_) => body.as_constant(arg).is_some(),
            _ => true,
        };
        match (nodes, args) {
            ([first, second], &[a, b]) if has_two_orders(self.rule.pattern) => {
                (fits(first, a) && fits(second, b)) || (fits(first, b) && fits(second, a))
            }
            _ => nodes.len() == args.len() && nodes.iter().zip(args).all(|(n, &a)| fits(n, a)),
        }
    }
}

/// The op that gives a value.
fn op_of(body: &Body, value: Value) -> Option<Op> {
    match body.value_def(value) {
        ValueDef::Result(inst, _) => Some(body.inst(inst).op),
        _ => None,
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
            Node::Literal(literal) => is_literal(self.body, value, literal),
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
            _ => false,
        }
    }
}

/// Whether `value` is that number in every lane.
fn is_literal(body: &Body, value: Value, literal: Literal) -> bool {
    use brolga_ir::constant::ConstantBits;
    let Some(constant) = body.as_constant(value) else { return false };
    let Some(lane) = constant.ty().lane() else { return false };
    let bits = literal.bits(lane);
    match constant.bits() {
        ConstantBits::Scalar(own) => *own == bits,
        ConstantBits::Lanes(lanes) => lanes.iter().all(|&own| own == bits),
        ConstantBits::Zero => false,
    }
}
