//! Allocating what a set of modules needs.

use std::alloc::Layout;
use std::iter;
use std::mem;
use std::sync::{Arc, PoisonError};

use brolga_ir::module::{Content, DataObject, Name, Storage};
use brolga_lowering::runtime::STUB_INTERNAL_ENTRY;
use brolga_lowering::unit::UnitSymbol;
use rustc_hash::FxHashMap;

use super::{CodePlace, Codes, DraftData, DraftFunction, Drafts, LinkFailure, SlotOwner, Stage};
use crate::error::LoadError;
use crate::link::prepare::{Prepared, Purpose};
use crate::link::scope::{DataRef, FunctionRef, Incoming, Names};
use crate::link::standing::{Made, Seat};
use crate::link::stub::stub_in;
use crate::link::symbols::DataPlace;
use crate::link::unit::{Form, Needs};
use crate::memory::{Area, Request};
use crate::runtime::MAX_THREAD_LOCALS;

impl Stage<'_> {
    /// Addresses for every new stub, data object and unit.
    pub(super) fn draft(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        Made { units: prepared, standing }: &mut Made<Prepared>,
    ) -> Result<Drafts, LinkFailure> {
        let new_preludes: Vec<_> = prelude_names(prepared).collect();
        let count = names.functions.len() + new_preludes.len();
        let slots = self.reservation.slot_pairs(count)?;
        let (mut objects, mut data) = (Vec::new(), Vec::new());
        let (mut next_local, mut local_bytes) = self.thread_locals();
        for new in &names.data {
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            if object.storage == Storage::ThreadLocal {
                data.push(DraftData::ThreadLocal(next_local));
                next_local += 1;
                local_bytes = local_bytes.saturating_add(object.size);
            } else {
                data.push(DraftData::Shared(count + objects.len()));
                objects.push(data_request(object)?);
            }
        }
        if next_local > MAX_THREAD_LOCALS {
            return Err(LoadError::TooManyThreadLocals { limit: MAX_THREAD_LOCALS }.into());
        }
        let limit = self.reservation.largest()?;
        if local_bytes > limit as u64 {
            return Err(LoadError::ThreadLocalsTooLarge { requested: local_bytes, limit }.into());
        }
        let mut next = count + objects.len();
        let places = prepared.iter().map(|prepared| match prepared.form {
            Form::Standing(seat, _) => CodePlace::Standing(seat),
            Form::Whole(..) => {
                next += 1;
                CodePlace::Batch(next - 1)
            }
        });
        let places: Vec<CodePlace> = places.collect();
        let code = prepared.iter().filter_map(|it| it.form.whole());
        let code = code.map(|unit| code_request(unit.code.len(), unit.align));
        let requests = iter::repeat_n(Request::STUB, count).chain(objects).chain(code);
        let batch = self.reservation.allocate_batch(requests)?;
        let numbers = self.give_numbers(count)?;
        let functions =
            slots.into_iter().zip(0..).map(|(slots, stub)| DraftFunction { slots, stub });
        let first_prelude = names.functions.len();
        let prelude = new_preludes.iter().cloned().zip(first_prelude..).collect();
        let codes = Codes::of((modules, names), prepared, &prelude);
        let thunks = prepared.iter().enumerate().filter_map(|(unit, it)| match &it.purpose {
            Purpose::Thunk(symbol) => Some((symbol.clone(), unit)),
            _ => None,
        });
        Ok(Drafts {
            functions: functions.collect(),
            data,
            standing: mem::take(standing),
            places,
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
        for Prepared { purpose, form } in prepared {
            let unit = form.that_needs(Needs::More).into_iter();
            for relocation in unit.flat_map(|unit| &unit.relocations) {
                let Some((owner, name)) = slot_key(purpose, &relocation.symbol) else {
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
                DraftData::Shared(place) => drafts.batch.address(*place),
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
            FunctionRef::New(new) => drafts.batch.address(new).map(stub_in),
        }
    }
}

impl Drafts {
    /// Where the code of a function stands that comes in for good.
    pub(super) fn code_address(&self, found: FunctionRef) -> Option<usize> {
        let unit = match found {
            FunctionRef::Known(number) => *self.codes.known.get(&number)?,
            FunctionRef::New(new) => (*self.codes.new.get(new)?)?,
        };
        self.unit_address(unit)
    }

    /// Where the code of a unit stands.
    pub(super) fn unit_address(&self, unit: usize) -> Option<usize> {
        match *self.places.get(unit)? {
            CodePlace::Batch(place) => self.batch.address(place),
            CodePlace::Standing(Seat { row, index }) => {
                self.standing.get(row as usize)?.batch.address(index as usize)
            }
        }
    }
}

impl Codes {
    /// Those of units; functions of the prelude follow those of the modules.
    fn of(
        (modules, names): (&[Incoming<'_>], &Names),
        prepared: &[Prepared],
        prelude: &FxHashMap<Name, usize>,
    ) -> Codes {
        let mut codes = Codes::default();
        codes.new.resize(names.functions.len() + prelude.len(), None);
        for (unit, prepared) in prepared.iter().enumerate() {
            let found = match &prepared.purpose {
                Purpose::Function(module, id) | Purpose::Host(module, id) => {
                    names.scopes[*module].function(modules[*module].module, *id)
                }
                Purpose::Prelude(name) => prelude.get(name).copied().map(FunctionRef::New),
                _ => None,
            };
            match found {
                Some(FunctionRef::Known(number)) => {
                    codes.known.insert(number, unit);
                }
                Some(FunctionRef::New(new)) => codes.new[new] = Some(unit),
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

/// What code takes.
pub(in crate::link) fn code_request(size: usize, align: u32) -> Request {
    let layout = Layout::from_size_align(size.max(1), align.max(1) as usize);
    Request::new(Area::Text, layout.unwrap_or(Layout::new::<u8>()))
}
