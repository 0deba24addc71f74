//! Code that is written to its place before the names of its module are looked up.
//!
//! A module is linked once all of its functions are made. What calls nothing but functions of the
//! module and the runtime need not wait for that: it is written while the processor has it at
//! hand, some functions at a time, and what is left of it is what engines keep, and the calls to
//! be filled in. The memory that it was made in is used for the next.

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};

use super::relocate::{Gap, relocate};
use super::resident::Resident;
use super::stage::code_request;
use super::unit::{Form, Needs, Unit};
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

/// Functions of a module that were made, of which some have their places already.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// In the order of the module.
    pub(crate) units: Vec<Unit>,
    /// What seats of the units are in.
    pub(crate) standing: Vec<Standing>,
}

impl From<Vec<Unit>> for Made {
    /// Functions of which none has a place.
    fn from(units: Vec<Unit>) -> Made {
        Made { units, standing: Vec::new() }
    }
}

impl Made {
    /// Adds functions that follow in the module.
    pub(crate) fn append(&mut self, mut others: Made) {
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

/// Where code is written to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) reservation: &'a Reservation,
    pub(crate) resident: &'a Resident,
}

impl Ground<'_> {
    /// The units of a module, some of which are written. Where that cannot be, none is: whoever
    /// links them says why.
    pub(crate) fn place(&self, units: Vec<Unit>, module: &Module) -> Made {
        let Some(standing) = self.write(&units, module) else {
            return units.into();
        };
        let mut index = 0..;
        let seated = |Unit { id, form }| match form {
            Form::Whole(unit, Needs::Nothing) => {
                let seat = Seat { row: 0, index: index.next().unwrap_or_default() };
                Unit { id, form: Form::Standing(seat, Facts::of(unit)) }
            }
            form => Unit { id, form },
        };
        Made { units: units.into_iter().map(seated).collect(), standing: vec![standing] }
    }

    /// Writes the units that can be.
    fn write(&self, units: &[Unit], module: &Module) -> Option<Standing> {
        let ready = units.iter().filter_map(|unit| unit.form.that_needs(Needs::Nothing));
        let mut batch = self.reservation.allocate_batch(ready.clone().map(code_request)).ok()?;
        let mut calls = Vec::new();
        for (index, unit) in (0..).zip(ready) {
            self.write_one(unit, module, index, &mut batch, &mut calls)?;
        }
        calls.shrink_to_fit();
        Some(Standing { module: 0, batch, calls })
    }

    fn write_one(
        &self,
        unit: &CompiledUnit,
        module: &Module,
        index: u32,
        batch: &mut Batch,
        calls: &mut Vec<Call>,
    ) -> Option<()> {
        let write = |bytes: &mut [u8], base: usize| {
            bytes[..unit.code.len()].copy_from_slice(&unit.code);
            for relocation in &unit.relocations {
                let gap = Gap::from(relocation);
                let target = match &relocation.symbol {
                    UnitSymbol::Call(callee) => {
                        let callee = module.function_named(&callee.name)?;
                        calls.push(Call { index, gap, callee });
                        continue;
                    }
                    UnitSymbol::Runtime(entry) => self.resident.entry(*entry),
                    UnitSymbol::EngineSlot => self.resident.engine(),
                    _ => return None,
                };
                relocate(bytes, base, gap, target).ok()?;
            }
            Some(())
        };
        batch.write(index as usize, write).ok()?
    }
}
