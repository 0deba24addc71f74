//! What a text of LLVM IR says, before it is given meaning.
//!
//! A module's types, globals and declarations are held whole. Bodies of functions are
//! not: each is read on its own, given meaning and forgotten, so that memory follows the
//! largest function and not the text. Metadata is read where it is asked for.

mod attribute;
mod constant;
mod instruction;
mod metadata;
mod module;
mod names;
mod op;
mod types;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use attribute::{CallAttributes, FunctionFlags, ParamAttributes, ParamFlags, Target};
pub(super) use constant::{Asm, Constant, ConstantData};
pub(super) use instruction::{
    Attachment, BlockData, Bundle, Call, CallConvention, Function, Instruction, Kind, Local,
    Operand, Reach, Tail, Typed,
};
pub(super) use metadata::{MetadataItem, Node};
pub(super) use module::{FunctionHead, Global, GlobalData, Linkage, Module, Selection};
pub(super) use names::{Fact, Group, Map, Names};
pub(super) use op::{BinaryOp, CastOp, FCmpCondition, Flags, RmwKind};
pub(super) use types::TypeData;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(super) struct $name(pub u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A type of the module.
    TypeId;
    /// A named type, `%struct.point`.
    NamedId;
    /// A name behind `@`: a global variable, an alias or a function.
    GlobalId;
    /// A constant of the module, or of the function that is being read.
    ConstantId;
    /// A value of the function that is being read: a parameter or a result.
    LocalId;
    /// A basic block of the function that is being read.
    BlockId;
    /// A piece of metadata, `!7`; one that an instruction spells out has a number that no
    /// text has.
    MetadataId;
}

/// A place of the text: a number of bytes.
pub(super) type Offset = u32;

/// A piece of one of a function's or module's pools.
pub(super) type List = Range<u32>;

/// A name, or the number of what has none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name<'t> {
    Text(Cow<'t, str>),
    Number(u32),
}
