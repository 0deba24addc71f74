//! The bodies that a function's code may have in it: those of functions that its module defines,
//! and of others, whichever module and library has them by now.
//!
//! A body from elsewhere names what its own module and library mean by their names. Where the
//! function's do not mean the same, the name is another one in its code, bound to that meaning.

use std::collections::VecDeque;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Extract, Linkage, Module, Name, Symbol};
use brolga_lifecycle::life::Version;
use brolga_lifecycle::resolve::{self, Functions};
use brolga_lowering::pipeline::{Pass, is_open, opens_callees};
use brolga_lowering::unit::CompiledUnit;
use rustc_hash::FxHashMap;

use super::shared::Shared;
use crate::link::{
    Bound, Definition, LinkFailure, NamedBy, References, Seen, Source, Symbols, signature_text,
};

/// So many bodies are looked at, those of callees before those of theirs: what one function takes
/// to compile must not grow with all that it can reach.
const MOST_BODIES: usize = 64;

/// A function in a module of its own, with bodies that its code may have in it.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) extract: Extract,
    pub(super) others: Vec<FuncId>,
    /// Those of them that one call alone names in their module.
    pub(super) sole: Vec<FuncId>,
    pub(super) bound: Bound,
}

/// A function that a name means.
struct Meant {
    number: u32,
    version: Version,
    definition: Arc<Definition>,
    id: FuncId,
}

