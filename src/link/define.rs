//! Taking in a module whose functions are compiled one by one.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Linkage, Module, Name};
use brolga_ir::types::{Signature, TypePool};
use brolga_lifecycle::names::LibraryId;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::target::Isa;
use rustc_hash::FxHashMap;

use super::definition::{Definition, IMPORTED, PlacedData, Trust};
use super::functions::Source;
use super::namespace::{Home, Meaning, Replaced};
use super::prepare::{Prepared, addressed_by_data, callback};
use super::scope::{Around, ForeignLookup, FunctionRef, Incoming, Names};
use super::stage::{LinkFailure, Stage};
use super::symbols::{Symbols, check_function_name, signature_text};
use crate::error::LoadError;

/// What a module that was taken in changes.
#[derive(Debug)]
pub(crate) struct Defined {
    /// Functions by their numbers, with what they are compiled from now.
    pub(crate) sources: Vec<(u32, Source)>,
    /// Functions whose name is to mean another one, of another signature.
    pub(crate) superseded: Vec<(u32, Name)>,
    /// The names that others see from then on.
    named: Vec<(u32, FuncId)>,
    definition: Arc<Definition>,
}

impl Defined {
    /// The names of its functions and data that others see.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let module = &self.definition.module;
        let functions = self.named.iter().filter_map(|&(_, id)| module.function(id));
        let functions = functions.map(|it| (it.linkage, &it.name));
        let data = module.data_objects().map(|(_, it)| (it.linkage, &it.name));
        let is_seen = |linkage| matches!(linkage, Linkage::Export | Linkage::Weak);
        functions.chain(data).filter(move |&(linkage, _)| is_seen(linkage)).map(|(_, name)| &**name)
    }
}

/// A function that is made later.
#[derive(Debug)]
pub(crate) struct Later {
    pub(crate) number: u32,
    /// Functions whose name means that one now, of another signature.
    pub(crate) superseded: Vec<u32>,
    pub(crate) replaced: Replaced,
}

/// Entries for C code of the functions whose addresses a module's data hold.
#[derive(Debug, Default)]
pub(crate) struct Callbacks(Vec<Prepared>);

impl Callbacks {
    /// Compiles them, with no lock held.
    pub(crate) fn of(
        module: &Module,
        compiler: &mut Compiler,
        isa: &Isa,
    ) -> Result<Callbacks, CompileError> {
        let mut all = Vec::new();
        for id in addressed(module) {
            all.extend(callback(compiler, (0, id), module, &module.types, isa)?);
        }
        Ok(Callbacks(all))
    }
}

/// The functions whose addresses data hold, each once.
fn addressed(module: &Module) -> BTreeSet<FuncId> {
    addressed_by_data(module).collect()
}

/// The numbers of a module's functions.
struct Numbered {
    /// By their ids; [`IMPORTED`] for those that are only declared.
    numbers: Box<[u32]>,
    /// Others that their names have meant.
    superseded: Vec<(u32, Name)>,
    /// Those that are new.
    given: Vec<u32>,
}

/// What becomes of a name.
enum Plan {
    /// The function is new to the engine.
    New,
    /// So it is, but the name is not: others go by it, of other signatures.
    Instead,
    /// It has that number, as it had before.
    Again(u32),
    /// Another definition stands in its place.
    Overridden,
}

