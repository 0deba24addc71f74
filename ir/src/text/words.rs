//! Words that parser and printer share, where no type of its own spells them.

use crate::module::{Inlining, Linkage, MemoryEffects, Returns};
use crate::types::{Arity, Convention, Scalar, Type};

/// The spellings of [`Inlining`] behind `inline`.
pub(super) const INLININGS: &[(Inlining, &str)] =
    &[(Inlining::Always, "always"), (Inlining::Never, "never")];

/// The spellings of [`MemoryEffects`] behind `memory`.
pub(super) const MEMORY_EFFECTS: &[(MemoryEffects, &str)] =
    &[(MemoryEffects::None, "none"), (MemoryEffects::ReadOnly, "read")];

/// The spellings of [`Returns`] behind `returns`.
pub(super) const RETURNS: &[(Returns, &str)] =
    &[(Returns::Always, "always"), (Returns::Never, "never"), (Returns::Twice, "twice")];

/// The spellings of [`Linkage`]; nothing is said for the first one.
pub(super) const LINKAGES: &[(Linkage, &str)] = &[
    (Linkage::Export, "export"),
    (Linkage::Weak, "weak"),
    (Linkage::Local, "local"),
    (Linkage::Import, "import"),
    (Linkage::Foreign, "foreign"),
    (Linkage::ForeignWeak, "foreign_weak"),
];

/// The spellings of [`Convention`], as types and as overrides have them.
pub(super) const CONVENTIONS: &[(Convention, &str)] =
    &[(Convention::Internal, "fn"), (Convention::Platform, "cfn")];

/// The convention of a function of that linkage, where nothing is said. Only the
/// platform's has a variable number of arguments.
pub(super) const fn default_convention(linkage: Linkage, arity: Arity) -> Convention {
    match arity {
        Arity::Fixed if !linkage.is_foreign() => Convention::Internal,
        _ => Convention::Platform,
    }
}

/// The spelling of `choice` in a table of words.
pub(super) fn spelling<T: Copy + PartialEq>(
    table: &[(T, &'static str)],
    choice: T,
) -> Option<&'static str> {
    table.iter().find(|(entry, _)| *entry == choice).map(|(_, name)| *name)
}

/// The type of the numbers of a range hint on a result of that type.
pub(super) fn range_scalar(result: Option<Type>) -> Scalar {
    result.and_then(Type::lane).filter(|lane| lane.is_int()).unwrap_or(Scalar::I128)
}
