//! Functions that are compiled at their first call, and defined anew.

use std::sync::Arc;

use brolga_ir::module::Module;
use brolga_ir::types::{Signature, TypePool};
use brolga_lifecycle::resolve::{self, Unresolved};
use brolga_lowering::emit::Compiler;
use brolga_lowering::options::StackGuard;

use super::foreign::resolve_symbol;
use super::shared::{Full, Shared};
use crate::error::{FunctionError, LoadError, ResolveError};
use crate::link::{
    Callback, Callbacks, Dialect, Home, Later, MakeModule, Replaced, Source, Symbols, Trust,
    check_declarations,
};
use crate::runtime::{Placed, ThreadEntry, ensure_room_to_compile};

/// Takes a module in: all of it, or nothing. When this comes back, each call that is made from
/// now on reaches what the module defines, or something newer.
pub(super) fn define(
    shared: &Shared,
    module: Module,
    home: Home,
    trust: Trust,
) -> Result<(), LoadError> {
    let defined = define_unless(shared, module, (home, trust), |_| false);
    shared.tell_freed();
    defined
}

/// The same, unless by then it is not to be any more: asked while nobody else changes names. What
/// is freed for it, the caller tells of.
pub(super) fn define_unless(
    shared: &Shared,
    mut module: Module,
    (home, trust): (Home, Trust),
    is_over: impl Fn(&Symbols) -> bool,
) -> Result<(), LoadError> {
    if trust.dialect == Dialect::Safe && shared.options.stack_guard == StackGuard::Omit {
        return Err(LoadError::NoStackGuard);
    }
    check_declarations(&module, trust)?;
    // Functions alone take no memory yet: their first calls would be the first to hear of it.
    shared.reservation.ensure_usable()?;
    shared.free_little();
    shared.with_freed(|| {
        let mut callbacks = Callbacks::default();
        if module.data_objects().len() > 0 {
            ensure_room_to_compile()?;
            callbacks = Callbacks::of(&module, &mut Compiler::new(), &shared.isa)?;
        }
        enter(shared, &mut module, (home, trust), callbacks, &is_over)
    })
}

/// Takes a module in, with the entries for C code that its data lead to; leaves it where it is if
/// that cannot be.
fn enter(
    shared: &Shared,
    module: &mut Module,
    (home, trust): (Home, Trust),
    callbacks: Callbacks,
    is_over: impl Fn(&Symbols) -> bool,
) -> Result<(), LoadError> {
    let mut sources = Vec::new();
    {
        let mut symbols = shared.symbols();
        if is_over(&symbols) {
            return Ok(());
        }
        let mut foreign = |name: &str| resolve_symbol(shared, name);
        let mut stage = shared.stage(&mut symbols);
        let defined = stage.define(module, (home, trust), callbacks, &mut foreign);
        let mut defined = match defined {
            Ok(defined) => defined,
            Err(error) => {
                drop(symbols);
                shared.settle_abandoned();
                return Err(error);
            }
        };
        for (number, source) in std::mem::take(&mut defined.sources) {
            sources.extend(resolve::define(shared, number, source));
        }
        let replaced = shared.stage(&mut symbols).enter(&defined)?;
        shared.look_again(&symbols, defined.names(), replaced);
        for (number, name) in &defined.superseded {
            sources.extend(shared.take_out(&mut symbols, *number, (home.library, name)));
        }
    }
    shared.leave(sources);
    Ok(())
}

/// Takes in a function whose module, in the safe dialect, is made when it is first asked for.
pub(super) fn define_later(
    shared: &Shared,
    home: Home,
    name: &str,
    (types, signature): (&TypePool, &Signature),
    make: Box<MakeModule>,
) -> Result<(), LoadError> {
    let source = Source::Callback(Arc::new(Callback { home, trust: Trust::SAFE, make }));
    let types = &Arc::new(types.clone());
    shared.reservation.ensure_usable()?;
    shared.free_little();
    let defined = shared.with_freed(|| {
        let mut sources = Vec::new();
        {
            let mut symbols = shared.symbols();
            let later = shared.stage(&mut symbols).define_later(home, name, (types, signature));
            let Later { number, superseded, replaced } = later?;
            shared.look_again(&symbols, [name], replaced);
            sources.extend(resolve::define(shared, number, source.clone()));
            for other in superseded {
                sources.extend(shared.take_out(&mut symbols, other, (home.library, name)));
            }
        }
        shared.leave(sources);
        Ok(())
    });
    shared.tell_freed();
    defined
}

/// Takes the definition of a function away, or an alias.
pub(super) fn remove(shared: &Shared, (library, name): Full<'_>) -> Result<(), FunctionError> {
    shared.free_little();
    let source = {
        let mut symbols = shared.symbols();
        if symbols.names.remove_alias(library, name) {
            shared.look_again(&symbols, [], Replaced::Alias);
            return Ok(());
        }
        let loaded = || FunctionError::Loaded { name: name.into() };
        if symbols.names.main().library == library && symbols.hosts.contains_key(name) {
            return Err(loaded());
        }
        let missing = || FunctionError::Missing { name: name.into() };
        let number = symbols.own_definition(library, name).ok_or_else(missing)?;
        if symbols.is_loaded(number) {
            return Err(loaded());
        }
        shared.take_out(&mut symbols, number, (library, name))
    };
    // Its data give their names back.
    drop(source);
    shared.settle_abandoned();
    shared.tell_freed();
    Ok(())
}

/// Has a function compiled, unless it is.
pub(super) fn compile(shared: &Arc<Shared>, full: Full<'_>) -> Result<(), ResolveError> {
    with_code(shared, full, |_, _| Ok(()))
}

/// Has a function compiled, unless it is, and uses its number and code while nobody can free it.
pub(super) fn with_code<T>(
    shared: &Arc<Shared>,
    full: Full<'_>,
    take: impl FnOnce(u32, &Arc<Placed>) -> Result<T, ResolveError>,
) -> Result<T, ResolveError> {
    let (library, name) = full;
    let missing = || ResolveError::Missing { name: name.into() };
    let known = || shared.symbols().defined_function(library, name);
    if known().is_none() {
        generate(shared, full)?;
    }
    let entry = ThreadEntry::of(&shared.environment).ok_or(ResolveError::NoThread)?;
    let stay = entry.stay(&shared.environment);
    // From here on the number stays what it is, even if somebody removes the function.
    let number = known().ok_or_else(missing)?;
    let resolved = resolve::resolve(&**shared, stay.caller(), number);
    let code = resolved.map_err(|why| match why {
        Unresolved::Undefined(_) => missing(),
        Unresolved::Failed(error) => ResolveError::Refused { name: name.into(), error },
        Unresolved::Cycle(_) => ResolveError::Cycle { name: name.into() },
    })?;
    let taken = take(number, &code);
    drop(stay);
    taken
}

/// Has a function made that nobody has defined.
fn generate(shared: &Shared, (library, name): Full<'_>) -> Result<(), ResolveError> {
    let made = shared.generate((library, name));
    made.map_err(|reason| ResolveError::NotMade { name: name.into(), reason })?;
    Ok(())
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
pub(super) fn retry(shared: &Shared, (library, name): Full<'_>) -> Result<Retry, FunctionError> {
    let missing = || FunctionError::Missing { name: name.into() };
    let number = shared.symbols().defined_function(library, name).ok_or_else(missing)?;
    let life = shared.functions.entry(number);
    Ok(if life.retry() { Retry::Pending } else { Retry::Unchanged })
}
