//! Rounding to the float formats that the host has no type for.

/// `value` in binary16, rounded to nearest, ties to even; NaN becomes the
/// quiet NaN of its sign.
///
/// One rounding: conversions by way of `f32`, as processors without
/// AVX512-FP16 offer, round twice.
pub fn f64_to_f16(value: f64) -> u16 {
    narrow(value.to_bits(), 5, 10) as u16
}

/// `value` in bfloat16, rounded as [`f64_to_f16`] rounds.
pub fn f64_to_bf16(value: f64) -> u16 {
    narrow(value.to_bits(), 8, 7) as u16
}

/// The bits of a binary64 in a format of fewer exponent and fraction bits.
fn narrow(bits: u64, exponent_bits: u32, fraction_bits: u32) -> u64 {
    const FRACTION: u32 = 52;
    let sign = bits >> 63 << (exponent_bits + fraction_bits);
    let magnitude = bits & (u64::MAX >> 1);
    let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    if magnitude > f64::INFINITY.to_bits() {
        return sign | infinity | 1 << (fraction_bits - 1);
    }
    // The exponent as the narrow format counts it, where 1 is the least normal one.
    let bias_change = (1023 - ((1 << (exponent_bits - 1)) - 1)) as i64;
    let exponent = (magnitude >> FRACTION) as i64 - bias_change;
    let fraction = magnitude & ((1 << FRACTION) - 1);
    // A subnormal result has its implicit one spelled out, shifted to its place.
    let (kept, shift) = if exponent >= 1 {
        (((exponent as u64) << FRACTION) | fraction, FRACTION - fraction_bits)
    } else {
        let normal = u64::from(magnitude >> FRACTION != 0);
        let deeper = u32::try_from(1 - exponent).unwrap_or(u32::MAX);
        (normal << FRACTION | fraction, (FRACTION - fraction_bits).saturating_add(deeper))
    };
    if shift > FRACTION + 1 {
        return sign;
    }
    let half = 1 << (shift - 1);
    let rest = kept & ((1 << shift) - 1);
    let down = kept >> shift;
    let up = u64::from(rest > half || (rest == half && down & 1 == 1));
    sign | (down + up).min(infinity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn every_number_of_the_format_stays_itself() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert!(half.is_nan() || f64_to_f16(half.to_f64()) == bits);
            assert!(brain.is_nan() || f64_to_bf16(brain.to_f64()) == bits);
        }
    }

    #[test]
    fn midpoints_go_to_even_and_their_neighbours_to_the_nearer_side() {
        for bits in (0..0x7c00_u16).chain(0x8000..0xfc00) {
            let (low, high) = (f16::from_bits(bits).to_f64(), f16::from_bits(bits + 1).to_f64());
            let top = if high.is_infinite() { 65536.0_f64.copysign(high) } else { high };
            let middle = (low + top) / 2.0;
            assert_eq!(f64_to_f16(middle), bits + (bits & 1), "{middle:e}");
            let outward = f64::from_bits(middle.to_bits() + 1);
            let inward = f64::from_bits(middle.to_bits() - 1);
            assert_eq!((f64_to_f16(inward), f64_to_f16(outward)), (bits, bits + 1), "{middle:e}");
        }
    }

    #[test]
    fn the_ends_are_infinity_zero_and_nan() {
        assert_eq!(f64_to_f16(1e300), 0x7c00);
        assert_eq!(f64_to_bf16(-1e300), 0xff80);
        assert_eq!(f64_to_bf16(-1e-300), 0x8000);
        assert_eq!(f64_to_f16(f64::NAN), 0x7e00);
        assert_eq!(f64_to_bf16(-f64::NAN), 0xffc0);
        assert_eq!(f64_to_f16(f64::INFINITY), 0x7c00);
        assert_eq!(f64_to_bf16(f64::MIN_POSITIVE), 0);
    }
}
