//! Writing the bytes of what has been allocated.

use std::alloc::Layout;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use brolga_ir::module::{DataObject, Symbol};
use brolga_lowering::error::CompileError;
use brolga_lowering::unit::{CodeRelocation, CompiledUnit};

use super::{CodePlace, DraftData, Drafts, LinkFailure, Stage};
use crate::error::LoadError;
use crate::link::prepare::{Prepared, Purpose};
use crate::link::relocate::relocate;
use crate::link::scope::{FunctionRef, Incoming, Names};
use crate::link::standing::{Call, Seat, Standing, broken};
use crate::link::stub::{FunctionStub, UNDEFINED_ENTRY, Way, stub_in, write_function_stub};
use crate::link::unit::Form;
use crate::memory::SlotPair;
use crate::runtime::{ThreadLocalImage, refused_callback};

/// So many units ahead are asked for what they hold, and for themselves as many before that.
const AHEAD: usize = 3;

impl Stage<'_> {
    /// Stubs of new functions, which lead nowhere yet.
    pub(super) fn write_stubs(&self, drafts: &mut Drafts) -> Result<(), LinkFailure> {
        for (new, (function, &number)) in drafts.functions.iter().zip(&drafts.numbers).enumerate() {
            let code = drafts.code_address(FunctionRef::New(new));
            let (slots, stub) = (&function.slots, function.stub);
            drafts.batch.write(stub, |bytes, base| {
                self.write_stub(bytes, base, number, slots, code);
            })?;
        }
        Ok(())
    }

    /// The stub of a function in the block that will stand at `block`, with its slots, which lead
    /// nowhere yet. It leads to `code`, if that is known and stays for good.
    pub(in crate::link) fn write_stub(
        &self,
        bytes: &mut [u8],
        block: usize,
        number: u32,
        slots: &SlotPair,
        code: Option<usize>,
    ) {
        let [entry_slot, platform_slot] = slots.addresses();
        let entry = code.map_or(Way::Through(entry_slot), Way::To);
        let stub = FunctionStub { platform_slot, entry, number, missing: self.resident.missing() };
        write_function_stub(bytes, block, &stub);
        let undefined = stub_in(block) + UNDEFINED_ENTRY;
        let [entry, platform] = slots.cells();
        entry.store(undefined as u64, Ordering::Release);
        let refused = refused_callback as *const () as u64;
        platform.store(refused, Ordering::Release);
    }

    /// Data objects, with the addresses that they hold.
    pub(super) fn write_data(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        for (index, new) in names.data.iter().enumerate() {
            let Some(DraftData::Shared(place)) = drafts.data.get(index).copied() else { continue };
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            let image = self.data_bytes(modules, names, drafts, new.module, object)?;
            drafts.batch.write(place, |bytes, _| bytes[..image.len()].copy_from_slice(&image))?;
        }
        Ok(())
    }

    /// The bytes of a data object, its addresses filled in.
    fn data_bytes(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        drafts: &Drafts,
        module: usize,
        object: &DataObject,
    ) -> Result<Vec<u8>, LoadError> {
        let image = object.image();
        let (mut bytes, scope) = (image.bytes, &names.scopes[module]);
        for relocation in image.relocations {
            let name = modules[module].module.symbol_name(relocation.symbol);
            let address = match relocation.symbol {
                Symbol::Function(_) => {
                    let found = scope.function_named(modules[module].module, name);
                    found.and_then(|found| self.stub_address(found, drafts))
                }
                Symbol::Data(_) => {
                    scope.data.get(name).and_then(|found| self.data_address(found, drafts))
                }
            };
            let address = match address {
                Some(address) => address as u64,
                None => self.foreign_address(name, names)?,
            };
            let value = address.wrapping_add_signed(relocation.addend);
            let offset = relocation.offset as usize;
            bytes[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
        }
        Ok(bytes)
    }

    fn foreign_address(&self, name: &str, names: &Names) -> Result<u64, LoadError> {
        let slot = names.foreign.get(name).or_else(|| self.symbols.foreign.get(name));
        let slot = slot.ok_or_else(|| LoadError::MissingData { name: name.into() })?;
        Ok(slot.cell().load(Ordering::Acquire))
    }

    /// What threads' copies of the new thread-local objects hold at first, in
    /// the order of their indices.
    pub(super) fn thread_local_images(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        drafts: &Drafts,
    ) -> Result<Vec<Arc<ThreadLocalImage>>, LinkFailure> {
        let mut images = Vec::new();
        for (index, new) in names.data.iter().enumerate() {
            let Some(DraftData::ThreadLocal(_)) = drafts.data.get(index) else { continue };
            let Some(object) = modules[new.module].module.data(new.id) else { continue };
            let bytes = self.data_bytes(modules, names, drafts, new.module, object)?;
            let size = usize::try_from(object.size).unwrap_or(usize::MAX >> 1).max(1);
            let layout = Layout::from_size_align(size, object.layout().align as usize);
            let layout = layout.unwrap_or(Layout::new::<u8>());
            images.push(Arc::new(ThreadLocalImage { bytes, layout }));
        }
        Ok(images)
    }

    /// Code, with what it refers to filled in: units have no relocations any more behind that.
    pub(super) fn write_units(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &mut [Prepared],
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        let mut targets = Vec::new();
        for index in 0..prepared.len() {
            if let Some(later) = prepared.get(index + 2 * AHEAD) {
                later.prefetch();
            }
            if let Some(next) = prepared.get(index + AHEAD) {
                next.prefetch_contents();
            }
            let CodePlace::Batch(place) = drafts.places[index] else { continue };
            let Prepared { purpose, form } = &mut prepared[index];
            let Form::Whole(unit, _) = form else { continue };
            targets.clear();
            let around = (modules, names, &*purpose);
            self.write_unit(around, unit, place, &mut targets, drafts)?;
            // What nobody asks for any more goes while the processor has it at hand.
            unit.relocations = Vec::new();
        }
        Ok(())
    }

    /// The calls in code that was written before.
    pub(super) fn fill_calls(
        &self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &[Prepared],
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        for row in 0..drafts.standing.len() {
            let Standing { module, ref mut calls, .. } = drafts.standing[row];
            for Call { index, gap, callee } in mem::take(calls) {
                let of_module = modules[module].module;
                let target = names.scopes[module].function(of_module, callee);
                let target = target.and_then(|found| self.entry_address(found, drafts));
                let batch = &mut drafts.standing[row].batch;
                let filled = target.map(|target| {
                    batch.write(index as usize, |code, base| relocate(code, base, gap, target))
                });
                filled.transpose()?.and_then(Result::ok).ok_or_else(|| {
                    let name = of_module.function(callee).map_or("", |function| &function.name);
                    let seat = Seat { row: row as u32, index };
                    let forms = prepared.iter().map(|prepared| &prepared.form);
                    broken(seat, forms, &format!("@{name} is not there, or out of reach"))
                })?;
            }
        }
        Ok(())
    }

    /// The code of a unit that has that place in the batch.
    fn write_unit(
        &self,
        (modules, names, purpose): (&[Incoming<'_>], &Names, &Purpose),
        unit: &CompiledUnit,
        place: usize,
        targets: &mut Vec<usize>,
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        let broken = |reason: String| CompileError::BackEnd {
            function: (*unit.name).into(),
            reason: reason.into(),
        };
        for CodeRelocation { symbol, .. } in &unit.relocations {
            let target = self.address_of(symbol, purpose, (modules, names), drafts);
            targets.push(target.ok_or_else(|| broken(format!("{symbol} is not there")))?);
        }
        drafts.batch.write(place, |bytes, base| {
            let code = &mut bytes[..unit.code.len()];
            code.copy_from_slice(&unit.code);
            let mut places = unit.relocations.iter().zip(&*targets);
            places.try_for_each(|(relocation, &target)| {
                relocate(code, base, relocation.into(), target)
                    .map_err(|_| broken(format!("{} is out of reach", relocation.symbol)))
            })
        })??;
        Ok(())
    }
}
