//! Functions that are compiled at their first call, and defined anew.

use std::sync::Arc;

use brolga_ir::module::Module;
use brolga_lifecycle::resolve::{self, Unresolved};
use brolga_lowering::emit::Compiler;
use brolga_lowering::options::StackGuard;

use super::foreign::resolve_symbol;
use super::shared::Shared;
use crate::error::{FunctionError, LoadError, ResolveError};
use crate::link::{Callbacks, Defined, Source, Trust, check_declarations};
use crate::runtime::{ThreadEntry, ensure_room_to_compile};

/// Takes a module in: all of it, or nothing. When this comes back, each call that is made from
/// now on reaches what the module defines, or something newer.
pub(super) fn define(shared: &Shared, module: Module, trust: Trust) -> Result<(), LoadError> {
    if trust == Trust::Safe && shared.options.stack_guard == StackGuard::Omit {
        return Err(LoadError::NoStackGuard);
    }
    check_declarations(&module, trust)?;
    let mut callbacks = Callbacks::default();
    if module.data_objects().len() > 0 {
        ensure_room_to_compile()?;
        callbacks = Callbacks::of(&module, &mut Compiler::new(), &shared.isa)?;
    }
    let mut sources = Vec::new();
    {
        let mut symbols = shared.symbols();
        let mut foreign = |name: &str| resolve_symbol(shared, name);
        let mut stage = shared.stage(&mut symbols);
        let Defined { sources: new, superseded } =
            stage.define(module, trust, callbacks, &mut foreign)?;
        for (number, source) in new {
            sources.extend(resolve::define(shared, number, source));
        }
        for (number, name) in superseded {
            sources.extend(shared.take_out(&mut symbols, number, &name));
        }
    }
    drop(sources);
    shared.free_some();
    Ok(())
}

/// Takes the definition of a function away.
pub(super) fn remove(shared: &Shared, name: &str) -> Result<(), FunctionError> {
    let source = {
        let mut symbols = shared.symbols();
        let missing = || FunctionError::Missing { name: name.into() };
        let number = symbols.defined_function(name).ok_or_else(missing)?;
        let life = &shared.functions.entry(number).life;
        if matches!(life.source(), Some((Source::Loaded, _))) {
            return Err(FunctionError::Loaded { name: name.into() });
        }
        shared.take_out(&mut symbols, number, name)
    };
    drop(source);
    shared.free_some();
    Ok(())
}

/// Has a function compiled, unless it is.
pub(super) fn compile(shared: &Arc<Shared>, name: &str) -> Result<(), ResolveError> {
    let missing = || ResolveError::Missing { name: name.into() };
    let known = shared.symbols().defined_function(name);
    let number = known.map_or_else(|| generated(shared, name), Ok)?;
    let entry = ThreadEntry::of(&shared.environment).ok_or(ResolveError::NoThread)?;
    let stay = entry.stay(&shared.environment);
    let resolved = resolve::resolve(&**shared, stay.caller(), number);
    drop(stay);
    resolved.map(drop).map_err(|why| match why {
        Unresolved::Undefined(_) => missing(),
        Unresolved::Failed(error) => ResolveError::Refused { name: name.into(), error },
        Unresolved::Cycle(_) => ResolveError::Cycle { name: name.into() },
    })
}

/// The number of a function that is made now.
fn generated(shared: &Shared, name: &str) -> Result<u32, ResolveError> {
    let not_made = |reason: String| ResolveError::NotMade { name: name.into(), reason };
    shared.generate(name).map_err(not_made)?;
    let missing = || ResolveError::Missing { name: name.into() };
    shared.symbols().defined_function(name).ok_or_else(missing)
}

/// What became of a function that was to be tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retry {
    /// It had failed, and is compiled again at its next call.
    Pending,
    /// It had not failed.
    Unchanged,
}

/// Has what failed be compiled again.
pub(super) fn retry(shared: &Shared, name: &str) -> Result<Retry, FunctionError> {
    let missing = || FunctionError::Missing { name: name.into() };
    let number = shared.symbols().defined_function(name).ok_or_else(missing)?;
    let life = &shared.functions.entry(number).life;
    Ok(if life.retry() { Retry::Pending } else { Retry::Unchanged })
}
