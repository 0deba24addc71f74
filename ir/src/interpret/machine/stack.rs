//! Objects on the stack whose size is known at run time.

use super::{Flow, Machine, Site, Stop};
use crate::body::{Initial, stack_object_align};
use crate::interpret::memory::{NewObject, ObjectKind};
use crate::trap::TrapCode;
use crate::types::Layout;

type Done = Result<Flow, Stop>;

/// The slot that traps name for what `stack_alloc` gave.
pub(super) const ALLOCATED_TAG: u32 = u32::MAX - 1;

/// `stack_alloc`.
pub(in crate::interpret) fn alloc<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let size = machine.bits(site, 0) as u64;
    let align = stack_object_align(machine.bits(site, 1) as u64);
    let tag = (site.code.number as u64) << 32 | u64::from(ALLOCATED_TAG);
    let mut object = NewObject::zeroed(ObjectKind::Slot, Layout { size, align }, tag);
    object.initial = Initial::Uninit;
    let address = machine.memory.allocate(&object);
    let address = address.map_err(|_| Stop::from(TrapCode::StackOverflow))?;
    machine.slots.push(address);
    machine.charge_bytes(size)?;
    machine.give(site, address)
}

/// `stack_save`.
pub(in crate::interpret) fn save<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let count = machine.own_slots()?;
    machine.give(site, count as u64)
}

/// `stack_restore`.
pub(in crate::interpret) fn restore<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (mark, count) = (machine.bits(site, 0), machine.own_slots()?);
    let fixed = site.code.slots.len();
    if mark < fixed as u128 || mark > count as u128 {
        return Err(Stop::broken_promise("the mark is none that this call of the function has"));
    }
    for _ in mark..count as u128 {
        if let Some(address) = machine.slots.pop() {
            // One that is gone already was freed by no safe means.
            let _ = machine.memory.free(address, ObjectKind::Slot);
        }
    }
    Ok(Flow::Next)
}

impl Machine<'_> {
    /// How many objects the innermost activation has on the stack.
    fn own_slots(&mut self) -> Result<usize, Stop> {
        let first = self.top()?.slots;
        Ok(self.slots.len() - first)
    }
}
