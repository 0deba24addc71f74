//! The types that the back end computes with, on every architecture.

use std::fmt;

use brolga_ir::types::{Scalar, Type, TypeKind};

macro_rules! machine_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $lane:ident, $lanes:literal;)*) => {
        /// A type that one register holds, or two for `I128`.
        ///
        /// There are no others: vectors of other sizes make the back end panic
        /// on x86-64, and of `f16` and `f128` it can only move the bits.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum MachineType { $($(#[$doc])* $name,)* }

        impl MachineType {
            /// Every type, scalars first.
            pub const ALL: &'static [MachineType] = &[$(MachineType::$name,)*];

            /// The spelling in CLIF.
            pub const fn name(self) -> &'static str {
                match self { $(MachineType::$name => $text,)* }
            }

            /// The type of one lane; the type itself for a scalar.
            pub const fn lane(self) -> MachineType {
                match self { $(MachineType::$name => MachineType::$lane,)* }
            }

            /// The number of lanes; 1 for a scalar.
            pub const fn lanes(self) -> u32 {
                match self { $(MachineType::$name => $lanes,)* }
            }
        }
    };
}

machine_types! {
    /// An 8-bit integer; also how a truth value is held.
    I8 = "i8", I8, 1;
    /// A 16-bit integer.
    I16 = "i16", I16, 1;
    /// A 32-bit integer.
    I32 = "i32", I32, 1;
    /// A 64-bit integer or an address.
    I64 = "i64", I64, 1;
    /// A 128-bit integer.
    I128 = "i128", I128, 1;
    /// IEEE 754 binary32.
    F32 = "f32", F32, 1;
    /// IEEE 754 binary64.
    F64 = "f64", F64, 1;
    /// 16 lanes of 8 bits.
    I8x16 = "i8x16", I8, 16;
    /// 8 lanes of 16 bits.
    I16x8 = "i16x8", I16, 8;
    /// 4 lanes of 32 bits.
    I32x4 = "i32x4", I32, 4;
    /// 2 lanes of 64 bits.
    I64x2 = "i64x2", I64, 2;
    /// 4 lanes of binary32.
    F32x4 = "f32x4", F32, 4;
    /// 2 lanes of binary64.
    F64x2 = "f64x2", F64, 2;
}

impl MachineType {
    /// The type that the back end computes with; none for values that it merely carries as the
    /// integers of their bits.
    pub(crate) fn computing(ty: Type) -> Option<MachineType> {
        let carried = matches!(ty.lane(), Some(Scalar::F16 | Scalar::Bf16));
        MachineType::of(ty).filter(|_| !carried)
    }

    /// The bits of the whole value.
    pub const fn bits(self) -> u32 {
        self.lane_bits() * self.lanes()
    }

    /// The bits of one lane.
    pub const fn lane_bits(self) -> u32 {
        match self.lane() {
            MachineType::I8 => 8,
            MachineType::I16 => 16,
            MachineType::I32 | MachineType::F32 => 32,
            MachineType::I128 => 128,
            _ => 64,
        }
    }

    /// Whether it has lanes.
    pub const fn is_vector(self) -> bool {
        self.lanes() > 1
    }

    /// Whether its lanes are floats.
    pub const fn is_float(self) -> bool {
        matches!(self.lane(), MachineType::F32 | MachineType::F64)
    }

    /// The integers of the same size and shape: what a compare of two vectors
    /// gives, and what the bits of a float are.
    pub const fn as_int(self) -> MachineType {
        match self {
            MachineType::F32 => MachineType::I32,
            MachineType::F64 => MachineType::I64,
            MachineType::F32x4 => MachineType::I32x4,
            MachineType::F64x2 => MachineType::I64x2,
            int => int,
        }
    }

    /// The 128-bit vector of such lanes; none of `I128`.
    pub fn vector(self) -> Option<MachineType> {
        MachineType::ALL.iter().copied().find(|ty| ty.is_vector() && ty.lane() == self.lane())
    }

