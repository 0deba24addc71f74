//! What a function declares before its first block.

use std::fmt;

use super::BodyPrinter;
use super::data::write_symbol;
use crate::body::{ExitData, ExitKind, Initial, LocData, SlotData, TEXT_FILE};
use crate::module::Symbol;
use crate::text::quote::write_quoted;

impl BodyPrinter<'_> {
    pub(super) fn write_entities(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        for (slot, data) in self.body.slots() {
            write!(f, "    {slot} = ")?;
            write_slot(f, data)?;
        }
        for (exit, data) in self.body.exits() {
            write!(f, "    {exit} = ")?;
            self.write_exit(f, data)?;
        }
        for (scope, name) in self.body.scopes() {
            write!(f, "    {scope} = ")?;
            write_quoted(f, name)?;
            f.write_str("\n")?;
        }
        // Those of the text itself go without saying, unless they stand beside others.
        if self.body.has_source_locs() {
            for (loc, data) in self.body.locs() {
                write!(f, "    {loc} = ")?;
                self.write_location(f, data)?;
            }
        }
        Ok(())
    }

    fn write_exit(&self, f: &mut dyn fmt::Write, exit: &ExitData) -> fmt::Result {
        match exit.kind {
            ExitKind::Trap(code) => write!(f, "trap {code}")?,
            ExitKind::Side(number) => write!(f, "side {number}")?,
            ExitKind::Deopt(function) => {
                f.write_str("deopt ")?;
                write_symbol(f, self.module, Symbol::Function(function))?;
            }
        }
        for (i, &ty) in exit.types.iter().enumerate() {
            let open = if i == 0 { " (" } else { ", " };
            write!(f, "{open}{}", self.module.types.display(ty))?;
        }
        f.write_str(if exit.types.is_empty() { "\n" } else { ")\n" })
    }

    fn write_location(&self, f: &mut dyn fmt::Write, loc: &LocData) -> fmt::Result {
        match loc.file {
            TEXT_FILE => f.write_str("text")?,
            file => write_quoted(f, self.module.string(file))?,
        }
        write!(f, ":{}:{}", loc.line, loc.column)?;
        if let Some(function) = loc.function {
            f.write_str(" in ")?;
            write_quoted(f, self.module.string(function))?;
        }
        match loc.inlined_at.expand() {
            Some(at) => writeln!(f, " at {at}"),
            None => f.write_str("\n"),
        }
    }
}

fn write_slot(f: &mut dyn fmt::Write, slot: &SlotData) -> fmt::Result {
    write!(f, "slot {}", slot.size)?;
    if slot.align_log2 != SlotData::default_align_log2(slot.size) {
        write!(f, " align {}", 1_u64 << slot.align_log2.min(63))?;
    }
    f.write_str(if slot.initial == Initial::Uninit { " uninit\n" } else { "\n" })
}
