//! Linking one function by itself, at its first call or when it is compiled better.

use std::any::Any;
use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};
use std::time::Duration;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, FuncId};
use brolga_ir::module::{Linkage, Module, Name};
use brolga_ir::types::{Signature, TypePool};
use brolga_lifecycle::instance::CodeInstance;
use brolga_lifecycle::names::LibraryId;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::dependencies::Dependencies;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::Isa;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};
use rustc_hash::FxHashMap;

use super::bind::linkage_in;
use super::bound::{Bound, NamedBy};
use super::definition::{Abandoned, Definition, References};
use super::prepare::{Prepared, Purpose, callback, complete};
use super::scope::{Around, ForeignLookup, FunctionRef, Incoming, Names};
use super::stage::{LeftOver, LinkFailure, Stage};
use super::symbols::{DataSymbol, FunctionSymbol, Symbols, signature_text};
use crate::error::{FunctionError, LoadError};
use crate::memory::{Request, Slot};
use crate::runtime::{Counter, Keep, Placed};

/// A function on its way into an engine, without those around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lazy<'a> {
    pub(crate) definition: &'a Arc<Definition>,
    pub(crate) id: FuncId,
    /// Where its code names what: the definition's module, or one of the function with bodies
    /// that its code has in it.
    pub(crate) names: &'a Module,
    /// What names there mean that the definition's module does not mean by them.
    pub(crate) bound: &'a Bound,
    /// Functions that the code depends on though it calls none of them.
    pub(crate) slots: &'a [u32],
    pub(crate) number: u32,
    /// Where it is entered, if not at its entry.
    pub(crate) block: Option<Block>,
    /// How well it is compiled.
    pub(crate) tier: Tier,
    /// How often it may run before it is compiled better, if it counts that.
    pub(crate) budget: Option<u32>,
    /// How long that took.
    pub(crate) took: Duration,
}

impl Lazy<'_> {
    /// Whether a name in its code means a function of the host, whose signature it then has. A
    /// function that its own module alone sees is none, whatever the code's module says of it;
    /// nor is what other modules have by another name.
    fn is_host(&self, symbols: &Symbols, name: &str) -> bool {
        let Some(host) = symbols.hosts.get(name) else { return false };
        let named = self.bound.function(name);
        let (module, own) = match named {
            Some(named) => (&named.definition.module, &*named.name),
            None => (&self.definition.module, name),
        };
        let declared = self.names.function_named(name);
        let declared =
            declared.map(|id| signature_text(&self.names.types, self.names.signature_of(id)));
        own == name
            && matches!(linkage_in(module, own), Some(Linkage::Import) | None)
            && declared == Some(signature_text(&TypePool::default(), &host.signature))
    }

    /// The types of what its code names.
    fn types(&self) -> Arc<TypePool> {
        match std::ptr::eq(self.names, &self.definition.module) {
            true => self.definition.types(),
            false => Arc::new(self.names.types.clone()),
        }
    }
}

/// What a unit needs beside what an engine has.
#[derive(Debug)]
pub(crate) struct Missing {
    dependencies: Dependencies,
    /// Functions of the host that no code has called yet.
    hosts: BTreeSet<FuncId>,
    /// Functions whose address is taken, and which C code cannot call yet.
    callbacks: BTreeSet<FuncId>,
}

impl Missing {
    /// What a unit of that module needs.
    pub(crate) fn of(unit: &CompiledUnit, lazy: &Lazy<'_>, symbols: &Symbols) -> Missing {
        let (module, definition) = (lazy.names, lazy.definition);
        let library = definition.home.library;
        let preludes = symbols.prelude.keys().cloned().map(UnitSymbol::Prelude);
        let thunks = unit.thunks.iter().map(|request| &request.symbol);
        let present = thunks.filter(|symbol| symbols.thunks.contains_key(*symbol)).cloned();
        let dependencies = Dependencies::beyond(present.chain(preludes));
        let (mut hosts, mut callbacks) = (BTreeSet::new(), BTreeSet::new());
        for relocation in &unit.relocations {
            let (name, is_address) = match &relocation.symbol {
                UnitSymbol::Call(function) | UnitSymbol::EntrySlot(function) => {
                    (&function.name, false)
                }
                UnitSymbol::Stub(function) => (&function.name, true),
                _ => continue,
            };
            let Some(id) = module.function_named(name) else { continue };
            if lazy.is_host(symbols, name) && symbols.defined_function(library, name).is_none() {
                hosts.insert(id);
            }
            let has_callback = || {
                let named = lazy.bound.function(name);
                let (definition, name) =
                    named.map_or((definition, name), |it| (&it.definition, &it.name));
                let signature = signature_text(&module.types, module.signature_of(id));
                let number = symbols.meant_by(definition, name, &signature)?;
                Some(symbols.symbol(number)?.has_callback())
            };
            if is_address && has_callback() != Some(true) {
                callbacks.insert(id);
            }
        }
        Missing { dependencies, hosts, callbacks }
    }

