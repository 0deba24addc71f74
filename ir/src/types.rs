//! Types: scalars and vectors held in the handle itself, aggregates and
//! function references interned in the module's [`TypePool`].

mod content;
mod layout;
mod pool;

use crate::entity::{AggregateId, EntityRef, SigId};

pub use content::MAX_LEAVES;
pub use layout::{Layout, MAX_AGGREGATE_SIZE};
pub use pool::{
    Aggregate, Arity, ByValue, Convention, MAX_BY_VALUE_ALIGN_LOG2, MAX_TYPE_DEPTH, Packing, Param,
    Passing, Signature, TypeDisplay, TypeError, TypePool,
};

macro_rules! scalars {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $bits:literal;)*) => {
        /// A scalar type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Scalar { $($(#[$doc])* $name,)* }

        impl Scalar {
            /// Every scalar type, in table order.
            pub const ALL: &'static [Scalar] = &[$(Scalar::$name,)*];

            /// The spelling in text.
            pub const fn name(self) -> &'static str {
                match self { $(Scalar::$name => $text,)* }
            }

            /// The number of bits that carry meaning; 0 for `token`.
            pub const fn bits(self) -> u32 {
                match self { $(Scalar::$name => $bits,)* }
            }
        }
    };
}

scalars! {
    /// A truth value. One byte in memory, of which only bit 0 counts when read.
    I1 = "i1", 1;
    /// An 8-bit integer.
    I8 = "i8", 8;
    /// A 16-bit integer.
    I16 = "i16", 16;
    /// A 32-bit integer.
    I32 = "i32", 32;
    /// A 64-bit integer.
    I64 = "i64", 64;
    /// A 128-bit integer.
    I128 = "i128", 128;
    /// IEEE 754 binary16.
    F16 = "f16", 16;
    /// The upper half of an IEEE 754 binary32.
    Bf16 = "bf16", 16;
    /// IEEE 754 binary32.
    F32 = "f32", 32;
    /// IEEE 754 binary64.
    F64 = "f64", 64;
    /// The 80-bit format of the x87 unit; only helpers compute with it.
    X86Fp80 = "x86_fp80", 80;
    /// IEEE 754 binary128; only helpers compute with it.
    F128 = "f128", 128;
    /// A plain 64-bit address.
    Ptr = "ptr", 64;
    /// A tracked reference to the start of an object.
    Ref = "ref", 64;
    /// An address inside an object, whose base must be found.
    Derived = "derived", 64;
    /// A reference that the callee roots; may only be passed to a call.
    Callee = "callee", 64;
    /// An address loaded out of an object; its owner must stay alive.
    Loaded = "loaded", 64;
    /// A marker that pairs two instructions; has no bits.
    Token = "token", 0;
}

impl Scalar {
    /// The scalar that `name` spells.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.iter().copied().find(|s| s.name() == name)
    }

    /// `i8` to `i128`; `i1` is no integer but a truth value.
    pub const fn is_int(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128)
    }

    /// The floats that ops compute with.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// `ptr` and the four managed kinds.
    pub const fn is_address(self) -> bool {
        matches!(self, Self::Ptr | Self::Ref | Self::Derived | Self::Callee | Self::Loaded)
    }

    /// The four managed kinds.
    pub const fn is_managed(self) -> bool {
        self.is_address() && !matches!(self, Self::Ptr)
    }
}

const KIND_SHIFT: u32 = 30;
const SCALAR: u32 = 0;
const VECTOR: u32 = 1;
const AGGREGATE: u32 = 2;
const FUNCTION: u32 = 3;
const PAYLOAD: u32 = (1 << KIND_SHIFT) - 1;

/// The type of a value: 32 bits, equal if and only if the types are equal
/// (within one module, whose [`TypePool`] interns aggregates and signatures).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u32);

/// What a [`Type`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// No type: the suffix of an op that has none.
    None,
    /// A scalar.
    Scalar(Scalar),
    /// A vector of `1..=65535` lanes.
    Vector(Scalar, u16),
    /// A struct or an array of the module's pool.
    Aggregate(AggregateId),
    /// A reference to a function of that signature.
    Function(SigId),
}

macro_rules! constants {
    ($($name:ident = $scalar:ident),* $(,)?) => {$(
        #[doc = concat!("The scalar type [`Scalar::", stringify!($scalar), "`].")]
        pub const $name: Type = Type::scalar(Scalar::$scalar);
    )*};
}

impl Type {
    /// No type: the suffix of an op that has none.
    pub const NONE: Type = Type(PAYLOAD);

    constants! {
        I1 = I1, I8 = I8, I16 = I16, I32 = I32, I64 = I64, I128 = I128, F16 = F16, BF16 = Bf16,
        F32 = F32, F64 = F64, X86_FP80 = X86Fp80, F128 = F128, PTR = Ptr, REF = Ref,
        DERIVED = Derived, CALLEE = Callee, LOADED = Loaded, TOKEN = Token,
    }

    /// The most bits that a vector may have.
    pub const MAX_VECTOR_BITS: u32 = 512;

