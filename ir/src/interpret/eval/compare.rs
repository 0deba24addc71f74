//! Conditions on lanes.

use super::float::decode;
use super::int::signed;
use crate::attribute::{FloatCond, IntCond};
use crate::types::Scalar;

/// `icmp`, on lanes of that many bits.
pub fn icmp(cond: IntCond, bits: u32, a: u128, b: u128) -> bool {
    let (x, y) = (signed(bits, a), signed(bits, b));
    match cond {
        IntCond::Eq => a == b,
        IntCond::Ne => a != b,
        IntCond::Slt => x < y,
        IntCond::Sle => x <= y,
        IntCond::Sgt => x > y,
        IntCond::Sge => x >= y,
        IntCond::Ult => a < b,
        IntCond::Ule => a <= b,
        IntCond::Ugt => a > b,
        IntCond::Uge => a >= b,
    }
}

/// `fcmp`, on lanes of that format.
pub fn fcmp(cond: FloatCond, format: Scalar, a: u128, b: u128) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = decode(format, a).partial_cmp(&decode(format, b));
    match cond {
        FloatCond::Oeq => order == Some(Equal),
        FloatCond::One => matches!(order, Some(Less | Greater)),
        FloatCond::Olt => order == Some(Less),
        FloatCond::Ole => matches!(order, Some(Less | Equal)),
        FloatCond::Ogt => order == Some(Greater),
        FloatCond::Oge => matches!(order, Some(Greater | Equal)),
        FloatCond::Ord => order.is_some(),
        FloatCond::Ueq => matches!(order, None | Some(Equal)),
        FloatCond::Une => order != Some(Equal),
        FloatCond::Ult => matches!(order, None | Some(Less)),
        FloatCond::Ule => order != Some(Greater),
        FloatCond::Ugt => matches!(order, None | Some(Greater)),
        FloatCond::Uge => order != Some(Less),
        FloatCond::Uno => order.is_none(),
    }
}
