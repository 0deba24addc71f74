//! Types of the text: how their values are carried.

use super::Shared;
use crate::llvm::syntax::{Module, Offset, TypeData, TypeId};
use crate::text::Parsed;
use crate::types::Type;

/// How values of a type are carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Carrier {
    /// Our type.
    pub(super) ty: Type,
    /// The bits of each integer that carry meaning, those above being zero; 0 where
    /// all bits of the carrier do.
    pub(super) bits: u32,
}

/// What is known of the types of a text, each found out when it is asked for first.
#[derive(Default)]
pub(super) struct Types {
    carriers: Vec<Option<Carrier>>,
}

impl Shared<'_> {
    /// How values of `ty` are carried; an error at `at` if they cannot be.
    pub(super) fn carrier(&mut self, ty: TypeId, at: Offset) -> Parsed<Carrier> {
        match self.types.carriers.get(ty.index()) {
            Some(&Some(carrier)) => Ok(carrier),
            _ => {
                Err(self
                    .unsupported(at, format_args!("`{}` is no type of values", self.show_type(ty))))
            }
        }
    }
}

/// The text of a type.
pub(super) fn show(module: &Module<'_>, ty: TypeId) -> String {
    match &module.types[ty.index()] {
        TypeData::Integer(bits) => format!("i{bits}"),
        other => format!("{other:?}"),
    }
}
