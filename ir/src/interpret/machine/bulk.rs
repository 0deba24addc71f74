//! Copies, fills, compares and searches of memory.

use std::cmp::Ordering;

use super::access::check_alignment;
use super::{Flow, Machine, Site, Stop};
use crate::datum::Datum;
use crate::interpret::memory::{AccessKind, MemoryError};

/// Of how many bytes of a search steps are counted at once.
const CHARGED_TOGETHER: u64 = 64;

type Done = Result<Flow, Stop>;

/// `mem_copy`.
pub(in crate::interpret) fn mem_copy<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (to, from) = (machine.address(site, 0)?, machine.second_address(site)?);
    let size = machine.bits(site, 2) as u64;
    if size != 0 {
        machine.reach(site, AccessKind::Write, to, size)?;
        machine.reach(site, AccessKind::Read, from, size)?;
        machine.charge_bytes(size)?;
        machine.change(to, size, |memory| memory.copy(to, from, size))?;
    }
    Ok(Flow::Next)
}

/// `mem_fill`.
pub(in crate::interpret) fn mem_fill<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (to, byte) = (machine.address(site, 0)?, machine.bits(site, 1) as u8);
    let size = machine.bits(site, 2) as u64;
    if size != 0 {
        machine.reach(site, AccessKind::Write, to, size)?;
        machine.charge_bytes(size)?;
        machine.change(to, size, |memory| memory.fill(to, byte, size))?;
    }
    Ok(Flow::Next)
}

/// `mem_compare`.
pub(in crate::interpret) fn mem_compare<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (a, b) = (machine.address(site, 0)?, machine.second_address(site)?);
    let size = machine.bits(site, 2) as u64;
    // All bytes must be there, also those behind the first that differ.
    for address in [a, b].into_iter().filter(|_| size != 0) {
        machine.reach(site, AccessKind::Read, address, size)?;
    }
    machine.charge_bytes(size)?;
    let order = machine.compare(a, b, size)?;
    machine.give(site, Datum::from(order as i32))
}

/// `mem_find`.
pub(in crate::interpret) fn mem_find<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (from, wanted) = (machine.address(site, 0)?, machine.bits(site, 1) as u8);
    let size = machine.bits(site, 2) as u64;
    let mut count = 0;
    while count < size {
        // One by one: what stands behind the first that is equal need not be there.
        let address = from.wrapping_add(count);
        machine.reach(site, AccessKind::Read, address, 1)?;
        if count % CHARGED_TOGETHER == 0 {
            machine.charge_bytes(CHARGED_TOGETHER)?;
        }
        let mut byte = [0];
        machine.memory.read(address, &mut byte)?;
        if byte[0] == wanted {
            break;
        }
        count += 1;
    }
    machine.give(site, Datum::from(count))
}

impl<'m> Machine<'m> {
    fn second_address(&self, site: Site<'_, 'm>) -> Result<u64, Stop> {
        let address = self.bits(site, 1) as u64;
        check_alignment(&site.step.data.access().copied().unwrap_or_default(), address)?;
        Ok(address)
    }

    /// How the bytes at two addresses compare, as unsigned numbers.
    pub(in crate::interpret) fn compare(
        &self,
        a: u64,
        b: u64,
        size: u64,
    ) -> Result<Ordering, MemoryError> {
        let (mut left, mut right) = ([0; 256], [0; 256]);
        let mut done = 0;
        while done < size {
            let count = (size - done).min(256) as usize;
            self.memory.read(a.wrapping_add(done), &mut left[..count])?;
            self.memory.read(b.wrapping_add(done), &mut right[..count])?;
            let order = left[..count].cmp(&right[..count]);
            if order.is_ne() {
                return Ok(order);
            }
            done += count as u64;
        }
        Ok(Ordering::Equal)
    }
}
