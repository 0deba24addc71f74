//! Operands: values at hand, constants, and what is known of their bits.
//!
//! The bits of a NaN that arithmetic makes are not determined. Before anything
//! can see them (a cast to integers, memory, the sign that `fcopysign` takes, a
//! call, a result) every such NaN is replaced by the positive quiet one, so
//! that results and memory are compared bit for bit.

use brolga_ir::attribute::FloatCond;
use brolga_ir::constant::Constant;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Aggregate, Scalar, Type};

use super::writer::{Sort, Writer};
use crate::random::Random;

impl Writer<'_> {
    /// A value of a type of numbers.
    pub(super) fn any(&mut self, ty: Type) -> Value {
        if !self.random().percent(12)
            && let Some(value) = self.at_hand(ty, Sort::Plain)
        {
            return value;
        }
        let readable = TypeClass::Number.contains(ty);
        if readable && self.random().percent(40) && !self.slots.is_empty() {
            return self.read_slot(ty);
        }
        self.constant(ty)
    }

    /// The same, whose bits are determined.
    pub(super) fn steady(&mut self, ty: Type) -> Value {
        let value = self.any(ty);
        self.steadied(value)
    }

    /// One of the values at hand.
    pub(super) fn at_hand(&mut self, ty: Type, sort: Sort) -> Option<Value> {
        let fits = |entry: &super::writer::Entry| entry.ty == ty && entry.sort == sort;
        let count = self.pool.iter().filter(|entry| fits(entry)).count();
        // Later ones are more likely: chains are longer than fans are wide.
        let chosen = self.program.random.below(count).max(self.program.random.below(count));
        self.pool.iter().filter(|entry| fits(entry)).nth(chosen).map(|entry| entry.value)
    }

    pub(super) fn constant(&mut self, ty: Type) -> Value {
        let random = &mut self.program.random;
        let constant = match ty.lane() {
            Some(lane) if ty.is_vector() => {
                let lanes: Vec<u128> = (0..ty.lanes()).map(|_| lane_bits(random, lane)).collect();
                Constant::vector(ty, lanes)
            }
            Some(lane) if !lane.is_managed() => Constant::scalar(ty, lane_bits(random, lane)),
            _ => Constant::zero(ty),
        };
        let constant = constant.unwrap_or_else(|| panic!("{ty} has no constant"));
        self.body.constant(constant)
    }

    /// The number in every lane.
    pub(super) fn number_of(&mut self, ty: Type, bits: u128) -> Value {
        let constant = if ty.is_vector() {
            Constant::vector(ty, (0..ty.lanes()).map(|_| bits))
        } else {
            Constant::scalar(ty, bits)
        };
        self.body.constant(constant.unwrap_or_else(|| panic!("{ty} has no constant")))
    }

    pub(super) fn zero(&mut self, ty: Type) -> Value {
        self.body.constant(Constant::zero(ty).unwrap_or_else(|| panic!("{ty} has no zero")))
    }

    pub(super) fn index(&mut self, number: u64) -> Value {
        self.number_of(Type::I64, number.into())
    }

    /// `value`, or the positive quiet NaN where it is any NaN.
    pub(super) fn steadied(&mut self, value: Value) -> Value {
        if !self.is_wild(value) {
            return value;
        }
        let ty = self.body.value_type(value);
        let payload = Payload::FloatCond(FloatCond::Uno);
        let unordered = self.compute_with(Op::Fcmp, ty, &[value, value], payload);
        let lane = ty.lane().unwrap_or(Scalar::F64);
        let nan = self.number_of(ty, quiet_nan(lane));
        let op = if ty.is_vector() { Op::VecSelect } else { Op::Select };
        let steady = self.compute(op, ty, &[unordered, nan, value]);
        self.tame(steady);
        self.keep_as(steady, Sort::Plain);
        steady
    }

    /// A number of `0..=most`, where `most` is one below a power of two.
    pub(super) fn small(&mut self, ty: Type, most: u128) -> Value {
        let value = self.any(ty);
        let most = self.number_of(ty, most);
        self.compute(Op::And, ty, &[value, most])
    }

    /// A condition that holds hardly ever; any, where the program is hazardous.
    pub(super) fn rare_condition(&mut self) -> Value {
        if self.has_hazard() {
            return self.any(Type::I1);
        }
        let ty = self.random().pick(&[Type::I16, Type::I32, Type::I64]);
        let (left, right) = (self.any(ty), self.constant(ty));
        let payload = Payload::IntCond(brolga_ir::attribute::IntCond::Eq);
        self.compute_with(Op::Icmp, ty, &[left, right], payload)
    }

    /// The types of the parts of an aggregate.
    pub(super) fn fields_of(&self, ty: Type) -> Vec<Type> {
        match self.program.module.types.aggregate(ty) {
            Some(Aggregate::Struct { fields, .. }) => fields.to_vec(),
            Some(Aggregate::Array { element, length }) => vec![*element; *length as usize],
            None => Vec::new(),
        }
    }
}

/// The positive quiet NaN.
fn quiet_nan(lane: Scalar) -> u128 {
    match lane {
        Scalar::F16 => 0x7e00,
        Scalar::Bf16 => 0x7fc0,
        Scalar::F32 => 0x7fc0_0000,
        _ => 0x7ff8_0000_0000_0000,
    }
}

/// Bits of a lane: mostly such as lie at an edge of some op.
pub(super) fn lane_bits(random: &mut Random, lane: Scalar) -> u128 {
    let width = lane.bits().max(1);
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    if lane.is_float() && random.percent(85) {
        return float_bits(random, lane);
    }
    let bit = 1u128 << random.below(width as usize);
    let bits = match random.below(10) {
        0 => 0,
        1 => 1,
        2 => mask,
        3 => mask >> 1,
        4 => 1 << (width - 1),
        5 => bit,
        6 => bit.wrapping_sub(1),
        7 => u128::MAX - random.below(20) as u128,
        8 => random.below(256) as u128,
        _ => random.wide_bits(),
    };
    bits & mask
}

fn float_bits(random: &mut Random, lane: Scalar) -> u128 {
    let (width, fraction) = match lane {
        Scalar::F16 => (16, 10),
        Scalar::Bf16 => (16, 7),
        Scalar::F32 => (32, 23),
        _ => (64, 52),
    };
    let infinity = ((1u128 << (width - 1 - fraction)) - 1) << fraction;
    let one = (infinity >> 1) >> fraction << fraction;
    let magnitude = match random.below(12) {
        0 => 0,
        1 => infinity,
        2 => quiet_nan(lane),
        3 => infinity - 1,
        4 => 1,
        5 => 1 << fraction,
        6 => (1 << fraction) - 1,
        7 | 8 => one,
        // Between 1 and 256, with a short fraction: what rounds and converts.
        _ => one + ((random.below(2048) as u128) << fraction >> 8),
    };
    let is_negative = magnitude != quiet_nan(lane) && random.percent(35);
    magnitude | u128::from(is_negative) << (width - 1)
}
