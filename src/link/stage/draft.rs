//! Allocating what a set of modules needs.

use std::alloc::Layout;
use std::sync::{Arc, PoisonError};

use brolga_ir::module::{Content, DataObject, Name, Storage};
use brolga_lowering::runtime::STUB_INTERNAL_ENTRY;
use brolga_lowering::unit::UnitSymbol;
use rustc_hash::FxHashMap;

use super::{Codes, DraftData, DraftFunction, Drafts, LinkFailure, SlotOwner, Stage};
use crate::error::LoadError;
use crate::link::prepare::{Prepared, Purpose};
use crate::link::scope::{DataRef, FunctionRef, Incoming, Names};
use crate::link::stub::stub_in;
use crate::link::symbols::DataPlace;
use crate::link::unit::Needs;
use crate::memory::{Area, Request};
use crate::runtime::MAX_THREAD_LOCALS;

impl Stage<'_> {
    /// Addresses for every new stub, data object and unit.
    pub(super) fn draft(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
    ) -> Result<Drafts, LinkFailure> {
        let new_preludes: Vec<_> = prelude_names(prepared).collect();
        let count = names.functions.len() + new_preludes.len();
        let slots = self.reservation.slot_pairs(count)?;
        let mut requests = vec![Request::STUB; count];
        let mut data = Vec::new();
        let (mut next_local, mut local_bytes) = self.thread_locals();
        for new in &names.data {
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            if object.storage == Storage::ThreadLocal {
                data.push(DraftData::ThreadLocal(next_local));
                next_local += 1;
                local_bytes = local_bytes.saturating_add(object.size);
            } else {
                data.push(DraftData::Shared(requests.len()));
                requests.push(data_request(object)?);
            }
        }
        if next_local > MAX_THREAD_LOCALS {
            return Err(LoadError::TooManyThreadLocals { limit: MAX_THREAD_LOCALS }.into());
        }
        let limit = self.reservation.largest()?;
        if local_bytes > limit as u64 {
            return Err(LoadError::ThreadLocalsTooLarge { requested: local_bytes, limit }.into());
        }
        let units = requests.len();
        requests.extend(
            prepared
                .iter()
                .map(|prepared| unit_request(prepared.unit.code.len(), prepared.unit.align)),
        );
        let batch = self.reservation.allocate_batch(&requests)?;
        let numbers = self.give_numbers(count)?;
        let functions =
            slots.into_iter().zip(0..).map(|(slots, stub)| DraftFunction { slots, stub });
        let first_prelude = names.functions.len();
        let prelude = new_preludes.iter().cloned().zip(first_prelude..).collect();
        let codes = Codes::of((modules, names), prepared, &prelude, units);
        let thunks =
            prepared.iter().zip(units..).filter_map(|(prepared, place)| match &prepared.purpose {
                Purpose::Thunk(symbol) => Some((symbol.clone(), place)),
                _ => None,
            });
        Ok(Drafts {
            functions: functions.collect(),
            data,
            units,
            codes,
            prelude,
            thunks: thunks.collect(),
            slots: Default::default(),
            numbers,
            batch,
        })
    }

    fn give_numbers(&mut self, count: usize) -> Result<Vec<u32>, LinkFailure> {
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            match self.symbols.give_number() {
                Ok(number) => numbers.push(number),
                Err(error) => {
                    self.symbols.take_back(&numbers);
                    return Err(error.into());
                }
            }
        }
        Ok(numbers)
    }

    /// How many thread-local objects the engine has, and their bytes.
    fn thread_locals(&self) -> (usize, u64) {
        let images = self.environment.thread_locals.read().unwrap_or_else(PoisonError::into_inner);
        (images.len(), images.iter().map(|image| image.layout.size() as u64).sum())
    }

    /// Slots for the addresses that units read.
    pub(super) fn make_slots(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        for prepared in prepared.iter().filter(|prepared| prepared.needs == Needs::More) {
            for relocation in &prepared.unit.relocations {
                let Some((owner, name)) = slot_key(&prepared.purpose, &relocation.symbol) else {
                    continue;
                };
                if drafts.slots.contains_key(&(owner, name.clone())) {
                    continue;
                }
                let Some(value) = self.slot_value(owner, &name, names, drafts) else { continue };
                let slot = Arc::new(self.reservation.slot(value)?);
                drafts.slots.insert((owner, name), slot);
            }
        }
        self.check_hosts(modules, names, prepared)
    }

    /// What a slot holds; nothing if the name is not one of `owner`'s.
    fn slot_value(
        &self,
        owner: SlotOwner,
        name: &str,
        names: &Names,
        drafts: &Drafts,
    ) -> Option<u64> {
        match owner {
            SlotOwner::Host => {
                let host = self.symbols.hosts.get(name)?;
                Some(Arc::as_ptr(&host.closure).expose_provenance() as u64)
            }
            SlotOwner::Data(module) => {
                let found = names.scopes.get(module)?.data.get(name)?;
                self.data_address(found, drafts).map(|address| address as u64)
            }
            SlotOwner::ThreadLocal(module) => match names.scopes.get(module)?.data.get(name)? {
                DataRef::Known(data) => match data.place {
                    DataPlace::ThreadLocal(index) => Some(8 * index as u64),
                    DataPlace::Shared(_) => None,
                },
                DataRef::New(new) => match drafts.data.get(*new)? {
                    DraftData::ThreadLocal(index) => Some(8 * *index as u64),
                    DraftData::Shared(_) => None,
                },
            },
        }
    }

    /// Whether every import that the host defines has its thunk.
    fn check_hosts(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
    ) -> Result<(), LinkFailure> {
        for new in &names.functions {
            let Some(function) = modules[new.module].module.function(new.id) else { continue };
            let wanted = function.body.is_none() && self.symbols.hosts.contains_key(&function.name);
            let given = |prepared: &Prepared| match prepared.purpose {
                Purpose::Host(module, id) => {
                    let name = modules[module].module.function(id).map(|f| &f.name);
                    name == Some(&function.name)
                }
                _ => false,
            };
            if wanted && !prepared.iter().any(given) {
                return Err(LinkFailure::Stale);
            }
        }
        Ok(())
    }

    /// Where a data object stands, unless each thread has its own.
    pub(super) fn data_address(&self, found: &DataRef, drafts: &Drafts) -> Option<usize> {
        match found {
            DataRef::Known(data) => match &data.place {
                DataPlace::Shared(block) => Some(block.address()),
                DataPlace::ThreadLocal(_) => None,
            },
            DataRef::New(new) => match drafts.data.get(*new)? {
                DraftData::Shared(place) => Some(drafts.batch.drafts().get(*place)?.address()),
                DraftData::ThreadLocal(_) => None,
            },
        }
    }

    /// Where compiled code calls a function: in its code if that stays for good, or by its stub.
    pub(super) fn entry_address(&self, found: FunctionRef, drafts: &Drafts) -> Option<usize> {
        let code = drafts.code_address(found).or_else(|| match found {
            FunctionRef::Known(number) => self.symbols.loaded_code(number),
            FunctionRef::New(_) => None,
        });
        let by_stub = || Some(self.stub_address(found, drafts)? + STUB_INTERNAL_ENTRY as usize);
        code.or_else(by_stub)
    }

    /// The slot that calls of a function read.
    pub(super) fn entry_slot(&self, found: FunctionRef, drafts: &Drafts) -> Option<usize> {
        let [entry, _] = match found {
            FunctionRef::Known(number) => self.symbols.symbol(number)?.slots.addresses(),
            FunctionRef::New(new) => drafts.functions.get(new)?.slots.addresses(),
        };
        Some(entry)
    }

    /// Where a function's stub stands.
    pub(super) fn stub_address(&self, found: FunctionRef, drafts: &Drafts) -> Option<usize> {
        match found {
            FunctionRef::Known(number) => Some(self.symbols.symbol(number)?.address()),
            FunctionRef::New(new) => Some(stub_in(drafts.batch.drafts().get(new)?.address())),
        }
    }
}

