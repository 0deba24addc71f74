//! Integers of any width.

use super::Use;
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::syntax::BinaryOp;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// How an op of the carrier is made one of a narrower integer in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Zeros above the operands give zeros above the result.
    Same,
    /// The operands are extended by their signs, and the result is cut.
    Signed,
    /// The operands stand at the top of the carrier, and so does the result.
    Top,
    /// The result stands at the top of the carrier.
    ResultAtTop,
}

/// How an operation on integers, carried without truth values, is done.
type Operation<'f> = &'f mut dyn FnMut(&mut Translator<'_, '_>, Carrier, &[Value]) -> Parsed<Value>;

impl Translator<'_, '_> {
    /// An op on integers, which all are of the result's type.
    pub(super) fn integer_intrinsic(
        &mut self,
        call: &Use<'_>,
        op: Op,
        shape: Shape,
    ) -> Parsed<Value> {
        let count = op.info().operands.len();
        self.on_integers(call, count, &mut |t, carrier, args| {
            if !op.info().suffix.contains(carrier.ty)
                || !op.info().relation.holds(carrier.ty, carrier.ty)
            {
                return Err(t.unsupported("the intrinsic is not known for this type"));
            }
            if carrier.bits == 0 {
                return Ok(t.op(op, carrier.ty, args));
            }
            let args: Vec<Value> = args.iter().map(|&arg| t.shaped(carrier, shape, arg)).collect();
            let result = t.op(op, carrier.ty, &args);
            Ok(match shape {
                Shape::Same => result,
                Shape::Signed => t.cut(carrier, result),
                Shape::Top | Shape::ResultAtTop => {
                    let amount = t.free_bits(carrier);
                    t.op(Op::Lshr, carrier.ty, &[result, amount])
                }
            })
        })
    }

    fn shaped(&mut self, carrier: Carrier, shape: Shape, value: Value) -> Value {
        match shape {
            Shape::Same | Shape::ResultAtTop => value,
            Shape::Signed => self.sign_extended(carrier, value),
            Shape::Top => self.at_the_top(carrier, value),
        }
    }

    /// An operation on the first operands, integers of the result's type. Truth values
    /// are numbers of one bit there, carried in bytes.
    fn on_integers(
        &mut self,
        call: &Use<'_>,
        count: usize,
        operation: Operation<'_>,
    ) -> Parsed<Value> {
        let carrier = self.result_carrier(call)?;
        let operands = self.same_operands(call, count, carrier.ty)?;
        match self.pieced(call.result)? {
            None => self.on_carried(carrier, &operands, operation),
            Some(pieced) => self.piecewise(pieced.lanes, &operands, |t, args| {
                t.on_carried(pieced.piece, args, operation)
            }),
        }
    }

    pub(super) fn on_carried(
        &mut self,
        carrier: Carrier,
        operands: &[Value],
        operation: Operation<'_>,
    ) -> Parsed<Value> {
        match carrier.ty.lane() {
            Some(Scalar::I1) => {}
            Some(lane) if lane.is_int() => return operation(self, carrier, operands),
            _ => return Err(self.invalid("the operands of the intrinsic are integers")),
        }
        let Some(bytes) = carrier.ty.with_lane(Scalar::I8) else {
            return Err(self.unsupported("vectors have at most 512 bits"));
        };
        let wide: Vec<Value> =
            operands.iter().map(|&value| self.op(Op::Zext, bytes, &[value])).collect();
        let result = operation(self, Carrier { ty: bytes, bits: 1 }, &wide)?;
        Ok(self.op(Op::Trunc, carrier.ty, &[result]))
    }

    /// An operation on two integers as the instruction of that name does it.
    fn carried_binary(&mut self, op: BinaryOp, carrier: Carrier, args: [Value; 2]) -> Value {
        self.lanewise(carrier.ty, args[0], args[1], |t, left, right| {
            let lane = Carrier { ty: carrier.ty.lane_type(), ..carrier };
            t.narrow_binary(op, lane, left, right)
        })
    }
}

/// Of a narrow integer, zeros above it are counted with those in it.
pub(super) fn ctlz(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 1, &mut |t, carrier, args| {
        let zeros = t.op(Op::Clz, carrier.ty, args);
        if carrier.bits == 0 {
            return Ok(zeros);
        }
        let above = t.free_bits(carrier);
        Ok(t.op(Op::Sub, carrier.ty, &[zeros, above]))
    })
}

