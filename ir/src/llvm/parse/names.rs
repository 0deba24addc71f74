//! What the names of a module stand for, and what is known of its types.

use std::borrow::Cow;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::facts::Facts;
use crate::llvm::syntax::{FunctionFlags, GlobalId, Name, Offset, Target, TypeId};

/// A map that is only looked into.
pub(super) type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// What the names of a module stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Names<'t> {
    pub(super) globals: Map<Cow<'t, str>, GlobalId>,
    pub(super) numbered_globals: Map<u32, GlobalId>,
    pub(super) types: Map<Name<'t>, TypeId>,
    /// Where each named type is mentioned first.
    pub(super) type_places: Vec<Offset>,
    /// Whether each named type is defined, if only as opaque.
    pub(super) is_defined: Vec<bool>,
    /// Groups of attributes.
    pub(super) groups: Map<u32, Group>,
    /// The indices of the module's targets.
    pub(super) targets: Map<Target<'t>, u32>,
    pub(super) facts: Facts,
    /// Bytes looked at so far, counted again each time.
    pub(super) work: u64,
}

/// `attributes #7 = {…}`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) flags: FunctionFlags,
    /// An index of the module's targets.
    pub(super) target: Option<u32>,
}