impl Drafts {
    /// Where the code of a function stands that comes in for good.
    pub(super) fn code_address(&self, found: FunctionRef) -> Option<usize> {
        let place = match found {
            FunctionRef::Known(number) => *self.codes.known.get(&number)?,
            FunctionRef::New(new) => (*self.codes.new.get(new)?)?,
        };
        Some(self.batch.drafts().get(place)?.address())
    }
}

impl Codes {
    /// Those of units that begin at a place in the batch; functions of the prelude follow those
    /// of the modules.
    fn of(
        (modules, names): (&[Incoming<'_>], &Names),
        prepared: &[Prepared],
        prelude: &FxHashMap<Name, usize>,
        units: usize,
    ) -> Codes {
        let mut codes = Codes::default();
        codes.new.resize(names.functions.len() + prelude.len(), None);
        for (prepared, place) in prepared.iter().zip(units..) {
            let found = match &prepared.purpose {
                Purpose::Function(module, id) | Purpose::Host(module, id) => {
                    names.scopes[*module].function(modules[*module].module, *id)
                }
                Purpose::Prelude(name) => prelude.get(name).copied().map(FunctionRef::New),
                _ => None,
            };
            match found {
                Some(FunctionRef::Known(number)) => {
                    codes.known.insert(number, place);
                }
                Some(FunctionRef::New(new)) => codes.new[new] = Some(place),
                None => {}
            }
        }
        codes
    }
}

pub(super) fn prelude_names(prepared: &[Prepared]) -> impl Iterator<Item = Name> + '_ {
    prepared.iter().filter_map(|prepared| match &prepared.purpose {
        Purpose::Prelude(name) => Some(name.clone()),
        _ => None,
    })
}

fn slot_key(purpose: &Purpose, symbol: &UnitSymbol) -> Option<(SlotOwner, Name)> {
    match (purpose, symbol) {
        (Purpose::Host(..), UnitSymbol::AddressSlot(name)) => Some((SlotOwner::Host, name.clone())),
        (
            Purpose::Function(module, _)
            | Purpose::Lazy(module, _)
            | Purpose::Continuation(module, _),
            UnitSymbol::AddressSlot(name),
        ) => Some((SlotOwner::Data(*module), name.clone())),
        (
            Purpose::Function(module, _)
            | Purpose::Lazy(module, _)
            | Purpose::Continuation(module, _),
            UnitSymbol::ThreadLocalOffset(name),
        ) => Some((SlotOwner::ThreadLocal(*module), name.clone())),
        _ => None,
    }
}

fn data_request(object: &DataObject) -> Result<Request, LoadError> {
    let layout = object.layout();
    let area = match object.content {
        Content::Constant => Area::ReadOnly,
        Content::Mutable => Area::Data,
    };
    // An object too large for the address space is too large for the area,
    // which the allocator says.
    let size = usize::try_from(layout.size).unwrap_or(usize::MAX >> 1).max(1);
    let layout = Layout::from_size_align(size, layout.align as usize);
    Ok(Request::new(area, layout.unwrap_or(Layout::new::<u8>())))
}

fn unit_request(size: usize, align: u32) -> Request {
    let layout = Layout::from_size_align(size.max(1), align.max(1) as usize);
    Request::new(Area::Text, layout.unwrap_or(Layout::new::<u8>()))
}
