//! What a pass tells of its work, to whoever asked.

use std::fmt::Display;

use brolga_ir::entity::Inst;
use brolga_ir::observe::{Observer, RemarkKind};

/// What a pass tells of one function. Nothing is put into words unless somebody asked.
#[derive(Debug, Default)]
pub struct Journal<'a> {
    /// None where nobody asked.
    entries: Option<Vec<Entry>>,
    trace: Option<(&'a dyn Observer, &'static str)>,
}

/// A remark whose place is still an instruction.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) inst: Inst,
    pub(crate) kind: RemarkKind,
    pub(crate) message: Box<str>,
}

impl<'a> Journal<'a> {
    /// A journal that takes remarks.
    pub(crate) fn with_remarks(self) -> Journal<'a> {
        Journal { entries: Some(Vec::new()), ..self }
    }

    /// A journal that shows what `pass` traces to `observer`.
    pub(crate) fn with_trace(self, observer: &'a dyn Observer, pass: &'static str) -> Journal<'a> {
        Journal { trace: Some((observer, pass)), ..self }
    }

    /// Whether anybody reads remarks: for a pass to which finding out what to remark is work.
    pub fn takes_remarks(&self) -> bool {
        self.entries.is_some()
    }

    pub(super) fn remark(&mut self, inst: Inst, kind: RemarkKind, message: impl Display) {
        if let Some(entries) = &mut self.entries {
            entries.push(Entry { inst, kind, message: message.to_string().into() });
        }
    }

    pub(super) fn trace(&self, text: impl Display) {
        if let Some((observer, pass)) = self.trace {
            observer.shown(&format!("{pass}: {text}\n"));
        }
    }

    pub(crate) fn into_entries(self) -> Vec<Entry> {
        self.entries.unwrap_or_default()
    }
}
