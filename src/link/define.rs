//! Taking in a module whose functions are compiled one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Linkage, Module};
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::target::Isa;
use rustc_hash::FxHashMap;

use super::definition::{Definition, IMPORTED, PlacedData, Trust};
use super::functions::Source;
use super::prepare::{Prepared, addressed_by_data, callback};
use super::scope::{ForeignLookup, FunctionRef, Incoming, Names};
use super::stage::{LinkFailure, Stage};
use super::symbols::{Symbols, check_function_name, signature_text};
use crate::error::LoadError;

/// What a module that was taken in changes.
#[derive(Debug)]
pub(crate) struct Defined {
    /// Functions by their numbers, with what they are compiled from now.
    pub(crate) sources: Vec<(u32, Source)>,
    /// Functions whose name means another one now, of another signature.
    pub(crate) superseded: Vec<(u32, Box<str>)>,
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
    superseded: Vec<(u32, Box<str>)>,
    /// Those that are new.
    given: Vec<u32>,
}

/// What becomes of a name.
enum Plan {
    /// The function is new to the engine.
    New,
    /// It has that number, as it had before.
    Again(u32),
    /// Another definition stands in its place.
    Overridden,
}

impl Stage<'_> {
    /// Takes a module in: all of it, or nothing. Its functions have no definition before the
    /// caller gives them what they are compiled from.
    pub(crate) fn define(
        &mut self,
        module: Module,
        trust: Trust,
        callbacks: Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Defined, LoadError> {
        let plans = plan_all(self.symbols, &module)?;
        let Numbered { numbers, superseded, given } = self.number(&module, &plans)?;
        match self.place(module, trust, numbers.clone(), callbacks, foreign) {
            Ok(definition) => {
                self.enter(&definition, &plans);
                Ok(Defined { sources: sources(&definition, &numbers), superseded })
            }
            Err(error) => {
                self.symbols.take_back(&given);
                Err(error)
            }
        }
    }

    /// Numbers for all functions that the module defines.
    fn number(&mut self, module: &Module, plans: &[(FuncId, Plan)]) -> Result<Numbered, LoadError> {
        let mut numbers = vec![IMPORTED; module.functions().len()];
        let (mut superseded, mut given) = (Vec::new(), Vec::new());
        for (id, plan) in plans {
            let number = match plan {
                Plan::Overridden => continue,
                Plan::Again(number) => *number,
                Plan::New => match self.symbols.give_number() {
                    Ok(number) => number,
                    Err(error) => {
                        self.symbols.take_back(&given);
                        return Err(error);
                    }
                },
            };
            let Some(function) = module.function(*id) else { continue };
            if matches!(plan, Plan::New) {
                given.push(number);
            }
            if function.linkage != Linkage::Local
                && let Some(&old) = self.symbols.global_functions.get(&function.name)
                && old != number
            {
                superseded.push((old, function.name.clone()));
            }
            if let Some(place) = numbers.get_mut(id.as_u32() as usize) {
                *place = number;
            }
        }
        Ok(Numbered { numbers: numbers.into(), superseded, given })
    }

    /// Places the module's data.
    fn place(
        &mut self,
        module: Module,
        trust: Trust,
        numbers: Box<[u32]>,
        callbacks: Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Arc<Definition>, LoadError> {
        let abandoned = Arc::clone(&self.symbols.abandoned);
        let mut definition = Definition::new(module, trust, numbers, &abandoned);
        if definition.module.data_objects().len() > 0 {
            match self.place_data(&definition, callbacks, foreign) {
                Ok(data) => definition.set_data(data),
                Err(failure) => {
                    let error = refusal(failure, &definition);
                    definition.forget();
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
        let mut names = Names::of_definition(&modules, self.symbols, self.reservation, foreign)?;
        let (mut functions, mut numbers) = (FxHashMap::default(), Vec::new());
        for id in addressed(module) {
            let Some(function) = module.function(id) else { continue };
            if function.linkage.is_foreign() {
                continue;
            }
            let number = match definition.number(id) {
                Some(number) => {
                    let signature = module.signature_of(id);
                    self.ensure_symbol(number, &function.name, || definition.types(), signature)?;
                    number
                }
                None => self.find_function(definition, &function.name)?,
            };
            numbers.push(number);
            functions.insert(function.name.clone(), FunctionRef::Known(number));
        }
        names.set_functions(functions);
        let imported = names.known_data();
        let own = self.link_units(&modules, &names, callbacks, |_| ())?.data;
        // Their addresses are wherever the data go.
        numbers.into_iter().for_each(|number| self.symbols.numbers.escape(number));
        Ok(PlacedData { own, imported })
    }

    /// Lets others see the names of a module that is there.
    fn enter(&mut self, definition: &Arc<Definition>, plans: &[(FuncId, Plan)]) {
        for (id, _) in plans {
            let (Some(function), Some(number)) =
                (definition.module.function(*id), definition.number(*id))
            else {
                continue;
            };
            self.symbols.numbers.revive(number);
            if function.linkage == Linkage::Local {
                continue;
            }
            self.symbols.name_function(&function.name, number);
        }
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
fn plan_all(symbols: &Symbols, module: &Module) -> Result<Vec<(FuncId, Plan)>, LoadError> {
    let defined = module.functions().filter(|(_, function)| function.body.is_some());
    defined.map(|(id, _)| Ok((id, plan(symbols, module, id)?))).collect()
}

fn plan(symbols: &Symbols, module: &Module, id: FuncId) -> Result<Plan, LoadError> {
    let Some(function) = module.function(id) else { return Ok(Plan::Overridden) };
    let name = &function.name;
    check_function_name(name)?;
    if function.linkage == Linkage::Local {
        return Ok(Plan::New);
    }
    let duplicate = || Err(LoadError::Duplicate { name: name.clone() });
    let is_weak = function.linkage == Linkage::Weak;
    if symbols.global_data.contains_key(name) || symbols.hosts.contains_key(name) {
        return if is_weak { Ok(Plan::Overridden) } else { duplicate() };
    }
    let Some(&number) = symbols.global_functions.get(name) else { return Ok(Plan::New) };
    match symbols.functions.entry(number).life.source() {
        Some(_) if is_weak => return Ok(Plan::Overridden),
        Some((Source::Loaded, _)) => return duplicate(),
        _ => {}
    }
    let wanted = signature_text(&module.types, module.signature_of(id));
    Ok(symbols.function_of(name, &wanted).map_or(Plan::New, Plan::Again))
}