    /// How a scalar of the IR is held: truth values as `I8`, addresses as `I64`,
    /// the 16-bit floats as the `I16` of their bits. None for `token` and for
    /// the formats wider than `f64`.
    pub const fn of_scalar(scalar: Scalar) -> Option<MachineType> {
        Some(match scalar {
            Scalar::I1 | Scalar::I8 => MachineType::I8,
            Scalar::I16 | Scalar::F16 | Scalar::Bf16 => MachineType::I16,
            Scalar::I32 => MachineType::I32,
            Scalar::I128 => MachineType::I128,
            Scalar::F32 => MachineType::F32,
            Scalar::F64 => MachineType::F64,
            Scalar::I64
            | Scalar::Ptr
            | Scalar::Ref
            | Scalar::Derived
            | Scalar::Callee
            | Scalar::Loaded => MachineType::I64,
            Scalar::X86Fp80 | Scalar::F128 | Scalar::Token => return None,
        })
    }

    /// How a value of the IR is held, if one machine value holds exactly it:
    /// scalars, function references, and vectors of 128 bits that are no masks.
    pub fn of(ty: Type) -> Option<MachineType> {
        match ty.kind() {
            TypeKind::Scalar(scalar) => MachineType::of_scalar(scalar),
            TypeKind::Function(_) => Some(MachineType::I64),
            TypeKind::Vector(Scalar::I1, _) => None,
            TypeKind::Vector(lane, lanes) => MachineType::of_scalar(lane)?
                .vector()
                .filter(|vector| vector.lanes() == u32::from(lanes)),
            TypeKind::None | TypeKind::Aggregate(_) => None,
        }
    }
}

impl fmt::Display for MachineType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of machine types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeSet(u16);

impl TypeSet {
    /// The set of `types`.
    pub const fn of(types: &[MachineType]) -> TypeSet {
        let mut bits = 0;
        let mut index = 0;
        while index < types.len() {
            bits |= 1 << types[index] as u16;
            index += 1;
        }
        TypeSet(bits)
    }

    /// Both together.
    pub const fn and(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 | other.0)
    }

    /// Whether `ty` is in the set.
    pub const fn contains(self, ty: MachineType) -> bool {
        self.0 & (1 << ty as u16) != 0
    }

    /// Whether the sets share a type.
    pub const fn intersects(self, other: TypeSet) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_128_bits_and_scalars_one_lane() {
        for &ty in MachineType::ALL {
            assert!(ty.lanes() == 1 || ty.bits() == 128, "{ty}");
            assert_eq!(ty.as_int().bits(), ty.bits());
            assert_eq!(ty.as_int().lanes(), ty.lanes());
            assert_eq!(ty.is_vector(), ty.lane().vector() == Some(ty));
        }
    }

    #[test]
    fn ir_types_are_held_whole_or_not_at_all() {
        let vector = |lane, lanes| Type::vector(lane, lanes).unwrap();
        assert_eq!(MachineType::of(Type::I1), Some(MachineType::I8));
        assert_eq!(MachineType::of(Type::REF), Some(MachineType::I64));
        assert_eq!(MachineType::of(vector(Scalar::F32, 4)), Some(MachineType::F32x4));
        assert_eq!(MachineType::of(vector(Scalar::Ptr, 2)), Some(MachineType::I64x2));
        assert_eq!(MachineType::of(vector(Scalar::F16, 8)), Some(MachineType::I16x8));
        for (lane, lanes) in [(Scalar::F32, 8), (Scalar::I32, 3), (Scalar::I1, 16)] {
            assert_eq!(MachineType::of(vector(lane, lanes)), None);
        }
        assert_eq!(MachineType::of(vector(Scalar::I128, 1)), None);
        assert_eq!(MachineType::of(Type::F128), None);
    }
}
