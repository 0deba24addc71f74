//! A function with others whose code it may take over, chosen by whoever compiles it: where
//! functions are defined one by one, and anew, that is who knows which bodies hold.

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;

use super::call_order::{opened_by, reachable_among};
use super::prepared::{Legal, legal_among};
use super::{Pass, Report, RunOptions};
use crate::error::CompileError;
use crate::pass::{Argument, LocalCalls};

/// The functions whose code `function` may take over by `passes`, at once or by way of others,
/// among those that may be looked at. `may_look` is asked before anything is read of a body, so
/// that it can have it verified first.
pub fn open_callees(
    module: &Module,
    function: FuncId,
    passes: &[&'static Pass],
    may_look: impl FnMut(FuncId) -> bool,
) -> Vec<FuncId> {
    let opened = opened_by(passes);
    if opened.is_empty() {
        return Vec::new();
    }
    reachable_among(module, function, &opened, may_look)
}

/// Whether `passes` may take over code of that function.
pub fn is_open(module: &Module, function: FuncId, passes: &[&'static Pass]) -> bool {
    opened_by(passes).iter().any(|is_open| is_open(module, function))
}

/// Whether `passes` take over code of others at all.
pub fn opens_callees(passes: &[&'static Pass]) -> bool {
    !opened_by(passes).is_empty()
}

/// A function of a module with others whose code it may take over.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The function.
    pub function: FuncId,
    /// The others.
    pub others: &'a [FuncId],
    /// Those of them that one call alone names, wherever that stands:
    /// [`LocalCalls::has_sole_caller`].
    pub sole: &'a [FuncId],
    /// What the function is called with, as far as that is known: [`LocalCalls::arguments`].
    pub arguments: &'a [Argument],
}

/// Brings a function into the form that emission takes, as
/// [`legal_function`](super::legal_function) does, where passes look into its part alone.
///
/// # Errors
/// As [`legal_function`](super::legal_function).
pub fn legal_part(
    module: &Module,
    part: Part<'_>,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
    report: &mut Report,
) -> Result<Legal, CompileError> {
    let calls = || {
        let mut calls = LocalCalls::of_sole_callees(part.sole.iter().copied());
        calls.set_arguments(part.function, part.arguments.into());
        calls
    };
    legal_among(module, (part.function, part.others), calls, passes, options, report)
}