    /// Compiles it, with no lock held.
    pub(crate) fn compile(
        mut self,
        lazy: &Lazy<'_>,
        unit: CompiledUnit,
        compiler: &mut Compiler,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Vec<Prepared>, CompileError> {
        let (module, types) = (lazy.names, lazy.types());
        let mut done = Vec::new();
        for id in self.hosts {
            if let Some(function) = module.function(id) {
                let unit = compiler.host_thunk(function, &types, isa)?;
                done.push(Prepared::new(Purpose::Host(0, id), unit));
            }
        }
        for id in self.callbacks {
            done.extend(callback(compiler, (0, id), module, &types, isa)?);
        }
        let purpose = match lazy.block {
            None => Purpose::Lazy(0, lazy.id),
            Some(_) => Purpose::Continuation(0, lazy.id),
        };
        done.push(Prepared::new(purpose, unit));
        complete(&mut done, &mut self.dependencies, compiler, isa, options)?;
        Ok(done)
    }
}

/// What lives as long as the code of one function.
#[derive(Debug)]
struct Kept {
    references: References,
    #[expect(dead_code, reason = "owned for its drop alone")]
    data: Vec<Arc<DataSymbol>>,
    #[expect(dead_code, reason = "owned for its drop alone")]
    slots: Vec<Arc<Slot>>,
    module: KeptModule,
    #[expect(dead_code, reason = "owned for its drop alone")]
    bodies_from: Vec<Arc<Definition>>,
    counted: Option<Counted>,
    tier: Tier,
    took: Duration,
}

/// How the code of a function that was compiled by itself was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Making {
    /// How well.
    pub(crate) tier: Tier,
    /// In which time.
    pub(crate) took: Duration,
}

/// The functions that code names, if it was compiled by itself.
pub(crate) fn calls_of(placed: &Placed) -> &[u32] {
    let kept = placed.kept().downcast_ref::<Kept>();
    kept.map_or(&[], |kept| kept.references.numbers())
}

impl Making {
    /// That of code.
    pub(crate) fn of(placed: &Placed) -> Option<Making> {
        let &Kept { tier, took, .. } = placed.kept().downcast_ref::<Kept>()?;
        Some(Making { tier, took })
    }
}

/// Code that counts how often it runs: what goes on in the middle of it goes with it.
#[derive(Debug)]
pub(crate) struct Counted {
    /// What it counts down.
    pub(crate) counter: Counter,
    definition: Weak<Definition>,
    id: FuncId,
    abandoned: Arc<Abandoned>,
}

impl Counted {
    /// What is known of code, if it counts.
    pub(crate) fn of(placed: &Placed) -> Option<&Counted> {
        placed.kept().downcast_ref::<Kept>()?.counted.as_ref()
    }

    /// What the code was compiled from, and the function there.
    pub(crate) fn definition(&self) -> Option<(Arc<Definition>, FuncId)> {
        Some((self.definition.upgrade()?, self.id))
    }

    /// Whether anything leads from a block of it to another, as far as is known.
    pub(crate) fn body_leads(&self, from: Block, to: Block) -> bool {
        let Some((definition, id)) = self.definition() else { return true };
        let body = definition.module.function(id).and_then(|function| function.body.as_deref());
        body.is_none_or(|body| leads(body, from, to))
    }
}

