//! Constants.

use std::borrow::Cow;
use std::ops::Range;

use super::{BinaryOp, CastOp, ConstantId, FCmpCondition, GlobalId, Name, Offset, TypeId};
use crate::attribute::IntCond;

/// A constant with its type.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Constant<'t> {
    pub ty: TypeId,
    pub data: ConstantData<'t>,
    pub at: Offset,
}

/// What a constant is.
#[derive(Clone, Debug)]
pub(in crate::llvm) enum ConstantData<'t> {
    /// The bits of an integer, cut to its width: two's complement, lowest word first.
    /// One word for types up to 128 bits.
    Integer(u128),
    /// The words of an integer of more than 128 bits, lowest first; those that are not
    /// there are copies of the last one's sign.
    WideInteger(Box<[u128]>),
    /// The bits of a float in its own format.
    Float(u128),
    /// `null`, `zeroinitializer`, `none`.
    Zero,
    Undef,
    Poison,
    /// `c"…"`.
    Bytes(Cow<'t, [u8]>),
    /// The elements of an array or vector of integers or floats of up to 64 bits, all
    /// spelled as numbers: the bits of each. There is at least one.
    Numbers(Box<[u64]>),
    /// The elements of any other struct, array or vector.
    Aggregate(Box<[ConstantId]>),
    /// `splat (…)`.
    Splat(ConstantId),
    Global(GlobalId),
    BlockAddress {
        function: GlobalId,
        block: Box<Name<'t>>,
    },
    Cast {
        op: CastOp,
        value: ConstantId,
    },
    Binary {
        op: BinaryOp,
        left: ConstantId,
        right: ConstantId,
    },
    ICmp {
        condition: IntCond,
        left: ConstantId,
        right: ConstantId,
    },
    FCmp {
        condition: FCmpCondition,
        left: ConstantId,
        right: ConstantId,
    },
    Select {
        condition: ConstantId,
        yes: ConstantId,
        no: ConstantId,
    },
    GetElementPointer {
        element: TypeId,
        base: ConstantId,
        indices: Box<[ConstantId]>,
    },
    ExtractElement {
        vector: ConstantId,
        index: ConstantId,
    },
    InsertElement {
        vector: ConstantId,
        value: ConstantId,
        index: ConstantId,
    },
    Shuffle {
        left: ConstantId,
        right: ConstantId,
        mask: ConstantId,
    },
    /// What only calls take.
    Asm(Box<Asm<'t>>),
    /// What stands behind `metadata`, which only calls of intrinsics take.
    Metadata(Range<Offset>),
}

/// `asm "template", "constraints"`.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Asm<'t> {
    pub template: Cow<'t, [u8]>,
    pub constraints: Cow<'t, [u8]>,
    pub side_effect: bool,
}
