//! Making linked units known: from here on nothing fails.

use std::collections::BTreeMap;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

use brolga_ir::entity::{FuncId, SigId};
use brolga_ir::module::{Linkage, Name};
use brolga_ir::types::Signature;
use brolga_lifecycle::instance::CodeInstance;
use brolga_lowering::prelude;
use rustc_hash::FxHashMap;

use super::draft::prelude_names;
use super::{
    CodePlace, DraftData, DraftFunction, Drafts, LeftOver, LinkFailure, Linked, SlotOwner, Stage,
};
use crate::link::functions::Source;
use crate::link::namespace::Replaced;
use crate::link::prepare::{Prepared, Purpose};
use crate::link::scope::{FunctionRef, Incoming, Names, Visibility};
use crate::link::standing::Seat;
use crate::link::symbols::{DataPlace, DataSymbol, FunctionSymbol, Kept};
use crate::link::unit::Form;
use crate::memory::{Block, Blocks, Slot};
use crate::runtime::{Keep, Placed};

impl Stage<'_> {
    pub(super) fn commit<T: Keep + 'static>(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: Vec<Prepared>,
        drafts: Drafts,
        keep: impl FnOnce(Vec<Arc<Slot>>) -> T,
    ) -> Result<Linked, LinkFailure> {
        let images = self.thread_local_images(modules, names, &drafts)?;
        let Drafts { batch, standing, places, functions, numbers, data, slots, .. } = drafts;
        let mut blocks = batch.publish()?;
        let standing: Result<Vec<Blocks>, _> =
            standing.into_iter().map(|standing| standing.batch.publish()).collect();
        let mut standing = standing?;
        let drafts = functions.into_iter().zip(numbers.iter().copied());
        self.add_functions(modules, names, &prepared, drafts, &mut blocks);
        let data = self.add_data(modules, names, &data, &mut blocks);
        let mut thread_locals =
            self.environment.thread_locals.write().unwrap_or_else(PoisonError::into_inner);
        thread_locals.extend(images);
        drop(thread_locals);
        let foreign = names.foreign.iter().map(|(name, slot)| (name.clone(), Arc::clone(slot)));
        self.symbols.foreign.extend(foreign);
        let slots = self.keep_host_slots(slots);
        let mut linked = Linked { lazy: None, data, slots, numbers, left: LeftOver::default() };
        self.symbols.kept.reserve(prepared.len());
        let named = prepared.iter().filter(|it| global_name(modules, &it.purpose).is_some());
        self.symbols.names.reserve(self.symbols.names.main(), named.count());
        let code = places.into_iter().map_while(|place| match place {
            CodePlace::Batch(place) => blocks.take(place),
            CodePlace::Standing(Seat { row, index }) => {
                standing.get_mut(row as usize)?.take(index as usize)
            }
        });
        let (purposes, placed) = self.place_units(modules, prepared, code, &mut linked, keep);
        for (purpose, placed) in purposes.into_iter().zip(placed) {
            if let Some(purpose) = purpose {
                let of = (modules, names, &*linked.numbers);
                self.add_unit(of, &purpose, placed, &mut linked.left);
            }
        }
        Ok(linked)
    }

    /// Makes units known, all at once; gives what they are for, which is nothing for a lazy one:
    /// nobody is led to that yet.
    fn place_units<T: Keep + 'static>(
        &self,
        modules: &[Incoming<'_>],
        prepared: Vec<Prepared>,
        mut code: impl Iterator<Item = Block>,
        linked: &mut Linked,
        keep: impl FnOnce(Vec<Arc<Slot>>) -> T,
    ) -> (Vec<Option<Purpose>>, Vec<Arc<Placed>>) {
        let (environment, mut keep) = (self.environment, Some(keep));
        let mut purposes = Vec::with_capacity(prepared.len());
        let mut all = Vec::with_capacity(prepared.len());
        let mut prepared = prepared.into_iter();
        while let (Some(next), Some(block)) = (prepared.next(), code.next()) {
            let Prepared { purpose, form } = next;
            if let Some(later) = prepared.as_slice().get(1) {
                later.prefetch();
            }
            let is_lazy = matches!(purpose, Purpose::Lazy(..) | Purpose::Continuation(..));
            let text = purpose.module().map_or("", |module| &modules[module].module.name);
            let known = match form {
                Form::Whole(unit, _) => environment.tell(unit, text, &block),
                Form::Standing(_, facts) => facts.into(),
            };
            match keep.take_if(|_| is_lazy) {
                Some(keep) => {
                    let kept = keep(mem::take(&mut linked.slots));
                    let lazy = Arc::new(Placed::new(known, purpose.role(), block, kept));
                    linked.lazy = Some(Arc::clone(&lazy));
                    all.push(lazy);
                    purposes.push(None);
                }
                None => {
                    all.push(Arc::new(Placed::new(known, purpose.role(), block, ())));
                    purposes.push(Some(purpose));
                }
            }
        }
        environment.code.insert_all(&all);
        (purposes, all)
    }

    /// Keeps what the ways to functions of the host read as long as the engine, and gives what
    /// is left.
    fn keep_host_slots(&mut self, slots: BTreeMap<(SlotOwner, Name), Arc<Slot>>) -> Vec<Arc<Slot>> {
        let mut left = Vec::new();
        for ((owner, _), slot) in slots {
            match owner {
                SlotOwner::Host => self.symbols.kept.push(Kept::Slot(slot)),
                SlotOwner::Data(_) | SlotOwner::ThreadLocal(_) => left.push(slot),
            }
        }
        left
    }

    fn add_functions(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
        mut drafts: impl Iterator<Item = (DraftFunction, u32)>,
        blocks: &mut Blocks,
    ) {
        let mut signatures: FxHashMap<(usize, SigId), Arc<Signature>> = FxHashMap::default();
        for new in &names.functions {
            let incoming = &modules[new.module];
            let (Some((draft, number)), Some(function)) =
                (drafts.next(), incoming.module.function(new.id))
            else {
                continue;
            };
            let Some(stub) = blocks.take(draft.stub) else { continue };
            let signature = signatures
                .entry((new.module, function.sig))
                .or_insert_with(|| Arc::new(incoming.types.sig(function.sig).clone()));
            let symbol = FunctionSymbol {
                name: function.name.clone(),
                library: names.home.library,
                types: Arc::clone(&incoming.types),
                signature: Arc::clone(signature),
                stub,
                slots: draft.slots,
                instance: CodeInstance::new(),
                is_callable_from_c: AtomicBool::new(false),
            };
            self.symbols.set_symbol(number, symbol);
            if new.visibility == Visibility::Global && function.body.is_none() {
                // Until its code is there, which comes from the host if at all.
                self.symbols.names.leave_unclaimed(names.home.library, &function.name, number);
            }
        }
        for (name, (draft, number)) in prelude_names(prepared).zip(drafts) {
            let module = prelude::module();
            let signature = module.function_named(&name).map(|id| module.signature_of(id).clone());
            let Some(stub) = blocks.take(draft.stub) else { continue };
            let symbol = FunctionSymbol {
                name: name.clone(),
                library: self.symbols.names.main().library,
                types: Arc::new(module.types.clone()),
                signature: Arc::new(signature.unwrap_or_default()),
                stub,
                slots: draft.slots,
                instance: CodeInstance::new(),
                is_callable_from_c: AtomicBool::new(false),
            };
            self.symbols.set_symbol(number, symbol);
            self.symbols.prelude.insert(name, number);
        }
    }

    fn add_data(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        drafts: &[DraftData],
        blocks: &mut Blocks,
    ) -> Vec<Arc<DataSymbol>> {
        let mut all = Vec::with_capacity(drafts.len());
        for (new, draft) in names.data.iter().zip(drafts) {
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            let place = match *draft {
                DraftData::ThreadLocal(index) => DataPlace::ThreadLocal(index),
                DraftData::Shared(place) => match blocks.take(place) {
                    Some(block) => DataPlace::Shared(block),
                    None => continue,
                },
            };
            let (name, size) = (object.name.clone(), object.size);
            let library = names.home.library;
            let data = Arc::new(DataSymbol {
                name,
                library,
                size,
                align_log2: object.align_log2,
                content: object.content,
                stay: names.stay,
                place,
            });
            if new.visibility == Visibility::Global {
                // The key was there a moment ago, and the names have been locked since.
                let _ = self.symbols.names.define_data(names.home, &data);
            }
            all.push(data);
        }
        all
    }

    /// Leads whoever refers to a unit there, which is known by now.
    fn add_unit(
        &mut self,
        (modules, names, numbers): (&[Incoming<'_>], &Names, &[u32]),
        purpose: &Purpose,
        placed: Arc<Placed>,
        left: &mut LeftOver,
    ) {
        self.symbols.kept.push(Kept::Code(Arc::clone(&placed)));
        let found = |module: usize, id: FuncId| {
            let of_module = modules[module].module;
            names.scopes[module].function(of_module, id)
        };
        let found = match purpose {
            Purpose::Thunk(symbol) => {
                self.symbols.thunks.insert(symbol.clone(), placed);
                return;
            }
            Purpose::Callback(module, id) => {
                let number = found(*module, *id).and_then(|found| number_of(numbers, found));
                if let Some(symbol) = number.and_then(|number| self.symbols.symbol(number)) {
                    symbol.set_callback(placed.address());
                }
                return;
            }
            Purpose::Function(module, id)
            | Purpose::Lazy(module, id)
            | Purpose::Continuation(module, id) => found(*module, *id),
            Purpose::Host(module, id) => {
                let name = modules[*module].module.function(*id).map(|function| &function.name);
                if let Some(host) = name.and_then(|name| self.symbols.hosts.get(name)) {
                    self.symbols.kept.push(Kept::Host(Arc::clone(&host.closure)));
                }
                found(*module, *id)
            }
            Purpose::Prelude(name) => {
                self.symbols.prelude.get(name).copied().map(FunctionRef::Known)
            }
        };
        let Some(found) = found else { return };
        let Some(number) = number_of(numbers, found) else { return };
        // Code may have named it before it was there.
        self.symbols.numbers.revive(number);
        // It has no definition of its own, but may have been led to another library's.
        let change = self.symbols.functions.entry(number).install(Source::Loaded, placed);
        left.changes.extend((!change.is_empty()).then_some(change));
        if let Some(name) = global_name(modules, purpose) {
            if !self.symbols.names.is_all_claimed() {
                left.names.push(name.clone());
            }
            // The main library is never removed.
            let main = self.symbols.names.main();
            let place = self.symbols.names.define_function(main, name, number);
            if let Ok(Replaced::Alias) = place {
                left.replaced = Replaced::Alias;
            }
        }
    }
}

/// The number of a function; of a new one, by its place among those.
fn number_of(new: &[u32], found: FunctionRef) -> Option<u32> {
    match found {
        FunctionRef::Known(number) => Some(number),
        FunctionRef::New(index) => new.get(index).copied(),
    }
}

/// The name by which others see what a unit is of.
fn global_name<'a>(modules: &[Incoming<'a>], purpose: &Purpose) -> Option<&'a Name> {
    let (Purpose::Function(module, id) | Purpose::Host(module, id)) = *purpose else { return None };
    let function = modules[module].module.function(id)?;
    (function.linkage != Linkage::Local).then_some(&function.name)
}
