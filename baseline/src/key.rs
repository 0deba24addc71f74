//! What a stencil is looked up by.

use brolga_ir::attribute::{FloatCond, IntCond, Order, RmwOp};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type, TypeKind};

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $lane:ident x $lanes:literal, $bank:ident;)*) => {
        /// What registers hold of a type: one class for all types whose code is the same.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Class {
            /// No value: the suffix of an op that has none.
            None,
            $($(#[$doc])* $name,)*
        }

        impl Class {
            /// All classes that values have.
            pub const ALL: &'static [Class] = &[$(Class::$name,)*];

            /// The type that stands for it in the text of a stencil.
            pub const fn name(self) -> &'static str {
                match self { Class::None => "", $(Class::$name => $text,)* }
            }

            /// The lanes of its values: of a scalar, itself.
            pub const fn lane(self) -> Class {
                match self { Class::None => Class::None, $(Class::$name => Class::$lane,)* }
            }

            /// How many lanes they have.
            pub const fn lanes(self) -> u32 {
                match self { Class::None => 0, $(Class::$name => $lanes,)* }
            }

            /// Which registers they go in.
            pub const fn bank(self) -> Bank {
                match self { Class::None => Bank::Integer, $(Class::$name => Bank::$bank,)* }
            }
        }
    };
}

/// A kind of register, and how much of it counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bank {
    /// Integers and addresses.
    Integer,
    /// The lowest word of a register for vectors.
    Float,
    /// All of one.
    Vector,
}

classes! {
    /// A truth value, in a byte.
    I1 = "i1", I1 x 1, Integer;
    /// 8 bits.
    I8 = "i8", I8 x 1, Integer;
    /// 16 bits.
    I16 = "i16", I16 x 1, Integer;
    /// 32 bits.
    I32 = "i32", I32 x 1, Integer;
    /// 64 bits, among them addresses of every kind and references to functions.
    I64 = "i64", I64 x 1, Integer;
    /// A float of 32 bits.
    F32 = "f32", F32 x 1, Float;
    /// A float of 64 bits.
    F64 = "f64", F64 x 1, Float;
    /// 16 lanes of 8 bits.
    I8x16 = "i8x16", I8 x 16, Vector;
    /// 8 lanes of 16 bits.
    I16x8 = "i16x8", I16 x 8, Vector;
    /// 4 lanes of 32 bits.
    I32x4 = "i32x4", I32 x 4, Vector;
    /// 2 lanes of 64 bits.
    I64x2 = "i64x2", I64 x 2, Vector;
    /// 4 floats of 32 bits.
    F32x4 = "f32x4", F32 x 4, Vector;
    /// 2 floats of 64 bits.
    F64x2 = "f64x2", F64 x 2, Vector;
    /// 16 truth values, each 0 or -1 in a byte.
    I1x16 = "i1x16", I1 x 16, Vector;
    /// 8 truth values, each 0 or -1 in 16 bits.
    I1x8 = "i1x8", I1 x 8, Vector;
    /// 4 truth values, each 0 or -1 in 32 bits.
    I1x4 = "i1x4", I1 x 4, Vector;
    /// 2 truth values, each 0 or -1 in 64 bits.
    I1x2 = "i1x2", I1 x 2, Vector;
}

/// The classes of scalars, in the order of these.
const OF_SCALARS: [Option<Class>; Scalar::ALL.len()] = {
    let mut classes = [None; Scalar::ALL.len()];
    let mut index = 0;
    while index < classes.len() {
        classes[index] = Class::of_scalar(Scalar::ALL[index]);
        index += 1;
    }
    classes
};

impl Class {
    /// The class of a type; none for a type that stencils do not compute with.
    #[inline]
    pub fn of(ty: Type) -> Option<Class> {
        // Asked of each value and each op: most are of a scalar type.
        match ty.as_scalar() {
            Some(scalar) => OF_SCALARS[scalar as usize],
            None => Class::of_others(ty),
        }
    }

    fn of_others(ty: Type) -> Option<Class> {
        match ty.kind() {
            TypeKind::None => Some(Class::None),
            TypeKind::Scalar(scalar) => Class::of_scalar(scalar),
            TypeKind::Function(_) => Some(Class::I64),
            TypeKind::Vector(lane, lanes) => Class::of_vector(lane, lanes),
            TypeKind::Aggregate(_) => None,
        }
    }

    const fn of_scalar(scalar: Scalar) -> Option<Class> {
        Some(match scalar {
            Scalar::I1 => Class::I1,
            Scalar::I8 => Class::I8,
            Scalar::I16 => Class::I16,
            Scalar::I32 => Class::I32,
            Scalar::I64
            | Scalar::Ptr
            | Scalar::Ref
            | Scalar::Derived
            | Scalar::Callee
            | Scalar::Loaded => Class::I64,
            Scalar::F32 => Class::F32,
            Scalar::F64 => Class::F64,
            Scalar::I128
            | Scalar::F16
            | Scalar::Bf16
            | Scalar::X86Fp80
            | Scalar::F128
            | Scalar::Token => return None,
        })
    }

