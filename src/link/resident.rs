//! What every engine holds from the start: the way from compiled code to the
//! runtime's entries, and from any thread to the engine.

use std::iter;
use std::sync::Arc;

use brolga_lowering::runtime::RuntimeEntry;

use super::stub::write_jump_stub;
use crate::memory::{Block, MemoryError, Request, Reservation, Slot};
use crate::runtime::{Environment, entry_address, missing_symbol_address};

/// Stubs that lead to the runtime.
#[derive(Debug)]
pub(crate) struct Resident {
    /// In the order of [`RuntimeEntry::ALL`], then the one for undefined functions.
    stubs: Vec<Block>,
    /// What the stubs jump through, in their order, then the one that leads to the engine.
    slots: Vec<Slot>,
}

impl Resident {
    /// Places the stubs. The environment lives as long as the engine.
    pub(crate) fn new(
        reservation: &Reservation,
        environment: &Arc<Environment>,
    ) -> Result<Resident, MemoryError> {
        let mut addresses: Vec<u64> =
            RuntimeEntry::ALL.iter().map(|&entry| entry_address(entry) as u64).collect();
        addresses.push(missing_symbol_address() as u64);
        let count = addresses.len();
        addresses.push(Arc::as_ptr(environment).expose_provenance() as u64);
        let slots = reservation.slots(&addresses)?;
        let mut batch = reservation.allocate_batch(iter::repeat_n(Request::STUB, count))?;
        for (index, slot) in slots.iter().take(count).enumerate() {
            batch.write(index, |bytes, base| write_jump_stub(bytes, base, slot.address()))?;
        }
        Ok(Resident { stubs: batch.publish()?.take_all().collect(), slots })
    }

    /// The address by which compiled code calls an entry.
    pub(crate) fn entry(&self, entry: RuntimeEntry) -> usize {
        self.stubs[entry as usize].address()
    }

    /// The address of the slot that leads to the engine.
    pub(crate) fn engine(&self) -> usize {
        self.slots[self.slots.len() - 1].address()
    }

    /// The address where stubs of undefined functions go on.
    pub(crate) fn missing(&self) -> usize {
        self.stubs[RuntimeEntry::ALL.len()].address()
    }
}
