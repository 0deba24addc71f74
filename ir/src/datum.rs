//! Values at run time: what the interpreter computes with, and what untyped
//! calls take and give.

use crate::constant::{Constant, ConstantBits, mask};
use crate::types::{MAX_LEAVES, Scalar, Type, TypeKind, TypePool};

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
    ///
    /// Values of verified functions have [`MAX_LEAVES`] parts at most. Of a type
    /// with more, this is an aggregate without fields, which does not fit it.
    pub fn zero(types: &TypePool, ty: Type) -> Datum {
        if ty.is_aggregate() {
            let count = held_fields(types, ty);
            let field =
                |i| types.field(ty, i).map_or(Datum::Scalar(0), |ty| Datum::zero(types, ty));
            return Datum::Fields((0..count).map(field).collect());
        }
        if ty.is_vector() {
            return Datum::Lanes(vec![0; ty.lanes() as usize].into());
        }
        Datum::Scalar(0)
    }

    /// The value of a constant; of one that is too large, as [`Datum::zero`].
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

    /// Whether it is a value of `ty`: of its shape, and zero above the width.
    pub fn fits(&self, types: &TypePool, ty: Type) -> bool {
        let is_narrow = |bits: u128, lane: Scalar| bits & !mask(lane.bits()) == 0;
        match (self, ty.kind()) {
            (Datum::Scalar(bits), TypeKind::Scalar(scalar)) => is_narrow(*bits, scalar),
            (Datum::Scalar(bits), TypeKind::Function(_)) => is_narrow(*bits, Scalar::Ptr),
            (Datum::Lanes(lanes), TypeKind::Vector(lane, count)) => {
                lanes.len() == usize::from(count) && lanes.iter().all(|&bits| is_narrow(bits, lane))
            }
            (Datum::Fields(fields), TypeKind::Aggregate(_)) => {
                let field = |(index, field): (u64, &Datum)| {
                    types.field(ty, index).is_some_and(|ty| field.fits(types, ty))
                };
                fields.len() as u64 == types.field_count(ty) && (0..).zip(fields).all(field)
            }
            _ => false,
        }
    }
}

impl Datum {
    /// Whether both are the same value of `ty`: bit for bit, but that a float
    /// which is a NaN may be any NaN. What engines must agree on.
    pub fn agrees(&self, other: &Datum, types: &TypePool, ty: Type) -> bool {
        if let (Datum::Fields(own), Datum::Fields(others)) = (self, other) {
            let field = |(index, (own, other)): (u64, (&Datum, &Datum))| {
                types.field(ty, index).is_some_and(|ty| own.agrees(other, types, ty))
            };
            return own.len() == others.len() && (0..).zip(own.iter().zip(others)).all(field);
        }
        let both_nan = |a, b| ty.lane().is_some_and(|lane| is_nan(lane, a) && is_nan(lane, b));
        let mut lanes = self.lanes().iter().zip(other.lanes());
        self.lanes().len() == other.lanes().len() && lanes.all(|(&a, &b)| a == b || both_nan(a, b))
    }
}

/// How many fields a value of an aggregate type is made with: none if it has
/// too many parts, before any is made.
fn held_fields(types: &TypePool, ty: Type) -> u64 {
    if types.leaf_count(ty) > MAX_LEAVES { 0 } else { types.field_count(ty) }
}

