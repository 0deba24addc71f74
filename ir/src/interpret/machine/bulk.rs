//! Copies, fills and compares of memory.

use super::access::check_alignment;
use super::{Flow, Machine, Stop};
use crate::datum::Datum;
use crate::interpret::code::{Code, Step};
use crate::interpret::memory::AccessKind;

type Done = Result<Flow, Stop>;

/// `mem_copy`.
pub(in crate::interpret) fn mem_copy<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (to, size) = (machine.address(code, step, 0)?, machine.bits(code, step, 2) as u64);
    let from = machine.second_address(code, step)?;
    if size != 0 {
        machine.reach(AccessKind::Write, to, size)?;
        machine.reach(AccessKind::Read, from, size)?;
        machine.check_alias(code, step, from, size)?;
        machine.check_alias(code, step, to, size)?;
        machine.charge_bytes(size)?;
        machine.memory.copy(to, from, size)?;
    }
    Ok(Flow::Next)
}

/// `mem_fill`.
pub(in crate::interpret) fn mem_fill<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (to, size) = (machine.address(code, step, 0)?, machine.bits(code, step, 2) as u64);
    let byte = machine.bits(code, step, 1) as u8;
    if size != 0 {
        machine.reach(AccessKind::Write, to, size)?;
        machine.check_alias(code, step, to, size)?;
        machine.charge_bytes(size)?;
        machine.memory.fill(to, byte, size)?;
    }
    Ok(Flow::Next)
}

/// `mem_compare`.
pub(in crate::interpret) fn mem_compare<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (a, size) = (machine.address(code, step, 0)?, machine.bits(code, step, 2) as u64);
    let b = machine.second_address(code, step)?;
    let order = machine.compare(a, b, size)?;
    machine.give(step, Datum::from(order as i32))
}

impl<'m> Machine<'m> {
    fn second_address(&self, code: &Code<'m>, step: &Step<'m>) -> Result<u64, Stop> {
        let address = self.bits(code, step, 1) as u64;
        check_alignment(&step.data.access().copied().unwrap_or_default(), address)?;
        Ok(address)
    }

    /// All bytes must be there, also those behind the first that differ.
    fn compare(&mut self, a: u64, b: u64, size: u64) -> Result<std::cmp::Ordering, Stop> {
        for address in [a, b] {
            if size != 0 {
                self.reach(AccessKind::Read, address, size)?;
            }
        }
        self.charge_bytes(size)?;
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
        Ok(std::cmp::Ordering::Equal)
    }
}
