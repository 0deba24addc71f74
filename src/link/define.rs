//! Taking in a module whose functions are compiled one by one.

use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Linkage, Module, Symbol};
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::target::Isa;
use rustc_hash::FxHashMap;

use super::definition::{Definition, IMPORTED, Numbered, Trust};
use super::functions::Source;
use super::prepare::{Prepared, Purpose};
use super::scope::{ForeignLookup, FunctionRef, Incoming, Names};
use super::stage::{LinkFailure, Stage};
use super::symbols::{DataSymbol, Symbols, check_function_name, signature_text};
use crate::error::LoadError;

/// What a module that was taken in changes.
#[derive(Debug)]
pub(crate) struct Defined {
    /// Functions by their numbers, with what they are compiled from now.
    pub(crate) sources: Vec<(u32, Source)>,
    /// Functions whose name means another one now, of another signature.
    pub(crate) superseded: Vec<u32>,
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
            let Some(function) = module.function(id) else { continue };
            if function.linkage.is_foreign() {
                continue;
            }
            match compiler.callback_thunk(function, &module.types, isa) {
                Ok(unit) => all.push(Prepared { purpose: Purpose::Callback(0, id), unit }),
                // C code cannot call it.
                Err(CompileError::Signature { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Callbacks(all))
    }
}

/// The functions whose addresses data hold, each once.
fn addressed(module: &Module) -> Vec<FuncId> {
    let all = module.data_objects().flat_map(|(_, object)| object.relocations());
    let functions = all.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Data(_) => None,
    });
    let mut functions: Vec<FuncId> = functions.collect();
    functions.sort_unstable();
    functions.dedup();
    functions
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
    ) -> Result<Defined, LinkFailure> {
        let plans = plan_all(self.symbols, &module)?;
        let (numbered, superseded, given) = self.number(&module, &plans)?;
        let numbers = numbered.numbers.clone();
        match self.place(module, trust, numbered, callbacks, foreign) {
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

    /// Numbers for all functions that the module defines; those that now have another number,
    /// and the numbers that are new.
    fn number(
        &mut self,
        module: &Module,
        plans: &[(FuncId, Plan)],
    ) -> Result<(Numbered, Vec<u32>, Vec<u32>), LinkFailure> {
        let mut numbers = vec![IMPORTED; module.functions().len()];
        let (mut locals, mut superseded, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (id, plan) in plans {
            let number = match plan {
                Plan::Overridden => continue,
                Plan::Again(number) => *number,
                Plan::New => match self.symbols.give_number() {
                    Ok(number) => number,
                    Err(error) => {
                        self.symbols.take_back(&given);
                        return Err(error.into());
                    }
                },
            };
            let Some(function) = module.function(*id) else { continue };
            if matches!(plan, Plan::New) {
                given.push(number);
            }
            if function.linkage == Linkage::Local {
                locals.push(number);
            } else if let Some(&old) = self.symbols.global_functions.get(&function.name)
                && old != number
            {
                superseded.push(old);
            }
            if let Some(place) = numbers.get_mut(id.as_u32() as usize) {
                *place = number;
            }
        }
        let numbered = Numbered { numbers: numbers.into(), locals: locals.into() };
        Ok((numbered, superseded, given))
    }

    /// Places the module's data.
    fn place(
        &mut self,
        module: Module,
        trust: Trust,
        numbered: Numbered,
        callbacks: Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Arc<Definition>, LinkFailure> {
        let addressed = addressed(&module);
        let abandoned = Arc::clone(&self.symbols.abandoned);
        let mut definition =
            Definition::new(module, trust, numbered, Default::default(), &abandoned);
        if definition.module.data_objects().len() > 0 {
            let shared = Arc::new(definition);
            let linked = self.place_data(&shared, &addressed, callbacks, foreign);
            definition = Arc::try_unwrap(shared).map_err(|_| LinkFailure::Stale)?;
            match linked {
                Ok(data) => {
                    definition.data =
                        data.into_iter().map(|data| (data.name.clone(), data)).collect();
                }
                Err(error) => {
                    definition.forget();
                    return Err(error);
                }
            }
        }
        Ok(Arc::new(definition))
    }

    fn place_data(
        &mut self,
        definition: &Arc<Definition>,
        addressed: &[FuncId],
        Callbacks(callbacks): Callbacks,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Vec<Arc<DataSymbol>>, LinkFailure> {
        let module = &definition.module;
        let modules = [Incoming { module, types: definition.types() }];
        let mut names = Names::of_definition(&modules, self.symbols, self.reservation, foreign)?;
        let mut functions = FxHashMap::default();
        for &id in addressed {
            let Some(function) = module.function(id) else { continue };
            if function.linkage.is_foreign() {
                continue;
            }
            let number = self.find_function(definition, &function.name)?;
            // Its address is wherever the data goes.
            self.symbols.numbers.escape(number);
            functions.insert(function.name.clone(), FunctionRef::Known(number));
        }
        names.set_functions(functions);
        Ok(self.link_units(&modules, &names, callbacks, |_| ())?.data)
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
            let old = self.symbols.global_functions.insert(function.name.clone(), number);
            let former = old.filter(|&old| old != number);
            if former.is_none() && !self.symbols.former_functions.contains_key(&function.name) {
                continue;
            }
            let others = self.symbols.former_functions.entry(function.name.clone()).or_default();
            others.retain(|&other| other != number);
            others.extend(former);
        }
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
    let former = symbols.former_functions.get(name).into_iter().flatten();
    let mut all = std::iter::once(&number).chain(former);
    let same = all.find(|&&number| symbols.signature_text(number) == wanted);
    Ok(same.map_or(Plan::New, |&number| Plan::Again(number)))
}
