//! What is said of functions, calls, parameters and results.

use std::borrow::Cow;

use super::TypeId;

bitflags::bitflags! {
    /// Attributes of a parameter or result that have no number.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(in crate::llvm) struct ParamFlags: u16 {
        const SIGNEXT = 1 << 0;
        const ZEROEXT = 1 << 1;
        const NOALIAS = 1 << 2;
        const NONNULL = 1 << 3;
        const NOUNDEF = 1 << 4;
        const INREG = 1 << 5;
        const NEST = 1 << 6;
        const RETURNED = 1 << 7;
        const READONLY = 1 << 8;
        const READNONE = 1 << 9;
        const WRITEONLY = 1 << 10;
        const IMMARG = 1 << 11;
        const SWIFT = 1 << 12;
    }
}

/// What is said of a parameter, an argument or a result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) struct ParamAttributes {
    pub flags: ParamFlags,
    /// The type that `byval` names.
    pub by_value: Option<TypeId>,
    /// The type that `sret` names.
    pub struct_return: Option<TypeId>,
    /// The type that `inalloca`, `preallocated`, `byref` or `elementtype` names.
    pub other_type: Option<(&'static str, TypeId)>,
    /// Bytes; 0 where nothing is said.
    pub align: u32,
    /// Bytes that can be read behind the address.
    pub dereferenceable: u64,
}

bitflags::bitflags! {
    /// Attributes of a function or call, groups included.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(in crate::llvm) struct FunctionFlags: u32 {
        const NO_RETURN = 1 << 0;
        const NO_UNWIND = 1 << 1;
        const WILL_RETURN = 1 << 2;
        const RETURNS_TWICE = 1 << 3;
        const ALWAYS_INLINE = 1 << 4;
        const NO_INLINE = 1 << 5;
        const INLINE_HINT = 1 << 6;
        const COLD = 1 << 7;
        const HOT = 1 << 8;
        const OPT_NONE = 1 << 9;
        const OPT_SIZE = 1 << 10;
        const MIN_SIZE = 1 << 11;
        const NAKED = 1 << 12;
        /// `memory(none)`, `readnone`.
        const READS_NOTHING = 1 << 13;
        /// `memory(read)`, `readonly`.
        const READS_ONLY = 1 << 14;
        const NO_BUILTIN = 1 << 15;
        const STRICT_FP = 1 << 16;
    }
}

/// What is said of a function or a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) struct CallAttributes {
    pub flags: FunctionFlags,
}

/// The machine that a function is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(in crate::llvm) struct Target<'t> {
    /// `"target-cpu"`; empty if nothing is said.
    pub cpu: Cow<'t, str>,
    /// `"target-features"`: `+sse2,-avx`; empty if nothing is said.
    pub features: Cow<'t, str>,
}
