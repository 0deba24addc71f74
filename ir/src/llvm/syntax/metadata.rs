//! Metadata.

use std::borrow::Cow;
use std::ops::Range;

use super::{MetadataId, Offset};

/// What one piece of metadata says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum Node<'t> {
    /// `!{…}`.
    Tuple { distinct: bool, items: Vec<MetadataItem<'t>> },
    /// `!DILocation(line: 1, …)`: the word, and what is said of each field.
    Record { distinct: bool, kind: &'t str, fields: Vec<(&'t str, MetadataItem<'t>)> },
}

/// A part of a piece of metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum MetadataItem<'t> {
    Null,
    Node(MetadataId),
    String(Cow<'t, [u8]>),
    /// An integer constant of that many bits, cut to them and zero above.
    Integer {
        bits: u32,
        value: u128,
    },
    /// The value of a field: a number.
    Number(i128),
    /// The value of a field: one or more words, `DIFlagPrivate | DIFlagVector`.
    Word(&'t str),
    Inline(Box<Node<'t>>),
    /// Another constant, or a value of a function.
    Value(Range<Offset>),
}
