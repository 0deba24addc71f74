//! A function without structs and arrays, for whoever makes code of it without a pipeline.

use brolga_ir::body::Body;
use brolga_ir::entity::{FuncId, Value};
use brolga_ir::module::Module;

use super::prepared::Legal;
use super::runner::{change_signatures, compile_error};
use crate::analysis::Analyses;
use crate::early_simplification::flatten_values;
use crate::error::CompileError;
use crate::legal_form::ValueForm;
use crate::pass::{Inlined, Journal, PassContext, Pieces, Statistics};
use crate::target::TargetSpec;

/// A function whose structs and arrays are taken apart: what `flatten_aggregates` makes of it, as
/// it is.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The function with declarations of what it names. Blocks and values are those of the
    /// original, where they are still there.
    pub legal: Legal,
    /// The values that are not there any more, in ascending order, and their leaves, of which
    /// some may be constants.
    pub leaves: Vec<(Value, Pieces)>,
}

impl Flattened {
    /// The body without structs and arrays.
    pub fn body(&self) -> Option<&Body> {
        self.legal.module.function(self.legal.function)?.body.as_deref()
    }
}

/// Takes the structs and arrays of a function of a verified module apart, of `max_parts` parts at
/// most. Nothing, if it has none, or if one leaves it by an exit.
///
/// # Errors
/// [`CompileError::NoBody`], and what the pass refuses.
pub fn flattened_function(
    module: &Module,
    function: FuncId,
    target: &TargetSpec,
    max_parts: usize,
) -> Result<Option<Flattened>, CompileError> {
    let name = || module.function(function).map_or_else(Box::default, |it| (*it.name).into());
    let no_body = || CompileError::NoBody { function: name() };
    let mut legal = Legal::start(module.extract(function).ok_or_else(no_body)?);
    let function = legal.function;
    let body = legal.module.function_mut(function).and_then(|it| it.body.take());
    let mut body = body.ok_or_else(no_body)?;
    if exits_take_aggregates(&body) {
        return Ok(None);
    }
    let mut context = PassContext {
        module: &mut legal.module,
        function,
        target,
        max_parts,
        analyses: &mut Analyses::default(),
        inlined: &mut Inlined::default(),
        option: "",
        next_option: None,
        statistics: &mut Statistics::default(),
        journal: Journal::default(),
    };
    let split = flatten_values(&mut body, &mut context)
        .map_err(|error| compile_error(&legal.module, function, &body, error))?;
    let Some(split) = split else { return Ok(None) };
    let leaves = split.iter().filter_map(|(value, leaves)| Some((value, leaves.clone()?)));
    let leaves = leaves.collect();
    if let Some(function) = legal.module.function_mut(function) {
        function.body = Some(body);
    }
    change_signatures(&mut legal.module, ValueForm::Flattened)?;
    Ok(Some(Flattened { legal, leaves }))
}

fn exits_take_aggregates(body: &Body) -> bool {
    body.exits().any(|(_, exit)| exit.types.iter().any(|ty| ty.is_aggregate()))
}
