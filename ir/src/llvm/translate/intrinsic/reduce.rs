//! All lanes of a vector as one.

use super::Use;
use crate::attribute::InstFlags;
use crate::entity::Value;
use crate::llvm::syntax::Flags;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::integer::flags_of;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

use super::integer::Shape;

impl Translator<'_, '_> {
    /// The vector that a call reduces, which has lanes as its result is.
    fn reduced(&mut self, call: &Use<'_>, index: usize) -> Parsed<(Value, Carrier)> {
        let carrier = self.result_carrier(call)?;
        let vector = self.value(call.args[index])?;
        let ty = self.body.value_type(vector);
        match ty.is_vector() && ty.lane_type() == carrier.ty {
            true => Ok((vector, carrier)),
            false => Err(self.invalid("the intrinsic gives what a lane of its operand is")),
        }
    }

    /// An op on the lanes of integers; `on_truths` is what it is on numbers of one bit.
    fn reduce(&mut self, call: &Use<'_>, op: Op, shape: Shape, on_truths: Op) -> Parsed<Value> {
        let (mut vector, carrier) = self.reduced(call, 0)?;
        if carrier.ty == Type::I1 {
            return Ok(self.op(on_truths, Type::I1, &[vector]));
        }
        if !op.info().suffix.contains(carrier.ty) {
            return Err(self.invalid("the lanes are no integers"));
        }
        if shape == Shape::Signed {
            let lanes = Carrier { ty: self.body.value_type(vector), ..carrier };
            vector = self.sign_extended(lanes, vector);
        }
        let result = self.op(op, carrier.ty, &[vector]);
        Ok(self.cut(carrier, result))
    }

    /// The lanes one after the other, as an op on two floats.
    fn fold_lanes(&mut self, op: Op, vector: Value) -> Value {
        let ty = self.body.value_type(vector);
        let mut all = self.lane(vector, 0);
        for index in 1..ty.lanes() {
            let lane = self.lane(vector, index);
            all = self.op(op, ty.lane_type(), &[all, lane]);
        }
        all
    }
}

macro_rules! integers {
    ($($name:ident = $op:ident, $shape:ident, $truths:ident;)*) => {$(
        pub(super) fn $name(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
            t.reduce(call, Op::$op, Shape::$shape, Op::$truths)
        }
    )*};
}

// A truth value is 0 or -1 as a signed number.
integers! {
    add = ReduceAdd, Same, ReduceXor;
    mul = ReduceMul, Same, ReduceAnd;
    and = ReduceAnd, Same, ReduceAnd;
    or = ReduceOr, Same, ReduceOr;
    xor = ReduceXor, Same, ReduceXor;
    smin = ReduceSmin, Signed, ReduceOr;
    smax = ReduceSmax, Signed, ReduceAnd;
    umin = ReduceUmin, Same, ReduceAnd;
    umax = ReduceUmax, Same, ReduceOr;
}

macro_rules! ordered {
    ($($name:ident = $op:ident;)*) => {$(
        pub(super) fn $name(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
            ordered(t, call, Op::$op)
        }
    )*};
}

ordered! {
    fadd = ReduceFadd;
    fmul = ReduceFmul;
}

/// Lanes from a start value on, in order unless the call permits any.
fn ordered(t: &mut Translator<'_, '_>, call: &Use<'_>, op: Op) -> Parsed<Value> {
    let (vector, carrier) = t.reduced(call, 1)?;
    if !carrier.ty.as_scalar().is_some_and(Scalar::is_float) {
        return Err(t.unsupported("the lanes are no floats that are computed with here"));
    }
    let start = t.operand_of(call, 0, carrier.ty)?;
    let flags = flags_of(call.inst.flags) & (InstFlags::REASSOCIATE | InstFlags::CONTRACT);
    Ok(t.op_with(op, carrier.ty, &[start, vector], flags))
}

macro_rules! extremes {
    ($($name:ident = $op:ident, $whole:ident;)*) => {$(
        pub(super) fn $name(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
            extreme(t, call, Op::$op, Op::$whole)
        }
    )*};
}

extremes! {
    fmin = FminNum, ReduceFmin;
    fmax = FmaxNum, ReduceFmax;
    fminimum = Fmin, ReduceFmin;
    fmaximum = Fmax, ReduceFmax;
}

/// `whole` is the op on the vector; it passes NaN on, which those of C's kind do not.
fn extreme(t: &mut Translator<'_, '_>, call: &Use<'_>, op: Op, whole: Op) -> Parsed<Value> {
    let (vector, carrier) = t.reduced(call, 0)?;
    if !carrier.ty.as_scalar().is_some_and(Scalar::is_float) {
        return Err(t.unsupported("the lanes are no floats that are computed with here"));
    }
    let passes_nan = matches!(op, Op::Fmin | Op::Fmax);
    match passes_nan || call.inst.flags.contains(Flags::NNAN) {
        true => Ok(t.op(whole, carrier.ty, &[vector])),
        false => Ok(t.fold_lanes(op, vector)),
    }
}

/// Groups of lanes added to a narrower vector.
pub(super) fn partial_add(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let mut sum = t.first_operand(call)?;
    let carrier = t.result_carrier(call)?;
    let wide = t.value(call.args[1])?;
    let from = t.body.value_type(wide);
    let (count, lanes) = (from.lanes(), carrier.ty.lanes());
    let is_whole = from.is_vector() && carrier.ty.is_vector() && count % lanes == 0;
    if !is_whole || from.lane() != carrier.ty.lane() || !Op::Add.info().suffix.contains(from) {
        return Err(t.unsupported("the vectors of `llvm.vector.partial.reduce.add` do not fit"));
    }
    for group in 0..count / lanes {
        let group: Vec<u32> = (group * lanes..(group + 1) * lanes).collect();
        let part = t.mixed(carrier.ty, wide, wide, &group);
        sum = t.op(Op::Add, carrier.ty, &[sum, part]);
    }
    Ok(t.cut(carrier, sum))
}
