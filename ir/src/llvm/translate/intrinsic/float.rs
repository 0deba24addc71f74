//! Floats.

use super::Use;
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::syntax::{BinaryOp, GlobalData};
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::integer::flags_of;
use crate::llvm::translate::soft_float::is_soft;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

impl Translator<'_, '_> {
    /// An op on floats, which all are of the result's type.
    pub(super) fn float_intrinsic(&mut self, call: &Use<'_>, op: Op) -> Parsed<Value> {
        if is_soft(self.ty(call.result)?) {
            return self.soft_intrinsic(call, op);
        }
        let flags = flags_of(call.inst.flags);
        if let Some(pieced) = self.pieced(call.result)? {
            if !op.info().suffix.contains(pieced.piece.ty) {
                return Err(self.invalid("the operands of the intrinsic are floats"));
            }
            let ty = self.ty(call.result)?;
            let operands = self.same_operands(call, op.info().operands.len(), ty)?;
            return self.piecewise(pieced.lanes, &operands, |t, args| {
                Ok(t.op_with(op, pieced.piece.ty, args, flags))
            });
        }
        let ty = self.float_result(call)?;
        let operands = self.same_operands(call, op.info().operands.len(), ty)?;
        Ok(self.op_with(op, ty, &operands, flags))
    }

    /// An op on floats that no op of ours is on: C's library computes with `long double`,
    /// but the sign of a number is no reason to ask for one.
    fn soft_intrinsic(&mut self, call: &Use<'_>, op: Op) -> Parsed<Value> {
        let ty = self.ty(call.result)?;
        let operands = self.same_operands(call, op.info().operands.len(), ty)?;
        let name = match op {
            Op::Fabs => return self.soft_sign("absolute", &operands),
            Op::Fcopysign => return self.soft_sign("signed", &operands),
            Op::Fsqrt => "sqrt",
            Op::Fma => "fma",
            Op::Ffloor => "floor",
            Op::Fceil => "ceil",
            Op::Ftrunc => "trunc",
            Op::Fnearest => "rint",
            Op::Fround => "round",
            Op::FminNum => "fmin",
            Op::FmaxNum => "fmax",
            _ => return Err(self.unsupported("the intrinsic is not known for this type")),
        };
        self.call_library(name, ty, &operands)
    }

    /// The type of a call's result, which must be one that ops on floats are on.
    pub(super) fn float_result(&mut self, call: &Use<'_>) -> Parsed<Type> {
        let ty = self.ty(call.result)?;
        match Op::Fadd.info().suffix.contains(ty) {
            true => Ok(ty),
            false => {
                let name = self.shared.show_type(call.result);
                Err(self.unsupported(format_args!("`{name}` is not computed with here")))
            }
        }
    }

    /// Whether the function is for processors that fuse a product with a sum.
    fn has_fused_product(&self) -> bool {
        let syntax = &self.shared.syntax;
        let GlobalData::Function(head) = &syntax.globals[self.id.index()].data else {
            return false;
        };
        let target = head.target.and_then(|index| syntax.targets.get(index as usize));
        target.is_some_and(|target| {
            target.features.split(',').any(|feature| feature == "+fma" || feature == "+neon")
                || matches!(&*target.cpu, "x86-64-v3" | "x86-64-v4")
        })
    }
}

/// A product and sum that may be fused, as LLVM does where the processor can: so that
/// the same program gives the same bits.
pub(super) fn fmuladd(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.ty(call.result)?;
    if is_soft(ty) {
        let operands = t.same_operands(call, 3, ty)?;
        let product = t.soft_binary(BinaryOp::FMul, operands[0], operands[1])?;
        return t.soft_binary(BinaryOp::FAdd, product, operands[2]);
    }
    let ty = t.float_result(call)?;
    let operands = t.same_operands(call, 3, ty)?;
    match t.has_fused_product() {
        true => Ok(t.op(Op::Fma, ty, &operands)),
        false => Ok(t.op_with(Op::Muladd, ty, &operands, flags_of(call.inst.flags))),
    }
}

macro_rules! to_integer {
    ($($name:ident = $round:ident;)*) => {$(
        pub(super) fn $name(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
            rounded_to_integer(t, call, Op::$round)
        }
    )*};
}

to_integer! {
    lround = Fround;
    lrint = Fnearest;
}

fn rounded_to_integer(t: &mut Translator<'_, '_>, call: &Use<'_>, round: Op) -> Parsed<Value> {
    let (from, to) = integer_from_float(t, call)?;
    let value = t.value(call.args[0])?;
    let value = t.op(round, from, &[value]);
    let value = t.op(Op::FptosiSat, to.ty, &[value]);
    Ok(t.cut(to, value))
}

