//! Bit patterns of lanes, zero above their width in operands and results.

use super::int::signed;
use crate::constant::mask;

/// `and`.
pub fn and(_bits: u32, a: u128, b: u128) -> u128 {
    a & b
}

/// `or`.
pub fn or(_bits: u32, a: u128, b: u128) -> u128 {
    a | b
}

/// `xor`.
pub fn xor(_bits: u32, a: u128, b: u128) -> u128 {
    a ^ b
}

/// `not`.
pub fn not(bits: u32, a: u128) -> u128 {
    !a & mask(bits)
}

/// `shl`.
pub fn shl(bits: u32, a: u128, b: u128) -> u128 {
    if b < u128::from(bits) { (a << b) & mask(bits) } else { 0 }
}

/// `lshr`.
pub fn lshr(bits: u32, a: u128, b: u128) -> u128 {
    if b < u128::from(bits) { a >> b } else { 0 }
}

/// `ashr`.
pub fn ashr(bits: u32, a: u128, b: u128) -> u128 {
    let count = b.min(u128::from(bits.max(1) - 1));
    (signed(bits, a) >> count) as u128 & mask(bits)
}

/// `rotl`.
pub fn rotl(bits: u32, a: u128, b: u128) -> u128 {
    fshl(bits, a, a, b)
}

/// `rotr`.
pub fn rotr(bits: u32, a: u128, b: u128) -> u128 {
    fshr(bits, a, a, b)
}

/// `fshl`.
pub fn fshl(bits: u32, a: u128, b: u128, c: u128) -> u128 {
    let count = c % u128::from(bits.max(1));
    if count == 0 { a } else { shl(bits, a, count) | lshr(bits, b, u128::from(bits) - count) }
}

/// `fshr`.
pub fn fshr(bits: u32, a: u128, b: u128, c: u128) -> u128 {
    let count = c % u128::from(bits.max(1));
    if count == 0 { b } else { shl(bits, a, u128::from(bits) - count) | lshr(bits, b, count) }
}

/// `popcount`.
pub fn popcount(_bits: u32, a: u128) -> u128 {
    a.count_ones().into()
}

/// `clz`.
pub fn clz(bits: u32, a: u128) -> u128 {
    a.leading_zeros().saturating_sub(128 - bits.min(128)).into()
}

/// `ctz`.
pub fn ctz(bits: u32, a: u128) -> u128 {
    a.trailing_zeros().min(bits).into()
}

/// `bswap`.
pub fn bswap(bits: u32, a: u128) -> u128 {
    a.swap_bytes() >> (128 - bits.clamp(1, 128))
}

/// `bitreverse`.
pub fn bitreverse(bits: u32, a: u128) -> u128 {
    a.reverse_bits() >> (128 - bits.clamp(1, 128))
}
