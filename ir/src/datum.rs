//! Values at run time: what the interpreter computes with, and what untyped
//! calls take and give.

use crate::constant::{Constant, ConstantBits};
use crate::types::{Type, TypePool};

/// A value at run time, without its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Datum {
    /// A scalar, an address or a function reference: its bits, zero above its width.
    Scalar(u128),
    /// A vector: the bits of each lane.
    Lanes(Box<[u128]>),
    /// A struct or array: its fields.
    Fields(Box<[Datum]>),
}

impl Datum {
    /// The value of `ty` whose bits are all zero.
    pub fn zero(types: &TypePool, ty: Type) -> Datum {
        if ty.is_aggregate() {
            let count = types.field_count(ty);
            let field =
                |i| types.field(ty, i).map_or(Datum::Scalar(0), |ty| Datum::zero(types, ty));
            return Datum::Fields((0..count).map(field).collect());
        }
        if ty.is_vector() {
            return Datum::Lanes(vec![0; ty.lanes() as usize].into());
        }
        Datum::Scalar(0)
    }

    /// The value of a constant.
    pub fn from_constant(types: &TypePool, constant: &Constant) -> Datum {
        match constant.bits() {
            ConstantBits::Scalar(bits) => Datum::Scalar(*bits),
            ConstantBits::Lanes(lanes) => Datum::Lanes(lanes.clone()),
            ConstantBits::Zero => Datum::zero(types, constant.ty()),
        }
    }

    /// The bits of a scalar; 0 for anything else.
    pub fn bits(&self) -> u128 {
        match self {
            Datum::Scalar(bits) => *bits,
            _ => 0,
        }
    }

    /// The lanes of a vector, or the one of a scalar.
    pub fn lanes(&self) -> &[u128] {
        match self {
            Datum::Scalar(bits) => std::slice::from_ref(bits),
            Datum::Lanes(lanes) => lanes,
            Datum::Fields(_) => &[],
        }
    }
}

impl From<bool> for Datum {
    fn from(value: bool) -> Datum {
        Datum::Scalar(value.into())
    }
}

macro_rules! from_ints {
    ($($int:ty as $unsigned:ty),*) => {$(
        impl From<$int> for Datum {
            fn from(value: $int) -> Datum {
                Datum::Scalar(value as $unsigned as u128)
            }
        }
    )*};
}

from_ints!(i8 as u8, i16 as u16, i32 as u32, i64 as u64, i128 as u128);
from_ints!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, u128 as u128);

impl From<f32> for Datum {
    fn from(value: f32) -> Datum {
        Datum::Scalar(value.to_bits().into())
    }
}

impl From<f64> for Datum {
    fn from(value: f64) -> Datum {
        Datum::Scalar(value.to_bits().into())
    }
}
