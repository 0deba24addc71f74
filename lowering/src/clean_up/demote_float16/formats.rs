//! From one format to another, by the bits of all lanes at once.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use crate::pass::Editor;

/// `ty` with other lanes; itself where such a vector would be too long.
pub(super) fn with_lane(ty: Type, lane: Scalar) -> Type {
    ty.with_lane(lane).unwrap_or(ty)
}

impl Editor<'_, '_> {
    fn of_constant(&mut self, op: Op, ty: Type, x: Value, bits: u128) -> Value {
        let constant = self.constant(ty, bits);
        self.op(op, ty, &[x, constant])
    }

    fn pick_bits(&mut self, ty: Type, condition: Value, x: Value, y: Value) -> Value {
        self.op(Op::VecSelect, ty, &[condition, x, y])
    }

    fn test(&mut self, condition: IntCond, ty: Type, x: Value, bits: u128) -> Value {
        let constant = self.constant(ty, bits);
        self.icmp(condition, ty, x, constant)
    }

    /// Floats of 16 bits as floats of 32, exactly.
    pub(super) fn extended_lanes(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        let (narrow, ints) = (with_lane(ty, Scalar::I16), with_lane(ty, Scalar::I32));
        let floats = with_lane(ty, Scalar::F32);
        let bits = self.op(Op::Bitcast, narrow, &[value]);
        let bits = self.op(Op::Zext, ints, &[bits]);
        if ty.lane() == Some(Scalar::Bf16) {
            let upper = self.of_constant(Op::Shl, ints, bits, 16);
            return self.op(Op::Bitcast, floats, &[upper]);
        }
        let sign = self.of_constant(Op::And, ints, bits, 0x8000);
        let sign = self.of_constant(Op::Shl, ints, sign, 16);
        let size = self.of_constant(Op::And, ints, bits, 0x7fff);
        let shifted = self.of_constant(Op::Shl, ints, size, 13);
        // Read with the exponent as it is, the number is too small by 2^112;
        // multiplying by that is exact, and right for subnormal numbers too.
        let small = self.op(Op::Bitcast, floats, &[shifted]);
        let number = self.of_constant(Op::Fmul, floats, small, 0x7780_0000);
        let number = self.op(Op::Bitcast, ints, &[number]);
        let wild = self.of_constant(Op::Or, ints, shifted, 0x7f80_0000);
        let is_wild = self.test(IntCond::Uge, ints, size, 0x7c00);
        let number = self.pick_bits(ints, is_wild, wild, number);
        let signed = self.op(Op::Or, ints, &[number, sign]);
        self.op(Op::Bitcast, floats, &[signed])
    }

    /// Floats of 32 bits in a format of 16, rounded to nearest, ties to even.
    pub(super) fn rounded(&mut self, format: Scalar, value: Value) -> Value {
        let ty = self.body.value_type(value);
        let (narrow, ints) = (with_lane(ty, Scalar::I16), with_lane(ty, Scalar::I32));
        let bits = self.op(Op::Bitcast, ints, &[value]);
        let rounded = match format {
            Scalar::Bf16 => self.rounded_to_bf16(ints, bits),
            _ => self.rounded_to_f16(ints, bits),
        };
        let rounded = self.op(Op::Trunc, narrow, &[rounded]);
        self.op(Op::Bitcast, with_lane(ty, format), &[rounded])
    }

    /// `bits`, plus what makes cutting off `shift` bits round to even.
    fn biased(&mut self, ints: Type, bits: Value, shift: u32) -> Value {
        let last = self.of_constant(Op::Lshr, ints, bits, shift.into());
        let last = self.of_constant(Op::And, ints, last, 1);
        let bias = self.of_constant(Op::Add, ints, last, (1 << (shift - 1)) - 1);
        self.op(Op::Add, ints, &[bits, bias])
    }

    fn rounded_to_bf16(&mut self, ints: Type, bits: Value) -> Value {
        let biased = self.biased(ints, bits, 16);
        let size = self.of_constant(Op::And, ints, bits, 0x7fff_ffff);
        let is_nan = self.test(IntCond::Ugt, ints, size, 0x7f80_0000);
        let quiet = self.of_constant(Op::Or, ints, bits, 0x40_0000);
        let chosen = self.pick_bits(ints, is_nan, quiet, biased);
        self.of_constant(Op::Lshr, ints, chosen, 16)
    }

