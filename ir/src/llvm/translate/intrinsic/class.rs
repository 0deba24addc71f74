//! Classes of floats: NaN, infinite, normal, subnormal, zero.

use super::Use;
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::translate::function::Translator;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// The bits of a float's format; of one of 80 bits those that it has in 128.
struct Format {
    /// The integer of as many bits, in each lane.
    bits: Type,
    sign: u128,
    /// All bits of the exponent: infinity.
    exponent: u128,
    /// The highest bit of the fraction, which quiet NaNs have.
    quiet: u128,
}

fn format_of(ty: Type) -> Option<Format> {
    let (lane, width, fraction) = match ty.lane()? {
        Scalar::F16 => (Scalar::I16, 16, 10),
        Scalar::Bf16 => (Scalar::I16, 16, 7),
        Scalar::F32 => (Scalar::I32, 32, 23),
        Scalar::F64 => (Scalar::I64, 64, 52),
        Scalar::F128 | Scalar::X86Fp80 => (Scalar::I128, 128, 112),
        _ => return None,
    };
    let sign = 1 << (width - 1);
    let exponent = (sign - 1) & !((1 << fraction) - 1);
    Some(Format { bits: ty.with_lane(lane)?, sign, exponent, quiet: 1 << (fraction - 1) })
}

/// The bits of the mask that say which classes are asked for: of signaling and quiet
/// NaNs, then from negative infinity up to the positive one.
const CLASSES: u32 = 10;

/// Whether a float is of one of the classes of a mask.
pub(super) fn is_class(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let value = t.value(call.args[0])?;
    let ty = t.body.value_type(value);
    let mask = t.ty(call.result)?;
    let asked = t.immediate(call, 1)?;
    let Some(format) = format_of(ty).filter(|_| ty.as_mask() == Some(mask)) else {
        return Err(t.unsupported("`llvm.is.fpclass` is not known for this type"));
    };
    let bits = match ty {
        Type::X86_FP80 => t.soft_bits(value)?,
        _ => t.op(Op::Bitcast, format.bits, &[value]),
    };
    let limit = t.number(format.bits, format.sign - 1);
    let size = t.op(Op::And, format.bits, &[bits, limit]);
    let zero = t.number(format.bits, 0);
    let negative = t.integer_condition(IntCond::Slt, bits, zero);
    let positive = t.op(Op::Not, mask, &[negative]);
    let mut found = t.number(mask, 0);
    for class in (0..CLASSES).filter(|class| asked >> class & 1 != 0) {
        let (first, last) = sizes(&format, class);
        let mut inside = within(t, format.bits, size, first, last);
        match class {
            0 | 1 => {}
            2..=5 => inside = t.op(Op::And, mask, &[inside, negative]),
            _ => inside = t.op(Op::And, mask, &[inside, positive]),
        }
        found = t.op(Op::Or, mask, &[found, inside]);
    }
    Ok(found)
}

/// The bits without the sign of the first and the last float of a class.
fn sizes(format: &Format, class: u32) -> (u128, u128) {
    let &Format { sign, exponent, quiet, .. } = format;
    let first_normal = quiet << 1;
    match class {
        0 => (exponent + 1, exponent + quiet - 1),
        1 => (exponent + quiet, sign - 1),
        2 | 9 => (exponent, exponent),
        3 | 8 => (first_normal, exponent - 1),
        4 | 7 => (1, first_normal - 1),
        _ => (0, 0),
    }
}

fn within(t: &mut Translator<'_, '_>, ty: Type, size: Value, first: u128, last: u128) -> Value {
    let (low, span) = (t.number(ty, first), t.number(ty, last - first));
    let above = t.op(Op::Sub, ty, &[size, low]);
    t.integer_condition(IntCond::Ule, above, span)
}
