//! Conversions between floats and integers.

use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};

/// Whether a number is read with a sign.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Signed,
    Unsigned,
}

impl<'a> Emitter<'a> {
    /// Conversions between floats of 32 or 64 bits and integers.
    pub(super) fn float_conversion(&mut self, instruction: Instruction<'a>) -> Emitted {
        let x = self.arg(instruction, 0)?;
        let ty = self.suffix(instruction)?;
        let from = self.builder.func.dfg.value_type(x);
        let op = instruction.data.op;
        let sign = match op {
            Op::Sitofp | Op::FptosiSat | Op::FptosiTrap | Op::FptosiWrap => Sign::Signed,
            _ => Sign::Unsigned,
        };
        let value = match op {
            Op::FptosiWrap | Op::FptouiWrap if from.is_float() && ty.is_int() => {
                self.wrap_to_int(ty, x)
            }
            Op::Sitofp => self.builder.ins().fcvt_from_sint(ty, x),
            Op::Uitofp => self.builder.ins().fcvt_from_uint(ty, x),
            Op::FptosiSat | Op::FptouiSat => self.saturate_to_int(sign, ty, x),
            Op::FptosiTrap | Op::FptouiTrap if !ty.is_vector() => {
                self.check_range(sign, ty, x);
                self.saturate_to_int(sign, ty, x)
            }
            _ => return Err(Fault::illegal("the legaliser widens it or takes it apart")),
        };
        self.define(instruction, &[value])
    }

    fn saturate_to_int(
        &mut self,
        sign: Sign,
        ty: types::Type,
        x: machine::Value,
    ) -> machine::Value {
        // The back end panics on narrower integers.
        let wide = if ty.is_vector() || ty.bits() >= 32 { ty } else { types::I32 };
        let number = match sign {
            Sign::Signed => self.builder.ins().fcvt_to_sint_sat(wide, x),
            Sign::Unsigned => self.builder.ins().fcvt_to_uint_sat(wide, x),
        };
        if wide == ty {
            return number;
        }
        let largest = (1i64 << ty.bits()) - 1;
        if sign == Sign::Unsigned {
            let limit = self.integer(wide, largest);
            let number = self.clamp(IntCC::UnsignedLessThan, number, limit);
            return self.builder.ins().ireduce(ty, number);
        }
        let limit = self.integer(wide, largest >> 1);
        let number = self.clamp(IntCC::SignedLessThan, number, limit);
        let limit = self.integer(wide, -(largest >> 1) - 1);
        let number = self.clamp(IntCC::SignedGreaterThan, number, limit);
        self.builder.ins().ireduce(ty, number)
    }

    /// Traps unless `x`, rounded towards zero, is a number of `ty`.
    fn check_range(&mut self, sign: Sign, ty: types::Type, x: machine::Value) {
        let float = self.builder.func.dfg.value_type(x);
        let bits = ty.bits() as i32;
        // The bound above is a power of two, and so exact in every format.
        let (above, below) = match sign {
            Sign::Signed => (2f64.powi(bits - 1), -2f64.powi(bits - 1)),
            Sign::Unsigned => (2f64.powi(bits), 0.0),
        };
        // One less than the smallest number bounds it from below, where the
        // format has that float; where not, the next float is whole already.
        let precision = if float == types::F32 { 24 } else { 53 };
        let (low, condition) = match sign == Sign::Signed && bits > precision {
            true => (below, FloatCC::GreaterThanOrEqual),
            false => (below - 1.0, FloatCC::GreaterThan),
        };
        let low = self.float(float, low);
        let above = self.float(float, above);
        let not_below = self.builder.ins().fcmp(condition, x, low);
        let not_above = self.builder.ins().fcmp(FloatCC::LessThan, x, above);
        let inside = self.builder.ins().band(not_below, not_above);
        self.trap_unless(inside, TrapCode::BadConversion);
    }

    fn float(&mut self, ty: types::Type, value: f64) -> machine::Value {
        match ty {
            types::F32 => self.builder.ins().f32const(Ieee32::with_float(value as f32)),
            _ => self.builder.ins().f64const(Ieee64::with_float(value)),
        }
    }

    /// The number wrapped to the width, by the bits of the float: the
    /// significand shifted by the exponent, negated by the sign.
    fn wrap_to_int(&mut self, ty: types::Type, x: machine::Value) -> machine::Value {
        let x = match self.builder.func.dfg.value_type(x) {
            types::F32 => self.builder.ins().fpromote(types::F64, x),
            _ => x,
        };
        let bits = self.recast(types::I64, x);
        let exponent = self.field(bits, 52, 0x7ff);
        let fraction = self.field(bits, 0, (1 << 52) - 1);
        let hidden = self.integer(types::I64, 1 << 52);
        let significand = self.builder.ins().bor(fraction, hidden);
        // Computed in 64 or 128 bits, of which the low ones are kept.
        let wide = if ty == types::I128 { types::I128 } else { types::I64 };
        let significand = match wide {
            types::I128 => self.builder.ins().uextend(wide, significand),
            _ => significand,
        };
        let bias = self.integer(types::I64, 1023 + 52);
        let left = self.builder.ins().isub(exponent, bias);
        let right = self.builder.ins().ineg(left);
        let shifted_left = self.builder.ins().ishl(significand, left);
        let shifted_right = self.builder.ins().ushr(significand, right);
        let width = self.integer(types::I64, wide.bits().into());
        let zero = self.integer(wide, 0);
        let fits_left = self.builder.ins().icmp(IntCC::UnsignedLessThan, left, width);
        // A significand has 53 bits, and its exponent is at least -1075.
        let digits = self.integer(types::I64, 53);
        let fits_right = self.builder.ins().icmp(IntCC::UnsignedLessThan, right, digits);
        let small = self.select(fits_right, shifted_right, zero);
        let magnitude = self.select(fits_left, shifted_left, small);
        let none = self.integer(types::I64, 0x7ff);
        let is_finite = self.builder.ins().icmp(IntCC::NotEqual, exponent, none);
        let magnitude = self.select(is_finite, magnitude, zero);
        let negated = self.builder.ins().ineg(magnitude);
        let sign = self.field(bits, 63, 1);
        let number = self.select(sign, negated, magnitude);
        self.narrowed(ty, number)
    }

    fn field(&mut self, bits: machine::Value, start: i64, mask: i64) -> machine::Value {
        let shift = self.builder.ins().iconst(types::I32, start);
        let low = self.builder.ins().ushr(bits, shift);
        let mask = self.integer(types::I64, mask);
        self.builder.ins().band(low, mask)
    }
}
