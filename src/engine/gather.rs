//! The bodies that a function's code may have in it: those of functions that its module defines,
//! and of others, whichever module and library has them by now.
//!
//! A body from elsewhere names what its own module and library mean by their names. Where the
//! function's do not mean the same, the name is another one in its code, bound to that meaning.

use std::collections::VecDeque;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Extract, Name};
use brolga_lifecycle::life::Version;
use brolga_lifecycle::resolve::{self, Functions};
use brolga_lowering::pipeline::{Pass, is_open, opens_callees};
use brolga_lowering::unit::CompiledUnit;
use rustc_hash::FxHashMap;

use super::shared::Shared;
use crate::link::{
    Binding, Bound, Definition, LinkFailure, NamedBy, References, Seen, Source, Symbols,
    signature_text,
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
        let symbols = self.symbols();
        let (here, there) = (definition, &meant.definition);
        let (code, known) = (&gathered.extract.module, &gathered.bound);
        let binding = Binding { symbols: &symbols, here, there, code, known };
        match Arc::ptr_eq(here, there) {
            true if !binding.has_data(&body) => return None,
            true => {}
            false => bound = binding.bind(&mut body)?,
        }
        drop(symbols);
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
