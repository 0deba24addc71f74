//! Slots, data objects and functions, by name.

use super::access::size_of_value;
use super::{Flow, Machine, Site, Stop};
use crate::entity::EntityRef;
use crate::instruction::Payload;
use crate::trap::TrapCode;

type Done = Result<Flow, Stop>;

/// `slot_load` and `data_load`.
pub(in crate::interpret) fn load<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.inside(site, 0)?;
    let value = machine.read(site.code, site.step.data.ty, address)?;
    machine.give(site, value)
}

/// `slot_store` and `data_store`.
pub(in crate::interpret) fn store<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.inside(site, 1)?;
    let value = machine.operand(site, 0).clone();
    machine.write(site.code, site.step.data.ty, address, &value)?;
    Ok(Flow::Next)
}

/// `slot_addr` and `data_addr`.
pub(in crate::interpret) fn address<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (start, _) = machine.entity(site)?;
    machine.give(site, start)
}

/// `slot_start` and `slot_end`.
pub(in crate::interpret) fn reset<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (start, size) = machine.entity(site)?;
    machine.charge_bytes(size)?;
    machine.change(start, size, |memory| memory.reset(start))?;
    machine.forget_classes(start, size);
    Ok(Flow::Next)
}

/// `function_addr`.
pub(in crate::interpret) fn function_address<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let id = site.step.data.function();
    let id = id.ok_or_else(|| Stop::Broken("no function is named".into()))?;
    let function = machine.function_of(site.code, id)?;
    let address = machine.program.functions[function].address;
    machine.give(site, address)
}

impl<'m> Machine<'m> {
    /// Address of the slot or data object that the instruction names, and its
    /// size as this module declares it.
    fn entity(&mut self, site: Site<'_, 'm>) -> Result<(u64, u64), Stop> {
        let found = match site.step.data.payload {
            Payload::Slot(slot) => {
                let first = self.top()?.slots;
                let size = site.code.slots.get(slot.index()).map(|slot| slot.size.into());
                self.slots.get(first + slot.index()).copied().zip(size)
            }
            Payload::Data(id) => {
                let linked = &self.program.modules[site.code.module];
                let number = linked.data.get(id.index()).copied();
                let data = number.and_then(|number| self.program.data.get(number));
                let size = linked.module.data(id).map(|data| data.size);
                data.map(|data| data.address).zip(size)
            }
            _ => None,
        };
        found.ok_or_else(|| Stop::Broken("a slot or data object is not there".into()))
    }

    /// The address in the slot or data object at the offset that the operand of
    /// that index says, if the access lies inside.
    fn inside(&mut self, site: Site<'_, 'm>, offset: usize) -> Result<u64, Stop> {
        let (start, size) = self.entity(site)?;
        let offset = self.bits(site, offset) as u64;
        let end = offset.checked_add(size_of_value(site.code, site.step.data.ty) as u64);
        if end.is_some_and(|end| end <= size) {
            Ok(start + offset)
        } else {
            Err(TrapCode::Bounds.into())
        }
    }
}