impl Shared {
    /// Gathers them; nothing, if there are none.
    pub(super) fn gather(
        &self,
        definition: &Arc<Definition>,
        id: FuncId,
        passes: &[&'static Pass],
    ) -> Option<Gathered> {
        if !opens_callees(passes) {
            return None;
        }
        let extract = definition.module.extract(id)?;
        let (others, sole, bound) = (Vec::new(), Vec::new(), Bound::default());
        let mut gathered = Gathered { extract, others, sole, bound };
        let mut left: VecDeque<FuncId> = gathered.declared_from(0).into();
        while let Some(named) = left.pop_front().filter(|_| gathered.others.len() < MOST_BODIES) {
            let known = gathered.extract.module.functions().len();
            if self.take_body(definition, named, passes, &mut gathered).is_some() {
                left.extend(gathered.declared_from(known));
            }
        }
        (!gathered.others.is_empty()).then_some(gathered)
    }

    /// Takes the body of a function that is declared there, if its code may be taken over.
    fn take_body(
        &self,
        definition: &Arc<Definition>,
        declared: FuncId,
        passes: &[&'static Pass],
        gathered: &mut Gathered,
    ) -> Option<()> {
        let module = &gathered.extract.module;
        let name = module.function(declared).filter(|it| it.body.is_none())?.name.clone();
        let signature = signature_text(&module.types, module.signature_of(declared));
        let named = gathered.bound.functions.get(&name).cloned();
        let named = named
            .unwrap_or_else(|| NamedBy { definition: Arc::clone(definition), name: name.clone() });
        let meant = self.meant(&named, &signature)?;
        let from = &meant.definition.module;
        let is_open = meant.definition.verify(meant.id).is_ok() && is_open(from, meant.id, passes);
        let mut body = from.extract(meant.id).filter(|_| is_open)?;
        let mut bound = Bound::default();
        if !Arc::ptr_eq(&meant.definition, definition) {
            self.bind(definition, &meant.definition, &mut body, gathered, &mut bound)?;
        }
        gathered.extract.adopt(declared, &body)?;
        gathered.others.push(declared);
        if meant.definition.is_sole_callee(meant.id) {
            gathered.sole.push(declared);
        }
        let Meant { number, version, definition: from, .. } = meant;
        let is_own = Arc::ptr_eq(&from, definition);
        let file = if is_own { "" } else { &*from.module.name }.into();
        gathered.bound.bodies.insert(name, Seen { named, signature, number, version, file });
        gathered.bound.functions.append(&mut bound.functions);
        gathered.bound.data.append(&mut bound.data);
        Some(())
    }

    /// What a name means by now to whoever calls it by that signature, if that has a body.
    fn meant(&self, named: &NamedBy, signature: &str) -> Option<Meant> {
        let number = definition_of(&self.symbols(), named, signature)?;
        let (source, version) = self.life(number).source()?;
        let (definition, id) = source.definition()?;
        Some(Meant { number, version, definition, id })
    }

    /// Gives what a body names new names where its own do not mean the same to the function's
    /// module, or are those of something else there. Nothing if that cannot be: a name of the
    /// host or of the process is the same everywhere.
    fn bind(
        &self,
        here: &Definition,
        there: &Arc<Definition>,
        body: &mut Extract,
        gathered: &Gathered,
        bound: &mut Bound,
    ) -> Option<()> {
        let symbols = self.symbols();
        let own = body.function;
        let all: Vec<Symbol> = body.module.declarations().to_vec();
        for symbol in all.into_iter().filter(|&symbol| symbol != Symbol::Function(own)) {
            let name: Name = body.module.symbol_name(symbol).into();
            let fate = match symbol {
                Symbol::Function(id) => {
                    let is_foreign =
                        body.module.function(id).is_some_and(|it| it.linkage.is_foreign());
                    let is_everywhere = is_foreign || symbols.hosts.contains_key(&name);
                    function_fate(here, there, &name, is_everywhere)
                }
                Symbol::Data(_) => data_fate(&symbols, here, there, &name),
            };
            match fate {
                Fate::Same => continue,
                Fate::Unknown => return None,
                Fate::Another => {}
            }
            let modules = [&here.module, &gathered.extract.module, &body.module];
            let new = fresh_name(&name, modules);
            body.module.rename(symbol, &new).ok()?;
            match symbol {
                Symbol::Function(_) => {
                    let named = NamedBy { definition: Arc::clone(there), name };
                    bound.functions.insert(new, named);
                }
                Symbol::Data(_) => {
                    let data = symbols.data_meant_by(there, &name)?;
                    bound.data.insert(new, Arc::clone(data));
                }
            }
        }
        Some(())
    }

    /// Which definitions the code of a function depends on, of those whose bodies it has. A name
    /// that leads to another library may lead elsewhere later: the way there is one of them.
    ///
    /// # Errors
    /// If a name means something else than it did.
    pub(super) fn depended_on(
        &self,
        symbols: &mut Symbols,
        bound: &Bound,
        inlined: &[Name],
    ) -> Result<Depended, LinkFailure> {
        let mut depended = Depended::default();
        for name in inlined {
            let Some(seen) = bound.bodies.get(name) else { continue };
            depended.versions.push((seen.number, seen.version));
            let NamedBy { definition, name } = &seen.named;
            let slot = symbols.meant_by(definition, name, &seen.signature);
            if slot == Some(seen.number) {
                continue;
            }
            if definition_of(symbols, &seen.named, &seen.signature) != Some(seen.number) {
                return Err(LinkFailure::Stale);
            }
            let mut stage = self.stage(symbols);
            let slot = stage.find_function((definition, &definition.module), name)?;
            depended.references.push(symbols.hold(vec![slot]));
            if !self.life(slot).is_defined() {
                let _nothing = resolve::define(self, slot, Source::Elsewhere);
            }
            if let Some((_, version)) = self.life(slot).source() {
                depended.versions.push((slot, version));
                depended.slots.push(slot);
            }
        }
        Ok(depended)
    }
}

/// What code depends on.
#[derive(Debug, Default)]
pub(super) struct Depended {
    pub(super) versions: Vec<(u32, Version)>,
    /// Functions that it refers to though it calls none of them.
    pub(super) slots: Vec<u32>,
    /// Have these stay until the code does.
    references: Vec<References>,
}

impl Gathered {
    /// The functions that are declared there, from the one of that index on.
    fn declared_from(&self, first: usize) -> Vec<FuncId> {
        let all = self.extract.module.functions().skip(first);
        all.filter(|(_, function)| function.body.is_none()).map(|(id, _)| id).collect()
    }

    /// Calls functions in the frames of a unit by the names that they have where they were
    /// written, and their texts, too.
    pub(super) fn name_frames(&self, unit: &mut CompiledUnit) {
        let mut written: FxHashMap<&str, (&str, &str)> = FxHashMap::default();
        for (name, seen) in &self.bound.bodies {
            let _ = written.insert(name, (&seen.named.name, &seen.file));
        }
        for frame in &mut unit.frames {
            let Some(function) = &frame.function else { continue };
            let Some(&(name, file)) = written.get(&**function) else { continue };
            if frame.file.is_none() && !file.is_empty() {
                frame.file = Some(file.into());
            }
            frame.function = Some(name.into());
        }
    }
}

/// The function that a name means by now, if it is defined: by way of another library, too.
fn definition_of(symbols: &Symbols, named: &NamedBy, signature: &str) -> Option<u32> {
    let NamedBy { definition, name } = named;
    let slot = symbols.meant_by(definition, name, signature);
    if let Some(slot) = slot.filter(|&slot| symbols.is_settled(slot)) {
        return Some(slot);
    }
    let found = symbols.defined_function(definition.home.library, name)?;
    (symbols.signature_text(found) == signature).then_some(found)
}

/// What a name of one module is to another.
enum Fate {
    /// The same.
    Same,
    /// Something else, or nothing.
    Another,
    /// Nobody can say.
    Unknown,
}

fn function_fate(here: &Definition, there: &Definition, name: &str, is_everywhere: bool) -> Fate {
    let (ours, theirs) = (linkage_in(&here.module, name), linkage_in(&there.module, name));
    let is_ours = |linkage: Option<Linkage>| linkage == Some(Linkage::Local);
    if is_everywhere {
        let is_import = |linkage: Linkage| linkage == Linkage::Import || linkage.is_foreign();
        return if ours.is_none_or(is_import) { Fate::Same } else { Fate::Unknown };
    }
    let is_shared = here.home.library == there.home.library && !is_ours(ours) && !is_ours(theirs);
    let is_foreign = ours.is_some_and(Linkage::is_foreign);
    if is_shared && !is_foreign { Fate::Same } else { Fate::Another }
}

fn data_fate(symbols: &Symbols, here: &Definition, there: &Definition, name: &str) -> Fate {
    let (ours, theirs) = (linkage_in(&here.module, name), linkage_in(&there.module, name));
    if theirs.is_some_and(Linkage::is_foreign) {
        let is_same = ours.is_none_or(Linkage::is_foreign);
        return if is_same { Fate::Same } else { Fate::Unknown };
    }
    let Some(theirs) = symbols.data_meant_by(there, name) else { return Fate::Unknown };
    let is_ours = |ours| Arc::ptr_eq(ours, theirs);
    match symbols.data_meant_by(here, name).is_some_and(is_ours) {
        true if !ours.is_some_and(Linkage::is_foreign) => Fate::Same,
        _ => Fate::Another,
    }
}

/// A name that none of the modules has.
fn fresh_name(name: &str, modules: [&Module; 3]) -> Name {
    let is_free = |new: &String| modules.iter().all(|module| module.symbol(new).is_none());
    let names = (1u64..).map(|number| format!("{name}.{number}"));
    names.into_iter().find(is_free).unwrap_or_default().into()
}

fn linkage_in(module: &Module, name: &str) -> Option<Linkage> {
    match module.symbol(name)? {
        Symbol::Function(id) => module.function(id).map(|function| function.linkage),
        Symbol::Data(id) => module.data(id).map(|object| object.linkage),
    }
}