/// Whether the bits are those of a NaN.
fn is_nan(scalar: Scalar, bits: u128) -> bool {
    let infinity = match scalar {
        Scalar::F16 => 0x7c00,
        Scalar::Bf16 => 0x7f80,
        Scalar::F32 => 0x7f80_0000,
        Scalar::F64 => 0x7ff0 << 48,
        _ => return false,
    };
    bits & mask(scalar.bits() - 1) > infinity
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

/// Values in memory, as [`TypePool::layout`] places them, lowest byte first.
impl Datum {
    /// The value of `ty` that stands in `bytes`; missing bytes read as zero. Of
    /// a type with too many parts, as [`Datum::zero`].
    pub fn from_bytes(types: &TypePool, ty: Type, bytes: &[u8]) -> Datum {
        match ty.kind() {
            TypeKind::Aggregate(_) => {
                let count = held_fields(types, ty) as usize;
                let fields = types.placed_fields(ty).take(count).map(|(field, offset)| {
                    let bytes = bytes.get(offset as usize..);
                    bytes.map_or(Datum::Scalar(0), |bytes| Datum::from_bytes(types, field, bytes))
                });
                Datum::Fields(fields.collect())
            }
            TypeKind::Vector(Scalar::I1, lanes) => {
                let bit =
                    |lane: usize| bytes.get(lane / 8).map_or(0, |byte| byte >> (lane % 8) & 1);
                Datum::Lanes((0..usize::from(lanes)).map(|lane| bit(lane).into()).collect())
            }
            TypeKind::Vector(lane, lanes) => {
                let size = lane.layout().size as usize;
                let at = |index: usize| read_scalar(lane, bytes.get(index * size..).unwrap_or(&[]));
                Datum::Lanes((0..usize::from(lanes)).map(at).collect())
            }
            TypeKind::Scalar(scalar) => Datum::Scalar(read_scalar(scalar, bytes)),
            TypeKind::Function(_) => Datum::Scalar(read_scalar(Scalar::Ptr, bytes)),
            TypeKind::None => Datum::Scalar(0),
        }
    }

    /// Puts the value of `ty` into `bytes`; what does not fit is left out.
    pub fn write_bytes(&self, types: &TypePool, ty: Type, bytes: &mut [u8]) {
        match (ty.kind(), self) {
            (TypeKind::Aggregate(_), Datum::Fields(fields)) => {
                for (datum, (field, offset)) in fields.iter().zip(types.placed_fields(ty)) {
                    if let Some(bytes) = bytes.get_mut(offset as usize..) {
                        datum.write_bytes(types, field, bytes);
                    }
                }
            }
            (TypeKind::Vector(Scalar::I1, _), Datum::Lanes(lanes)) => {
                for (lane, bit) in lanes.iter().enumerate() {
                    if let Some(byte) = bytes.get_mut(lane / 8) {
                        let bit = (*bit as u8 & 1) << (lane % 8);
                        *byte = (*byte & !(1 << (lane % 8))) | bit;
                    }
                }
            }
            (TypeKind::Vector(lane, _), Datum::Lanes(lanes)) => {
                let size = lane.layout().size as usize;
                for (chunk, bits) in bytes.chunks_mut(size).zip(lanes) {
                    write_scalar(lane, *bits, chunk);
                }
            }
            (TypeKind::Scalar(scalar), Datum::Scalar(bits)) => write_scalar(scalar, *bits, bytes),
            (TypeKind::Function(_), Datum::Scalar(bits)) => write_scalar(Scalar::Ptr, *bits, bytes),
            _ => {}
        }
    }
}

fn read_scalar(scalar: Scalar, bytes: &[u8]) -> u128 {
    let size = (scalar.layout().size as usize).min(bytes.len());
    let mut all = [0; 16];
    all[..size].copy_from_slice(&bytes[..size]);
    u128::from_le_bytes(all) & mask(scalar.bits())
}

fn write_scalar(scalar: Scalar, bits: u128, bytes: &mut [u8]) {
    let size = (scalar.layout().size as usize).min(bytes.len());
    bytes[..size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Packing;

    fn round_trip(types: &TypePool, ty: Type, datum: &Datum) -> Vec<u8> {
        let mut bytes = vec![0xff; types.layout(ty).size as usize];
        datum.write_bytes(types, ty, &mut bytes);
        assert_eq!(&Datum::from_bytes(types, ty, &bytes), datum);
        bytes
    }

    #[test]
    fn values_agree_bit_for_bit_but_for_nans() {
        let mut types = TypePool::default();
        let agree = |a: Datum, b: Datum, ty: Type| a.agrees(&b, &TypePool::default(), ty);
        assert!(agree(f64::NAN.into(), (-f64::NAN).into(), Type::F64));
        assert!(!agree(f64::NAN.into(), f64::INFINITY.into(), Type::F64));
        assert!(!agree(0.0f64.into(), (-0.0f64).into(), Type::F64));
        assert!(!agree(f64::NAN.to_bits().into(), (-f64::NAN).to_bits().into(), Type::I64));
        let pair = types.structure(&[Type::F32, Type::I8], Packing::Natural).unwrap();
        let value = |x: f32, y: i8| Datum::Fields([x.into(), y.into()].into());
        assert!(value(f32::NAN, 1).agrees(&value(-f32::NAN, 1), &types, pair));
        assert!(!value(f32::NAN, 1).agrees(&value(f32::NAN, 2), &types, pair));
        let halves = Type::vector(Scalar::F16, 2).unwrap();
        let lanes = |a, b| Datum::Lanes([a, b].into());
        assert!(lanes(0x7e01, 1).agrees(&lanes(0xfe00, 1), &types, halves));
        assert!(!lanes(0x7e01, 1).agrees(&Datum::Lanes([0x7e01].into()), &types, halves));
    }

    #[test]
    fn scalars_stand_lowest_byte_first() {
        let types = TypePool::default();
        assert_eq!(round_trip(&types, Type::I32, &Datum::from(0x0102_0304)), [4, 3, 2, 1]);
        assert_eq!(round_trip(&types, Type::I1, &Datum::from(true)), [1]);
        assert_eq!(Datum::from_bytes(&types, Type::I1, &[0xfe]), Datum::from(false));
        assert_eq!(Datum::from_bytes(&types, Type::I64, &[7]), Datum::from(7i64));
    }

    #[test]
    fn masks_stand_one_bit_a_lane() {
        let types = TypePool::default();
        let ty = Type::vector(Scalar::I1, 9).unwrap();
        let lanes = Datum::Lanes([1, 0, 1, 0, 0, 0, 0, 0, 1].into());
        let bytes = round_trip(&types, ty, &lanes);
        assert_eq!([bytes[0], bytes[1] & 1], [5, 1]);
    }

    #[test]
    fn fields_stand_at_their_offsets() {
        let mut types = TypePool::default();
        let inner = types.array(Type::I16, 2).unwrap();
        let ty = types.structure(&[Type::I8, inner], Packing::Natural).unwrap();
        let inner = Datum::Fields([Datum::from(1i16), Datum::from(2i16)].into());
        let datum = Datum::Fields([Datum::from(7i8), inner].into());
        let bytes = round_trip(&types, ty, &datum);
        assert_eq!([bytes[0], bytes[2], bytes[4]], [7, 1, 2]);
    }

    #[test]
    fn a_value_of_too_many_parts_is_never_made() {
        let mut types = TypePool::default();
        let nothing = types.structure(&[], Packing::Natural).unwrap();
        let endless = types.array(nothing, u64::MAX).unwrap();
        let most = types.array(Type::I8, MAX_LEAVES).unwrap();
        for made in [Datum::zero(&types, endless), Datum::from_bytes(&types, endless, &[])] {
            assert_eq!(made, Datum::Fields([].into()));
            assert!(!made.fits(&types, endless));
        }
        assert!(Datum::zero(&types, most).fits(&types, most));
    }

    #[test]
    fn a_value_fits_its_type_only() {
        let mut types = TypePool::default();
        let pair = types.structure(&[Type::I8, Type::F64], Packing::Natural).unwrap();
        let value = Datum::Fields([Datum::from(1i8), Datum::from(1.0)].into());
        assert!(value.fits(&types, pair));
        assert!(!value.fits(&types, Type::I8));
        assert!(!Datum::from(256i16).fits(&types, Type::I8));
        assert!(!Datum::Fields([Datum::from(1i8)].into()).fits(&types, pair));
    }
}
