//! One condition that holds, and what follows from it alone.

use bitflags::bitflags;
use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use smallvec::{SmallVec, smallvec};

use crate::analysis::value_facts::{Fact, ValueFacts};

/// What a value is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A value.
    Value(Value),
    /// A number, by its bits.
    Number(u128),
}

/// A compare that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The value that something is known of.
    pub value: Value,
    /// How it compares; on addresses as unsigned.
    pub condition: IntCond,
    /// With what.
    pub operand: Operand,
}

/// What one edge or condition says: mostly one or two.
type Parts = SmallVec<[Known; 4]>;

/// The most parts that one truth value is taken apart into.
const MOST_PARTS: usize = 16;

bitflags! {
    /// How two numbers can compare, as unsigned and as signed at once.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Outcomes: u8 {
        /// They are equal.
        const EQUAL = 1;
        /// Less, read either way.
        const LESS = 2;
        /// Less as unsigned, greater as signed.
        const UNSIGNED_LESS = 4;
        /// Less as signed, greater as unsigned.
        const SIGNED_LESS = 8;
        /// Greater, read either way.
        const GREATER = 16;
    }
}

impl Outcomes {
    /// All of them.
    pub const ANY: Outcomes = Outcomes::all();

    /// Those of which a condition holds.
    pub fn of(condition: IntCond) -> Outcomes {
        let unsigned_less = Outcomes::LESS | Outcomes::UNSIGNED_LESS;
        let signed_less = Outcomes::LESS | Outcomes::SIGNED_LESS;
        match condition {
            IntCond::Eq => Outcomes::EQUAL,
            IntCond::Ult => unsigned_less,
            IntCond::Slt => signed_less,
            IntCond::Ule => unsigned_less | Outcomes::EQUAL,
            IntCond::Sle => signed_less | Outcomes::EQUAL,
            inverse => Outcomes::of(inverse.inverted()).complement(),
        }
    }

    /// Whether a condition holds of all of them, or of none.
    pub fn decide(self, condition: IntCond) -> Option<bool> {
        let holding = Outcomes::of(condition);
        match (self.intersects(holding), holding.contains(self)) {
            // Nothing is left where no execution comes.
            (_, true) => Some(true),
            (false, false) => Some(false),
            (true, false) => None,
        }
    }
}

impl Known {
    /// That a truth value is true, or false.
    pub(super) fn truth(value: Value, bit: u128) -> Known {
        Known { value, condition: IntCond::Eq, operand: Operand::Number(bit) }
    }

    /// How `one` and `other` can compare by this.
    pub fn outcomes(&self, body: &Body, one: Value, other: Value) -> Outcomes {
        let is_operand = |value: Value| match self.operand {
            Operand::Value(operand) => operand == value,
            Operand::Number(number) => body.as_scalar_constant(value) == Some(number),
        };
        if self.value == one && is_operand(other) {
            Outcomes::of(self.condition)
        } else if self.value == other && is_operand(one) {
            Outcomes::of(self.condition.swapped())
        } else {
            Outcomes::ANY
        }
    }

    /// What is known of `value` by this, where `fact` was known.
    pub(super) fn narrow(
        &self,
        body: &Body,
        facts: &ValueFacts,
        value: Value,
        fact: &Fact,
    ) -> Fact {
        match self.operand {
            Operand::Number(number) if self.value == value => {
                fact.narrowed_by(self.condition, &Fact::constant(fact.width(), number))
            }
            Operand::Value(other) if self.value == value => {
                let other = facts.of(body, other);
                other.map_or(*fact, |other| fact.narrowed_by(self.condition, &other))
            }
            Operand::Value(other) if other == value => {
                let left = facts.of(body, self.value);
                left.map_or(*fact, |left| fact.narrowed_by(self.condition.swapped(), &left))
            }
            _ => *fact,
        }
    }
}

