//! Numbers as text: integers of every width, and floats as the shortest
//! decimals that read back.

use std::cmp::Ordering;
use std::fmt;

use half::{bf16, f16};

use crate::constant::mask;
use crate::float::{f64_to_bf16, f64_to_f16};
use crate::types::Scalar;

/// Why a number is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberError {
    /// It is not spelled as a number of this kind.
    Spelling,
    /// It does not fit.
    Range,
}

/// A sign in front of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// A number without sign, decimal or hexadecimal.
pub(super) fn parse_magnitude(text: &str) -> Result<u128, NumberError> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(NumberError::Spelling);
    }
    u128::from_str_radix(digits, radix).map_err(|_| NumberError::Range)
}

/// The bits of an integer that fits `bits` as signed or as unsigned.
pub(super) fn parse_integer(text: &str, sign: Sign, bits: u32) -> Result<u128, NumberError> {
    let magnitude = parse_magnitude(text)?;
    let largest = match sign {
        Sign::Plus => mask(bits),
        Sign::Minus => 1 << (bits.max(1) - 1),
    };
    match sign {
        _ if magnitude > largest => Err(NumberError::Range),
        Sign::Plus => Ok(magnitude),
        Sign::Minus => Ok(magnitude.wrapping_neg() & mask(bits)),
    }
}

/// The low `bits` of a number, read as signed.
pub(super) const fn sign_extended(number: u128, bits: u32) -> i128 {
    if bits == 0 || bits > 128 {
        return 0;
    }
    let shift = 128 - bits;
    ((number << shift) as i128) >> shift
}

/// Writes an integer of `bits`: signed, but a truth value as 0 or 1.
pub(super) fn write_integer(f: &mut dyn fmt::Write, number: u128, bits: u32) -> fmt::Result {
    match bits {
        1 => write!(f, "{}", number & 1),
        _ => write!(f, "{}", sign_extended(number, bits)),
    }
}

const fn sign_bit(scalar: Scalar) -> u128 {
    1 << (scalar.bits() - 1)
}

/// The bits of infinity, where `scalar` has one that text can spell.
pub(super) fn infinity(scalar: Scalar) -> Option<u128> {
    match scalar {
        Scalar::F16 => Some(f16::INFINITY.to_bits().into()),
        Scalar::Bf16 => Some(bf16::INFINITY.to_bits().into()),
        Scalar::F32 => Some(f32::INFINITY.to_bits().into()),
        Scalar::F64 => Some(f64::INFINITY.to_bits().into()),
        _ => None,
    }
}

/// The bits of the NaN that `nan` spells: quiet, positive, without payload.
pub(super) fn quiet_nan(scalar: Scalar) -> Option<u128> {
    let fraction_bits = match scalar {
        Scalar::F16 => 10,
        Scalar::Bf16 => 7,
        Scalar::F32 => 23,
        Scalar::F64 => 52,
        _ => return None,
    };
    infinity(scalar).map(|bits| bits | 1 << (fraction_bits - 1))
}

/// The bits of a decimal without sign, rounded once, to nearest, ties to even.
pub(super) fn parse_decimal(text: &str, scalar: Scalar) -> Result<u128, NumberError> {
    let spelling = |_| NumberError::Spelling;
    let bits = match scalar {
        Scalar::F32 => text.parse::<f32>().map_err(spelling)?.to_bits().into(),
        Scalar::F64 => text.parse::<f64>().map_err(spelling)?.to_bits().into(),
        Scalar::F16 => parse_narrow(text, |value| f64_to_f16(value).into())?,
        Scalar::Bf16 => parse_narrow(text, |value| f64_to_bf16(value).into())?,
        _ => return Err(NumberError::Spelling),
    };
    if infinity(scalar) == Some(bits) { Err(NumberError::Range) } else { Ok(bits) }
}

/// Rounds a decimal by way of `f64`. Where that is exactly in the middle of
/// two narrow numbers and the decimal is not, the decimal decides.
fn parse_narrow(text: &str, narrow: fn(f64) -> u128) -> Result<u128, NumberError> {
    let value: f64 = text.parse().map_err(|_| NumberError::Spelling)?;
    if value == 0.0 || !value.is_finite() || narrow(value.next_down()) == narrow(value.next_up()) {
        return Ok(narrow(value));
    }
    // No midpoint of these formats has more digits than this.
    let exact = format!("{value:.160e}");
    Ok(match compare_decimals(text, &exact) {
        Ordering::Less => narrow(value.next_down()),
        Ordering::Equal => narrow(value),
        Ordering::Greater => narrow(value.next_up()),
    })
}

/// A positive decimal as its digits without zeros at either end, and the
/// power of ten of the first one.
fn digits_of(text: &str) -> (Vec<u8>, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let overflow = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    let exponent: i64 = exponent.parse().unwrap_or(overflow);
    let point = mantissa.find('.').unwrap_or(mantissa.len()) as i64;
    let all: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let zeros = all.iter().take_while(|digit| **digit == b'0').count();
    let end = all.iter().rposition(|digit| *digit != b'0').map_or(zeros, |last| last + 1);
    (all[zeros..end].to_vec(), exponent.saturating_add(point - 1 - zeros as i64))
}

fn compare_decimals(a: &str, b: &str) -> Ordering {
    let ((a_digits, a_exponent), (b_digits, b_exponent)) = (digits_of(a), digits_of(b));
    a_exponent.cmp(&b_exponent).then_with(|| a_digits.cmp(&b_digits))
}