    fn rounded_to_f16(&mut self, ints: Type, bits: Value) -> Value {
        let floats = with_lane(ints, Scalar::F32);
        let size = self.of_constant(Op::And, ints, bits, 0x7fff_ffff);
        // The exponent counts from another zero; whatever is too large is infinite.
        let biased = self.biased(ints, size, 13);
        let biased = self.of_constant(Op::Sub, ints, biased, 0x3800_0000);
        let normal = self.of_constant(Op::Lshr, ints, biased, 13);
        let normal = self.of_constant(Op::Umin, ints, normal, 0x7c00);
        // The sum with a half has its last bit where a subnormal number has it.
        let small = self.op(Op::Bitcast, floats, &[size]);
        let small = self.of_constant(Op::Fadd, floats, small, 0x3f00_0000);
        let small = self.op(Op::Bitcast, ints, &[small]);
        let subnormal = self.of_constant(Op::Sub, ints, small, 0x3f00_0000);
        let is_small = self.test(IntCond::Ult, ints, size, 0x3880_0000);
        let number = self.pick_bits(ints, is_small, subnormal, normal);
        let is_nan = self.test(IntCond::Ugt, ints, size, 0x7f80_0000);
        let nan = self.constant(ints, 0x7e00);
        let number = self.pick_bits(ints, is_nan, nan, number);
        let sign = self.of_constant(Op::Lshr, ints, bits, 16);
        let sign = self.of_constant(Op::And, ints, sign, 0x8000);
        self.op(Op::Or, ints, &[number, sign])
    }

    /// Floats of 64 bits in a format of 16, rounded once: in 32 bits they are
    /// rounded to odd, which leaves enough to round right.
    pub(super) fn rounded_once(&mut self, format: Scalar, value: Value) -> Value {
        let ty = self.body.value_type(value);
        let (floats, ints) = (with_lane(ty, Scalar::F32), with_lane(ty, Scalar::I32));
        let near = self.op(Op::Fptrunc, floats, &[value]);
        let back = self.op(Op::Fpext, ty, &[near]);
        let inexact = self.compare(FloatCond::One, ty, back, value);
        let [near_size, size] = [back, value].map(|float| self.op(Op::Fabs, ty, &[float]));
        let falls_short = self.compare(FloatCond::Olt, ty, near_size, size);
        let bits = self.op(Op::Bitcast, ints, &[near]);
        let (outward, inward) = (self.constant(ints, 1), self.constant(ints, u128::MAX));
        let step = self.pick_bits(ints, falls_short, outward, inward);
        let moved = self.op(Op::Add, ints, &[bits, step]);
        let last = self.of_constant(Op::And, ints, bits, 1);
        let is_even = self.test(IntCond::Eq, ints, last, 0);
        let mask = with_lane(ints, Scalar::I1);
        let moves = self.op(Op::And, mask, &[inexact, is_even]);
        let odd = self.pick_bits(ints, moves, moved, bits);
        let odd = self.op(Op::Bitcast, floats, &[odd]);
        self.rounded(format, odd)
    }

    fn compare(&mut self, condition: FloatCond, ty: Type, x: Value, y: Value) -> Value {
        self.op_with(Op::Fcmp, ty, &[x, y], Payload::FloatCond(condition))
    }

    /// The bits of floats, changed by `op` with a constant.
    pub(super) fn on_bits(&mut self, op: Op, value: Value, bits: u128) -> Value {
        let ty = self.body.value_type(value);
        let ints = with_lane(ty, Scalar::I16);
        let cast = self.op(Op::Bitcast, ints, &[value]);
        let changed = self.of_constant(op, ints, cast, bits);
        self.op(Op::Bitcast, ty, &[changed])
    }

    /// The first operand with the sign of the second.
    pub(super) fn with_sign(&mut self, value: Value, sign: Value) -> Value {
        let ty = self.body.value_type(value);
        let ints = with_lane(ty, Scalar::I16);
        let [size, sign] = [(value, 0x7fff), (sign, 0x8000)].map(|(value, bits)| {
            let cast = self.op(Op::Bitcast, ints, &[value]);
            self.of_constant(Op::And, ints, cast, bits)
        });
        let joined = self.op(Op::Or, ints, &[size, sign]);
        self.op(Op::Bitcast, ty, &[joined])
    }
}
