//! The module level.

use std::borrow::Cow;
use std::ops::Range;

use super::{
    CallAttributes, CallConvention, Constant, ConstantId, GlobalId, MetadataId, Name, Names,
    Offset, ParamAttributes, Target, TypeData, TypeId,
};

/// Who sees a symbol, and which of several definitions counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) enum Linkage {
    #[default]
    External,
    /// `private`, `internal`.
    Internal,
    /// `linkonce`, `weak` and their `_odr` forms: one of several equal ones.
    Weak,
    /// `common`: zeros, unless another module defines it.
    Common,
    /// `appending`: what all modules say is strung together.
    Appending,
    /// `available_externally`: for inlining only; another module defines it.
    AvailableExternally,
    /// `extern_weak`: null if nobody defines it.
    ExternWeak,
}

/// Which of several files' comdats of one name counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum Selection {
    /// Any: ours is the first.
    Any,
    /// Any, and all hold the same.
    ExactMatch,
    /// That whose variable of its name has the most bytes.
    Largest,
    /// None gives way.
    NoDeduplicate,
    /// Any, and the variables of its name have the same number of bytes.
    SameSize,
}

impl Selection {
    /// How each is spelled; versions before 13 have another word for one.
    const WORDS: [(&'static str, Selection); 6] = [
        ("any", Selection::Any),
        ("exactmatch", Selection::ExactMatch),
        ("largest", Selection::Largest),
        ("nodeduplicate", Selection::NoDeduplicate),
        ("noduplicates", Selection::NoDeduplicate),
        ("samesize", Selection::SameSize),
    ];

    /// What a word stands for.
    pub(in crate::llvm) fn from_word(word: &str) -> Option<Selection> {
        Selection::WORDS.iter().find(|&&(known, _)| known == word).map(|&(_, selection)| selection)
    }

    /// Its word.
    pub(in crate::llvm) fn word(self) -> &'static str {
        let found = Selection::WORDS.iter().find(|&&(_, selection)| selection == self);
        found.map_or("", |&(word, _)| word)
    }
}

/// What a name behind `@` stands for.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Global<'t> {
    /// Where the text has only a number, that, made different from all names.
    pub name: Cow<'t, str>,
    /// Where it is defined or declared, or mentioned if it is neither.
    pub at: Offset,
    pub linkage: Linkage,
    /// What `section` says, as it is spelled between the quotes.
    pub section: Option<&'t str>,
    /// The comdat that it is part of.
    pub comdat: Option<Cow<'t, str>>,
    pub data: GlobalData,
}

/// What is said of a global.
#[derive(Clone, Debug)]
pub(in crate::llvm) enum GlobalData {
    /// Only mentioned: an error once the module is read.
    Undefined,
    Variable {
        ty: TypeId,
        initializer: Option<ConstantId>,
        constant: bool,
        thread_local: bool,
        space: u32,
        /// Bytes; 0 where nothing is said.
        align: u32,
    },
    /// An alias of a constant address.
    Alias {
        target: ConstantId,
        /// What it stands for, if that is a symbol alone.
        object: Option<GlobalId>,
    },
    Function(FunctionHead),
}

/// What is said of a function beside its body.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct FunctionHead {
    /// A function type.
    pub ty: TypeId,
    pub convention: CallConvention,
    pub param_attributes: Box<[ParamAttributes]>,
    pub result_attributes: ParamAttributes,
    /// Written at the head, and in its groups.
    pub attributes: CallAttributes,
    /// An index of [`Module::targets`].
    pub target: Option<u32>,
    /// Where the name of each parameter stands, if it has one or a number spelled out.
    pub param_names: Box<[Option<Offset>]>,
    /// The place of the body between its braces.
    pub body: Option<Range<Offset>>,
}

/// A module, without bodies of functions.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Module<'t> {
    pub source: Cow<'t, str>,
    pub triple: Cow<'t, str>,
    pub layout: Cow<'t, str>,
    pub types: Vec<TypeData>,
    /// The ids of `types`, each of which stands there once.
    pub type_ids: super::types::TypeTable,
    /// The name and the definition of each named type; opaque ones have none. None
    /// contains itself, and they are not nested deeper than
    /// [`MAX_DEPTH`](crate::llvm::parse::MAX_DEPTH).
    pub named: Vec<(Name<'t>, Option<TypeId>)>,
    /// In the order of their first mention.
    pub globals: Vec<Global<'t>>,
    /// Globals in the order of their definition or declaration.
    pub order: Vec<GlobalId>,
    /// Constants of initialisers and aliases.
    pub constants: Vec<Constant<'t>>,
    /// Machines that functions name.
    pub targets: Vec<Target<'t>>,
    /// The numbers of metadata in rising order, and where the text behind `!7 = ` stands.
    pub metadata: Vec<(MetadataId, Range<Offset>)>,
    /// Metadata that instructions spell out. Their numbers begin at
    /// [`INLINE_METADATA`](Module::INLINE_METADATA).
    pub inline_metadata: Vec<Range<Offset>>,
    /// The items of named metadata, `!llvm.module.flags = !{…}`.
    pub named_metadata: Vec<(Cow<'t, str>, Vec<MetadataId>)>,
    /// Whether there is inline assembly at module level, and where.
    pub assembly: Option<Offset>,
    /// What names of the text stand for.
    pub names: Names<'t>,
}
