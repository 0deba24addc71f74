//! Integer arithmetic on lanes: numbers of 1 to 128 bits, zero above their
//! width in operands and results.

use crate::constant::mask;
use crate::trap::TrapCode;

/// A lane read as signed.
pub fn signed(bits: u32, a: u128) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    ((a << unused) as i128) >> unused
}

fn wrap(bits: u32, a: u128) -> u128 {
    a & mask(bits)
}

/// The smallest and the largest signed number.
fn signed_range(bits: u32) -> (i128, i128) {
    let max = (mask(bits) >> 1) as i128;
    (!max, max)
}

/// The number as a lane, if the width has it.
fn fit_signed(bits: u32, exact: Option<i128>) -> Option<u128> {
    let (min, max) = signed_range(bits);
    exact.filter(|r| (min..=max).contains(r)).map(|r| wrap(bits, r as u128))
}

fn fit_unsigned(bits: u32, exact: Option<u128>) -> Option<u128> {
    exact.filter(|&r| r <= mask(bits))
}

/// `add`.
pub fn add(bits: u32, a: u128, b: u128) -> u128 {
    wrap(bits, a.wrapping_add(b))
}

/// `sub`.
pub fn sub(bits: u32, a: u128, b: u128) -> u128 {
    wrap(bits, a.wrapping_sub(b))
}

/// `mul`.
pub fn mul(bits: u32, a: u128, b: u128) -> u128 {
    wrap(bits, a.wrapping_mul(b))
}

/// `neg`.
pub fn neg(bits: u32, a: u128) -> u128 {
    sub(bits, 0, a)
}

/// `abs`.
pub fn abs(bits: u32, a: u128) -> u128 {
    wrap(bits, signed(bits, a).unsigned_abs())
}

/// `smin`.
pub fn smin(bits: u32, a: u128, b: u128) -> u128 {
    if signed(bits, a) <= signed(bits, b) { a } else { b }
}

/// `smax`.
pub fn smax(bits: u32, a: u128, b: u128) -> u128 {
    if signed(bits, a) >= signed(bits, b) { a } else { b }
}

/// `umin`.
pub fn umin(_bits: u32, a: u128, b: u128) -> u128 {
    a.min(b)
}

/// `umax`.
pub fn umax(_bits: u32, a: u128, b: u128) -> u128 {
    a.max(b)
}

fn signed_sum(bits: u32, a: u128, b: u128) -> Option<u128> {
    fit_signed(bits, signed(bits, a).checked_add(signed(bits, b)))
}

fn signed_difference(bits: u32, a: u128, b: u128) -> Option<u128> {
    fit_signed(bits, signed(bits, a).checked_sub(signed(bits, b)))
}

fn signed_product(bits: u32, a: u128, b: u128) -> Option<u128> {
    fit_signed(bits, signed(bits, a).checked_mul(signed(bits, b)))
}

fn unsigned_sum(bits: u32, a: u128, b: u128) -> Option<u128> {
    fit_unsigned(bits, a.checked_add(b))
}

fn unsigned_difference(_bits: u32, a: u128, b: u128) -> Option<u128> {
    a.checked_sub(b)
}

fn unsigned_product(bits: u32, a: u128, b: u128) -> Option<u128> {
    fit_unsigned(bits, a.checked_mul(b))
}

/// The bound on the side of the sign.
fn signed_bound(bits: u32, sign: i128) -> u128 {
    let (min, max) = signed_range(bits);
    wrap(bits, if sign < 0 { min } else { max } as u128)
}

/// `sadd_sat`: both operands have the sign of a sum that does not fit.
pub fn sadd_sat(bits: u32, a: u128, b: u128) -> u128 {
    signed_sum(bits, a, b).unwrap_or_else(|| signed_bound(bits, signed(bits, a)))
}

/// `ssub_sat`: the first operand has the sign of a difference that does not fit.
pub fn ssub_sat(bits: u32, a: u128, b: u128) -> u128 {
    signed_difference(bits, a, b).unwrap_or_else(|| signed_bound(bits, signed(bits, a)))
}

/// `uadd_sat`.
pub fn uadd_sat(bits: u32, a: u128, b: u128) -> u128 {
    unsigned_sum(bits, a, b).unwrap_or(mask(bits))
}

/// `usub_sat`.
pub fn usub_sat(_bits: u32, a: u128, b: u128) -> u128 {
    a.saturating_sub(b)
}

/// `umulhi`.
pub fn umulhi(bits: u32, a: u128, b: u128) -> u128 {
    let (a, b) = (wrap(bits, a), wrap(bits, b));
    if bits <= 64 {
        return (a * b) >> bits;
    }
    let (a1, a0, b1, b0) = (a >> 64, a & mask(64), b >> 64, b & mask(64));
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let carried = a0 * b1 + (middle & mask(64));
    a1 * b1 + (middle >> 64) + (carried >> 64)
}

/// `smulhi`. Reading an operand as unsigned adds 2^bits to a negative one,
/// and so the other operand to the upper half.
pub fn smulhi(bits: u32, a: u128, b: u128) -> u128 {
    let excess = |x: u128, other: u128| if signed(bits, x) < 0 { other } else { 0 };
    sub(bits, sub(bits, umulhi(bits, a, b), excess(a, b)), excess(b, a))
}

fn divisor(bits: u32, b: u128) -> Result<u128, TrapCode> {
    // Cut to the width, so that it is not zero as signed either.
    if wrap(bits, b) == 0 { Err(TrapCode::DivisionByZero) } else { Ok(wrap(bits, b)) }
}

/// `sdiv`.
pub fn sdiv(bits: u32, a: u128, b: u128) -> Result<u128, TrapCode> {
    let quotient = signed(bits, a).checked_div(signed(bits, divisor(bits, b)?));
    fit_signed(bits, quotient).ok_or(TrapCode::IntegerOverflow)
}

/// `udiv`.
pub fn udiv(bits: u32, a: u128, b: u128) -> Result<u128, TrapCode> {
    Ok(a / divisor(bits, b)?)
}

/// `srem`.
pub fn srem(bits: u32, a: u128, b: u128) -> Result<u128, TrapCode> {
    let rest = signed(bits, a).wrapping_rem(signed(bits, divisor(bits, b)?));
    Ok(wrap(bits, rest as u128))
}

/// `urem`.
pub fn urem(bits: u32, a: u128, b: u128) -> Result<u128, TrapCode> {
    Ok(a % divisor(bits, b)?)
}

macro_rules! trapping {
    ($($name:ident by $exact:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub fn $name(bits: u32, a: u128, b: u128) -> Result<u128, TrapCode> {
            $exact(bits, a, b).ok_or(TrapCode::IntegerOverflow)
        }
    )*};
}

trapping! {
    sadd_trap by signed_sum;
    ssub_trap by signed_difference;
    smul_trap by signed_product;
    uadd_trap by unsigned_sum;
    usub_trap by unsigned_difference;
    umul_trap by unsigned_product;
}

macro_rules! reporting {
    ($($name:ident by $exact:ident or $wrapped:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub fn $name(bits: u32, a: u128, b: u128) -> (u128, bool) {
            ($wrapped(bits, a, b), $exact(bits, a, b).is_none())
        }
    )*};
}

reporting! {
    sadd_overflow by signed_sum or add;
    ssub_overflow by signed_difference or sub;
    smul_overflow by signed_product or mul;
    uadd_overflow by unsigned_sum or add;
    usub_overflow by unsigned_difference or sub;
    umul_overflow by unsigned_product or mul;
}
