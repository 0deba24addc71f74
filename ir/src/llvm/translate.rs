//! From what a text says to a module of ours.

mod abi;
mod assembly;
mod call;
mod constant;
mod debug;
mod function;
mod instruction;
mod intrinsic;
mod layout;
mod metadata;
mod types;

use std::fmt;

use super::report::Report;
use super::syntax::{self, Offset, TypeId};
use crate::module::{Module, Symbol};
use crate::text::{Code, Reported};

/// What all functions of a module share while it is translated.
pub(super) struct Shared<'t> {
    /// What the text says.
    pub(super) syntax: syntax::Module<'t>,
    /// What comes of it.
    pub(super) module: Module,
    pub(super) report: Report<'t>,
    /// Sizes and carriers of the types of the text.
    pub(super) types: types::Types,
    /// What the globals of the text have become.
    pub(super) symbols: Vec<Resolved>,
}

/// What a global of the text has become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resolved {
    /// The address of a symbol, plus a number of bytes.
    Address { symbol: Symbol, offset: i64 },
    /// No address: what `extern_weak` has where nobody defines it.
    Null,
    /// Nothing that has an address here: an intrinsic, or what was reported.
    None,
}

impl Shared<'_> {
    /// Reports what has no meaning here.
    pub(super) fn unsupported(&mut self, at: Offset, what: impl fmt::Display) -> Reported {
        self.report.add(Code::LlvmUnsupported, at, what)
    }

    /// Reports a breach of LLVM's own rules.
    pub(super) fn invalid(&mut self, at: Offset, what: impl fmt::Display) -> Reported {
        self.report.add(Code::LlvmInvalid, at, what)
    }

    /// The text of a type, for messages.
    pub(super) fn show_type(&self, ty: TypeId) -> String {
        types::show(&self.syntax, ty)
    }
}
