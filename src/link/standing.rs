//! Code that is written to its place before the names of its module are looked up.
//!
//! A module is linked once all of its functions are made. What calls nothing but functions of the
//! module and the runtime need not wait for that: it is written while the processor has it at
//! hand, some functions at a time, and what is left of it is what engines keep, and the calls to
//! be filled in. The memory that it was made in is used for the next.

use std::{iter, mem};

use brolga_baseline::{ALIGN, Fresh, Reference, Referent};
use brolga_ir::entity::FuncId;
use brolga_lowering::error::CompileError;
use brolga_lowering::unit::UnitSymbol;

use super::relocate::{Gap, OutOfReach, relocate};
use super::resident::Resident;
use super::stage::code_request;
use super::unit::{Form, Unit};
use crate::error::LoadError;
use crate::memory::{Batch, Reservation};
use crate::runtime::Facts;

/// Where code stands that was written early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seat {
    /// In which [`Standing`].
    pub(super) row: u32,
    /// Its place in the batch of that.
    pub(super) index: u32,
}

/// Units that were made, of which some have their places already.
#[derive(Debug)]
pub(crate) struct Made<T> {
    /// Those of a module in its order.
    pub(crate) units: Vec<T>,
    /// What seats of the units are in.
    pub(crate) standing: Vec<Standing>,
}

impl<T> From<Vec<T>> for Made<T> {
    /// Units of which none has a place.
    fn from(units: Vec<T>) -> Made<T> {
        Made { units, standing: Vec::new() }
    }
}

impl Made<Unit> {
    /// Adds functions that follow in the module.
    pub(crate) fn append(&mut self, mut others: Made<Unit>) {
        others.follow(&mut self.standing);
        self.units.append(&mut others.units);
    }

    /// Moves what seats of the units are in behind what stands already.
    pub(super) fn follow(&mut self, standing: &mut Vec<Standing>) {
        let first = standing.len() as u32;
        for unit in &mut self.units {
            if let Form::Standing(seat, _) = &mut unit.form {
                seat.row += first;
            }
        }
        standing.append(&mut self.standing);
    }
}

/// Code of functions of one module. Dropping it frees the code.
#[derive(Debug)]
pub(crate) struct Standing {
    /// The index of the module.
    pub(super) module: usize,
    pub(super) batch: Batch,
    /// Calls in it of functions of the module, by the order of the code.
    pub(super) calls: Vec<Call>,
}

/// A call to be filled in.
#[derive(Debug)]
pub(super) struct Call {
    /// Of the code that calls, in the batch.
    pub(super) index: u32,
    pub(super) gap: Gap,
    pub(super) callee: FuncId,
}

/// Code on its way to where it stands, in memory that is used again.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    reservation: &'a Reservation,
    resident: &'a Resident,
    code: Vec<u8>,
    /// Where that of each function ends.
    ends: Vec<usize>,
    /// Calls of the runtime and what they lead to, by the function that has them.
    leads: Vec<(u32, Gap, usize)>,
    calls: Vec<Call>,
}

impl<'a> Row<'a> {
    /// A row that nothing stands in.
    pub(crate) fn new(reservation: &'a Reservation, resident: &'a Resident) -> Row<'a> {
        let (code, ends, leads, calls) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Row { reservation, resident, code, ends, leads, calls }
    }

    /// Adds the code of a function; gives it back if it needs more than functions of its module
    /// and the runtime.
    pub(crate) fn add<'b>(&mut self, id: FuncId, fresh: Fresh<'b>) -> Result<Unit, Fresh<'b>> {
        let needs_more = |reference: &Reference| match &reference.referent {
            Referent::Call(_) => false,
            Referent::Symbol(symbol) => self.address(symbol).is_none(),
            Referent::EntrySlot(_) | Referent::Stub(_) => true,
        };
        if fresh.references().iter().any(needs_more) {
            return Err(fresh);
        }
        let index = self.ends.len() as u32;
        for reference in fresh.references() {
            let gap = Gap::from(reference);
            match &reference.referent {
                Referent::Call(callee) => self.calls.push(Call { index, gap, callee: *callee }),
                Referent::Symbol(symbol) => {
                    let address = self.address(symbol).map(|address| (index, gap, address));
                    self.leads.extend(address);
                }
                Referent::EntrySlot(_) | Referent::Stub(_) => {}
            }
        }
        self.code.extend_from_slice(fresh.code());
        self.ends.push(self.code.len());
        let (name, calls, frames) = (fresh.name(), fresh.call_sites(), fresh.frames());
        let facts = Facts::plain(name, calls, frames);
        let facts = facts.unwrap_or_else(|| Facts::of(fresh.into_unit()));
        Ok(Unit { id, form: Form::Standing(Seat { row: 0, index }, facts) })
    }

    /// What leads to the runtime, and stands since before any code did.
    fn address(&self, symbol: &UnitSymbol) -> Option<usize> {
        match symbol {
            UnitSymbol::Runtime(entry) => Some(self.resident.entry(*entry)),
            UnitSymbol::EngineSlot => Some(self.resident.engine()),
            _ => None,
        }
    }

    /// Writes what has been added, which is among those units, and begins anew.
    pub(crate) fn write(&mut self, units: Vec<Unit>) -> Result<Made<Unit>, LoadError> {
        if self.ends.is_empty() {
            return Ok(units.into());
        }
        let starts = iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| start..end);
        let requests = ranges.clone().map(|range| code_request(range.len(), ALIGN));
        let mut batch = self.reservation.allocate_batch(requests)?;
        let mut leads = self.leads.drain(..).peekable();
        for (index, range) in (0..).zip(ranges) {
            let written = batch.write(index as usize, |bytes, base| {
                bytes[..range.len()].copy_from_slice(&self.code[range]);
                while let Some((_, gap, target)) = leads.next_if(|&(of, ..)| of == index) {
                    relocate(bytes, base, gap, target)?;
                }
                Ok(())
            });
            written?.map_err(|OutOfReach| {
                let forms = units.iter().map(|unit| &unit.form);
                broken(Seat { row: 0, index }, forms, "the runtime is out of reach")
            })?;
        }
        drop(leads);
        self.code.clear();
        self.ends.clear();
        let standing = Standing { module: 0, batch, calls: mem::take(&mut self.calls) };
        Ok(Made { units, standing: vec![standing] })
    }
}

/// What is wrong with the code in a seat of one of those.
pub(super) fn broken<'a>(
    seat: Seat,
    mut forms: impl Iterator<Item = &'a Form>,
    reason: &str,
) -> CompileError {
    let name = forms.find_map(|form| match form {
        Form::Standing(found, facts) if *found == seat => Some(&**facts.name()),
        _ => None,
    });
    CompileError::BackEnd { function: name.unwrap_or_default().into(), reason: reason.into() }
}
