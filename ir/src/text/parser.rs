//! The parser: recursive descent in two passes. The first reads the lines of
//! the module level, so that bodies may name what is declared behind them;
//! the second reads the bodies.

mod attributes;
mod constant;
mod data;
mod draft;
mod ending;
mod entities;
mod fields;
mod function;
mod instruction;
mod level;
mod operand;
mod scan;
mod suggest;
mod types;

use hashbrown::HashSet;

use super::cursor::Cursor;
use super::diagnostic::Parsed;
use super::outline::Outline;
use super::{Limits, Reading};
use crate::entity::{DataId, FuncId};
use crate::module::{Module, Symbol};
use scan::Braces;

pub(super) use entities::parse_trap_code;

/// Braces that the first pass has left to the second.
#[derive(Debug)]
enum Pending {
    Function(FuncId, Braces),
    Data(DataId, data::Head, Braces),
}

/// Reads one module.
#[derive(Debug)]
struct Parser<'a> {
    cursor: Cursor<'a>,
    module: Module,
    pending: Vec<Pending>,
    /// Names whose declaration is wrong: not to be called unknown.
    faulty: HashSet<String>,
    /// How many numbers of values and blocks may stay unused, beside one for
    /// each byte of a body.
    spare_numbers: u64,
}

/// Parses a text within the limits, and notes what it reads in `outline`.
pub(super) fn parse(text: &str, limits: &Limits, outline: Option<Outline>) -> Reading {
    let mut parser = Parser {
        cursor: Cursor::new(text, limits.diagnostics),
        module: Module::default(),
        pending: Vec::new(),
        faulty: HashSet::new(),
        spare_numbers: limits.unused_numbers,
    };
    parser.cursor.outline = outline;
    parser.module_level();
    parser.bodies();
    let work = parser.cursor.work();
    let Cursor { report, outline, .. } = parser.cursor;
    let module = match report.is_empty() {
        true => Ok(parser.module),
        false => Err(report.into_diagnostics()),
    };
    Reading { module, outline, work }
}

impl Parser<'_> {
    fn bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            if self.cursor.report.is_full() {
                return;
            }
            match pending {
                Pending::Function(id, braces) => function::parse_body(self, id, &braces),
                Pending::Data(id, head, braces) => self.data_items(id, &head, &braces),
            }
        }
    }

    /// The symbol of a name that stands next.
    fn symbol(&mut self, expected: &str) -> Parsed<Symbol> {
        operand::parse_symbol(&mut self.cursor, &self.module, &self.faulty, expected)
    }
}
