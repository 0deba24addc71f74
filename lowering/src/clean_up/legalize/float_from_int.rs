//! Integers of 64 bits as floats of as many, on registers of targets without an instruction
//! for it.
//!
//! A float of 2^52 and more is whole, so that small integers can be its low bits: what makes
//! it one is added, and taken away again as a float. Of an integer of all 64 bits both halves
//! become floats so, whose sum is rounded once. It takes six steps for two lanes, which take
//! eight one by one.

use brolga_ir::body::ValueDef;
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::Work;
use super::bitcast::register;
use super::legality::uniform;
use crate::pass::Editor;

/// From the least that is not below it, as a number of 51 bits and a sign.
const SMALL: u128 = 1 << 51;

/// 2^52 + 2^51 as the bits of a float, and how it is written.
const MIDDLE: (u128, f64) = (0x4338_0000_0000_0000, 6_755_399_441_055_744.0);

/// 2^52 as the bits of a float: its low bits count ones.
const ONES: u128 = 0x4330_0000_0000_0000;

/// 2^84 as the bits of a float: its low bits count times 2^32.
const UPPER: u128 = 0x4530_0000_0000_0000;

/// 2^84 + 2^52, what both are together.
const BOTH: f64 = 19342813118337666422669312.0;

/// The same and 2^63, for halves that count from the least number.
const BOTH_AND_SIGN: f64 = 19342822341709703277445120.0;

impl Work<'_, '_> {
    /// Whether all lanes of a value are of 51 bits and a sign at most.
    pub(super) fn is_small(&self, value: Value) -> bool {
        let body = &*self.editor.body;
        if body.value_type(value).lane().is_some_and(|lane| lane.bits() <= 32) {
            return true;
        }
        let ValueDef::Result(inst, _) = body.value_def(value) else { return false };
        let (Op::And, &[_, mask]) = (body.inst(inst).op, body.args(inst)) else { return false };
        uniform(body, mask).is_some_and(|mask| mask < SMALL)
    }
}

impl Editor<'_, '_> {
    /// Floats of small integers, signed or not.
    pub(super) fn floats_of_small(&mut self, x: Value) -> Value {
        let (ints, floats) = (register(Scalar::I64), register(Scalar::F64));
        let bits = self.constant(ints, MIDDLE.0);
        let sum = self.op(Op::Add, ints, &[x, bits]);
        let sum = self.op(Op::Bitcast, floats, &[sum]);
        let middle = self.float_constant(floats, MIDDLE.1);
        self.op(Op::Fsub, floats, &[sum, middle])
    }

    /// Floats of integers of 64 bits, read as `op` does.
    pub(super) fn floats_of_any(&mut self, op: Op, x: Value) -> Value {
        let (ints, floats) = (register(Scalar::I64), register(Scalar::F64));
        // The sign turned round counts from the least number.
        let (flip, both) = match op {
            Op::Sitofp => (1 << 31, BOTH_AND_SIGN),
            _ => (0, BOTH),
        };
        let upper = self.shift_all(Op::Lshr, ints, x, 32);
        let upper = self.with_constant(Op::Xor, ints, upper, UPPER | flip);
        let lower = self.with_constant(Op::And, ints, x, u32::MAX.into());
        let lower = self.with_constant(Op::Or, ints, lower, ONES);
        let [upper, lower] = [upper, lower].map(|half| self.op(Op::Bitcast, floats, &[half]));
        let both = self.float_constant(floats, both);
        let upper = self.op(Op::Fsub, floats, &[upper, both]);
        self.op(Op::Fadd, floats, &[upper, lower])
    }

    fn with_constant(&mut self, op: Op, ty: Type, x: Value, bits: u128) -> Value {
        let constant = self.constant(ty, bits);
        self.op(op, ty, &[x, constant])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_are_the_powers_of_two_that_they_stand_for() {
        let bits = |float: f64| u128::from(float.to_bits());
        assert_eq!(MIDDLE.0, bits(MIDDLE.1));
        assert_eq!(MIDDLE.1, 2f64.powi(52) + 2f64.powi(51));
        assert_eq!((ONES, UPPER), (bits(2f64.powi(52)), bits(2f64.powi(84))));
        assert_eq!(BOTH, 2f64.powi(84) + 2f64.powi(52));
        assert_eq!(BOTH_AND_SIGN, 2f64.powi(84) + 2f64.powi(63) + 2f64.powi(52));
    }
}
