//! What a stencil is looked up by.

use brolga_ir::attribute::{FloatCond, IntCond, Order, RmwOp};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type, TypeKind};

/// What registers hold of a type: one class for all types whose code is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// No value: the suffix of an op that has none.
    None,
    /// A truth value, in a byte.
    I1,
    /// 8 bits.
    I8,
    /// 16 bits.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits, among them addresses of every kind and references to functions.
    I64,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Class {
    /// All classes that values have.
    pub const ALL: [Class; 7] =
        [Class::I1, Class::I8, Class::I16, Class::I32, Class::I64, Class::F32, Class::F64];

    /// The class of a type; none for a type that stencils do not compute with.
    #[inline]
    pub fn of(ty: Type) -> Option<Class> {
        match ty.kind() {
            TypeKind::None => Some(Class::None),
            TypeKind::Scalar(scalar) => Class::of_scalar(scalar),
            TypeKind::Function(_) => Some(Class::I64),
            TypeKind::Vector(..) | TypeKind::Aggregate(_) => None,
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

    /// Whether it is passed in a register for floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Class::F32 | Class::F64)
    }

    /// Bits that carry meaning.
    pub const fn bits(self) -> u32 {
        match self {
            Class::None => 0,
            Class::I1 => 1,
            Class::I8 => 8,
            Class::I16 => 16,
            Class::I32 | Class::F32 => 32,
            Class::I64 | Class::F64 => 64,
        }
    }

    /// The type that stands for it in the text of a stencil.
    pub const fn name(self) -> &'static str {
        match self {
            Class::None => "",
            Class::I1 => "i1",
            Class::I8 => "i8",
            Class::I16 => "i16",
            Class::I32 => "i32",
            Class::I64 => "i64",
            Class::F32 => "f32",
            Class::F64 => "f64",
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
            Variant::From(class) => 8 + class as u32,
            Variant::Int(condition) => 16 + condition as u32,
            Variant::IntConstant(condition) => 32 + condition as u32,
            Variant::Branch(condition) => 48 + condition as u32,
            Variant::BranchConstant(condition) => 64 + condition as u32,
            Variant::Float(condition) => 80 + condition as u32,
            Variant::FloatBranch(condition) => 96 + condition as u32,
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
const CLASSES: u32 = 8;

impl Key {
    /// The key of `op` whose suffix is of `class`.
    pub const fn new(op: Op, class: Class, variant: Variant) -> Key {
        Key((op as u32 * CLASSES + class as u32) * VARIANTS + variant.number())
    }

    /// How many keys there could be.
    pub(crate) const fn count() -> usize {
        Op::ALL.len() * (CLASSES * VARIANTS) as usize
    }

    /// As a number below [`count`](Self::count).
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_one_op_have_numbers_of_their_own() {
        let with = |make: &dyn Fn(IntCond) -> Variant| {
            IntCond::ALL.iter().map(|&it| make(it).number()).collect::<Vec<_>>()
        };
        let mut numbers = vec![Variant::Plain.number(), Variant::Constant.number()];
        numbers.extend(with(&Variant::Int));
        numbers.extend(with(&Variant::IntConstant));
        numbers.extend(with(&Variant::Branch));
        numbers.extend(with(&Variant::BranchConstant));
        numbers.extend(FloatCond::ALL.iter().map(|&it| Variant::Float(it).number()));
        numbers.extend(FloatCond::ALL.iter().map(|&it| Variant::FloatBranch(it).number()));
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        assert!(numbers.iter().all(|&number| number < VARIANTS));
        let last = RmwOp::ALL.iter().map(|&op| Variant::Rmw(op).number()).max();
        assert!(last.is_some_and(|last| last < VARIANTS));
    }
}
