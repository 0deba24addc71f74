//! Integers and floats as a text spells them.

use half::{bf16, f16};

use crate::llvm::syntax::TypeData;

/// Why a number is none of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberError {
    /// It is not spelled as one.
    Spelling,
    /// The type has no such value, or another spelling for it.
    Inexact,
    /// More digits than are read.
    Long,
}

/// The bits of an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum IntegerBits {
    /// Cut to the type's width.
    Word(u128),
    /// Lowest word first; those that are not there are copies of the last one's sign.
    Words(Box<[u128]>),
}

/// As many digits as the widest integers that anyone writes out have.
const MAX_DIGITS: usize = 1000;

/// What the lowest `bits` bits of a word hold.
pub(super) fn cut(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The bits of a decimal integer of a type with `bits` bits. As in LLVM, what does not fit
/// is cut off.
pub(super) fn decimal_integer(text: &str, bits: u32) -> Result<IntegerBits, NumberError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_negative = digits.len() != text.len();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Spelling);
    }
    if bits > 128 && digits.len() > 38 {
        return wide_integer(digits.as_bytes(), 10, is_negative).map(IntegerBits::Words);
    }
    let value = digits
        .bytes()
        .fold(0_u128, |value, digit| value.wrapping_mul(10).wrapping_add(u128::from(digit - b'0')));
    let value = if is_negative { value.wrapping_neg() } else { value };
    Ok(match bits > 128 {
        true => IntegerBits::Words(Box::new([value])),
        false => IntegerBits::Word(cut(value, bits)),
    })
}

/// The bits of `u0x…` or `s0x…` in a type with `bits` bits. The highest bit that is set
/// is the sign of the latter.
pub(super) fn hex_integer(text: &str, bits: u32) -> Result<IntegerBits, NumberError> {
    let digits = text.get(3..).filter(|digits| !digits.is_empty());
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let digits = digits.ok_or(NumberError::Spelling)?.trim_start_matches('0');
    let is_signed = text.starts_with('s') && !digits.is_empty();
    if bits > 128 {
        let mut words = wide_integer(digits.as_bytes(), 16, false)?.into_vec();
        let highest = words.iter().rposition(|&word| word != 0).unwrap_or(0);
        if is_signed {
            words.truncate(highest + 1);
            words[highest] |= (!0_u128).unbounded_shl(128 - words[highest].leading_zeros());
        }
        return Ok(IntegerBits::Words(words.into()));
    }
    let value = digits
        .chars()
        .fold(0_u128, |value, digit| value << 4 | u128::from(digit.to_digit(16).unwrap_or(0)));
    let sign = match is_signed && digits.len() <= 32 {
        true => (!0_u128).unbounded_shl(128 - value.leading_zeros()),
        false => 0,
    };
    Ok(IntegerBits::Word(cut(value | sign, bits)))
}

/// The words of an integer of any size, with one for the sign.
fn wide_integer(digits: &[u8], radix: u32, is_negative: bool) -> Result<Box<[u128]>, NumberError> {
    if digits.len() > MAX_DIGITS {
        return Err(NumberError::Long);
    }
    let mut halves: Vec<u64> = Vec::with_capacity(digits.len() / 16 + 3);
    for digit in digits {
        let mut carry = u128::from(char::from(*digit).to_digit(radix).unwrap_or(0));
        for half in &mut halves {
            carry += u128::from(*half) * u128::from(radix);
            *half = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            halves.push(carry as u64);
        }
    }
    // One more word at least, which holds the sign.
    halves.resize(halves.len() / 2 * 2 + 2, 0);
    let mut carry = is_negative;
    let words = halves.chunks_exact(2).map(|pair| {
        let word = u128::from(pair[1]) << 64 | u128::from(pair[0]);
        if !is_negative {
            return word;
        }
        let (word, carries) = (!word).overflowing_add(u128::from(carry));
        carry = carries;
        word
    });
    Ok(words.collect())
}

/// The bits of a float with a point, in the format of `ty`. As in LLVM, it is a double
/// first, and the narrower formats take only what they hold exactly.
pub(super) fn decimal_float(text: &str, ty: &TypeData) -> Result<u128, NumberError> {
    let value: f64 = text.parse().map_err(|_| NumberError::Spelling)?;
    narrowed(value.to_bits(), ty)
}

/// The bits of `0x…`, in the format of `ty`.
pub(super) fn hex_float(text: &str, ty: &TypeData) -> Result<u128, NumberError> {
    let (letter, digits) = match text.as_bytes().get(2) {
        Some(&letter @ (b'K' | b'L' | b'M' | b'H' | b'R')) => (letter, &text[3..]),
        _ => (0, text.get(2..).unwrap_or("")),
    };
    let read = |digits: &str| u128::from_str_radix(digits, 16).map_err(|_| NumberError::Spelling);
    let exactly = |length: usize| match digits.len() == length {
        true => read(digits),
        false => Err(NumberError::Spelling),
    };
    match (letter, ty) {
        (0, _) if digits.len() <= 16 => narrowed(read(digits)? as u64, ty),
        (b'H', TypeData::Half) | (b'R', TypeData::Bfloat) => exactly(4),
        (b'K', TypeData::X86Fp80) => exactly(20),
        // The low half stands first.
        (b'L', TypeData::Fp128) => exactly(32).map(|bits| bits.rotate_left(64)),
        (0, _) => Err(NumberError::Spelling),
        _ => Err(NumberError::Inexact),
    }
}