/// Writes a float as the shortest decimal that reads back, or as its bits.
pub(super) fn write_float(f: &mut dyn fmt::Write, bits: u128, scalar: Scalar) -> fmt::Result {
    let (Some(infinity), Some(nan)) = (infinity(scalar), quiet_nan(scalar)) else {
        return write!(f, "bits:{bits:#x}");
    };
    if bits == nan {
        return f.write_str("nan");
    }
    let magnitude = bits & (sign_bit(scalar) - 1);
    if magnitude > infinity {
        return write!(f, "bits:{bits:#x}");
    }
    if bits & sign_bit(scalar) != 0 {
        f.write_char('-')?;
    }
    if magnitude == infinity {
        return f.write_str("inf");
    }
    match scalar {
        Scalar::F32 => write!(f, "{:?}", f32::from_bits(magnitude as u32)),
        Scalar::F64 => write!(f, "{:?}", f64::from_bits(magnitude as u64)),
        Scalar::F16 => write_narrow(f, f16::from_bits(magnitude as u16).to_f64(), f64_to_f16),
        _ => write_narrow(f, bf16::from_bits(magnitude as u16).to_f64(), f64_to_bf16),
    }
}

/// Writes the decimal of the fewest digits that rounds to `value`.
fn write_narrow(f: &mut dyn fmt::Write, value: f64, narrow: fn(f64) -> u16) -> fmt::Result {
    // Five digits tell all numbers of either format apart.
    for digits in 0..5 {
        let short: f64 = format!("{value:.digits$e}").parse().unwrap_or(value);
        if narrow(short) == narrow(value) {
            return write!(f, "{short:?}");
        }
    }
    write!(f, "{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str, scalar: Scalar) -> u128 {
        parse_decimal(text, scalar).unwrap()
    }

    fn written(bits: u128, scalar: Scalar) -> String {
        let mut text = String::new();
        write_float(&mut text, bits, scalar).unwrap();
        text
    }

    #[test]
    fn integers_fit_as_signed_or_as_unsigned() {
        assert_eq!(parse_integer("255", Sign::Plus, 8), Ok(255));
        assert_eq!(parse_integer("128", Sign::Minus, 8), Ok(128));
        assert_eq!(parse_integer("129", Sign::Minus, 8), Err(NumberError::Range));
        assert_eq!(parse_integer("256", Sign::Plus, 8), Err(NumberError::Range));
        assert_eq!(parse_integer("1", Sign::Minus, 1), Ok(1));
        assert_eq!(parse_integer("0xfg", Sign::Plus, 8), Err(NumberError::Spelling));
        assert_eq!(parse_integer("0x", Sign::Plus, 8), Err(NumberError::Spelling));
        let largest = u128::MAX.to_string();
        assert_eq!(parse_integer(&largest, Sign::Plus, 128), Ok(u128::MAX));
        assert_eq!(parse_magnitude(&format!("{largest}0")), Err(NumberError::Range));
    }

    #[test]
    fn every_narrow_float_reads_back() {
        for scalar in [Scalar::F16, Scalar::Bf16] {
            for bits in 0..=0x7fff_u128 {
                let text = written(bits, scalar);
                if text.starts_with(|c: char| c.is_ascii_digit()) {
                    assert_eq!(decimal(&text, scalar), bits, "{scalar:?} {text}");
                }
            }
        }
        assert_eq!(written(0x2e66, Scalar::F16), "0.1");
        assert_eq!(written(0x3dcd, Scalar::Bf16), "0.1");
        assert_eq!(written(0x8000, Scalar::F16), "-0.0");
    }

    #[test]
    fn a_decimal_is_rounded_once() {
        // In the middle of 1 and the next binary16, and a little off it.
        assert_eq!(decimal("1.00048828125", Scalar::F16), 0x3c00);
        assert_eq!(decimal("1.00048828125000000000000000001", Scalar::F16), 0x3c01);
        assert_eq!(decimal("1.0014648437499999999999999999999", Scalar::F16), 0x3c01);
        assert_eq!(decimal("10014648437.5e-10", Scalar::F16), 0x3c02);
    }

    #[test]
    fn too_large_a_decimal_is_no_infinity() {
        assert_eq!(parse_decimal("1e400", Scalar::F64), Err(NumberError::Range));
        assert_eq!(parse_decimal("65520", Scalar::F16), Err(NumberError::Range));
        assert_eq!(parse_decimal("1.2.3", Scalar::F64), Err(NumberError::Spelling));
    }

    #[test]
    fn what_is_no_decimal_stands_as_bits() {
        assert_eq!(written(0x7ff8_0000_0000_0000, Scalar::F64), "nan");
        assert_eq!(written(0x7ff8_0000_0000_0001, Scalar::F64), "bits:0x7ff8000000000001");
        assert_eq!(written(0xff80_0000, Scalar::F32), "-inf");
        assert_eq!(written(5, Scalar::F128), "bits:0x5");
    }

    #[test]
    fn decimals_compare_by_value() {
        assert_eq!(compare_decimals("0.010", "1e-2"), Ordering::Equal);
        assert_eq!(compare_decimals("120", "12.1e1"), Ordering::Less);
        assert_eq!(compare_decimals("1e999999999999999999999", "1"), Ordering::Greater);
    }
}
