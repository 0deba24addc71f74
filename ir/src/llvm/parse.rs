//! From the text of LLVM IR to what it says.

mod names;

use super::report::Report;
use super::syntax::{Function, GlobalId, MetadataId, Module, Node};
use crate::text::{Code, Parsed};

pub(super) use names::Names;

/// How deep types, constants and metadata may be nested.
pub(super) const MAX_DEPTH: u32 = 128;

/// Reads all of a text but the bodies of its functions. What is wrong is in the report
/// then, and what is right in the module nevertheless.
pub(super) fn outline<'t>(text: &'t str, report: &mut Report<'t>) -> Module<'t> {
    let _ = text;
    report.add(Code::LlvmUnsupported, 0, "texts are not read yet");
    Module::default()
}

/// Reads the body of a function that has one. The module may get further types, and
/// intrinsics that the text calls and does not declare.
///
/// Every value and block of the function that comes is defined, and every value has the
/// type that its uses spell.
pub(super) fn body<'t>(
    text: &'t str,
    module: &mut Module<'t>,
    function: GlobalId,
    report: &mut Report<'t>,
) -> Parsed<Function<'t>> {
    let _ = text;
    let at = module.globals[function.index()].at;
    Err(report.add(Code::LlvmUnsupported, at, "bodies are not read yet"))
}

/// What a piece of metadata says; nothing if the text has no such piece, or none that can
/// be read: metadata are hints, so that this is no error.
pub(super) fn metadata<'t>(text: &'t str, module: &Module<'t>, id: MetadataId) -> Option<Node<'t>> {
    let _ = (text, module, id);
    None
}