    /// The type of one `scalar`.
    #[inline]
    pub const fn scalar(scalar: Scalar) -> Type {
        Type((SCALAR << KIND_SHIFT) | scalar as u32)
    }

    /// The vector of `lanes` lanes of `lane`, if there is one: at least one
    /// lane, at most 512 bits (64 lanes for a mask), and lanes of numbers,
    /// truth values, `ptr` or `ref`.
    pub fn vector(lane: Scalar, lanes: u32) -> Option<Type> {
        let lane_bits = match lane {
            Scalar::I1 => 8,
            Scalar::Ptr | Scalar::Ref => 64,
            lane if lane.is_int() || lane.is_float() => lane.bits(),
            _ => return None,
        };
        let fits = lanes >= 1 && lanes <= Self::MAX_VECTOR_BITS / lane_bits;
        fits.then_some(Type((VECTOR << KIND_SHIFT) | (lanes << 8) | lane as u32))
    }

    /// The interned aggregate `id`.
    pub(crate) fn aggregate(id: AggregateId) -> Type {
        Type((AGGREGATE << KIND_SHIFT) | id.as_u32())
    }

    /// A reference to a function of signature `sig`.
    pub fn function(sig: SigId) -> Type {
        Type((FUNCTION << KIND_SHIFT) | sig.as_u32())
    }

    /// What this type is.
    #[inline]
    pub fn kind(self) -> TypeKind {
        let payload = self.0 & PAYLOAD;
        match self.0 >> KIND_SHIFT {
            SCALAR => Scalar::ALL
                .get(payload as usize)
                .map_or(TypeKind::None, |&scalar| TypeKind::Scalar(scalar)),
            VECTOR => {
                TypeKind::Vector(Scalar::ALL[(payload & 0xff) as usize], (payload >> 8) as u16)
            }
            AGGREGATE => TypeKind::Aggregate(AggregateId::new(payload as usize)),
            _ => TypeKind::Function(SigId::new(payload as usize)),
        }
    }

    /// Whether this is a type at all.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Type::NONE
    }

    /// The scalar, or the scalar of a lane; nothing for aggregates and functions.
    #[inline]
    pub fn lane(self) -> Option<Scalar> {
        match self.kind() {
            TypeKind::Scalar(lane) | TypeKind::Vector(lane, _) => Some(lane),
            _ => None,
        }
    }

    /// The scalar that this type is, if it is one.
    #[inline]
    pub fn as_scalar(self) -> Option<Scalar> {
        // Asked of each operand: without a look at what else it may be.
        if self.0 >> KIND_SHIFT != SCALAR {
            return None;
        }
        Scalar::ALL.get((self.0 & PAYLOAD) as usize).copied()
    }

    /// The number of lanes; 1 for what is no vector.
    #[inline]
    pub fn lanes(self) -> u32 {
        match self.kind() {
            TypeKind::Vector(_, lanes) => u32::from(lanes),
            _ => 1,
        }
    }

    /// Whether this is a vector.
    #[inline]
    pub fn is_vector(self) -> bool {
        self.0 >> KIND_SHIFT == VECTOR
    }

    /// Whether this is a struct or an array.
    #[inline]
    pub fn is_aggregate(self) -> bool {
        self.0 >> KIND_SHIFT == AGGREGATE
    }

    /// The signature of the functions that this type refers to.
    #[inline]
    pub fn signature(self) -> Option<SigId> {
        match self.kind() {
            TypeKind::Function(sig) => Some(sig),
            _ => None,
        }
    }

    /// The same shape with lanes of `lane`: a scalar for a scalar, a vector
    /// of as many lanes for a vector.
    pub fn with_lane(self, lane: Scalar) -> Option<Type> {
        match self.kind() {
            TypeKind::Scalar(_) | TypeKind::Function(_) => Some(Type::scalar(lane)),
            TypeKind::Vector(_, lanes) => Type::vector(lane, u32::from(lanes)),
            _ => None,
        }
    }

    /// The type of one lane; the type itself for what is no vector.
    pub fn lane_type(self) -> Type {
        match self.kind() {
            TypeKind::Vector(lane, _) => Type::scalar(lane),
            _ => self,
        }
    }

    /// The truth values of a lane-wise compare: `i1`, or a mask of as many lanes.
    pub fn as_mask(self) -> Option<Type> {
        self.with_lane(Scalar::I1)
    }

    /// The raw handle, for tables keyed by type.
    pub const fn to_bits(self) -> u32 {
        self.0
    }
}

impl std::fmt::Display for Type {
    /// Aggregates and function references print as their handle; use
    /// [`TypePool::display`] for their text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            TypeKind::None => f.write_str("none"),
            TypeKind::Scalar(scalar) => f.write_str(scalar.name()),
            TypeKind::Vector(lane, lanes) => write!(f, "{}x{lanes}", lane.name()),
            TypeKind::Aggregate(id) => write!(f, "{id}"),
            TypeKind::Function(sig) => write!(f, "fn {sig}"),
        }
    }
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
