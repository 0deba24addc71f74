//! Slots, data objects and functions: what code refers to by name.

use brolga_ir::body::Initial;
use brolga_ir::entity::{DataId, Slot};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{DataObject, Name, Storage};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as machine, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types,
};

use super::code::Code;
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::memory::{aligned, plain};
use crate::runtime::{RecordField, RuntimeEntry};
use crate::unit::UnitSymbol;

/// Frames are aligned to this many bytes and no further.
const FRAME_ALIGN: u32 = 16;

/// Zeroing more bytes than this is a call.
const MAX_INLINE_ZEROS: u32 = 256;

/// A stack slot in the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineSlot {
    slot: machine::StackSlot,
    size: u32,
    align: u32,
}

/// An address with a constant offset, and what is known of its alignment.
struct Location {
    address: machine::Value,
    offset: i32,
    align: u64,
}

impl Code<'_> {
    /// The address of so many bytes of the frame, of no content.
    pub(super) fn make_room(&mut self, size: u32, align: u32) -> Emitted<machine::Value> {
        let slot = self.make_slot(size, align)?;
        Ok(self.slot_address(slot))
    }

    fn make_slot(&mut self, bytes: u32, align: u32) -> Emitted<MachineSlot> {
        // An empty slot has an address of its own, too. Room to round the address up where frames
        // are not aligned enough.
        let size = bytes.max(1).checked_add(align.saturating_sub(FRAME_ALIGN));
        let size = size.ok_or_else(|| Fault::unsupported("a slot of 4 GiB"))?;
        let shift = align.min(FRAME_ALIGN).trailing_zeros() as u8;
        let machine = StackSlotData::new(StackSlotKind::ExplicitSlot, size, shift);
        let slot = self.builder.create_sized_stack_slot(machine);
        Ok(MachineSlot { slot, size: bytes, align })
    }

    fn slot_address(&mut self, slot: MachineSlot) -> machine::Value {
        let address = self.builder.ins().stack_addr(types::I64, slot.slot, 0);
        if slot.align <= FRAME_ALIGN {
            return address;
        }
        let above = self.further(address, i64::from(slot.align) - 1);
        let mask = self.builder.ins().iconst(types::I64, -i64::from(slot.align));
        self.builder.ins().band(above, mask)
    }
}

impl<'a> Emitter<'a> {
    /// Makes the slots of the function, zeroed unless it was promised not to matter.
    pub(super) fn make_slots(&mut self) -> Emitted {
        let body = self.body;
        for (slot, data) in body.slots() {
            let align = 1u32.checked_shl(data.align_log2.into()).unwrap_or(1);
            let made = self.make_slot(data.size, align)?;
            self.slots[slot] = Some(made);
            if data.initial == Initial::Zeroed {
                let address = self.slot_address(made);
                self.zero(address, data.size);
            }
        }
        Ok(())
    }

    fn zero(&mut self, address: machine::Value, size: u32) {
        if size > MAX_INLINE_ZEROS {
            let zero = self.builder.ins().iconst(types::I64, 0);
            let bytes = self.builder.ins().iconst(types::I64, i64::from(size));
            self.call_runtime(RuntimeEntry::MemoryFill, &[address, zero, bytes]);
            return;
        }
        let mut offset = 0;
        for ty in [types::I8X16, types::I64, types::I32, types::I16, types::I8] {
            if size - offset < ty.bytes() {
                continue;
            }
            let zero = match ty {
                types::I8X16 => self.vector_constant(ty, [0; 16]),
                ty => self.builder.ins().iconst(ty, 0),
            };
            while size - offset >= ty.bytes() {
                self.builder.ins().store(plain(), zero, address, offset as i32);
                offset += ty.bytes();
            }
        }
    }

