//! Sums of small numbers, put together in narrow lanes first.
//!
//! What a sum of 64 bits adds up is mostly narrower: a truth value, a byte, a count of bits.
//! As wide as the sum, one register holds few of them. So those of several vectors are put
//! together as narrow as they are, as long as their lanes cannot overflow, and then lanes
//! that are next to each other, twice as wide in each step, until they are as wide as the
//! sum: in which lane what is added up stands is all the same. Counts of bits are those of
//! the bytes of a number.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::plan::Known;
use super::shape::Shape;
use crate::target::TargetFacts;

/// How many ops a number is looked for behind.
const MOST_STEPS: usize = 8;

/// The most bits that all lanes of a vector may have.
const MOST_BITS: u32 = 512;

/// How what is added follows from a value of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It is that number.
    Number,
    /// It is one where that holds.
    Truth,
    /// It is how many bits of it are set.
    Bits,
}

/// What a round adds, in lanes that are narrower than the sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Narrow {
    pub(super) source: Value,
    pub(super) form: Form,
    /// The type of the sum.
    sum: Scalar,
    /// The bits of a lane, and of those that a round fills.
    bits: u32,
    filled: u32,
    /// The greatest number in a lane.
    most: u128,
}

/// Lanes with numbers in their low bits: what is above these is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes {
    /// The bits of each, and those that are known.
    pub(super) bits: u32,
    pub(super) known: u32,
    /// The greatest number.
    pub(super) most: u128,
}

/// How lanes become twice as wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubling {
    /// The upper one is added to the lower one, which cannot overflow.
    Within,
    /// Both are made twice as wide.
    Apart,
}

/// The greatest number of that many bits.
fn greatest(bits: u32) -> u128 {
    u128::MAX >> (128 - bits.clamp(1, 128))
}

impl Lanes {
    /// How to make them twice as wide, and what they are then.
    pub(super) fn doubled(self) -> (Doubling, Lanes) {
        let most = self.most.saturating_mul(2);
        match most <= greatest(self.known) {
            true => (Doubling::Within, Lanes { bits: 2 * self.bits, most, ..self }),
            false => {
                let bits = 2 * self.bits;
                (Doubling::Apart, Lanes { bits, known: bits, most })
            }
        }
    }

    /// Whether there is something above the numbers that must go before they become wider.
    pub(super) fn must_be_cut(self) -> bool {
        self.known < self.bits && self.most.saturating_mul(2) > greatest(self.known)
    }
}

impl Narrow {
    /// What the op that makes `next` adds to `param`, if that is narrower than the sum.
    pub(super) fn of(
        known: &Known<'_>,
        shape: &Shape,
        param: Value,
        next: Value,
    ) -> Option<Narrow> {
        let body = known.body;
        let ValueDef::Result(inst, 0) = body.value_def(next) else { return None };
        let added = match (body.inst(inst).op, body.args(inst)) {
            (Op::Add, &[a, b]) if a == param => b,
            (Op::Add, &[a, b]) if b == param => a,
            _ => return None,
        };
        let sum = body.value_type(param).as_scalar()?;
        let (source, form) = origin(known, shape, added);
        let scalar = body.value_type(source).as_scalar()?;
        let (bits, filled, most) = match form {
            Form::Bits => (8, scalar.bits(), 8),
            Form::Truth => {
                let bits = compared_bits(body, source)?;
                (bits, bits, 1)
            }
            Form::Number => (scalar.bits(), scalar.bits(), known.most_of(source)?),
        };
        let is_narrow = bits < sum.bits() && shape.computes(body, source);
        is_narrow.then_some(Narrow { source, form, sum, bits, filled, most })
    }

    /// The lanes in which what that many vectors add is put together.
    pub(super) fn summed(&self, copies: u32) -> Lanes {
        let mut lanes = self.first();
        while lanes.bits < self.sum.bits()
            && lanes.most.saturating_mul(copies.into()) > greatest(lanes.bits)
        {
            (_, lanes) = Lanes { known: lanes.bits, ..lanes }.doubled();
        }
        let most = lanes.most.saturating_mul(copies.into());
        Lanes { known: lanes.bits, most, ..lanes }
    }

