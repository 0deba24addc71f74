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
                let (product, overflows) = editor.prelude_both(op, WIDE, WIDE, &args)?;
                let results: SmallVec<[Value; 2]> = editor.body.results(inst).into();
                for (result, value) in results.into_iter().zip([product, overflows]) {
                    self.define(result, SmallVec::from_elem(value, 1));
                }
                return Ok(());
            }
            Op::SmulTrap | Op::UmulTrap => {
                let signed = op == Op::SmulTrap;
                let reporting = if signed { Op::SmulOverflow } else { Op::UmulOverflow };
                let (product, overflows) = editor.prelude_both(reporting, WIDE, WIDE, &args)?;
                let fits = editor.op(Op::Not, Type::I1, &[overflows]);
                editor.check(fits, TrapCode::IntegerOverflow);
                product
            }
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
        self.prelude(op, WIDE, WIDE, args)
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
        let op = match data.op {
            Op::FptosiTrap => {
                self.check_inside(from, value, Sign::Signed);
                Op::FptosiSat
            }
            Op::FptouiTrap => {
                self.check_inside(from, value, Sign::Unsigned);
                Op::FptouiSat
            }
            op => op,
        };
        self.prelude(op, from, to, &[value])
    }

    /// Traps unless the number, rounded towards zero, is one of 128 bits.
    fn check_inside(&mut self, ty: Type, value: Value, sign: Sign) {
        // The float below the lowest number with a sign is a whole number less;
        // of those without, all floats above -1 are rounded to 0. The number of
        // 32 bits that is too large is infinity.
        let (low, condition, high) = match sign {
            Sign::Signed => (-2f64.powi(127), FloatCond::Oge, 2f64.powi(127)),
            Sign::Unsigned => (-1.0, FloatCond::Ogt, 2f64.powi(128)),
        };
        let low = self.float_constant(ty, low);
        let not_below = self.fcmp(condition, ty, value, low);
        let high = self.float_constant(ty, high);
        let not_above = self.fcmp(FloatCond::Olt, ty, value, high);
        let inside = self.op(Op::And, Type::I1, &[not_below, not_above]);
        self.check(inside, TrapCode::BadConversion);
    }
}

/// Whether numbers are read with a sign.
#[derive(Clone, Copy)]
enum Sign {
    Signed,
    Unsigned,
}