    /// Slots, data objects and functions.
    pub(super) fn entity(&mut self, instruction: Instruction<'a>) -> Emitted {
        match (instruction.data.op, instruction.data.payload) {
            (op, Payload::Slot(slot)) => self.slot(instruction, op, slot),
            (op, Payload::Data(data)) => self.data(instruction, op, data),
            (Op::FunctionAddr, Payload::Function(function)) => {
                let address = self.function_reference(function)?;
                self.define(instruction, &[address])
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    fn slot(&mut self, instruction: Instruction<'a>, op: Op, slot: Slot) -> Emitted {
        let found = self.slots[slot];
        let slot = found.ok_or_else(|| Fault::illegal(format!("there is no {slot}")))?;
        match op {
            Op::SlotAddr => {
                let address = self.slot_address(slot);
                self.define(instruction, &[address])
            }
            Op::SlotStart | Op::SlotEnd => {
                let address = self.slot_address(slot);
                self.zero(address, slot.size);
                Ok(())
            }
            Op::SlotLoad | Op::SlotStore => {
                self.check_bounds(instruction, slot.size.into())?;
                let address = self.slot_address(slot);
                let location = self.locate(instruction, address, slot.align.into())?;
                self.access_location(instruction, &location)
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    fn data(&mut self, instruction: Instruction<'a>, op: Op, data: DataId) -> Emitted {
        let module = self.module;
        let found = module.data(data);
        let object = found.ok_or_else(|| Fault::illegal(format!("there is no {data}")))?;
        match op {
            Op::DataAddr => {
                let address = self.data_address(object);
                self.define(instruction, &[address])
            }
            Op::DataLoad | Op::DataStore => {
                self.check_bounds(instruction, object.size)?;
                let address = self.data_address(object);
                let location = self.locate(instruction, address, object.layout().align)?;
                self.access_location(instruction, &location)
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    /// The operand of a checked access that is its offset.
    fn offset_index(op: Op) -> usize {
        usize::from(matches!(op, Op::SlotStore | Op::DataStore))
    }

    /// Traps unless the access lies inside an entity of `size` bytes.
    fn check_bounds(&mut self, instruction: Instruction<'a>, size: u64) -> Emitted {
        let index = Self::offset_index(instruction.data.op);
        let bytes = self.module.types.layout(instruction.data.ty).size;
        let last = size.checked_sub(bytes);
        match (self.arg_constant(instruction, index), last) {
            (Some(offset), Some(last)) if offset <= last.into() => {}
            (_, None) | (Some(_), Some(_)) => {
                let never = self.builder.ins().iconst(types::I8, 0);
                self.trap_unless(never, TrapCode::Bounds);
            }
            (None, Some(last)) => {
                let offset = self.arg(instruction, index)?;
                let last = self.builder.ins().iconst(types::I64, last as i64);
                let inside = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, offset, last);
                self.trap_unless(inside, TrapCode::Bounds);
            }
        }
        Ok(())
    }

    fn locate(
        &mut self,
        instruction: Instruction<'a>,
        base: machine::Value,
        align: u64,
    ) -> Emitted<Location> {
        let index = Self::offset_index(instruction.data.op);
        let constant = self.arg_constant(instruction, index);
        match constant.and_then(|offset| i32::try_from(offset).ok()) {
            Some(offset) => Ok(Location { address: base, offset, align }),
            None => {
                let offset = self.arg(instruction, index)?;
                let address = self.builder.ins().iadd(base, offset);
                Ok(Location { address, offset: 0, align: 1 })
            }
        }
    }

    fn access_location(&mut self, instruction: Instruction<'a>, at: &Location) -> Emitted {
        let ty = instruction.data.ty;
        let flags = self.location_flags(at, ty);
        if Self::offset_index(instruction.data.op) == 0 {
            let value = self.load_as(ty, at.address, at.offset, flags)?;
            return self.define(instruction, &[value]);
        }
        let value = self.arg(instruction, 0)?;
        self.store_as(ty, value, at.address, at.offset, flags)
    }

    fn location_flags(&self, at: &Location, ty: Type) -> MemFlagsData {
        let size = self.module.types.layout(ty).size.max(1);
        let fits = at.align >= size
            && size.is_power_of_two()
            && u64::from(at.offset as u32).is_multiple_of(size);
        if fits { aligned() } else { plain() }
    }

    /// The address of a data object.
    fn data_address(&mut self, object: &DataObject) -> machine::Value {
        let name = object.name.clone();
        match (object.storage, object.linkage) {
            (Storage::ThreadLocal, _) => self.thread_local_address(name),
            (Storage::Shared, linkage) if linkage.is_defined_here() => {
                self.symbol_address(UnitSymbol::Data(name))
            }
            (Storage::Shared, _) => self.load_slot(UnitSymbol::AddressSlot(name)),
        }
    }

    /// This thread's copy, made at its first use.
    fn thread_local_address(&mut self, name: Name) -> machine::Value {
        let offset = self.load_slot(UnitSymbol::ThreadLocalOffset(name));
        let table = self.load_record(RecordField::ThreadLocals);
        let entry = self.builder.ins().iadd(table, offset);
        let known = self.builder.ins().load(types::I64, aligned(), entry, 0);
        let (make, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(make);
        let address = self.builder.append_block_param(next, types::I64);
        self.builder.ins().brif(known, next, &[known.into()], make, &[]);
        self.continue_in(make);
        let call = self.call_runtime(RuntimeEntry::ThreadLocal, &[offset]);
        let made = self.builder.inst_results(call)[0];
        self.builder.ins().jump(next, &[made.into()]);
        self.continue_in(next);
        address
    }
}
