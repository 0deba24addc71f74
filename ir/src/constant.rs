//! Constants: values without a place, interned by type and bits.

use crate::types::{Scalar, Type};

/// The bits of a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstantBits {
    /// A scalar, or a null function reference: its bits, zero above its width.
    Scalar(u128),
    /// A vector: the bits of each lane.
    Lanes(Box<[u128]>),
    /// An aggregate whose bytes are all zero.
    Zero,
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    ty: Type,
    bits: ConstantBits,
}

/// The low `bits` of a number.
pub(crate) const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Constant {
    /// The scalar of `ty` with those bits, cut to its width. Managed kinds and
    /// function references have one constant, null: any other bits are `None`.
    pub fn scalar(ty: Type, bits: u128) -> Option<Constant> {
        let bits = match ty.as_scalar() {
            Some(Scalar::Token) => return None,
            Some(scalar) if scalar.is_managed() => (bits == 0).then_some(0)?,
            Some(scalar) => bits & mask(scalar.bits()),
            None => ty.signature().and((bits == 0).then_some(0))?,
        };
        Some(Constant { ty, bits: ConstantBits::Scalar(bits) })
    }

    /// The vector of `ty` with those lanes, each cut to its width.
    pub fn vector(ty: Type, lanes: impl IntoIterator<Item = u128>) -> Option<Constant> {
        let lane = ty.lane().filter(|_| ty.is_vector())?;
        let width = mask(if lane == Scalar::Ref { 0 } else { lane.bits() });
        let bits: Box<[u128]> = lanes.into_iter().map(|bits| bits & width).collect();
        let fits = bits.len() == ty.lanes() as usize;
        fits.then_some(Constant { ty, bits: ConstantBits::Lanes(bits) })
    }

    /// The value of `ty` whose bits are all zero.
    pub fn zero(ty: Type) -> Option<Constant> {
        if ty.is_aggregate() {
            return Some(Constant { ty, bits: ConstantBits::Zero });
        }
        if ty.is_vector() {
            return Self::vector(ty, (0..ty.lanes()).map(|_| 0));
        }
        Self::scalar(ty, 0)
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Its bits.
    pub fn bits(&self) -> &ConstantBits {
        &self.bits
    }

    /// The bits of a scalar.
    pub fn as_scalar(&self) -> Option<u128> {
        match self.bits {
            ConstantBits::Scalar(bits) => Some(bits),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_cut_to_the_width() {
        let constant = Constant::scalar(Type::I8, 0x1ff).unwrap();
        assert_eq!(constant.as_scalar(), Some(0xff));
        let lanes = Constant::vector(Type::vector(Scalar::I16, 2).unwrap(), [0x1_0001, 2]).unwrap();
        assert_eq!(lanes.bits(), &ConstantBits::Lanes([1, 2].into()));
    }

    #[test]
    fn a_reference_has_no_constant_but_null() {
        assert!(Constant::scalar(Type::REF, 0).is_some());
        assert!(Constant::scalar(Type::REF, 8).is_none());
        assert!(Constant::scalar(Type::PTR, 8).is_some());
        assert!(Constant::scalar(Type::TOKEN, 0).is_none());
        assert!(Constant::vector(Type::I32, [1]).is_none());
    }
}
