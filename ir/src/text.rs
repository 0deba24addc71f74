//! The text of the IR (`.bir`): read with [`parse_module`], written with
//! [`print_module`] or by formatting a [`Module`].
//!
//! Printing a module and parsing the result gives the same module; printing
//! that gives the same bytes. The grammar is in `docs/text.md`.

mod comment;
mod cursor;
mod datum;
mod diagnostic;
mod directive;
mod example;
mod format;
mod lexer;
mod literal;
mod number;
mod outline;
mod parser;
mod printer;
mod quote;
mod words;

use crate::module::Module;
use outline::Outline;

pub use datum::{DatumDisplay, display_datum, parse_datum};
pub use diagnostic::{Code, Diagnostic};
pub(crate) use diagnostic::{Parsed, Report, Reported};
pub use directive::{
    Alone, AloneOutcome, Assembly, AssemblyPart, Directive, DirectiveKind, Outcome, Passes, Piece,
    Run, ToldRemark, directives,
};
pub use example::example_module;
pub use format::format_bytes;
pub use printer::{BodyPrinter, print_function, print_inst, print_module};
pub(crate) use printer::{write_class, write_declaration, write_slot};

/// How much a text may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Reading stops at that many errors.
    pub diagnostics: usize,
    /// The largest text, in bytes; at most 1 GiB counts.
    pub bytes: usize,
    /// How many numbers of values and blocks may stay unused in a whole
    /// module (8 to 30 bytes of memory each), beside one for each byte of text.
    pub unused_numbers: u64,
}

/// No text is larger, so that the number of a thing always fits its handle.
const MAX_BYTES: usize = 1 << 30;

impl Default for Limits {
    fn default() -> Limits {
        Limits { diagnostics: 20, bytes: MAX_BYTES, unused_numbers: 1 << 22 }
    }
}

/// What reading a text came to.
#[derive(Debug)]
struct Reading {
    module: Result<Module, Vec<Diagnostic>>,
    /// Where its parts stand, if that was asked for.
    outline: Option<Outline>,
    /// Bytes looked at, counted again each time.
    #[cfg_attr(not(test), expect(dead_code, reason = "asserted on by tests"))]
    work: u64,
}

/// Reads a module.
///
/// # Errors
/// Every error that was found, up to the default [`Limits`], in the order of
/// their places.
pub fn parse_module(text: &str) -> Result<Module, Vec<Diagnostic>> {
    parse_module_within(text, &Limits::default())
}

/// Reads a module within `limits`.
///
/// # Errors
/// As [`parse_module`].
pub fn parse_module_within(text: &str, limits: &Limits) -> Result<Module, Vec<Diagnostic>> {
    read(text, limits, None).module
}

/// Reads a module from bytes, which may be anything.
///
/// # Errors
/// As [`parse_module`]; bytes that are no UTF-8 are one error, at their place.
pub fn parse_bytes(bytes: &[u8], limits: &Limits) -> Result<Module, Vec<Diagnostic>> {
    parse_module_within(diagnostic::text_of_bytes(bytes)?, limits)
}

/// Reads a module, and notes in `outline` where its parts stand.
fn read(text: &str, limits: &Limits, outline: Option<Outline>) -> Reading {
    match check_size(text, limits) {
        Some(error) => Reading { module: Err(vec![error]), outline, work: 0 },
        None => parser::parse(text, limits, outline),
    }
}

/// The error of a text that is larger than `limits` allow.
pub(crate) fn check_size(text: &str, limits: &Limits) -> Option<Diagnostic> {
    let largest = limits.bytes.min(MAX_BYTES);
    (text.len() > largest).then(|| diagnostic::too_large(text.len(), largest))
}

#[cfg(test)]
mod tests;
