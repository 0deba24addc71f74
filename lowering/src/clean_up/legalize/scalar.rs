//! Scalar ops that no target does: integers of 128 bits, and conversions
//! between these and floats. Traps are tested for here, at the place that the
//! program means; the prelude computes.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::Work;
use super::legality::is_supported;
use crate::pass::{Editor, PassResult};

/// The type that all of this is about.
const WIDE: Type = Type::I128;

impl Work<'_, '_> {
    /// An instruction without vectors.
    pub(super) fn scalar(&mut self, inst: Inst, op: Op) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args: SmallVec<[Value; 3]> =
            self.editor.body.args(inst).to_vec().into_iter().map(|arg| self.piece(arg)).collect();
        let editor = &mut self.editor;
        let value = match op {
            Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem => editor.divide(op, &args)?,
            Op::SmulOverflow | Op::UmulOverflow => {
                let (product, overflows) = editor.multiply(op, &args)?;
                let results: SmallVec<[Value; 2]> = editor.body.results(inst).into();
                for (result, value) in results.into_iter().zip([product, overflows]) {
                    self.define(result, SmallVec::from_elem(value, 1));
                }
                return Ok(());
            }
            Op::SmulTrap | Op::UmulTrap => {
                let (product, overflows) = editor.multiply(op, &args)?;
                let fits = editor.op(Op::Not, Type::I1, &[overflows]);
                editor.check(fits, TrapCode::IntegerOverflow);
                product
            }
            Op::Smulhi | Op::Umulhi => editor.wide_integer(op, &args)?,
            _ if op.info().theme == brolga_ir::op::Theme::Convert => {
                let from = editor.body.value_type(args[0]);
                editor.legal_conversion(&data, from, data.ty, args[0])?
            }
            _ => editor.legal_op(&data, data.ty, &args)?,
        };
        self.define_result(inst, SmallVec::from_elem(value, 1));
        Ok(())
    }
}

impl Editor<'_, '_> {
    /// An op on integers of 128 bits that cannot fail.
    pub(super) fn wide_integer(&mut self, op: Op, args: &[Value]) -> PassResult<Value> {
        let high = self.call_prelude("brolga.umulhi.i128", args)?;
        if op == Op::Umulhi {
            return Ok(high);
        }
        // A negative operand was taken to be larger by 2^128 than it is.
        let mut signed = high;
        for (x, y) in [(args[0], args[1]), (args[1], args[0])] {
            let sign = self.shift_all(Op::Ashr, WIDE, x, 127);
            let excess = self.op(Op::And, WIDE, &[sign, y]);
            signed = self.op(Op::Sub, WIDE, &[signed, excess]);
        }
        Ok(signed)
    }

    fn divide(&mut self, op: Op, args: &[Value]) -> PassResult<Value> {
        let zero = self.zero(WIDE);
        let defined = self.icmp(IntCond::Ne, WIDE, args[1], zero);
        self.check(defined, TrapCode::DivisionByZero);
        if op == Op::Sdiv {
            let smallest = self.constant(WIDE, 1 << 127);
            let minus_one = self.constant(WIDE, u128::MAX);
            let is_large = self.icmp(IntCond::Ne, WIDE, args[0], smallest);
            let is_other = self.icmp(IntCond::Ne, WIDE, args[1], minus_one);
            let fits = self.op(Op::Or, Type::I1, &[is_large, is_other]);
            self.check(fits, TrapCode::IntegerOverflow);
        }
        self.call_prelude(&format!("brolga.{op}.i128"), args)
    }

    /// The wrapped product, and whether it was wrapped.
    fn multiply(&mut self, op: Op, args: &[Value]) -> PassResult<(Value, Value)> {
        let product = self.op(Op::Mul, WIDE, args);
        let signed = matches!(op, Op::SmulTrap | Op::SmulOverflow);
        let high = self.wide_integer(if signed { Op::Smulhi } else { Op::Umulhi }, args)?;
        let expected = match signed {
            true => self.shift_all(Op::Ashr, WIDE, product, 127),
            false => self.zero(WIDE),
        };
        let overflows = self.icmp(IntCond::Ne, WIDE, high, expected);
        Ok((product, overflows))
    }

    /// A conversion of a scalar.
    pub(super) fn legal_conversion(
        &mut self,
        data: &InstData,
        from: Type,
        to: Type,
        value: Value,
    ) -> PassResult<Value> {
        if is_supported(self.context.target, data.op, from, to) {
            return Ok(self.op_like(data, to, &[value]));
        }
        match data.op {
            Op::FptosiSat => return Ok(self.held_inside(from, value, Sign::Signed)),
            Op::FptouiSat => return Ok(self.held_inside(from, value, Sign::Unsigned)),
            Op::FptosiTrap => self.check_inside(from, value, Sign::Signed),
            Op::FptouiTrap => self.check_inside(from, value, Sign::Unsigned),
            op => return self.call_prelude(&format!("brolga.{op}.{to}.{from}"), &[value]),
        }
        Ok(self.op(Op::FptosiWrap, to, &[value]))
    }

    /// The number, wrapped, where it is one of the type; else the nearest. Of
    /// NaN the compares are false, and the wrapped number is 0.
    fn held_inside(&mut self, ty: Type, value: Value, sign: Sign) -> Value {
        let wrapped = self.op(Op::FptosiWrap, WIDE, &[value]);
        let above = self.float_constant(ty, sign.bound());
        let is_above = self.fcmp(FloatCond::Oge, ty, value, above);
        let largest = self.constant(WIDE, sign.largest());
        let held = self.op(Op::Select, WIDE, &[is_above, largest, wrapped]);
        let below = self.float_constant(ty, sign.lowest());
        let is_below = self.fcmp(FloatCond::Ole, ty, value, below);
        let smallest = self.constant(WIDE, !sign.largest());
        self.op(Op::Select, WIDE, &[is_below, smallest, held])
    }

    /// Traps unless the number, rounded towards zero, is one of the type.
    fn check_inside(&mut self, ty: Type, value: Value, sign: Sign) {
        // Of 128 bits with a sign, the float below the lowest number is a whole
        // number less; of those without, all floats above -1 are rounded to 0.
        let (low, condition) = match sign {
            Sign::Signed => (sign.lowest(), FloatCond::Oge),
            Sign::Unsigned => (-1.0, FloatCond::Ogt),
        };
        let low = self.float_constant(ty, low);
        let not_below = self.fcmp(condition, ty, value, low);
        let high = self.float_constant(ty, sign.bound());
        let not_above = self.fcmp(FloatCond::Olt, ty, value, high);
        let inside = self.op(Op::And, Type::I1, &[not_below, not_above]);
        self.check(inside, TrapCode::BadConversion);
    }
}

/// Whether numbers of 128 bits are read with a sign.
#[derive(Clone, Copy)]
enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    /// The first number that is too large; of 32 bits, infinity.
    fn bound(self) -> f64 {
        match self {
            Sign::Signed => 2f64.powi(127),
            Sign::Unsigned => 2f64.powi(128),
        }
    }

    /// The lowest number.
    fn lowest(self) -> f64 {
        match self {
            Sign::Signed => -2f64.powi(127),
            Sign::Unsigned => 0.0,
        }
    }

    /// The largest number; the lowest one is its complement.
    fn largest(self) -> u128 {
        match self {
            Sign::Signed => u128::MAX >> 1,
            Sign::Unsigned => u128::MAX,
        }
    }
}