/// Of a narrow integer, the bit above it stops the count.
pub(super) fn cttz(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 1, &mut |t, carrier, args| {
        let mut value = args[0];
        if carrier.bits != 0 {
            let above = t.number(carrier.ty, 1 << carrier.bits);
            value = t.op(Op::Or, carrier.ty, &[value, above]);
        }
        Ok(t.op(Op::Ctz, carrier.ty, &[value]))
    })
}

pub(super) fn fshl(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 3, &mut |t, carrier, args| match carrier.bits {
        0 => Ok(t.op(Op::Fshl, carrier.ty, args)),
        _ => Ok(narrow_funnel(t, carrier, args, |amount, rest| (amount, rest))),
    })
}

pub(super) fn fshr(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 3, &mut |t, carrier, args| match carrier.bits {
        0 => Ok(t.op(Op::Fshr, carrier.ty, args)),
        _ => Ok(narrow_funnel(t, carrier, args, |amount, rest| (rest, amount))),
    })
}

/// Two integers joined and shifted: the first goes left and the second right by amounts
/// that are the width together. A shift by the whole width leaves nothing of an integer
/// within it.
fn narrow_funnel(
    t: &mut Translator<'_, '_>,
    carrier: Carrier,
    args: &[Value],
    amounts: fn(Value, Value) -> (Value, Value),
) -> Value {
    let ty = carrier.ty;
    let width = t.number(ty, carrier.bits.into());
    let amount = t.carried_binary(BinaryOp::URem, carrier, [args[2], width]);
    let rest = t.op(Op::Sub, ty, &[width, amount]);
    let (left, right) = amounts(amount, rest);
    let high = t.op(Op::Shl, ty, &[args[0], left]);
    let low = t.op(Op::Lshr, ty, &[args[1], right]);
    let joined = t.op(Op::Or, ty, &[high, low]);
    t.cut(carrier, joined)
}

pub(super) fn sshl_sat(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 2, &mut |t, carrier, args| {
        let value = raised(t, carrier, args[0]);
        let most = t.number(carrier.ty, crate::constant::mask(lane_bits(carrier.ty) - 1));
        let sign = t.number(carrier.ty, u128::from(lane_bits(carrier.ty) - 1));
        let sign = t.op(Op::Ashr, carrier.ty, &[value, sign]);
        let limit = t.op(Op::Xor, carrier.ty, &[sign, most]);
        Ok(saturated_shift(t, carrier, (value, args[1]), Op::Ashr, limit))
    })
}

pub(super) fn ushl_sat(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.on_integers(call, 2, &mut |t, carrier, args| {
        let value = raised(t, carrier, args[0]);
        let limit = t.number(carrier.ty, u128::MAX);
        Ok(saturated_shift(t, carrier, (value, args[1]), Op::Lshr, limit))
    })
}

/// A value at the top of the carrier shifted left; the limit where that loses bits.
fn saturated_shift(
    t: &mut Translator<'_, '_>,
    carrier: Carrier,
    (value, amount): (Value, Value),
    back: Op,
    limit: Value,
) -> Value {
    let ty = carrier.ty;
    let shifted = t.op(Op::Shl, ty, &[value, amount]);
    let again = t.op(back, ty, &[shifted, amount]);
    let kept = t.integer_condition(IntCond::Eq, again, value);
    let result = t.choose(kept, shifted, limit);
    if carrier.bits == 0 {
        return result;
    }
    let down = t.free_bits(carrier);
    t.op(Op::Lshr, ty, &[result, down])
}

/// The value at the top of its carrier, where one that fills it stands already.
fn raised(t: &mut Translator<'_, '_>, carrier: Carrier, value: Value) -> Value {
    match carrier.bits {
        0 => value,
        _ => t.at_the_top(carrier, value),
    }
}

fn lane_bits(ty: Type) -> u32 {
    ty.lane().map_or(1, Scalar::bits)
}

/// `bzhi` of x86-64: as many of the low bits as the low byte of the second operand says.
pub(super) fn low_bits(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.ty(call.result)?;
    if !matches!(ty, Type::I32 | Type::I64) {
        return Err(t.invalid("the intrinsic takes an `i32` or `i64`"));
    }
    let operands = t.same_operands(call, 2, ty)?;
    let (byte, one) = (t.number(ty, 0xff), t.number(ty, 1));
    let count = t.op(Op::And, ty, &[operands[1], byte]);
    // A shift by the width or more leaves nothing, of which one less is all bits.
    let end = t.op(Op::Shl, ty, &[one, count]);
    let mask = t.op(Op::Sub, ty, &[end, one]);
    Ok(t.op(Op::And, ty, &[operands[0], mask]))
}
