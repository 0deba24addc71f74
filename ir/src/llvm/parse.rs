//! From the text of LLVM IR to what it says.
//!
//! Reading goes in two passes. The first, [`outline`], reads all of the module level and
//! goes over bodies byte by byte, so that a body may name what stands behind it; the
//! second, [`body`], reads one body at a time. Both look at each byte a bounded number of
//! times, recurse no deeper than [`MAX_DEPTH`], and keep no more than the text has.

mod attributes;
mod body;
mod constant;
mod cursor;
mod facts;
mod metadata;
mod number;
mod ops;
mod outline;
mod quote;
mod reader;
mod rules;
mod scan;
mod types;

use super::report::Report;
use super::syntax::{Function, GlobalId, MetadataId, Module, Node};
use crate::text::{Code, Parsed};

/// How deep types, constants and metadata may be nested.
pub(super) const MAX_DEPTH: u32 = 128;

/// No larger text is read, so that places and numbers of things fit 32 bits.
const MAX_BYTES: usize = 1 << 30;

/// Reads all of a text but the bodies of its functions. What is wrong is in the report
/// then, and what is right in the module nevertheless.
pub(super) fn outline<'t>(text: &'t str, report: &mut Report<'t>) -> Module<'t> {
    let mut module = Module::new();
    match text.len() <= MAX_BYTES {
        true => outline::read(text, &mut module, report),
        false => {
            let message = format!("the text has {} bytes, and at most 1 GiB is read", text.len());
            report.add_span(Code::TextTooLarge, 0..0, message);
        }
    }
    module
}

/// Reads the body of a function that has one. The module may get further types, and
/// intrinsics that the text calls and does not declare.
///
/// Every value and block of the function that comes is defined, and every value has the
/// type that its uses spell.
///
/// # Errors
/// What is wrong is in the report: the first error of the body, or all values and blocks
/// that it uses and does not define.
pub(super) fn body<'t>(
    text: &'t str,
    module: &mut Module<'t>,
    function: GlobalId,
    report: &mut Report<'t>,
) -> Parsed<Function<'t>> {
    body::read(text, module, function, report)
}

/// What a piece of metadata says; nothing if the text has no such piece, or none that can
/// be read: metadata are hints, so that this is no error.
pub(super) fn metadata<'t>(text: &'t str, module: &Module<'t>, id: MetadataId) -> Option<Node<'t>> {
    let range = module.metadata_range(id)?;
    let mut report = Report::new(text, 1);
    metadata::read(&mut cursor::Cursor::new(text, range, &mut report)).ok()
}

#[cfg(test)]
mod tests;
