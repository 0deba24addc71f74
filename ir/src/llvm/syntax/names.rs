//! What the names of a module stand for, and what is known of its types.

use std::borrow::Cow;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{FunctionFlags, GlobalId, Name, Offset, Selection, Target, TypeId};

/// A map that is only looked into.
pub(in crate::llvm) type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// What the names of a module stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Names<'t> {
    pub globals: Map<Cow<'t, str>, GlobalId>,
    pub numbered_globals: Map<u32, GlobalId>,
    /// What is said of comdats.
    pub comdats: Map<Cow<'t, str>, Selection>,
    pub types: Map<Name<'t>, TypeId>,
    /// Where each named type is mentioned first.
    pub type_places: Vec<Offset>,
    /// Whether each named type is defined, if only as opaque.
    pub is_defined: Vec<bool>,
    /// Groups of attributes.
    pub groups: Map<u32, Group>,
    /// The indices of the module's targets.
    pub targets: Map<Target<'t>, u32>,
    pub facts: Facts,
    /// Bytes looked at so far, counted again each time.
    pub work: u64,
}

/// `attributes #7 = {…}`.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::llvm) struct Group {
    pub flags: FunctionFlags,
    /// An index of the module's targets.
    pub target: Option<u32>,
}

/// What is known of the types of a module whose definitions are all read.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Facts {
    /// By [`TypeId`]; none for a type that is not looked at yet.
    pub types: Vec<Option<Fact>>,
}

/// What is known of a type.
#[derive(Clone, Copy, Debug)]
pub(in crate::llvm) struct Fact {
    /// How many levels it has.
    pub depth: u32,
    /// Whether its values have a size.
    pub is_sized: bool,
}

impl Facts {
    /// What is known of a type, if all is read that it is made of.
    pub(in crate::llvm) fn get(&self, ty: TypeId) -> Option<Fact> {
        self.types.get(ty.index()).copied().flatten()
    }

    /// Whether the values of a type have a size.
    pub(in crate::llvm) fn is_sized(&self, ty: TypeId) -> bool {
        self.get(ty).is_some_and(|fact| fact.is_sized)
    }
}