/// Whether any path leads from a block to another, of one edge at least.
fn leads(body: &Body, from: Block, to: Block) -> bool {
    let (mut seen, mut pending) = (EntitySet::<Block>::new(), vec![from]);
    while let Some(block) = pending.pop() {
        for next in body.successors(block) {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.abandoned.add_functions(&self.counter.continuations());
    }
}

/// A function that others see keeps its module. One that the module alone sees goes with that,
/// but for those who are inside of it and may call others.
#[derive(Debug)]
enum KeptModule {
    OfGlobal(#[expect(dead_code, reason = "owned for its drop alone")] Arc<Definition>),
    OfLocal(Weak<Definition>),
}

impl Keep for Kept {
    fn beyond(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        match &self.module {
            KeptModule::OfGlobal(_) => None,
            KeptModule::OfLocal(module) => Some(module.upgrade()?),
        }
    }
}

fn is_local(lazy: &Lazy<'_>) -> bool {
    let function = lazy.definition.module.function(lazy.id);
    function.is_some_and(|function| function.linkage == Linkage::Local)
}

impl Stage<'_> {
    /// Links the code of one function, which nobody is led to yet, with what it needs.
    pub(crate) fn link_lazy(
        &mut self,
        lazy: &Lazy<'_>,
        prepared: Vec<Prepared>,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<(Arc<Placed>, LeftOver), LinkFailure> {
        if !lazy.bound.is_current(self.symbols) {
            return Err(LinkFailure::Stale);
        }
        let module = lazy.names;
        let modules = [Incoming { module, types: lazy.types() }];
        let mut used = Used { called: lazy.slots.to_vec(), ..Used::default() };
        let scope = self.find_functions(lazy, &prepared, &mut used);
        // What is not linked gives them up again, also those that it has named first.
        let references = self.refer(lazy, &used);
        let scope = scope?;
        // The ways to foreign functions read where these are.
        let data = prepared
            .iter()
            .filter(|it| is_own(&it.purpose) || matches!(it.purpose, Purpose::Thunk(_)));
        let data = data
            .filter_map(|it| it.form.whole())
            .flat_map(|unit| &unit.relocations)
            .filter_map(|it| match &it.symbol {
                UnitSymbol::Data(name)
                | UnitSymbol::AddressSlot(name)
                | UnitSymbol::ThreadLocalOffset(name) => Some(name),
                _ => None,
            });
        let data: BTreeSet<&Name> = data.collect();
        let own = |name: &str| {
            let bound = lazy.bound.data.get(name).map(|bound| &bound.object);
            bound.or_else(|| lazy.definition.data.get(name)).map(Arc::clone)
        };
        let mut names = Names::of_data(
            &modules,
            own,
            data,
            Around { symbols: self.symbols, home: lazy.definition.home },
            self.reservation,
            foreign,
        )?;
        let module = match is_local(lazy) {
            true => KeptModule::OfLocal(Arc::downgrade(lazy.definition)),
            false => KeptModule::OfGlobal(Arc::clone(lazy.definition)),
        };
        let counted = self.count(lazy)?;
        names.budget = counted.as_ref().map(|counted| counted.counter.address());
        let (data, slots) = (names.known_data(), Vec::new());
        let Lazy { tier, took, .. } = *lazy;
        let bodies_from = mem::take(&mut used.owners);
        let kept = Kept { references, data, slots, module, bodies_from, counted, tier, took };
        names.set_functions(scope);
        let linked =
            self.link_units(&modules, &names, prepared.into(), |slots| Kept { slots, ..kept })?;
        for number in used.addressed {
            self.symbols.numbers.escape(number);
        }
        Ok((linked.lazy.ok_or(LinkFailure::Stale)?, linked.left))
    }

    /// What the code counts down, if it does.
    fn count(&self, lazy: &Lazy<'_>) -> Result<Option<Counted>, LinkFailure> {
        let Some(budget) = lazy.budget else { return Ok(None) };
        let counter = Counter::new(lazy.number, lazy.tier, self.reservation.slot(0)?);
        counter.grant(budget);
        let (definition, id) = (Arc::downgrade(lazy.definition), lazy.id);
        let abandoned = Arc::clone(&self.symbols.abandoned);
        Ok(Some(Counted { counter, definition, id, abandoned }))
    }

    /// Counts what the code refers to.
    fn refer(&mut self, lazy: &Lazy<'_>, used: &Used) -> References {
        let mut numbers: Vec<u32> = used.called.iter().chain(&used.addressed).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        // A local function goes with the last that names it, which it is not itself. Others are
        // taken away, and code that is still entered then goes on by its own slot.
        let is_local = is_local(lazy);
        let is_other = |number: u32| !is_local || number != lazy.number;
        numbers.retain(|&number| is_other(number));
        self.symbols.hold(numbers)
    }

    /// Finds what the functions that units name are.
    fn find_functions(
        &mut self,
        lazy: &Lazy<'_>,
        prepared: &[Prepared],
        used: &mut Used,
    ) -> Result<FxHashMap<Name, FunctionRef>, LinkFailure> {
        let mut found = FxHashMap::default();
        let own = prepared.iter().filter(|it| {
            is_own(&it.purpose) || matches!(it.purpose, Purpose::Callback(..) | Purpose::Host(..))
        });
        let own = own.filter_map(|prepared| prepared.form.whole());
        for relocation in own.flat_map(|unit| &unit.relocations) {
            let (function, is_called) = match &relocation.symbol {
                UnitSymbol::Call(function) | UnitSymbol::EntrySlot(function) => (function, true),
                UnitSymbol::Stub(function) => (function, false),
                _ => continue,
            };
            if !is_sure(self.symbols, lazy, &function.name, prepared) {
                return Err(LinkFailure::Stale);
            }
            let number = match lazy.bound.function(&function.name) {
                Some(named) => {
                    used.note_owner(named);
                    let NamedBy { definition, name } = named;
                    self.find_function((definition, &definition.module), name)?
                }
                None => self.find_function((lazy.definition, lazy.names), &function.name)?,
            };
            match is_called {
                true => used.called.push(number),
                false => used.addressed.push(number),
            }
            found.insert(function.name.clone(), FunctionRef::Known(number));
        }
        Ok(found)
    }

    /// The number of a function that a module names, which has a symbol from now on: what the
    /// name means by now, for whoever calls it by that signature. One that the module defined
    /// itself once may have another signature by now, and is what stops its caller then. Who does
    /// not [hold](Symbols::hold) the function leaves it to nobody.
    pub(crate) fn find_function(
        &mut self,
        (definition, module): (&Definition, &Module),
        name: &str,
    ) -> Result<u32, LinkFailure> {
        let library = definition.home.library;
        let missing = || LoadError::MissingSymbol { name: name.into() };
        let id = module.function_named(name).ok_or_else(missing)?;
        let signature = module.signature_of(id);
        let text = signature_text(&module.types, signature);
        let full = (self.symbols.library_of(library, name), name);
        let types = || match std::ptr::eq(module, &definition.module) {
            true => definition.types(),
            false => Arc::new(module.types.clone()),
        };
        let Some(number) = self.symbols.meant_by(definition, name, &text) else {
            return self.new_function(full, types, signature);
        };
        match self.symbols.functions.entry(number).is_defined() {
            true => self.name_defined(number, name)?,
            false => drop(self.ensure_symbol(number, full, types, signature)?),
        }
        Ok(number)
    }

    /// A function that nobody has defined by that signature: whoever calls it is told if there is
    /// one of another.
    fn new_function(
        &mut self,
        (library, name): (LibraryId, &str),
        types: impl FnOnce() -> Arc<TypePool>,
        signature: &Signature,
    ) -> Result<u32, LinkFailure> {
        let number = self.symbols.give_number()?;
        if let Err(failure) = self.ensure_symbol(number, (library, name), types, signature) {
            self.symbols.take_back(&[number]);
            return Err(failure);
        }
        self.symbols.names.leave_unclaimed(library, name, number);
        Ok(number)
    }

    /// The symbol of a function that has a definition.
    ///
    /// # Errors
    /// If there is no room for it.
    pub(crate) fn symbol_of_definition(
        &mut self,
        number: u32,
        asked: &str,
    ) -> Result<Arc<FunctionSymbol>, FunctionError> {
        if let Some(symbol) = self.symbols.symbol(number) {
            return Ok(symbol);
        }
        let missing = || FunctionError::Missing { name: asked.into() };
        let source = self.symbols.functions.entry(number).source();
        let definition = source.and_then(|(source, _)| source.definition());
        let (definition, id) = definition.ok_or_else(missing)?;
        let function = definition.module.function(id).ok_or_else(missing)?;
        let signature = definition.module.signature_of(id);
        // It may have been asked for by an alias.
        let full = (definition.home.library, &*function.name);
        let made = self.ensure_symbol(number, full, || definition.types(), signature);
        made.map_err(|failure| match failure {
            LinkFailure::Refused(LoadError::Memory(error)) => error.into(),
            LinkFailure::Refused(_) | LinkFailure::Stale => missing(),
        })
    }

    /// Gives a function that has a definition a symbol, if it has none.
    pub(crate) fn name_defined(&mut self, number: u32, asked: &str) -> Result<(), LinkFailure> {
        match self.symbol_of_definition(number, asked) {
            Ok(_) => Ok(()),
            Err(FunctionError::Memory(error)) => Err(LoadError::Memory(error).into()),
            Err(_) => Err(LoadError::MissingSymbol { name: asked.into() }.into()),
        }
    }

    /// The function by which a library's own name leads to one of another library, which a handle
    /// refers to from now on.
    pub(crate) fn refer_by(
        &mut self,
        (library, name): (LibraryId, &str),
        target: &FunctionSymbol,
    ) -> Result<(Arc<FunctionSymbol>, References), LinkFailure> {
        let known = self.symbols.own_function_of(library, name, &target.signature_text());
        let number = match known {
            Some(number) => number,
            None => self.symbols.give_number()?,
        };
        let (types, signature) = (|| Arc::clone(&target.types), &target.signature);
        let symbol = match self.ensure_symbol(number, (library, name), types, signature) {
            Ok(symbol) => symbol,
            Err(failure) => {
                if known.is_none() {
                    self.symbols.take_back(&[number]);
                }
                return Err(failure);
            }
        };
        self.symbols.names.leave_unclaimed(library, name, number);
        Ok((symbol, self.symbols.hold(vec![number])))
    }

    /// Gives those functions symbols that modules name, and that have none since nobody has
    /// named them yet.
    pub(crate) fn name_known(&mut self, modules: &[Incoming<'_>]) -> Result<(), LinkFailure> {
        if self.symbols.is_blank() {
            return Ok(());
        }
        for incoming in modules {
            for (_, function) in incoming.module.functions() {
                let name = &function.name;
                let library = self.symbols.names.main().library;
                let known = self.symbols.named_function(library, name);
                let known = known.filter(|_| function.linkage != Linkage::Local);
                if let Some(number) = known {
                    self.name_defined(number, name)?;
                }
            }
        }
        Ok(())
    }

    /// Gives a function a symbol, if it has none.
    pub(crate) fn ensure_symbol(
        &mut self,
        number: u32,
        (library, name): (LibraryId, &str),
        types: impl FnOnce() -> Arc<TypePool>,
        signature: &Signature,
    ) -> Result<Arc<FunctionSymbol>, LinkFailure> {
        if let Some(symbol) = self.symbols.symbol(number) {
            return Ok(symbol);
        }
        let slots = self.reservation.slot_pair()?;
        let mut draft = self.reservation.allocate(&Request::STUB)?;
        draft.write(|bytes, base| self.write_stub(bytes, base, number, &slots, None))?;
        let symbol = FunctionSymbol {
            name: name.into(),
            library,
            types: types(),
            signature: Arc::new(signature.clone()),
            stub: draft.publish()?,
            slots,
            instance: CodeInstance::new(),
            is_callable_from_c: AtomicBool::new(false),
        };
        Ok(self.symbols.set_symbol(number, symbol))
    }
}

/// Whether a unit is the code that is linked, and not what that needs.
fn is_own(purpose: &Purpose) -> bool {
    matches!(purpose, Purpose::Lazy(..) | Purpose::Continuation(..))
}

/// Whether what is prepared leads to a function of the host, if that is what the name means: it
/// may have been defined meanwhile.
fn is_sure(symbols: &Symbols, lazy: &Lazy<'_>, name: &str, prepared: &[Prepared]) -> bool {
    let library = lazy.definition.home.library;
    let Some(id) = lazy.names.function_named(name) else { return true };
    !lazy.is_host(symbols, name)
        || symbols.defined_function(library, name).is_some()
        || prepared.iter().any(|prepared| prepared.purpose == Purpose::Host(0, id))
}

/// The functions that code names.
#[derive(Default)]
struct Used {
    called: Vec<u32>,
    /// By their addresses, which may be anywhere then.
    addressed: Vec<u32>,
    /// The modules of those that these alone see.
    owners: Vec<Arc<Definition>>,
}

impl Used {
    fn note_owner(&mut self, named: &NamedBy) {
        let is_known = |known: &Arc<Definition>| Arc::ptr_eq(known, &named.definition);
        if named.is_local() && !self.owners.iter().any(is_known) {
            self.owners.push(Arc::clone(&named.definition));
        }
    }
}