impl Stage<'_> {
    /// Takes a module in: all of it, or nothing, and leaves it where it is then. Its functions have
    /// no definition before the caller gives them what they are compiled from.
    pub(crate) fn define(
        &mut self,
        module: &mut Module,
        (home, trust): (Home, Trust),
        callbacks: Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Defined, LoadError> {
        self.symbols.names.check(home)?;
        let plans = plan_all(self.symbols, home.library, module)?;
        self.symbols.numbers.reserve(plans.len());
        let Numbered { numbers, superseded, given } = self.number(home.library, module, &plans)?;
        match self.place(module, (home, trust), numbers.clone(), callbacks, foreign) {
            Ok(definition) => {
                let sources = sources(&definition, &numbers);
                let own = plans.iter().filter_map(|&(id, _)| Some((definition.number(id)?, id)));
                Ok(Defined { sources, superseded, named: own.collect(), definition })
            }
            Err(error) => {
                self.symbols.take_back(&given);
                Err(error)
            }
        }
    }

    /// Takes in a function that is made later: it has its number, its name and its symbol, and
    /// no source before the caller gives it one.
    pub(crate) fn define_later(
        &mut self,
        home: Home,
        name: &str,
        (types, signature): (&Arc<TypePool>, &Signature),
    ) -> Result<Later, LoadError> {
        self.symbols.names.check(home)?;
        let text = signature_text(types, signature);
        let full = (home.library, name);
        let (number, is_new) = match plan_name(self.symbols, full, Linkage::Export, || text)? {
            Plan::Again(number) => (number, false),
            Plan::New | Plan::Instead | Plan::Overridden => (self.symbols.give_number()?, true),
        };
        if let Err(failure) = self.ensure_symbol(number, full, || Arc::clone(types), signature) {
            if is_new {
                self.symbols.take_back(&[number]);
            }
            return Err(match failure {
                LinkFailure::Refused(error) => error,
                LinkFailure::Stale => LoadError::MissingSymbol { name: name.into() },
            });
        }
        let superseded = self.symbols.others_of(home.library, name, number);
        self.symbols.numbers.revive(number);
        let replaced = self.symbols.names.define_function(home, name, number)?;
        Ok(Later { number, superseded, replaced })
    }

    /// Numbers for all functions that the module defines.
    fn number(
        &mut self,
        library: LibraryId,
        module: &Module,
        plans: &[(FuncId, Plan)],
    ) -> Result<Numbered, LoadError> {
        let mut numbers = vec![IMPORTED; module.functions().len()];
        let (mut superseded, mut given) = (Vec::new(), Vec::new());
        for (id, plan) in plans {
            let number = match plan {
                Plan::Overridden => continue,
                Plan::Again(number) => *number,
                Plan::New | Plan::Instead => match self.symbols.give_number() {
                    Ok(number) => number,
                    Err(error) => {
                        self.symbols.take_back(&given);
                        return Err(error);
                    }
                },
            };
            let Some(function) = module.function(*id) else { continue };
            if matches!(plan, Plan::New | Plan::Instead) {
                given.push(number);
            }
            let others = match plan {
                Plan::Again(_) | Plan::Instead => {
                    self.symbols.others_of(library, &function.name, number)
                }
                Plan::New | Plan::Overridden => Vec::new(),
            };
            superseded.extend(others.into_iter().map(|other| (other, function.name.clone())));
            if let Some(place) = numbers.get_mut(id.as_u32() as usize) {
                *place = number;
            }
        }
        Ok(Numbered { numbers: numbers.into(), superseded, given })
    }

    /// Places the module's data.
    fn place(
        &mut self,
        module: &mut Module,
        (home, trust): (Home, Trust),
        numbers: Box<[u32]>,
        callbacks: Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Arc<Definition>, LoadError> {
        let abandoned = Arc::clone(&self.symbols.abandoned);
        let taken = mem::take(module);
        let mut definition = Definition::new(taken, (home, trust), numbers, &abandoned);
        if definition.module.data_objects().len() > 0 {
            match self.place_data(&definition, callbacks, foreign) {
                Ok(data) => definition.set_data(data),
                Err(failure) => {
                    let error = refusal(failure, &definition);
                    *module = definition.into_module();
                    return Err(error);
                }
            }
        }
        Ok(Arc::new(definition))
    }

    /// The module's data, and those of others whose addresses they hold.
    fn place_data(
        &mut self,
        definition: &Definition,
        Callbacks(callbacks): Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<PlacedData, LinkFailure> {
        let module = &definition.module;
        let modules = [Incoming { module, types: definition.types() }];
        let around = Around { symbols: self.symbols, home: definition.home };
        let mut names = Names::of_definition(&modules, around, self.reservation, foreign)?;
        let (mut functions, mut numbers) = (FxHashMap::default(), Vec::new());
        // Those of others; if this fails, they go with it.
        let mut held = Vec::new();
        for id in addressed(module) {
            let Some(function) = module.function(id) else { continue };
            if function.linkage.is_foreign() {
                continue;
            }
            let number = match definition.number(id) {
                Some(number) => {
                    let signature = module.signature_of(id);
                    let name = (definition.home.library, &*function.name);
                    self.ensure_symbol(number, name, || definition.types(), signature)?;
                    number
                }
                None => {
                    let number = self.find_function((definition, module), &function.name)?;
                    held.push(self.symbols.hold(vec![number]));
                    number
                }
            };
            numbers.push(number);
            functions.insert(function.name.clone(), FunctionRef::Known(number));
        }
        names.set_functions(functions);
        let imported = names.known_data();
        let own = self.link_units(&modules, &names, callbacks.into(), |_| ())?.data;
        // Their addresses are wherever the data go.
        numbers.into_iter().for_each(|number| self.symbols.numbers.escape(number));
        Ok(PlacedData { own, imported })
    }

    /// Lets others see the names of a module that is there, and whose functions have what they
    /// are compiled from.
    pub(crate) fn enter(&mut self, defined: &Defined) -> Result<Replaced, LoadError> {
        let Defined { named, definition, .. } = defined;
        let mut replaced = Replaced::NoAlias;
        self.symbols.names.reserve(definition.home, named.len());
        for &(number, id) in named {
            let Some(function) = definition.module.function(id) else { continue };
            self.symbols.numbers.revive(number);
            if function.linkage != Linkage::Local {
                let names = &mut self.symbols.names;
                let place = names.define_function(definition.home, &function.name, number)?;
                if place == Replaced::Alias {
                    replaced = place;
                }
            }
        }
        Ok(replaced)
    }
}

/// Why data were not placed.
fn refusal(failure: LinkFailure, definition: &Definition) -> LoadError {
    match failure {
        LinkFailure::Refused(error) => error,
        LinkFailure::Stale => CompileError::BackEnd {
            function: definition.module.name.as_str().into(),
            reason: "the engine changed while the module's data were placed".into(),
        }
        .into(),
    }
}

/// What the functions of a module are compiled from.
fn sources(definition: &Arc<Definition>, numbers: &[u32]) -> Vec<(u32, Source)> {
    let all = definition.module.functions().zip(numbers);
    let own = all.filter(|&(_, &number)| number != IMPORTED);
    own.map(|((id, function), &number)| match function.linkage {
        Linkage::Local => (number, Source::Local(Arc::downgrade(definition), id)),
        _ => (number, Source::Global(Arc::clone(definition), id)),
    })
    .collect()
}

/// What becomes of the names of all functions that a module defines.
fn plan_all(
    symbols: &Symbols,
    library: LibraryId,
    module: &Module,
) -> Result<Vec<(FuncId, Plan)>, LoadError> {
    let defined = module.functions().filter(|(_, function)| function.body.is_some());
    defined.map(|(id, _)| Ok((id, plan(symbols, library, module, id)?))).collect()
}

fn plan(
    symbols: &Symbols,
    library: LibraryId,
    module: &Module,
    id: FuncId,
) -> Result<Plan, LoadError> {
    let Some(function) = module.function(id) else { return Ok(Plan::Overridden) };
    if function.linkage == Linkage::Local {
        return Ok(Plan::New);
    }
    let signature = || signature_text(&module.types, module.signature_of(id));
    plan_name(symbols, (library, &function.name), function.linkage, signature)
}

/// What becomes of a name that others see.
fn plan_name(
    symbols: &Symbols,
    (library, name): (LibraryId, &str),
    linkage: Linkage,
    signature: impl FnOnce() -> String,
) -> Result<Plan, LoadError> {
    check_function_name(name)?;
    let is_weak = linkage == Linkage::Weak;
    let is_host = symbols.hosts.contains_key(name);
    if is_weak && (is_host || symbols.names.has(library, name)) {
        return Ok(Plan::Overridden);
    }
    let own = symbols.names.own(library, name);
    let is_loaded = match own {
        Some(Meaning::Function(number)) => symbols.is_loaded(number),
        Some(Meaning::Data(_)) => true,
        None => false,
    };
    if is_host || is_loaded {
        return Err(LoadError::Duplicate { name: name.into() });
    }
    if own.is_none() && symbols.names.unclaimed(library, name).is_empty() {
        return Ok(Plan::New);
    }
    Ok(symbols.own_function_of(library, name, &signature()).map_or(Plan::Instead, Plan::Again))
}
