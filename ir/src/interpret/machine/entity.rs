//! Slots, data objects and functions, by name.

use super::access::size_of_value;
use super::{Flow, Machine, Stop};
use crate::entity::{DataId, EntityRef};
use crate::instruction::Payload;
use crate::interpret::code::{Code, Step};
use crate::interpret::memory::AccessKind;
use crate::trap::TrapCode;

type Done = Result<Flow, Stop>;

/// `slot_load`.
pub(in crate::interpret) fn slot_load<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, size) = machine.slot(code, step)?;
    let address = machine.inside(code, step, 0, start, size)?;
    let value = machine.read(code, step.data.ty, address)?;
    machine.give(step, value)
}

/// `slot_store`.
pub(in crate::interpret) fn slot_store<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, size) = machine.slot(code, step)?;
    let address = machine.inside(code, step, 1, start, size)?;
    let value = machine.operand(code, step, 0).clone();
    machine.write(code, step.data.ty, address, &value)?;
    Ok(Flow::Next)
}

/// `slot_addr`.
pub(in crate::interpret) fn slot_addr<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, _) = machine.slot(code, step)?;
    machine.give(step, start)
}

/// `slot_start` and `slot_end`.
pub(in crate::interpret) fn slot_reset<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, size) = machine.slot(code, step)?;
    machine.charge_bytes(size)?;
    machine.memory.reset(start)?;
    machine.forget_classes(start, size);
    Ok(Flow::Next)
}

/// `data_load`.
pub(in crate::interpret) fn data_load<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, size) = machine.data(code, step)?;
    let address = machine.inside(code, step, 0, start, size)?;
    let value = machine.read(code, step.data.ty, address)?;
    machine.give(step, value)
}

/// `data_store`.
pub(in crate::interpret) fn data_store<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, size) = machine.data(code, step)?;
    let address = machine.inside(code, step, 1, start, size)?;
    machine.guard(AccessKind::Write, address, size)?;
    let value = machine.operand(code, step, 0).clone();
    machine.write(code, step.data.ty, address, &value)?;
    Ok(Flow::Next)
}

/// `data_addr`.
pub(in crate::interpret) fn data_addr<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let (start, _) = machine.data(code, step)?;
    machine.give(step, start)
}

/// `function_addr`.
pub(in crate::interpret) fn function_addr<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let id = step.data.function().ok_or_else(|| Stop::Broken("no function is named".into()))?;
    let function = machine.function_of(code, id)?;
    let address = machine.program.functions[function].address;
    machine.give(step, address)
}

impl<'m> Machine<'m> {
    /// Address and size of the slot that the instruction names.
    fn slot(&mut self, code: &Code<'m>, step: &Step<'m>) -> Result<(u64, u64), Stop> {
        let missing = || Stop::Broken("a slot is not there".into());
        let Payload::Slot(slot) = step.data.payload else { return Err(missing()) };
        let first = self.top()?.slots;
        let size = code.slots.get(slot.index()).ok_or_else(missing)?.size;
        let address = self.slots.get(first + slot.index()).ok_or_else(missing)?;
        Ok((*address, size.into()))
    }

    /// Address of the data object that the instruction names, and its size as
    /// this module declares it.
    fn data(&self, code: &Code<'m>, step: &Step<'m>) -> Result<(u64, u64), Stop> {
        let missing = || Stop::Broken("a data object is not there".into());
        let Payload::Data(id) = step.data.payload else { return Err(missing()) };
        let module = &self.program.modules[code.module];
        let size = module.module.data(id).ok_or_else(missing)?.size;
        let address = self.data_address(code.module, id).ok_or_else(missing)?;
        Ok((address, size))
    }

    fn data_address(&self, module: usize, id: DataId) -> Option<u64> {
        let number = *self.program.modules[module].data.get(id.index())?;
        Some(self.program.data.get(number)?.address)
    }

    /// The address at the offset that the operand says, if the access lies in
    /// an object of `size` bytes.
    fn inside(
        &self,
        code: &Code<'m>,
        step: &Step<'m>,
        operand: usize,
        start: u64,
        size: u64,
    ) -> Result<u64, Stop> {
        let offset = self.bits(code, step, operand) as u64;
        let end = offset.checked_add(size_of_value(code, step.data.ty) as u64);
        if end.is_some_and(|end| end <= size) {
            Ok(start + offset)
        } else {
            Err(TrapCode::Bounds.into())
        }
    }
}
