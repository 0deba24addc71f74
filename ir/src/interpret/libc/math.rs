//! Functions of `math.h`: the host's own, so that they round as its C library does.

use super::{Args, Given, Model, write};
use crate::datum::Datum;
use crate::interpret::eval::float;
use crate::interpret::host::HostCall;
use crate::types::Scalar;

/// A result: NaN is the positive quiet one, as in every op.
fn double(value: f64) -> Given {
    Ok(Datum::Scalar(float::encode(Scalar::F64, value)))
}

fn single(value: f32) -> Given {
    Ok(Datum::Scalar(float::encode(Scalar::F32, f64::from(value))))
}

macro_rules! models {
    (
        unary { $($u:literal $uf:literal $unary:ident,)* }
        binary { $($b:literal $bf:literal $binary:ident,)* }
        others { $($name:literal => $model:expr,)* }
    ) => {
        pub(super) const MODELS: &[(&str, Model)] = &[
            $(($u, |_, args| double(args.double(0).$unary())),)*
            $(($uf, |_, args| single(args.float(0).$unary())),)*
            $(($b, |_, args| double(args.double(0).$binary(args.double(1)))),)*
            $(($bf, |_, args| single(args.float(0).$binary(args.float(1)))),)*
            $(($name, $model),)*
        ];
    };
}

models! {
    unary {
        "sin" "sinf" sin,
        "cos" "cosf" cos,
        "tan" "tanf" tan,
        "asin" "asinf" asin,
        "acos" "acosf" acos,
        "atan" "atanf" atan,
        "sinh" "sinhf" sinh,
        "cosh" "coshf" cosh,
        "tanh" "tanhf" tanh,
        "exp" "expf" exp,
        "exp2" "exp2f" exp2,
        "expm1" "expm1f" exp_m1,
        "log" "logf" ln,
        "log2" "log2f" log2,
        "log10" "log10f" log10,
        "log1p" "log1pf" ln_1p,
        "sqrt" "sqrtf" sqrt,
        "cbrt" "cbrtf" cbrt,
        "floor" "floorf" floor,
        "ceil" "ceilf" ceil,
        "round" "roundf" round,
        "trunc" "truncf" trunc,
        "rint" "rintf" round_ties_even,
        "nearbyint" "nearbyintf" round_ties_even,
        "fabs" "fabsf" abs,
    }
    binary {
        "atan2" "atan2f" atan2,
        "pow" "powf" powf,
        "hypot" "hypotf" hypot,
        "copysign" "copysignf" copysign,
        "fmin" "fminf" min,
        "fmax" "fmaxf" max,
    }
    others {
        // Rust has no function of its own for these: the last bit may be another.
        "exp10" => |_, args| double(10f64.powf(args.double(0))),
        "exp10f" => |_, args| single(10f32.powf(args.float(0))),
        "fmod" => |_, args| double(args.double(0) % args.double(1)),
        "fmodf" => |_, args| single(args.float(0) % args.float(1)),
        "fma" => |_, args| double(args.double(0).mul_add(args.double(1), args.double(2))),
        "fmaf" => |_, args| single(args.float(0).mul_add(args.float(1), args.float(2))),
        "ldexp" => |_, args| double(scale(args.double(0), args.int(1))),
        "scalbn" => |_, args| double(scale(args.double(0), args.int(1))),
        // A float has so few digits that scaling it as a double is exact until
        // the one rounding at the end.
        "ldexpf" => |_, args| single(scale(args.float(0).into(), args.int(1)) as f32),
        "scalbnf" => |_, args| single(scale(args.float(0).into(), args.int(1)) as f32),
        "frexp" => |call, args| frexp(call, args, args.double(0), double),
        "frexpf" => |call, args| frexp(call, args, args.float(0).into(), |m| single(m as f32)),
        "modf" => |call, args| {
            let whole = args.double(0).trunc();
            write(call, args.word(1), &whole.to_le_bytes())?;
            double(fraction(args.double(0), whole))
        },
        "modff" => |call, args| {
            let whole = args.float(0).trunc();
            write(call, args.word(1), &whole.to_le_bytes())?;
            single(fraction(args.float(0).into(), whole.into()) as f32)
        },
    }
}

fn fraction(value: f64, whole: f64) -> f64 {
    let rest = if value.is_infinite() { 0.0 } else { value - whole };
    rest.copysign(value)
}

/// `value * 2^exponent`, rounded once: steps of full precision first, and one
/// that may fall among the subnormal numbers last.
fn scale(value: f64, exponent: i32) -> f64 {
    const STEP: i32 = 969;
    let (up, down) = (2f64.powi(1023), 2f64.powi(-STEP));
    let (mut value, mut exponent) = (value, exponent.clamp(-3000, 3000));
    while exponent > 1023 {
        value *= up;
        exponent -= 1023;
    }
    while exponent < -1022 {
        value *= down;
        exponent += STEP;
    }
    value * f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Splits a number into a fraction of at least a half and a power of two.
fn frexp(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    value: f64,
    give: fn(f64) -> Given,
) -> Given {
    let (fraction, exponent) = split(value);
    write(call, args.word(1), &exponent.to_le_bytes())?;
    give(fraction)
}

fn split(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    // Subnormal numbers are scaled up to have their exponent spelled out.
    let (bits, below) = match value.is_normal() {
        true => (value.to_bits(), 0),
        false => ((value * 2f64.powi(64)).to_bits(), 64),
    };
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    let fraction = bits & !(0x7ff << 52) | 1022 << 52;
    (f64::from_bits(fraction), exponent - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scale(0.75, 4), 12.0);
        assert_eq!(scale(1.0, -1074), f64::from_bits(1));
        assert_eq!(scale(1.5, -1074), f64::from_bits(2));
        assert_eq!(scale(1.0, -1076), 0.0);
        assert_eq!(scale(f64::from_bits(1), 2098), 2f64.powi(1023) * 2.0);
        assert_eq!(scale(f64::from_bits(1), 2097), 2f64.powi(1023));
        // A tie that an earlier rounding would have made.
        let value = f64::from_bits(0x3ff0_0000_0000_0003);
        assert_eq!(scale(value, -1023), f64::from_bits(0x0008_0000_0000_0002));
    }

    #[test]
    fn splitting_and_scaling_are_inverse() {
        for bits in [1, 0x000f_ffff_ffff_ffff, 0x3ff8_0000_0000_0000, 0xffef_ffff_ffff_ffff] {
            let value = f64::from_bits(bits);
            let (fraction, exponent) = split(value);
            assert!((0.5..1.0).contains(&fraction.abs()));
            assert_eq!(scale(fraction, exponent), value);
        }
    }
}
