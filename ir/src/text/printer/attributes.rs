//! Attributes behind the fields of an instruction.

use std::fmt;

use super::BodyPrinter;
use super::data::write_class_name;
use crate::attribute::{ACCESS_FLAG_NAMES, INST_FLAG_NAMES};
use crate::entity::{Inst, PackedOption, ScopeSet};
use crate::instruction::{Access, InstData};
use crate::text::literal::write_scalar;
use crate::text::words::range_scalar;

impl BodyPrinter<'_> {
    pub(super) fn write_attributes(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        data: &InstData,
    ) -> fmt::Result {
        for (flag, name) in INST_FLAG_NAMES {
            if data.flags.contains(*flag) {
                write!(f, " {name}")?;
            }
        }
        if let Some(access) = data.access() {
            self.write_access(f, access)?;
        }
        if let Some(weights) = self.body.weights(inst) {
            for (i, weight) in weights.iter().enumerate() {
                write!(f, "{}{weight}", if i == 0 { " weights(" } else { ", " })?;
            }
            f.write_str(")")?;
        }
        if let Some(range) = self.body.range(inst) {
            let result = self.body.results(inst).first();
            let scalar = range_scalar(result.map(|&result| self.body.value_type(result)));
            f.write_str(" range(")?;
            write_scalar(f, range.low, scalar)?;
            f.write_str(", ")?;
            write_scalar(f, range.high, scalar)?;
            f.write_str(")")?;
        }
        match data.loc.expand() {
            Some(loc) if self.body.has_source_locs() => write!(f, " !{loc}"),
            _ => Ok(()),
        }
    }

    fn write_access(&self, f: &mut dyn fmt::Write, access: &Access) -> fmt::Result {
        if access.align_log2 != 0 {
            write!(f, " align {}", 1_u64 << access.align_log2.min(63))?;
        }
        for (flag, name) in ACCESS_FLAG_NAMES {
            if access.flags.contains(*flag) {
                write!(f, " {name}")?;
            }
        }
        if let Some(class) = access.class.expand() {
            f.write_str(" class ")?;
            write_class_name(f, self.module, class)?;
        }
        self.write_scopes(f, "scopes", access.scopes)?;
        self.write_scopes(f, "noalias", access.no_alias)
    }

    fn write_scopes(
        &self,
        f: &mut dyn fmt::Write,
        word: &str,
        set: PackedOption<ScopeSet>,
    ) -> fmt::Result {
        let Some(set) = set.expand() else { return Ok(()) };
        write!(f, " {word}(")?;
        for (i, scope) in self.body.scope_set_members(set).iter().enumerate() {
            write!(f, "{}{scope}", if i == 0 { "" } else { ", " })?;
        }
        f.write_char(')')
    }
}
