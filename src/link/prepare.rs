//! Compiling what a set of modules needs, with no lock held.

use std::collections::BTreeSet;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Linkage, Module, Name, Symbol};
use brolga_ir::prefetch::prefetch;
use brolga_ir::types::TypePool;
use brolga_lowering::dependencies::Dependencies;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::Isa;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};
use rustc_hash::FxHashSet;

use super::scope::Incoming;
use super::standing::{Made, Standing};
use super::symbols::Symbols;
use super::unit::{Form, Needs, Unit};
use super::workers::Workers;
use crate::error::LoadError;
use crate::runtime::Role;

/// What a unit is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The body of a function.
    Function(usize, FuncId),
    /// The body of a function that is compiled by itself.
    Lazy(usize, FuncId),
    /// What is left of a function that runs already.
    Continuation(usize, FuncId),
    /// The entry of a function by the platform's convention.
    Callback(usize, FuncId),
    /// The way to a function of the host.
    Host(usize, FuncId),
    /// A thunk that other units call.
    Thunk(UnitSymbol),
    /// A function of the prelude.
    Prelude(Name),
}

impl Purpose {
    /// The module that the unit is of, by its index, if it is of one.
    #[inline]
    pub(super) fn module(&self) -> Option<usize> {
        match self {
            Purpose::Function(module, _)
            | Purpose::Lazy(module, _)
            | Purpose::Continuation(module, _)
            | Purpose::Callback(module, _)
            | Purpose::Host(module, _) => Some(*module),
            Purpose::Thunk(_) | Purpose::Prelude(_) => None,
        }
    }

    /// What a frame of the unit means to a walk.
    pub(super) fn role(&self) -> Role {
        match self {
            Purpose::Function(..)
            | Purpose::Lazy(..)
            | Purpose::Continuation(..)
            | Purpose::Prelude(_) => Role::Function,
            Purpose::Callback(..) => Role::Entry,
            Purpose::Host(..) | Purpose::Thunk(_) => Role::Exit,
        }
    }
}

/// A unit on its way into an engine.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub purpose: Purpose,
    pub(super) form: Form,
}

impl Prepared {
    /// Asks the processor for the unit, if it is to be written.
    pub(super) fn prefetch(&self) {
        self.form.whole().into_iter().for_each(|unit| prefetch(std::slice::from_ref(unit)));
    }

    /// Asks the processor for what the unit holds, which should be there itself.
    pub(super) fn prefetch_contents(&self) {
        if let Some(unit) = self.form.whole() {
            prefetch(&unit.code);
            prefetch(&unit.relocations);
        }
    }

    /// A unit for that purpose.
    pub(super) fn new(purpose: Purpose, unit: CompiledUnit) -> Prepared {
        Prepared { purpose, form: Form::of(Box::new(unit)) }
    }
}

/// What an engine has already, as far as it need not be compiled again.
#[derive(Debug, Default)]
pub(crate) struct Present {
    dependencies: Dependencies,
    /// Functions of the host that no module has been linked to.
    unlinked_hosts: FxHashSet<Name>,
}

impl Present {
    /// What `symbols` has.
    pub(crate) fn of(symbols: &Symbols) -> Present {
        let preludes = symbols.prelude.keys().cloned().map(UnitSymbol::Prelude);
        let unlinked = symbols.hosts.keys().filter(|name| {
            let main = symbols.names.main().library;
            symbols.defined_function(main, name).is_none()
        });
        Present {
            dependencies: Dependencies::beyond(symbols.thunks.keys().cloned().chain(preludes)),
            unlinked_hosts: unlinked.cloned().collect(),
        }
    }

    /// The same with a function of the host that is about to be entered.
    pub(crate) fn with_host(mut self, name: &str) -> Present {
        self.unlinked_hosts.insert(name.into());
        self
    }
}

