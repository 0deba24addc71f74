//! Making linked units known: from here on nothing fails.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use brolga_lowering::prelude;

use super::draft::prelude_names;
use super::{DraftData, DraftFunction, Drafts, LinkFailure, Stage};
use crate::link::prepare::{Prepared, Purpose};
use crate::link::scope::{FunctionRef, Incoming, Names, Visibility};
use crate::link::symbols::{DataPlace, DataSymbol, FunctionSymbol, Kept};
use crate::memory::Block;
use crate::runtime::Placed;

impl Stage<'_> {
    pub(super) fn commit(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: Vec<Prepared>,
        drafts: Drafts,
    ) -> Result<(), LinkFailure> {
        let images = self.thread_local_images(modules, names, &drafts)?;
        let Drafts { batch, functions, data, units, slots, .. } = drafts;
        let mut blocks = batch.publish()?;
        let code = blocks.split_off(units);
        let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
        let first = self.symbols.functions.len();
        self.add_functions(modules, names, &prepared, functions, &mut blocks);
        self.add_data(modules, names, &data, &mut blocks);
        let mut thread_locals =
            self.environment.thread_locals.write().unwrap_or_else(PoisonError::into_inner);
        thread_locals.extend(images);
        drop(thread_locals);
        let new = self.symbols.functions.get(first..).unwrap_or(&[]);
        let mut known = self.environment.names.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(new.iter().map(|function| function.name.clone()));
        drop(known);
        let foreign = names.foreign.iter().map(|(name, slot)| (name.clone(), Arc::clone(slot)));
        self.symbols.foreign.extend(foreign);
        self.symbols.kept.extend(slots.into_values().map(Kept::Slot));
        for (prepared, block) in prepared.into_iter().zip(code) {
            self.add_unit(modules, names, first, prepared, block);
        }
        Ok(())
    }

    fn add_functions(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
        drafts: Vec<DraftFunction>,
        blocks: &mut [Option<Block>],
    ) {
        let mut drafts = drafts.into_iter();
        for new in &names.functions {
            let incoming = &modules[new.module];
            let (Some(draft), Some(function)) = (drafts.next(), incoming.module.function(new.id))
            else {
                continue;
            };
            let signature = incoming.types.sig(function.sig).clone();
            let number = self.symbols.functions.len() as u32;
            let Some(stub) = blocks.get_mut(draft.stub).and_then(Option::take) else { continue };
            self.symbols.functions.push(Arc::new(FunctionSymbol {
                name: function.name.clone(),
                types: Arc::clone(&incoming.types),
                signature,
                stub,
                entry: draft.entry,
                platform: draft.platform,
            }));
            if new.visibility == Visibility::Global {
                self.symbols.global_functions.insert(function.name.clone(), number);
            }
        }
        for (name, draft) in prelude_names(prepared).zip(drafts) {
            let module = prelude::module();
            let signature = module.function_named(&name).map(|id| module.signature_of(id).clone());
            let number = self.symbols.functions.len() as u32;
            let Some(stub) = blocks.get_mut(draft.stub).and_then(Option::take) else { continue };
            self.symbols.functions.push(Arc::new(FunctionSymbol {
                name: name.clone(),
                types: Arc::new(module.types.clone()),
                signature: signature.unwrap_or_default(),
                stub,
                entry: draft.entry,
                platform: draft.platform,
            }));
            self.symbols.prelude.insert(name, number);
        }
    }

    fn add_data(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        drafts: &[DraftData],
        blocks: &mut [Option<Block>],
    ) {
        for (new, draft) in names.data.iter().zip(drafts) {
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            let place = match *draft {
                DraftData::ThreadLocal(index) => DataPlace::ThreadLocal(index),
                DraftData::Shared(place) => match blocks.get_mut(place).and_then(Option::take) {
                    Some(block) => DataPlace::Shared(block),
                    None => continue,
                },
            };
            let (name, size) = (object.name.clone(), object.size);
            let data = Arc::new(DataSymbol { name, size, content: object.content, place });
            if new.visibility == Visibility::Global {
                self.symbols.global_data.insert(object.name.clone(), Arc::clone(&data));
            }
            self.symbols.kept.push(Kept::Data(data));
        }
    }

    /// Makes a unit known, then leads whoever refers to it there.
    fn add_unit(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        first: usize,
        prepared: Prepared,
        block: Block,
    ) {
        let Prepared { purpose, unit } = prepared;
        let placed = Arc::new(Placed::new(unit, purpose.role(), block));
        self.environment.code.insert(Arc::clone(&placed));
        self.symbols.kept.push(Kept::Code(Arc::clone(&placed)));
        let address = placed.address() as u64;
        let number = |module: usize, id| {
            let name = &modules[module].module.function(id)?.name;
            match names.scopes[module].functions.get(name)? {
                FunctionRef::Known(number) => Some(*number as usize),
                FunctionRef::New(new) => Some(first + new),
            }
        };
        let function = match &purpose {
            Purpose::Function(module, id)
            | Purpose::Callback(module, id)
            | Purpose::Host(module, id) => number(*module, *id),
            Purpose::Prelude(name) => self.symbols.prelude.get(name).map(|&number| number as usize),
            Purpose::Thunk(symbol) => {
                self.symbols.thunks.insert(symbol.clone(), placed);
                return;
            }
        };
        let Some(function) = function.and_then(|number| self.symbols.functions.get(number)) else {
            return;
        };
        let slot = match purpose {
            Purpose::Callback(..) => &function.platform,
            _ => &function.entry,
        };
        if matches!(purpose, Purpose::Host(..))
            && let Some(host) = self.symbols.hosts.get(&function.name)
        {
            self.symbols.kept.push(Kept::Host(Arc::clone(&host.closure)));
        }
        slot.cell().store(address, Ordering::Release);
    }
}
