//! Whether a module is one: types, dominance, dialect, calls, handlers,
//! managed code, data. Everything below trusts a verified module.
//!
//! Every breach of a [`Rule`] is a value with its place; verification goes on
//! behind it. Any module that can be built can be verified, in time linear in
//! its size (n log n for the dominators and for the cases of switches).
//!
//! ```
//! use brolga_ir::module::{Linkage, Module};
//! use brolga_ir::types::Signature;
//! use brolga_ir::verify::{Options, Rule, verify_module};
//!
//! let mut module = Module::new("m");
//! let sig = module.types.signature(Signature::default()).unwrap();
//! module.declare_function("f", sig, Linkage::Export).unwrap();
//! let errors = verify_module(&module, &Options::default()).unwrap_err();
//! assert_eq!(errors.errors[0].rule, Rule::FunctionBody);
//! ```

mod access;
mod blocks;
mod calls;
mod data;
mod declarations;
mod entities;
mod error;
mod flow;
mod function;
mod line;
mod managed;
mod regions;
mod report;
mod rule;
mod safety;
mod shape;
mod types;
mod verified;

use std::fmt;

use crate::body::Body;
use crate::entity::{FuncId, Inst};
use crate::module::Module;
use crate::op::{Dialect, Safety};

pub(crate) use calls::is_promoted;
pub use data::MAX_DATA_SIZE;
pub(crate) use declarations::signature_fault;
pub use entities::{MAX_FRAME_SIZE, frame_size};
pub(crate) use error::write_list;
pub use error::{SourcePlace, VerifyError, VerifyErrors};
pub(crate) use line::{cut_head, cut_line, cut_message, cut_name};
pub(crate) use report::shown_block;
pub use rule::Rule;
pub use safety::{require_safe, require_safe_declarations, require_safe_function};
pub use verified::Verified;

use report::Report;

/// What a target cannot do. Lowering supplies it, since it knows targets.
pub trait TargetRules: fmt::Debug {
    /// Why the target cannot do `inst`, as a sentence without period; nothing if it can.
    fn refusal(&self, module: &Module, body: &Body, inst: Inst) -> Option<String>;
}

/// What to verify for.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The highest dialect still legal: [`Dialect::Front`] for what comes in
    /// (everything is legal), [`Dialect::Managed`] behind stage 1,
    /// [`Dialect::Machine`] behind stage 6.
    pub border: Dialect,
    /// What the target cannot do, if one is chosen.
    pub target: Option<&'a dyn TargetRules>,
    /// How many errors to list (at least one); the rest is counted.
    pub max_errors: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { border: Dialect::Front, target: None, max_errors: 100 }
    }
}

/// Verifies all of `module`.
///
/// # Errors
/// Every breach of a rule, in the order of the module.
pub fn verify_module(module: &Module, options: &Options<'_>) -> Result<(), VerifyErrors> {
    module_safety(module, options).map(drop)
}

/// The same; tells whether anything in the module is raw.
fn module_safety(module: &Module, options: &Options<'_>) -> Result<Safety, VerifyErrors> {
    let mut report = Report::new(module, options.max_errors);
    check_module(module, options, &mut report);
    report.finish()
}

/// Verifies one function of `module`, with its declaration; the rest of the
/// module is taken to be verified.
///
/// # Errors
/// Every breach of a rule, in the order of the function.
pub fn verify_function(
    module: &Module,
    function: FuncId,
    options: &Options<'_>,
) -> Result<(), VerifyErrors> {
    function_safety(module, function, options).map(drop)
}

/// The same; tells whether anything in the function is raw.
pub(crate) fn function_safety(
    module: &Module,
    function: FuncId,
    options: &Options<'_>,
) -> Result<Safety, VerifyErrors> {
    let mut report = Report::new(module, options.max_errors);
    check_function(module, function, options, &mut report);
    report.finish()
}

/// Verifies what `module` declares: symbols, signatures, attributes, alias
/// classes and data. The bodies of functions are taken to be verified.
///
/// # Errors
/// Every breach of a rule, in the order of the module.
pub fn verify_declarations(module: &Module) -> Result<(), VerifyErrors> {
    declarations_safety(module).map(drop)
}

/// The same; tells whether any of it is raw.
pub(crate) fn declarations_safety(module: &Module) -> Result<Safety, VerifyErrors> {
    let options = Options::default();
    let mut report = Report::new(module, options.max_errors);
    check_shared(module, &mut report);
    for (id, function) in module.functions() {
        declarations::check_function(module, id, function, &options, &mut report);
    }
    report.finish()
}

fn check_shared(module: &Module, report: &mut Report<'_>) {
    declarations::check_module(module, report);
    for (id, object) in module.data_objects() {
        data::check(module, id, object, report);
    }
}

fn check_module<'a>(module: &'a Module, options: &'a Options<'a>, report: &mut Report<'a>) {
    check_shared(module, report);
    for (id, _) in module.functions() {
        check_function(module, id, options, report);
    }
}

fn check_function<'a>(
    module: &'a Module,
    id: FuncId,
    options: &'a Options<'a>,
    report: &mut Report<'a>,
) {
    let Some(function) = module.function(id) else {
        let message = format_args!("{id} is no function of the module");
        report.push(Rule::UnknownHandle, report::Place::Nowhere, message);
        return;
    };
    declarations::check_function(module, id, function, options, report);
    if let Some(body) = &function.body {
        function::check(module, id, body, options, report);
    }
}

#[cfg(test)]
mod tests;
