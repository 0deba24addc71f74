//! Type rules: classes of suffix types, patterns of operand types, and the
//! relations between a suffix and a free operand.

use crate::types::{Scalar, Type, TypeKind};

/// The types that an op may be instantiated at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeClass {
    /// The op has no suffix.
    None,
    /// `i8` to `i128`.
    Int,
    /// `i1` to `i128`.
    Bits,
    /// `i8` to `i128`, or a vector of them.
    IntVector,
    /// `i1` to `i128`, or a vector of them.
    BitsVector,
    /// `f16`, `bf16`, `f32`, `f64`.
    Float,
    /// Those, or a vector of them.
    FloatVector,
    /// `i1` to `i128`, any address, a function reference, or a vector of bits.
    Comparable,
    /// Any type but `token`.
    Any,
    /// Whatever stands in memory as it is: no token, aggregate or `callee`.
    Memory,
    /// What an atomic op can access: `i8` to `i64`, `f32`, `f64`, `ptr`, `ref`.
    Atomic,
    /// Whatever a safe access may read and write: numbers and vectors of numbers.
    Number,
    /// An element of a managed array: a number or a `ref`.
    Element,
    /// Any vector.
    Vector,
    /// A vector of `i8` to `i128`.
    WideInt,
    /// A vector of floats.
    WideFloat,
    /// A vector of `i8` to `i128`, or a mask.
    WideBits,
    /// A vector whose lanes are no truth values.
    WideNumber,
    /// A struct or an array.
    Aggregate,
    /// `ptr` or a managed kind.
    Address,
    /// A reference to functions.
    Function,
    /// A scalar, or vector, whose bits all have a meaning: no token, managed kind or aggregate.
    Bitcast,
}

impl TypeClass {
    /// Whether `ty` belongs to the class.
    pub fn contains(self, ty: Type) -> bool {
        let vector = ty.is_vector();
        let scalar = ty.as_scalar();
        let lane = |test: fn(Scalar) -> bool| ty.lane().is_some_and(test);
        let is_bits = |s: Scalar| s == Scalar::I1 || s.is_int();
        let plain = !ty.is_aggregate() && ty.is_some() && scalar != Some(Scalar::Token);
        match self {
            TypeClass::None => !ty.is_some(),
            TypeClass::Int => scalar.is_some_and(Scalar::is_int),
            TypeClass::Bits => scalar.is_some_and(is_bits),
            TypeClass::IntVector => lane(Scalar::is_int),
            TypeClass::BitsVector => ty.lane().is_some_and(is_bits),
            TypeClass::Float => scalar.is_some_and(Scalar::is_float),
            TypeClass::FloatVector => lane(Scalar::is_float),
            TypeClass::Comparable => {
                ty.lane().is_some_and(|s| is_bits(s) || s == Scalar::Ptr)
                    || scalar.is_some_and(Scalar::is_address)
                    || ty.signature().is_some()
            }
            TypeClass::Any => plain || ty.is_aggregate(),
            TypeClass::Memory => plain && scalar != Some(Scalar::Callee),
            TypeClass::Atomic => is_atomic(scalar),
            TypeClass::Number => ty.lane().is_some_and(is_number),
            TypeClass::Element => scalar == Some(Scalar::Ref) || ty.lane().is_some_and(is_number),
            TypeClass::Vector => vector,
            TypeClass::WideInt => vector && lane(Scalar::is_int),
            TypeClass::WideFloat => vector && lane(Scalar::is_float),
            TypeClass::WideBits => vector && ty.lane().is_some_and(is_bits),
            TypeClass::WideNumber => vector && ty.lane() != Some(Scalar::I1),
            TypeClass::Aggregate => ty.is_aggregate(),
            TypeClass::Address => scalar.is_some_and(Scalar::is_address),
            TypeClass::Function => ty.signature().is_some(),
            TypeClass::Bitcast => ty.lane().is_some_and(|s| is_number(s) || s == Scalar::Ptr),
        }
    }

    /// What to call a type of the class in a message.
    pub const fn describe(self) -> &'static str {
        match self {
            TypeClass::None => "no type",
            TypeClass::Int => "an integer of i8 to i128",
            TypeClass::Bits => "i1 to i128",
            TypeClass::IntVector => "an integer of i8 to i128 or a vector of them",
            TypeClass::BitsVector => "i1 to i128 or a vector of them",
            TypeClass::Float => "f16, bf16, f32 or f64",
            TypeClass::FloatVector => "f16, bf16, f32, f64 or a vector of them",
            TypeClass::Comparable => {
                "an integer, i1, an address, a function reference, or a vector of bits"
            }
            TypeClass::Any => "any type but token",
            TypeClass::Memory => "a type that stands in memory as it is",
            TypeClass::Atomic => "i8 to i128, f32, f64, ptr or ref",
            TypeClass::Number => "a number, i1, or a vector of them",
            TypeClass::Element => "a number, i1, a vector of them, or ref",
            TypeClass::Vector => "a vector",
            TypeClass::WideInt => "a vector of i8 to i128",
            TypeClass::WideFloat => "a vector of floats",
            TypeClass::WideBits => "a vector of i1 to i128",
            TypeClass::WideNumber => "a vector whose lanes are no i1",
            TypeClass::Aggregate => "a struct or an array",
            TypeClass::Address => "ptr, ref, derived, callee or loaded",
            TypeClass::Function => "a function type",
            TypeClass::Bitcast => "a number, i1, ptr, or a vector of them",
        }
    }
}

