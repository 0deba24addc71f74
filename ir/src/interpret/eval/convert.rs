//! Conversions of lanes: from one scalar type to another.

use super::float::{decode, encode};
use super::int::signed;
use crate::constant::mask;
use crate::trap::TrapCode;
use crate::types::Scalar;

/// The types of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// The type of the operand's lanes.
    pub from: Scalar,
    /// The type of the result's lanes.
    pub to: Scalar,
}

impl Conversion {
    fn signed(self, a: u128) -> i128 {
        signed(self.from.bits(), a)
    }

    fn smallest(self) -> i128 {
        signed(self.to.bits(), 1 << (self.to.bits().max(1) - 1))
    }

    fn clamp_signed(self, number: i128) -> u128 {
        let min = self.smallest();
        number.clamp(min, !min) as u128 & mask(self.to.bits())
    }
}

/// `trunc` and `zext`.
pub fn cut(types: Conversion, a: u128) -> u128 {
    a & mask(types.to.bits())
}

/// `sext`.
pub fn sext(types: Conversion, a: u128) -> u128 {
    types.signed(a) as u128 & mask(types.to.bits())
}

/// `strunc_sat`.
pub fn strunc_sat(types: Conversion, a: u128) -> u128 {
    types.clamp_signed(types.signed(a))
}

/// `utrunc_sat`.
pub fn utrunc_sat(types: Conversion, a: u128) -> u128 {
    a.min(mask(types.to.bits()))
}

/// `strunc_trap`.
pub fn strunc_trap(types: Conversion, a: u128) -> Result<u128, TrapCode> {
    let (number, result) = (types.signed(a), cut(types, a));
    let fits = signed(types.to.bits(), result) == number;
    if fits { Ok(result) } else { Err(TrapCode::BadConversion) }
}

/// `utrunc_trap`.
pub fn utrunc_trap(types: Conversion, a: u128) -> Result<u128, TrapCode> {
    if a <= mask(types.to.bits()) { Ok(a) } else { Err(TrapCode::BadConversion) }
}

/// The whole number of that sign nearest to a lane of `to`, ties to even.
fn whole_to_float(to: Scalar, negative: bool, magnitude: u128) -> u128 {
    let value = if to == Scalar::F64 {
        magnitude as f64
    } else {
        // To 53 digits, a lost one setting the last: no second rounding of
        // fewer digits takes the result for a tie that it is not.
        let excess = (128 - magnitude.leading_zeros()).saturating_sub(53);
        let sticky = u128::from(magnitude & mask(excess) != 0);
        (((magnitude >> excess) | sticky) << excess) as f64
    };
    encode(to, if negative { -value } else { value })
}

/// `sitofp`.
pub fn sitofp(types: Conversion, a: u128) -> u128 {
    let number = types.signed(a);
    whole_to_float(types.to, number < 0, number.unsigned_abs())
}

/// `uitofp`.
pub fn uitofp(types: Conversion, a: u128) -> u128 {
    whole_to_float(types.to, false, a)
}

/// `fptosi_sat`. Rust's `as` rounds towards zero, saturates, and takes NaN for 0.
pub fn fptosi_sat(types: Conversion, a: u128) -> u128 {
    types.clamp_signed(decode(types.from, a) as i128)
}

/// `fptoui_sat`.
pub fn fptoui_sat(types: Conversion, a: u128) -> u128 {
    (decode(types.from, a) as u128).min(mask(types.to.bits()))
}

/// `fptosi_trap`.
pub fn fptosi_trap(types: Conversion, a: u128) -> Result<u128, TrapCode> {
    let number = decode(types.from, a).trunc();
    let limit = 2f64.powi(types.to.bits() as i32 - 1);
    let fits = number >= -limit && number < limit;
    if fits { Ok(fptosi_sat(types, a)) } else { Err(TrapCode::BadConversion) }
}

/// `fptoui_trap`.
pub fn fptoui_trap(types: Conversion, a: u128) -> Result<u128, TrapCode> {
    let number = decode(types.from, a).trunc();
    let fits = number >= 0.0 && number < 2f64.powi(types.to.bits() as i32);
    if fits { Ok(fptoui_sat(types, a)) } else { Err(TrapCode::BadConversion) }
}

/// `fptosi_wrap` and `fptoui_wrap`.
pub fn fp_wrap(types: Conversion, a: u128) -> u128 {
    let number = decode(types.from, a).trunc();
    if !number.is_finite() {
        return 0;
    }
    let raw = number.abs().to_bits();
    let significand = u128::from(raw) & mask(52) | (1 << 52);
    let magnitude = match (raw >> 52) as i32 - 1075 {
        // What is below 1 has become 0.
        ..=-53 => 0,
        exponent @ ..0 => significand >> -exponent,
        exponent @ 0..128 => significand << exponent,
        _ => 0,
    };
    let wrapped = if number < 0.0 { magnitude.wrapping_neg() } else { magnitude };
    wrapped & mask(types.to.bits())
}

/// `fptrunc` and `fpext`.
pub fn fp_resize(types: Conversion, a: u128) -> u128 {
    encode(types.to, decode(types.from, a))
}
