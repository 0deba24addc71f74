//! Float arithmetic on lanes of `f16`, `bf16`, `f32` and `f64`.
//!
//! Everything is computed in `f64` and rounded once more to the format. For
//! `+ - * / sqrt` that gives what one rounding would, because 53 digits are at
//! least twice the format's and two more (Figueroa, "When is double rounding
//! innocuous?", 1995); `fma` rounds to odd in between. Results that are NaN
//! are the positive quiet one; ops on the sign alone keep every other bit.

use std::hint::black_box;

use half::{bf16, f16};

use crate::float::{f64_to_bf16, f64_to_f16};
use crate::types::Scalar;

const POSITIVE_NAN: f64 = f64::from_bits(0x7ff8_0000_0000_0000);

/// The number that a lane of `scalar` is: exact.
pub fn decode(scalar: Scalar, bits: u128) -> f64 {
    match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    }
}

/// The lane of `scalar` nearest to `value`, ties to even; the positive quiet
/// NaN for NaN.
pub fn encode(scalar: Scalar, value: f64) -> u128 {
    let value = if value.is_nan() { POSITIVE_NAN } else { value };
    match scalar {
        Scalar::F16 => f64_to_f16(value).into(),
        Scalar::Bf16 => f64_to_bf16(value).into(),
        Scalar::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits().into(),
    }
}

fn unary(scalar: Scalar, a: u128, op: impl Fn(f64) -> f64) -> u128 {
    encode(scalar, op(decode(scalar, a)))
}

fn binary(scalar: Scalar, a: u128, b: u128, op: impl Fn(f64, f64) -> f64) -> u128 {
    encode(scalar, op(decode(scalar, a), decode(scalar, b)))
}

/// `fadd`.
pub fn add(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| a + b)
}

/// `fsub`.
pub fn sub(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| a - b)
}

/// `fmul`.
pub fn mul(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| a * b)
}

/// `fdiv`.
pub fn div(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| a / b)
}

/// `frem`, exact in every format.
pub fn rem(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| a % b)
}

fn sign_bit(scalar: Scalar) -> u128 {
    1 << (scalar.bits().max(1) - 1)
}

/// `fneg`.
pub fn neg(scalar: Scalar, a: u128) -> u128 {
    a ^ sign_bit(scalar)
}

/// `fabs`.
pub fn abs(scalar: Scalar, a: u128) -> u128 {
    a & !sign_bit(scalar)
}

/// `fcopysign`.
pub fn copysign(scalar: Scalar, a: u128, b: u128) -> u128 {
    abs(scalar, a) | b & sign_bit(scalar)
}

/// `fsqrt`.
pub fn sqrt(scalar: Scalar, a: u128) -> u128 {
    // Where LLVM sees that a NaN is a root's, it takes that for as good as the one that
    // `encode` gives, and keeps it, with the processor's sign.
    unary(scalar, a, |a| black_box(a.sqrt()))
}

/// `fma`.
pub fn fma(scalar: Scalar, a: u128, b: u128, c: u128) -> u128 {
    let (x, y, z) = (decode(scalar, a), decode(scalar, b), decode(scalar, c));
    match scalar {
        Scalar::F64 => encode(scalar, x.mul_add(y, z)),
        // Twice 24 digits fit 53: the product is exact.
        _ => encode(scalar, add_to_odd(x * y, z)),
    }
}

/// The sum, and where it is not exact the one of its two neighbours whose last
/// digit is odd, which no later rounding to fewer digits takes for a tie.
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // Knuth's two-sum: the error of the sum, exactly.
    let of_b = sum - a;
    let error = (a - (sum - of_b)) + (b - of_b);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let away_from_zero = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away_from_zero { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// `muladd`, rounded after each step.
pub fn muladd(scalar: Scalar, a: u128, b: u128, c: u128) -> u128 {
    add(scalar, mul(scalar, a, b), c)
}

/// Whether `a` comes before `b`, -0.0 before 0.0; neither is NaN.
fn is_below(a: f64, b: f64) -> bool {
    a < b || (a == b && a.is_sign_negative() && b.is_sign_positive())
}

/// `fmin`.
pub fn min(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else if is_below(b, a) {
            b
        } else {
            a
        }
    })
}

/// `fmax`.
pub fn max(scalar: Scalar, a: u128, b: u128) -> u128 {
    binary(scalar, a, b, |a, b| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else if is_below(a, b) {
            b
        } else {
            a
        }
    })
}

fn is_nan(scalar: Scalar, a: u128) -> bool {
    decode(scalar, a).is_nan()
}

/// `fmin_num`.
pub fn min_num(scalar: Scalar, a: u128, b: u128) -> u128 {
    match (is_nan(scalar, a), is_nan(scalar, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => min(scalar, a, b),
    }
}

/// `fmax_num`.
pub fn max_num(scalar: Scalar, a: u128, b: u128) -> u128 {
    match (is_nan(scalar, a), is_nan(scalar, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => max(scalar, a, b),
    }
}

/// `ffloor`.
pub fn floor(scalar: Scalar, a: u128) -> u128 {
    unary(scalar, a, f64::floor)
}

/// `fceil`.
pub fn ceil(scalar: Scalar, a: u128) -> u128 {
    unary(scalar, a, f64::ceil)
}

/// `ftrunc`.
pub fn trunc(scalar: Scalar, a: u128) -> u128 {
    unary(scalar, a, f64::trunc)
}

/// `fnearest`.
pub fn nearest(scalar: Scalar, a: u128) -> u128 {
    unary(scalar, a, f64::round_ties_even)
}

/// `fround`.
pub fn round(scalar: Scalar, a: u128) -> u128 {
    unary(scalar, a, f64::round)
}