/// What the edge of that index out of `block` says by itself. The default edge of a switch says
/// something of each case, and who asks looks at a few.
pub(super) fn on_edge(
    body: &Body,
    block: Block,
    index: usize,
) -> impl Iterator<Item = Known> + use<'_> {
    let told = body.layout.last_inst(block).and_then(|last| told_by(body, last, index));
    told.into_iter().flat_map(|(value, condition, numbers)| {
        let known = move |number| Known { value, condition, operand: Operand::Number(number) };
        numbers.iter().copied().map(known)
    })
}

/// The value that the edge of that index out of the block that `last` ends says something of, and
/// the numbers that it compares with.
fn told_by(body: &Body, last: Inst, index: usize) -> Option<(Value, IntCond, &[u128])> {
    let &value = body.args(last).first()?;
    match body.inst(last).payload {
        Payload::Branch(_) if body.inst(last).op == Op::Branch => {
            Some((value, IntCond::Eq, if index == 0 { &[1] } else { &[0] }))
        }
        Payload::Switch(table) => {
            let cases = &body.switch(table)?.cases[..];
            Some(match cases.get(index) {
                Some(case) => (value, IntCond::Eq, std::slice::from_ref(case)),
                None => (value, IntCond::Ne, cases),
            })
        }
        _ => None,
    }
}

/// The condition, and what follows from it by what its value is computed from.
pub(super) fn parts(body: &Body, known: Known) -> Parts {
    let mut parts: Parts = smallvec![known];
    let mut next = 0;
    while let Some(&part) = parts.get(next) {
        next += 1;
        if parts.len() < MOST_PARTS {
            take_apart(body, part, &mut parts);
        }
    }
    parts.retain(|part| body.as_constant(part.value).is_none());
    parts
}

fn take_apart(body: &Body, known: Known, parts: &mut Parts) {
    parts.extend(chosen(body, known));
    let (IntCond::Eq, Operand::Number(truth)) = (known.condition, known.operand) else { return };
    let ValueDef::Result(inst, 0) = body.value_def(known.value) else { return };
    if body.value_type(known.value) != brolga_ir::types::Type::I1 {
        return;
    }
    match (body.inst(inst).op, body.args(inst), body.inst(inst).payload) {
        (Op::And, &[a, b], _) if truth == 1 => {
            parts.extend([a, b].map(|value| Known::truth(value, 1)));
        }
        (Op::Or, &[a, b], _) if truth == 0 => {
            parts.extend([a, b].map(|value| Known::truth(value, 0)));
        }
        (Op::Not, &[a], _) => parts.push(Known::truth(a, truth ^ 1)),
        (Op::Icmp, &[a, b], Payload::IntCond(condition)) => {
            let is_address = body.value_type(a).lane().is_none_or(|lane| lane.is_address());
            let condition = if is_address { condition.unsigned() } else { condition };
            let condition = if truth == 1 { condition } else { condition.inverted() };
            parts.push(compare(body, condition, a, b));
        }
        _ => {}
    }
}

/// Which way a select went that is, or is not, a number that only one of the ways gives.
fn chosen(body: &Body, known: Known) -> Option<Known> {
    let Operand::Number(number) = known.operand else { return None };
    let ValueDef::Result(inst, 0) = body.value_def(known.value) else { return None };
    let (Op::Select, &[condition, yes, no]) = (body.inst(inst).op, body.args(inst)) else {
        return None;
    };
    let is_excluded = |way: Value| match (known.condition, body.as_scalar_constant(way)) {
        (IntCond::Eq, Some(given)) => given != number,
        (IntCond::Ne, Some(given)) => given == number,
        _ => false,
    };
    match (is_excluded(yes), is_excluded(no)) {
        (true, false) => Some(Known::truth(condition, 0)),
        (false, true) => Some(Known::truth(condition, 1)),
        _ => None,
    }
}

/// A compare, with a number behind a value where there is one.
fn compare(body: &Body, condition: IntCond, a: Value, b: Value) -> Known {
    match (body.as_scalar_constant(a), body.as_scalar_constant(b)) {
        (Some(number), None) => {
            let condition = condition.swapped();
            Known { value: b, condition, operand: Operand::Number(number) }
        }
        (_, Some(number)) => Known { value: a, condition, operand: Operand::Number(number) },
        (None, None) => Known { value: a, condition, operand: Operand::Value(b) },
    }
}