    const fn of_vector(lane: Scalar, lanes: u16) -> Option<Class> {
        Some(match (lane, lanes) {
            (Scalar::I8, 16) => Class::I8x16,
            (Scalar::I16, 8) => Class::I16x8,
            (Scalar::I32, 4) => Class::I32x4,
            (Scalar::I64, 2) => Class::I64x2,
            (Scalar::F32, 4) => Class::F32x4,
            (Scalar::F64, 2) => Class::F64x2,
            (Scalar::I1, 16) => Class::I1x16,
            (Scalar::I1, 8) => Class::I1x8,
            (Scalar::I1, 4) => Class::I1x4,
            (Scalar::I1, 2) => Class::I1x2,
            _ => return None,
        })
    }

    /// Bits of a lane that carry meaning.
    pub const fn bits(self) -> u32 {
        match self.lane() {
            Class::I1 => 1,
            Class::I8 => 8,
            Class::I16 => 16,
            Class::I32 | Class::F32 => 32,
            Class::I64 | Class::F64 => 64,
            _ => 0,
        }
    }

    /// The truth values of as many lanes.
    pub const fn mask(self) -> Class {
        match self.lanes() {
            16 => Class::I1x16,
            8 => Class::I1x8,
            4 => Class::I1x4,
            2 => Class::I1x2,
            1 => Class::I1,
            _ => Class::None,
        }
    }
}

/// What a stencil does beside, or instead of, an op.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// The op on values in registers.
    Plain,
    /// The op, whose last operand is a constant in the code.
    Constant,
    /// A conversion of a value of that class.
    From(Class),
    /// A compare of integers.
    Int(IntCond),
    /// One with a constant.
    IntConstant(IntCond),
    /// A compare of floats.
    Float(FloatCond),
    /// A compare of integers that leaves its answer in the flags.
    Branch(IntCond),
    /// One with a constant.
    BranchConstant(IntCond),
    /// A compare of floats that leaves its answer in the flags.
    FloatBranch(FloatCond),
    /// An atomic load or store of that order.
    Order(Order),
    /// An atomic read-modify-write.
    Rmw(RmwOp),
}

impl Variant {
    const fn number(self) -> u32 {
        match self {
            Variant::Plain => 0,
            Variant::Constant => 1,
            Variant::From(class) => 96 + class as u32,
            Variant::Int(condition) => 16 + condition as u32,
            Variant::IntConstant(condition) => 32 + condition as u32,
            Variant::Branch(condition) => 48 + condition as u32,
            Variant::BranchConstant(condition) => 64 + condition as u32,
            Variant::Float(condition) => 32 + condition as u32,
            Variant::FloatBranch(condition) => 16 + condition as u32,
            Variant::Order(order) => 16 + order as u32,
            Variant::Rmw(op) => 16 + op as u32,
        }
    }
}

/// An op at a class, in one of its variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(u32);

/// Variants of an op at a class, at most.
const VARIANTS: u32 = 128;

/// Classes, [`Class::None`] included.
const CLASSES: u32 = 18;

impl Key {
    /// The key of `op` whose suffix is of `class`.
    pub const fn new(op: Op, class: Class, variant: Variant) -> Key {
        Key((op as u32 * CLASSES + class as u32) * VARIANTS + variant.number())
    }

    /// How many groups of keys there are, of one op and class each.
    pub(crate) const fn groups() -> usize {
        Op::ALL.len() * CLASSES as usize
    }

    /// The number of its group.
    pub(crate) const fn group(self) -> usize {
        (self.0 / VARIANTS) as usize
    }

    /// The number of its variant.
    pub(crate) const fn variant(self) -> usize {
        (self.0 % VARIANTS) as usize
    }

    /// How many variants a group has.
    pub(crate) const fn variants() -> usize {
        VARIANTS as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(variants: impl IntoIterator<Item = Variant>) {
        let mut numbers: Vec<u32> = variants.into_iter().map(Variant::number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        assert!(numbers.iter().all(|&number| number < VARIANTS));
    }

    #[test]
    fn variants_of_one_op_have_numbers_of_their_own() {
        let kinds: [fn(IntCond) -> Variant; 4] =
            [Variant::Int, Variant::IntConstant, Variant::Branch, Variant::BranchConstant];
        distinct(kinds.iter().flat_map(|kind| IntCond::ALL.iter().map(|&it| kind(it))));
        let kinds: [fn(FloatCond) -> Variant; 2] = [Variant::Float, Variant::FloatBranch];
        distinct(kinds.iter().flat_map(|kind| FloatCond::ALL.iter().map(|&it| kind(it))));
        distinct(RmwOp::ALL.iter().map(|&op| Variant::Rmw(op)));
        distinct(Order::ALL.iter().map(|&order| Variant::Order(order)));
        let others = [Variant::Plain, Variant::Constant].into_iter();
        distinct(others.chain(Class::ALL.iter().map(|&class| Variant::From(class))));
    }

    #[test]
    fn classes_are_fewer_than_keys_have_room_for() {
        assert_eq!(Class::ALL.len() as u32 + 1, CLASSES);
        assert!(Class::ALL.iter().all(|&class| (class as u32) < CLASSES));
    }
}