/// The bits of a double in the format of `ty`, if that has the value.
fn narrowed(bits: u64, ty: &TypeData) -> Result<u128, NumberError> {
    let value = f64::from_bits(bits);
    // How many bits of the fraction, and bits with the exponent, the format has.
    let (fraction, width) = match ty {
        TypeData::Double => return Ok(u128::from(bits)),
        TypeData::Float => (23, 32),
        TypeData::Half => (10, 16),
        TypeData::Bfloat => (7, 16),
        _ => return Err(NumberError::Inexact),
    };
    if value.is_nan() {
        return narrowed_nan(bits, fraction, width);
    }
    let (narrow, back) = match ty {
        TypeData::Float => (u128::from((value as f32).to_bits()), f64::from(value as f32)),
        TypeData::Half => {
            let half = f16::from_f64(value);
            (u128::from(half.to_bits()), half.to_f64())
        }
        _ => {
            let half = bf16::from_f64(value);
            (u128::from(half.to_bits()), half.to_f64())
        }
    };
    match back.to_bits() == bits {
        true => Ok(narrow),
        false => Err(NumberError::Inexact),
    }
}

/// A NaN keeps the highest bits of its payload; the others are zero, or it is refused.
fn narrowed_nan(bits: u64, fraction: u32, width: u32) -> Result<u128, NumberError> {
    let payload = bits & ((1 << 52) - 1);
    let kept = payload >> (52 - fraction);
    if kept << (52 - fraction) != payload {
        return Err(NumberError::Inexact);
    }
    let exponent = ((1_u64 << (width - 1)) - 1) & !((1 << fraction) - 1);
    Ok(u128::from(bits >> 63 << (width - 1) | exponent | kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(value: u128) -> Result<IntegerBits, NumberError> {
        Ok(IntegerBits::Word(value))
    }

    fn words(words: &[u128]) -> Result<IntegerBits, NumberError> {
        Ok(IntegerBits::Words(words.into()))
    }

    #[test]
    fn integers_are_cut_to_their_width() {
        assert_eq!(decimal_integer("300", 8), word(44));
        assert_eq!(decimal_integer("-300", 8), word(212));
        assert_eq!(decimal_integer("-1", 128), word(u128::MAX));
        assert_eq!(decimal_integer("340282366920938463463374607431768211457", 64), word(1));
        assert_eq!(decimal_integer("-", 8), Err(NumberError::Spelling));
        assert_eq!(hex_integer("u0xFFFFFFFF1", 32), word(0xffff_fff1));
        assert_eq!(hex_integer("s0x0F", 32), word(0xffff_ffff));
        assert_eq!(hex_integer("s0x7", 16), word(0xffff));
        assert_eq!(hex_integer("s0x8", 16), word(0xfff8));
        assert_eq!(hex_integer("s0x00", 16), word(0));
        assert_eq!(hex_integer("u0xg", 16), Err(NumberError::Spelling));
    }

    #[test]
    fn wide_integers_are_words() {
        assert_eq!(decimal_integer("-5", 200), words(&[(-5_i128).cast_unsigned()]));
        assert_eq!(decimal_integer("340282366920938463463374607431768211456", 256), words(&[0, 1]));
        assert_eq!(
            decimal_integer("-340282366920938463463374607431768211457", 256),
            words(&[u128::MAX, (-2_i128).cast_unsigned()])
        );
        assert_eq!(hex_integer("u0xF00000000000000000000000000000000", 256), words(&[0, 15]));
        assert_eq!(hex_integer("s0x8", 256), words(&[(-8_i128).cast_unsigned()]));
        let long = "1".repeat(MAX_DIGITS + 1);
        assert_eq!(decimal_integer(&long, 4096), Err(NumberError::Long));
    }

    #[test]
    fn floats_are_taken_if_their_format_has_them() {
        assert_eq!(decimal_float("1.5", &TypeData::Half), Ok(0x3e00));
        assert_eq!(decimal_float("-2.e0", &TypeData::Float), Ok(0xc000_0000));
        assert_eq!(decimal_float("0.1", &TypeData::Float), Err(NumberError::Inexact));
        assert_eq!(decimal_float("0.1", &TypeData::Double), Ok(u128::from(0.1_f64.to_bits())));
        assert_eq!(decimal_float("1.0e400", &TypeData::Float), Ok(0x7f80_0000));
        assert_eq!(decimal_float("1.0", &TypeData::Fp128), Err(NumberError::Inexact));
    }

    #[test]
    fn hexadecimal_floats_are_bits() {
        assert_eq!(hex_float("0x3FF0000000000000", &TypeData::Float), Ok(0x3f80_0000));
        assert_eq!(hex_float("0x7FF0000020000000", &TypeData::Float), Ok(0x7f80_0001));
        assert_eq!(hex_float("0xFFF8000000000000", &TypeData::Bfloat), Ok(0xffc0));
        assert_eq!(hex_float("0x7FF0000000000001", &TypeData::Float), Err(NumberError::Inexact));
        assert_eq!(hex_float("0x1", &TypeData::Double), Ok(1));
        assert_eq!(hex_float("0xH3C00", &TypeData::Half), Ok(0x3c00));
        assert_eq!(hex_float("0xH3C00", &TypeData::Float), Err(NumberError::Inexact));
        assert_eq!(hex_float("0xK3FFF8000000000000000", &TypeData::X86Fp80), Ok(0x3fff_8000 << 48));
        let one = "0xL00000000000000003FFF000000000000";
        assert_eq!(hex_float(one, &TypeData::Fp128), Ok(0x3fff << 112));
        assert_eq!(hex_float("0xK3FFF", &TypeData::X86Fp80), Err(NumberError::Spelling));
    }
}
