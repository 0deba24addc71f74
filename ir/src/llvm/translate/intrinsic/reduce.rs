//! All lanes of a vector as one.

use super::Use;
use crate::attribute::InstFlags;
use crate::entity::Value;
use crate::llvm::syntax::Flags;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::integer::flags_of;
use crate::llvm::translate::pieces::Pieces;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

use super::integer::Shape;

impl Translator<'_, '_> {
    /// The vectors whose lanes a call reduces, one behind the other; they are as its
    /// result is. There is at least one.
    fn reduced(&mut self, call: &Use<'_>, index: usize) -> Parsed<(Pieces, Carrier)> {
        let carrier = self.result_carrier(call)?;
        let vector = self.value(call.args[index])?;
        let parts = match self.pieced(call.args[index].ty)? {
            None => Pieces::from_elem(vector, 1),
            Some(pieced) => self.trimmed_pieces(pieced, vector),
        };
        let fits = parts.first().is_some_and(|&part| {
            let ty = self.body.value_type(part);
            ty.is_vector() && ty.lane_type() == carrier.ty
        });
        match fits {
            true => Ok((parts, carrier)),
            false => Err(self.invalid("the intrinsic gives what a lane of its operand is")),
        }
    }

    /// An op on the lanes of integers; `on_truths` is what it is on numbers of one bit.
    fn reduce(&mut self, call: &Use<'_>, op: Op, shape: Shape, on_truths: Op) -> Parsed<Value> {
        let (parts, carrier) = self.reduced(call, 0)?;
        let op = if carrier.ty == Type::I1 { on_truths } else { op };
        if !op.info().suffix.contains(carrier.ty) {
            return Err(self.invalid("the lanes are no integers"));
        }
        let results = parts.into_iter().map(|part| {
            let lanes = Carrier { ty: self.body.value_type(part), ..carrier };
            let part = match shape {
                Shape::Signed if carrier.ty != Type::I1 => self.sign_extended(lanes, part),
                _ => part,
            };
            self.op(op, carrier.ty, &[part])
        });
        let results: Pieces = results.collect();
        let result = self.combined(op.repeated().unwrap_or(op), carrier.ty, &results);
        Ok(self.cut(carrier, result))
    }

    /// An op on values, from the first on.
    fn combined(&mut self, op: Op, ty: Type, values: &[Value]) -> Value {
        let rest = values.iter().skip(1);
        rest.fold(values[0], |all, &value| self.op(op, ty, &[all, value]))
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
    let (parts, carrier) = t.reduced(call, 1)?;
    if !carrier.ty.as_scalar().is_some_and(Scalar::is_float) {
        return Err(t.unsupported("the lanes are no floats that are computed with here"));
    }
    let start = t.operand_of(call, 0, carrier.ty)?;
    let flags = flags_of(call.inst.flags) & (InstFlags::REASSOCIATE | InstFlags::CONTRACT);
    let mut all = start;
    for part in parts {
        all = t.op_with(op, carrier.ty, &[all, part], flags);
    }
    Ok(all)
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
    let (parts, carrier) = t.reduced(call, 0)?;
    if !carrier.ty.as_scalar().is_some_and(Scalar::is_float) {
        return Err(t.unsupported("the lanes are no floats that are computed with here"));
    }
    let passes_nan = matches!(op, Op::Fmin | Op::Fmax);
    let is_whole = passes_nan || call.inst.flags.contains(Flags::NNAN);
    let results = parts.into_iter().map(|part| match is_whole {
        true => t.op(whole, carrier.ty, &[part]),
        false => t.fold_lanes(op, part),
    });
    let results: Pieces = results.collect();
    Ok(t.combined(op, carrier.ty, &results))
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
