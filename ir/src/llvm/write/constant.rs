//! Constants, without their type.

use super::types::scalar_text;
use crate::constant::{Constant, ConstantBits};
use crate::interpret::eval::int::signed;
use crate::types::Scalar;

/// The text of a constant.
pub(super) fn constant_text(constant: &Constant) -> String {
    let lane = constant.ty().lane();
    match (constant.bits(), lane) {
        (ConstantBits::Scalar(bits), Some(scalar)) => scalar_constant(scalar, *bits),
        // A reference to a function has one constant.
        (ConstantBits::Scalar(_), None) => "null".to_owned(),
        (ConstantBits::Lanes(lanes), Some(lane)) if lanes.len() == 1 => {
            scalar_constant(lane, lanes[0])
        }
        (ConstantBits::Lanes(lanes), Some(lane)) if lanes.iter().any(|&bits| bits != 0) => {
            let text = scalar_text(lane);
            let lanes = lanes.iter().map(|&bits| format!("{text} {}", scalar_constant(lane, bits)));
            format!("<{}>", lanes.collect::<Vec<_>>().join(", "))
        }
        (ConstantBits::Lanes(_) | ConstantBits::Zero, _) => "zeroinitializer".to_owned(),
    }
}

/// The text of a scalar of those bits.
pub(super) fn scalar_constant(scalar: Scalar, bits: u128) -> String {
    match scalar {
        Scalar::I1 => if bits & 1 == 1 { "true" } else { "false" }.to_owned(),
        Scalar::F16 => format!("0xH{bits:04X}"),
        Scalar::F32 => single_constant(bits as u32),
        Scalar::F64 => format!("0x{bits:016X}"),
        // The lower half comes first.
        Scalar::F128 => format!("0xL{:016X}{:016X}", bits as u64, (bits >> 64) as u64),
        Scalar::Ptr if bits != 0 => format!("inttoptr (i64 {} to ptr)", bits as i64),
        scalar if scalar.is_address() => "null".to_owned(),
        scalar => signed(scalar.bits(), bits).to_string(),
    }
}

/// Floats are spelled as doubles, which a NaN does not survive in every version.
fn single_constant(bits: u32) -> String {
    match f32::from_bits(bits) {
        number if number.is_nan() => format!("bitcast (i32 {} to float)", bits as i32),
        number => format!("0x{:016X}", f64::from(number).to_bits()),
    }
}