fn is_number(scalar: Scalar) -> bool {
    scalar == Scalar::I1
        || scalar.is_int()
        || scalar.is_float()
        || matches!(scalar, Scalar::X86Fp80 | Scalar::F128)
}

fn is_atomic(scalar: Option<Scalar>) -> bool {
    matches!(
        scalar,
        Some(
            Scalar::I8
                | Scalar::I16
                | Scalar::I32
                | Scalar::I64
                | Scalar::I128
                | Scalar::F32
                | Scalar::F64
                | Scalar::Ptr
                | Scalar::Ref
        )
    )
}

/// The type of an operand or result, seen from the suffix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// The suffix.
    Same,
    /// The type of a lane of the suffix.
    Lane,
    /// `i1`, or the mask of as many lanes as the suffix has.
    Mask,
    /// That type.
    Is(Type),
    /// Any type of the class, subject to the row's relation. A literal there
    /// must spell its type.
    Any(TypeClass),
}

impl Pattern {
    /// The one type that fits at a suffix, if the pattern determines it.
    #[inline]
    pub fn resolve(self, suffix: Type) -> Option<Type> {
        match self {
            Pattern::Same => Some(suffix),
            Pattern::Lane => Some(suffix.lane_type()),
            Pattern::Mask => suffix.as_mask(),
            Pattern::Is(ty) => Some(ty),
            Pattern::Any(_) => None,
        }
    }

    /// Whether an operand of type `ty` fits at a suffix.
    #[inline]
    pub fn accepts(self, suffix: Type, ty: Type) -> bool {
        match self {
            Pattern::Any(class) => class.contains(ty),
            other => other.resolve(suffix) == Some(ty),
        }
    }
}

/// What a row's patterns cannot say of its types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Nothing.
    None,
    /// The operand has as many lanes as the suffix, each of more bits.
    FromWider,
    /// The operand has as many lanes as the suffix, each of fewer bits.
    FromNarrower,
    /// The operand has as many lanes as the suffix.
    SameLanes,
    /// The operand has as many bits as the suffix.
    SameBits,
    /// The width of the suffix is a multiple of 16 bits.
    WholeBytes,
    /// The kinds of address may be cast into each other.
    AddressCast,
    /// Both operands are vectors of one type with lanes as the suffix has.
    ShuffleLanes,
    /// The operands are the fields of the aggregate, or the lanes of the vector.
    Parts,
    /// The indices lead from the operand to the suffix.
    ExtractPath,
    /// The indices lead from the suffix to the operand.
    InsertPath,
    /// The operand is a vector of lanes as the suffix is.
    LaneOf,
    /// The kind of read-modify-write computes on the suffix.
    RmwType,
    /// The arguments are those of the signature.
    Callee,
    /// The arguments and results are those of this function's results.
    TailCallee,
    /// The operands are the results of this function.
    Returns,
    /// The operands are what the exit takes along.
    ExitValues,
    /// The function takes and gives what the atomic op needs.
    ModifyFunction,
    /// All operands are tracked references.
    References,
}

impl Relation {
    /// Whether a pair of suffix and first free operand is related; `true`
    /// for relations that need more than two types, which the verifier knows.
    pub fn holds(self, suffix: Type, operand: Type) -> bool {
        if self == Relation::None {
            return true;
        }
        let bits = |ty: Type| ty.lane().map_or(0, Scalar::bits);
        let same_lanes =
            suffix.lanes() == operand.lanes() && suffix.is_vector() == operand.is_vector();
        match self {
            Relation::FromWider => same_lanes && bits(operand) > bits(suffix),
            Relation::FromNarrower => same_lanes && bits(operand) < bits(suffix),
            Relation::SameLanes => same_lanes,
            Relation::SameBits => bits(suffix) * suffix.lanes() == bits(operand) * operand.lanes(),
            Relation::WholeBytes => bits(suffix) % 16 == 0,
            Relation::AddressCast => is_address_cast(operand, suffix),
            Relation::ShuffleLanes | Relation::LaneOf => {
                operand.is_vector() && operand.lane() == suffix.lane()
            }
            _ => true,
        }
    }
}

/// `ptr` may become any kind, and a `ref` may become `derived` or `callee`;
/// nothing else, because a kind tells the collector what to keep alive.
fn is_address_cast(from: Type, to: Type) -> bool {
    let (TypeKind::Scalar(from), TypeKind::Scalar(to)) = (from.kind(), to.kind()) else {
        return false;
    };
    match (from, to) {
        (Scalar::Ptr, to) => to.is_managed(),
        (Scalar::Ref, Scalar::Derived | Scalar::Callee) => true,
        _ => false,
    }
}
