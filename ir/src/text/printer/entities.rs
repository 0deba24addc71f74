//! What a function declares before its first block.

use std::fmt;

use super::BodyPrinter;
use super::data::write_symbol;
use crate::body::{ExitData, ExitKind, Initial, LocData, SlotData, TEXT_FILE};
use crate::entity::{Exit, Loc, Slot};
use crate::module::Symbol;
use crate::text::quote::write_quoted;

impl BodyPrinter<'_> {
    pub(super) fn write_entities(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        for (slot, data) in self.body.slots() {
            f.write_str("    ")?;
            write_slot(f, slot, data)?;
        }
        for (exit, data) in self.body.exits() {
            f.write_str("    ")?;
            self.write_exit(f, exit, data)?;
        }
        for (scope, name) in self.body.scopes() {
            write!(f, "    {scope} = ")?;
            write_quoted(f, name)?;
            f.write_str("\n")?;
        }
        // Those of the text itself go without saying, unless they stand beside others.
        if self.body.has_source_locs() {
            for (loc, data) in self.body.locs() {
                f.write_str("    ")?;
                self.write_location(f, loc, data)?;
            }
        }
        Ok(())
    }

    pub(crate) fn write_exit(
        &self,
        f: &mut dyn fmt::Write,
        exit: Exit,
        data: &ExitData,
    ) -> fmt::Result {
        write!(f, "{exit} = ")?;
        match data.kind {
            ExitKind::Trap(code) => write!(f, "trap {code}")?,
            ExitKind::Side(number) => write!(f, "side {number}")?,
            ExitKind::Deopt(function) => {
                f.write_str("deopt ")?;
                write_symbol(f, self.module, Symbol::Function(function))?;
            }
        }
        for (i, &ty) in data.types.iter().enumerate() {
            let open = if i == 0 { " (" } else { ", " };
            write!(f, "{open}{}", self.module.types.display(ty))?;
        }
        f.write_str(if data.types.is_empty() { "\n" } else { ")\n" })
    }

    pub(crate) fn write_location(
        &self,
        f: &mut dyn fmt::Write,
        loc: Loc,
        data: &LocData,
    ) -> fmt::Result {
        write!(f, "{loc} = ")?;
        match data.file {
            TEXT_FILE => f.write_str("text")?,
            file => write_quoted(f, self.module.string(file))?,
        }
        write!(f, ":{}:{}", data.line, data.column)?;
        if let Some(function) = data.function {
            f.write_str(" in ")?;
            write_quoted(f, self.module.string(function))?;
        }
        match data.inlined_at.expand() {
            Some(at) => writeln!(f, " at {at}"),
            None => f.write_str("\n"),
        }
    }
}

pub(crate) fn write_slot(f: &mut dyn fmt::Write, slot: Slot, data: &SlotData) -> fmt::Result {
    write!(f, "{slot} = slot {}", data.size)?;
    if data.align_log2 != SlotData::default_align_log2(data.size) {
        write!(f, " align {}", 1_u64 << data.align_log2.min(63))?;
    }
    f.write_str(if data.initial == Initial::Uninit { " uninit\n" } else { "\n" })
}