/// Compiles everything that `modules` define, and what that needs, by workers
/// that are as good as new.
pub(crate) fn prepare(
    modules: &[Incoming<'_>],
    isa: &Isa,
    options: &LowerOptions,
    present: Present,
    workers: &mut Workers<'_>,
) -> Result<Made<Prepared>, LoadError> {
    let Present { dependencies, unlinked_hosts } = present;
    let (done, standing) = (Vec::new(), Vec::new());
    let mut work = Work { workers, isa, options, dependencies, unlinked_hosts, done, standing };
    for (index, incoming) in modules.iter().enumerate() {
        work.compile_bodies(index, incoming)?;
        work.compile_hosts(index, incoming)?;
        work.compile_callbacks(index, incoming)?;
    }
    work.compile_dependencies()?;
    Ok(Made { units: work.done, standing: work.standing })
}

struct Work<'a, 'b> {
    workers: &'a mut Workers<'b>,
    isa: &'a Isa,
    options: &'a LowerOptions,
    dependencies: Dependencies,
    unlinked_hosts: FxHashSet<Name>,
    done: Vec<Prepared>,
    standing: Vec<Standing>,
}

impl Work<'_, '_> {
    fn compile_bodies(&mut self, index: usize, incoming: &Incoming<'_>) -> Result<(), LoadError> {
        let mut made = self.workers.lower_module(incoming.module, self.isa, self.options)?;
        made.standing.iter_mut().for_each(|it| it.module = index);
        made.follow(&mut self.standing);
        let purpose = |id| Purpose::Function(index, id);
        let prepared = made.units.into_iter();
        self.done.extend(prepared.map(|Unit { id, form }| Prepared { purpose: purpose(id), form }));
        Ok(())
    }

    /// The ways to functions of the host, each for the first that imports it:
    /// a thunk depends on the name and the signature alone.
    fn compile_hosts(&mut self, index: usize, incoming: &Incoming<'_>) -> Result<(), CompileError> {
        let types = &incoming.types;
        for (id, function) in incoming.module.functions() {
            let imported = function.linkage == Linkage::Import;
            if imported && self.unlinked_hosts.remove(&function.name) {
                let unit = self.workers.compiler.host_thunk(function, types, self.isa)?;
                self.done.push(Prepared::new(Purpose::Host(index, id), unit));
            }
        }
        Ok(())
    }

    /// The platform's entries of functions whose address is taken.
    fn compile_callbacks(
        &mut self,
        index: usize,
        incoming: &Incoming<'_>,
    ) -> Result<(), CompileError> {
        for id in self.addressed_functions(index, incoming.module) {
            let Incoming { module, types } = incoming;
            let compiler = &mut *self.workers.compiler;
            self.done.extend(callback(compiler, (index, id), module, types, self.isa)?);
        }
        Ok(())
    }

    fn addressed_functions(&self, index: usize, module: &Module) -> BTreeSet<FuncId> {
        let is_own = |purpose: &Purpose| matches!(purpose, Purpose::Function(i, _) if *i == index);
        let own = self.done.iter().filter(|prepared| is_own(&prepared.purpose));
        let code = own.filter_map(|it| it.form.that_needs(Needs::More));
        let code = code.flat_map(|unit| &unit.relocations);
        let in_code = code.filter_map(|relocation| match &relocation.symbol {
            UnitSymbol::Stub(function) => module.function_named(&function.name),
            _ => None,
        });
        in_code.chain(addressed_by_data(module)).collect()
    }

    /// Thunks and prelude functions that the units done so far call, and what
    /// those call.
    fn compile_dependencies(&mut self) -> Result<(), CompileError> {
        let compiler = &mut *self.workers.compiler;
        complete(&mut self.done, &mut self.dependencies, compiler, self.isa, self.options)
    }
}

/// The functions whose addresses data hold.
pub(super) fn addressed_by_data(module: &Module) -> impl Iterator<Item = FuncId> + '_ {
    let addresses = module.data_objects().flat_map(|(_, object)| object.relocations());
    addresses.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Data(_) => None,
    })
}

/// The platform's entry of a function of the module with that index. A foreign one has its own,
/// and one that the convention cannot carry has none: C code could not call it.
pub(super) fn callback(
    compiler: &mut Compiler,
    (index, id): (usize, FuncId),
    module: &Module,
    types: &TypePool,
    isa: &Isa,
) -> Result<Option<Prepared>, CompileError> {
    let function = module.function(id).filter(|function| !function.linkage.is_foreign());
    let Some(function) = function else { return Ok(None) };
    match compiler.callback_thunk(function, types, isa) {
        Ok(unit) => Ok(Some(Prepared::new(Purpose::Callback(index, id), unit))),
        Err(CompileError::Signature { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Adds the thunks and prelude functions that units call, and what those call.
pub(super) fn complete(
    done: &mut Vec<Prepared>,
    dependencies: &mut Dependencies,
    compiler: &mut Compiler,
    isa: &Isa,
    options: &LowerOptions,
) -> Result<(), CompileError> {
    for unit in done.iter().filter_map(|prepared| prepared.form.that_needs(Needs::More)) {
        dependencies.add(unit);
    }
    while let Some((symbol, unit)) = dependencies.compile_next(compiler, isa, options)? {
        let purpose = match symbol {
            UnitSymbol::Prelude(name) => Purpose::Prelude(name),
            thunk => Purpose::Thunk(thunk),
        };
        done.push(Prepared::new(purpose, unit));
    }
    Ok(())
}