    /// The lanes of one vector.
    pub(super) fn first(&self) -> Lanes {
        Lanes { bits: self.bits, known: self.bits, most: self.most }
    }

    /// The vector of so wide lanes that what a vector of rounds adds fills.
    pub(super) fn vector(&self, lanes: u32, bits: u32) -> Option<Type> {
        let lane = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64];
        let lane = lane.into_iter().find(|lane| lane.bits() == bits)?;
        let all = lanes.checked_mul(self.filled).filter(|&all| all <= MOST_BITS)?;
        Type::vector(lane, all / bits).filter(|_| all / bits > 1)
    }

    /// The vector that holds the sum.
    pub(super) fn sum(&self, lanes: u32) -> Option<Type> {
        self.vector(lanes, self.sum.bits())
    }

    /// What each vector takes, and what all of them take together.
    pub(super) fn cost(
        &self,
        facts: &dyn TargetFacts,
        lanes: u32,
        copies: u32,
    ) -> Option<(u32, u32)> {
        let (first, summed) = (self.first(), self.summed(copies));
        let own = self.vector(lanes, first.bits)?;
        let registers = facts.registers_of(self.sum(lanes)?);
        let form = match self.form {
            Form::Number => 0,
            Form::Truth => registers,
            Form::Bits => facts.cost(Op::Popcount, own, own),
        };
        let steps = |from: u32, to: u32| 3 * registers * (to / from).ilog2();
        let each = form + steps(first.bits, summed.bits) + registers;
        Some((each, steps(summed.bits, self.sum.bits()) + registers))
    }
}

impl Known<'_> {
    /// The greatest that an unsigned number is.
    fn most_of(&self, value: Value) -> Option<u128> {
        self.facts.of(self.body, value).map(|fact| fact.unsigned().1)
    }
}

/// What a number is made from without becoming another one.
fn origin(known: &Known<'_>, shape: &Shape, value: Value) -> (Value, Form) {
    let body = known.body;
    let mut value = value;
    for _ in 0..MOST_STEPS {
        let ValueDef::Result(inst, 0) = body.value_def(value) else { break };
        let Some(&inner) = body.args(inst).first().filter(|&&arg| shape.computes(body, arg)) else {
            break;
        };
        let fits = |most: u128| known.most_of(inner).is_some_and(|inner| inner <= most);
        let is_same = match body.inst(inst).op {
            Op::Popcount => return (inner, Form::Bits),
            Op::Zext => true,
            Op::Trunc => fits(greatest(body.inst(inst).ty.as_scalar().map_or(1, Scalar::bits))),
            Op::And => {
                let mask = body.args(inst).get(1).and_then(|&mask| body.as_scalar_constant(mask));
                mask.is_some_and(|mask| (mask & mask.wrapping_add(1)) == 0 && fits(mask))
            }
            _ => false,
        };
        if !is_same {
            break;
        }
        value = inner;
    }
    let form = if body.value_type(value) == Type::I1 { Form::Truth } else { Form::Number };
    (value, form)
}

/// The bits of what is compared to find out whether something holds.
fn compared_bits(body: &Body, truth: Value) -> Option<u32> {
    let mut truth = truth;
    for _ in 0..MOST_STEPS {
        let ValueDef::Result(inst, 0) = body.value_def(truth) else { return None };
        match body.inst(inst).op {
            Op::Icmp | Op::Fcmp => {
                let bits = body.inst(inst).ty.as_scalar()?.bits();
                return (8..=64).contains(&bits).then_some(bits);
            }
            Op::And | Op::Or | Op::Xor | Op::Not => truth = *body.args(inst).first()?,
            _ => return None,
        }
    }
    None
}
