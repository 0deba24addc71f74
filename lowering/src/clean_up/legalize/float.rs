//! Rounding to whole numbers, on registers of targets without an instruction
//! for it; scalars are the prelude's.
//!
//! Whole numbers are found by adding and subtracting the power of two from
//! which on all floats are whole: the sum is rounded to a whole number by the
//! rounding that every sum has. Each of the four directions keeps the sign of
//! its operand, zeros included, so that the sign can be copied at the end.

use brolga_ir::attribute::FloatCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::legality::is_supported;
use crate::pass::Editor;

impl Editor<'_, '_> {
    /// A rounding to whole numbers on a register; of the others that targets
    /// lack, each lane is a matter of its own.
    pub(super) fn float_lanes(&mut self, op: Op, ty: Type, x: Value) -> Value {
        match op {
            Op::Ffloor => self.corrected(ty, x, FloatCond::Ogt, -1.0),
            Op::Fceil => self.corrected(ty, x, FloatCond::Olt, 1.0),
            Op::Ftrunc => self.round_to_zero(ty, x),
            Op::Fround => self.round_ties_away(ty, x),
            _ => self.round_to_nearest(ty, x),
        }
    }

    /// A float in every lane; `value` is exact in both formats.
    pub(super) fn float_constant(&mut self, ty: Type, value: f64) -> Value {
        let bits = match ty.lane() {
            Some(Scalar::F32) => u128::from((value as f32).to_bits()),
            _ => u128::from(value.to_bits()),
        };
        self.constant(ty, bits)
    }

    /// A compare of floats.
    pub(super) fn fcmp(&mut self, condition: FloatCond, ty: Type, x: Value, y: Value) -> Value {
        self.op_with(Op::Fcmp, ty, &[x, y], Payload::FloatCond(condition))
    }

    /// Lanes of `x` where the condition holds, of `y` elsewhere.
    fn pick(&mut self, ty: Type, condition: Value, x: Value, y: Value) -> Value {
        self.op(Op::VecSelect, ty, &[condition, x, y])
    }

    /// `x` rounded to nearest, ties to even.
    fn round_to_nearest(&mut self, ty: Type, x: Value) -> Value {
        let digits = if ty.lane() == Some(Scalar::F32) { 23 } else { 52 };
        let whole = self.float_constant(ty, 2f64.powi(digits));
        let size = self.op(Op::Fabs, ty, &[x]);
        let sum = self.op(Op::Fadd, ty, &[size, whole]);
        let rounded = self.op(Op::Fsub, ty, &[sum, whole]);
        let rounded = self.op(Op::Fcopysign, ty, &[rounded, x]);
        let has_fraction = self.fcmp(FloatCond::Olt, ty, size, whole);
        self.pick(ty, has_fraction, rounded, x)
    }

    /// `nearest` with 1 added where it lies on the side of `x` that the
    /// condition names, and the sign of `x`.
    fn corrected(&mut self, ty: Type, x: Value, condition: FloatCond, step: f64) -> Value {
        let nearest = self.whole(Op::Fnearest, ty, x);
        let step = self.float_constant(ty, step);
        let moved = self.op(Op::Fadd, ty, &[nearest, step]);
        let is_beyond = self.fcmp(condition, ty, nearest, x);
        let rounded = self.pick(ty, is_beyond, moved, nearest);
        self.op(Op::Fcopysign, ty, &[rounded, x])
    }

    fn round_to_zero(&mut self, ty: Type, x: Value) -> Value {
        let size = self.op(Op::Fabs, ty, &[x]);
        let rounded = self.corrected(ty, size, FloatCond::Ogt, -1.0);
        self.op(Op::Fcopysign, ty, &[rounded, x])
    }

    /// Towards zero, and one further where a half or more is cut off: what is
    /// cut off is exact.
    fn round_ties_away(&mut self, ty: Type, x: Value) -> Value {
        let towards_zero = self.whole(Op::Ftrunc, ty, x);
        let rest = self.op(Op::Fsub, ty, &[x, towards_zero]);
        let rest = self.op(Op::Fabs, ty, &[rest]);
        let half = self.float_constant(ty, 0.5);
        let goes_on = self.fcmp(FloatCond::Oge, ty, rest, half);
        let (one, none) = (self.float_constant(ty, 1.0), self.float_constant(ty, 0.0));
        let step = self.pick(ty, goes_on, one, none);
        let step = self.op(Op::Fcopysign, ty, &[step, x]);
        self.op(Op::Fadd, ty, &[towards_zero, step])
    }

    /// A rounding that the target may have.
    fn whole(&mut self, op: Op, ty: Type, x: Value) -> Value {
        match is_supported(self.context.target, op, ty, ty) {
            true => self.op(op, ty, &[x]),
            false => self.float_lanes(op, ty, x),
        }
    }
}