/// The types of a conversion from a float, or each of a vector.
fn integer_from_float(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<(Type, Carrier)> {
    let from = t.ty(call.args[0].ty)?;
    let to = t.result_carrier(call)?;
    let fits = Op::FptosiSat.info().suffix.contains(to.ty)
        && Op::FptosiSat.info().relation.holds(to.ty, from)
        && from.lane().is_some_and(Scalar::is_float);
    match fits {
        true => Ok((from, to)),
        false => Err(t.unsupported("the intrinsic is not known for these types")),
    }
}

/// The nearest number of the result, 0 for NaN; of a narrow one by way of the carrier.
pub(super) fn fptosi_sat(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let (_, to) = integer_from_float(t, call)?;
    let value = t.value(call.args[0])?;
    let value = t.op(Op::FptosiSat, to.ty, &[value]);
    if to.bits == 0 {
        return Ok(value);
    }
    let most = crate::constant::mask(to.bits - 1);
    let (low, high) = (t.number(to.ty, !most), t.number(to.ty, most));
    let value = t.op(Op::Smax, to.ty, &[value, low]);
    let value = t.op(Op::Smin, to.ty, &[value, high]);
    Ok(t.cut(to, value))
}

pub(super) fn fptoui_sat(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let (_, to) = integer_from_float(t, call)?;
    let value = t.value(call.args[0])?;
    let value = t.op(Op::FptouiSat, to.ty, &[value]);
    if to.bits == 0 {
        return Ok(value);
    }
    let most = t.number(to.ty, crate::constant::mask(to.bits));
    Ok(t.op(Op::Umin, to.ty, &[value, most]))
}

/// An `i16` of the bits of a half.
pub(super) fn to_half(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let from = t.ty(call.args[0].ty)?;
    if !matches!(from, Type::F32 | Type::F64) || t.ty(call.result)? != Type::I16 {
        return Err(t.invalid("the intrinsic gives an `i16` for a float"));
    }
    let value = t.value(call.args[0])?;
    let half = t.op(Op::Fptrunc, Type::F16, &[value]);
    Ok(t.op(Op::Bitcast, Type::I16, &[half]))
}

pub(super) fn from_half(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let to = t.ty(call.result)?;
    if !matches!(to, Type::F32 | Type::F64) {
        return Err(t.invalid("the intrinsic gives a float for an `i16`"));
    }
    let bits = t.operand_of(call, 0, Type::I16)?;
    let half = t.op(Op::Bitcast, Type::F16, &[bits]);
    Ok(t.op(Op::Fpext, to, &[half]))
}

/// A float to the power of an integer: by squaring, the exponent halved towards zero in
/// each round, as C's compilers' own function does it.
pub(super) fn powi(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.float_result(call)?;
    let base = t.operand_of(call, 0, ty)?;
    let exponent = t.value(call.args[1])?;
    if t.body.value_type(exponent) != Type::I32 {
        return Err(t.unsupported("the exponent of `llvm.powi` is an `i32`"));
    }
    if ty.is_vector() {
        let mut lanes = Vec::new();
        for index in 0..ty.lanes() {
            let base = t.lane(base, index);
            lanes.push(power(t, ty.lane_type(), base, exponent));
        }
        return Ok(t.op(Op::MakeVector, ty, &lanes));
    }
    Ok(power(t, ty, base, exponent))
}

fn power(t: &mut Translator<'_, '_>, ty: Type, base: Value, exponent: Value) -> Value {
    let (one, zero) = (t.float_number(ty, 1.0), t.number(Type::I32, 0));
    let bit = t.number(Type::I32, 1);
    let (header, square, done) = (t.new_block(), t.new_block(), t.new_block());
    t.jump(header, &[exponent, base, one]);
    let rest = t.body.append_param(header, Type::I32);
    let factor = t.body.append_param(header, ty);
    let product = t.body.append_param(header, ty);
    t.switch_to(header);
    let low = t.op(Op::And, Type::I32, &[rest, bit]);
    let is_odd = t.integer_condition(IntCond::Ne, low, zero);
    let multiplied = t.op(Op::Fmul, ty, &[product, factor]);
    let product = t.op(Op::Select, ty, &[is_odd, multiplied, product]);
    let two = t.number(Type::I32, 2);
    let half = t.op(Op::Sdiv, Type::I32, &[rest, two]);
    let goes_on = t.integer_condition(IntCond::Ne, half, zero);
    t.branch(goes_on, (square, &[]), (done, &[]));
    t.switch_to(square);
    let squared = t.op(Op::Fmul, ty, &[factor, factor]);
    t.jump(header, &[half, squared, product]);
    t.switch_to(done);
    let inverse = t.op(Op::Fdiv, ty, &[one, product]);
    let is_negative = t.integer_condition(IntCond::Slt, exponent, zero);
    t.op(Op::Select, ty, &[is_negative, inverse, product])
}

impl Translator<'_, '_> {
    /// A float that every format has.
    pub(super) fn float_number(&mut self, ty: Type, number: f32) -> Value {
        let single = self.number(Type::F32, number.to_bits().into());
        let bits = match ty.lane() {
            Some(Scalar::F64) => u128::from(f64::from(number).to_bits()),
            Some(Scalar::F16) => u128::from(half::f16::from_f32(number).to_bits()),
            Some(Scalar::Bf16) => u128::from(half::bf16::from_f32(number).to_bits()),
            _ => return single,
        };
        self.number(ty, bits)
    }
}
