//! Slots, data objects and functions.

use brolga_ir::body::Initial;
use brolga_ir::entity::{DataId, EntityRef, FuncId, Inst, Slot, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::module::Storage;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_lowering::runtime::RuntimeEntry;
use brolga_lowering::unit::UnitSymbol;

use super::operand::SCRATCH;
use super::{Emitted, Emitter};
use crate::assembler::{ARGUMENTS, Counts, Place, Register, Word, condition};
use crate::error::Unsupported;
use crate::key::{Bank, Class, Key, Variant};
use crate::reference::Referent;

/// Frames are aligned to this many bytes and no further.
const FRAME_ALIGN: u32 = 16;

/// Zeroing more bytes than this is a call.
const MAX_INLINE_ZEROS: u32 = 128;

/// Bytes of the frame for a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Where they start, from the frame pointer.
    start: i32,
    size: u32,
    /// The slot starts at the first multiple of this.
    align: u32,
}

/// What an access with an offset belongs to.
#[derive(Clone, Debug)]
enum Base {
    /// A slot of the frame.
    Frame(Room),
    /// Something near.
    Near(Referent),
    /// Something far, whose address stands near.
    Far(UnitSymbol),
}

impl Room {
    /// Where the slot starts, from the frame pointer: the first multiple of the second number.
    pub(crate) const fn place(self) -> (i32, u32) {
        (self.start, self.align)
    }
}

impl Emitter<'_> {
    /// Makes the slots of the function, zeroed unless it was promised not to matter.
    pub(super) fn make_slots(&mut self) -> Emitted {
        let body = self.body;
        for (_, data) in body.slots() {
            let align = 1u32.checked_shl(data.align_log2.into()).unwrap_or(u32::MAX);
            if align > super::MAX_FRAME || data.size > super::MAX_FRAME {
                return Err(Unsupported::Frame);
            }
            // Room to round the address up where frames are not aligned enough.
            let size = data.size + align.saturating_sub(FRAME_ALIGN);
            let start = self.buffers.homes.room(size, align.min(FRAME_ALIGN));
            let room = Room { start, size, align };
            self.buffers.slots.push(room);
            if self.buffers.homes.size() > super::MAX_FRAME {
                return Err(Unsupported::Frame);
            }
            if data.initial == Initial::Zeroed {
                self.zero(room);
            }
        }
        Ok(())
    }

    /// Zeros the words of a slot, whose room ends at one.
    fn zero(&mut self, Room { start, size, .. }: Room) {
        self.last = None;
        if size > MAX_INLINE_ZEROS {
            let [to, byte, count, ..] = ARGUMENTS;
            self.assembler().address(to, Word::Frame(start));
            self.assembler().number(byte, 0);
            self.assembler().number(count, size.into());
            return self.call_runtime(RuntimeEntry::MemoryFill);
        }
        self.assembler().number(Register::R11, 0);
        for offset in (0..size as i32).step_by(8) {
            self.assembler().store(SCRATCH, Word::Frame(start + offset));
        }
    }

    /// Ops on a slot.
    pub(super) fn slot(&mut self, inst: Inst, data: &InstData, op: Op, slot: Slot) -> Emitted {
        let unsupported = Unsupported::Op(op);
        let room = *self.buffers.slots.get(slot.index()).ok_or(unsupported)?;
        let size = self.body.slot(slot).ok_or(unsupported)?.size;
        match op {
            Op::SlotStart | Op::SlotEnd => {
                self.keep();
                self.zero(room);
                Ok(())
            }
            Op::SlotAddr => self.address_of(inst, Base::Frame(room)),
            Op::SlotLoad => self.load_from(inst, data, Base::Frame(room), size.into()),
            Op::SlotStore => self.store_to(inst, data, Base::Frame(room), size.into()),
            _ => Err(unsupported),
        }
    }

    /// Ops on a data object.
    pub(super) fn data(&mut self, inst: Inst, data: &InstData, op: Op, id: DataId) -> Emitted {
        let unsupported = Unsupported::Op(op);
        let object = self.module.data(id).ok_or(unsupported)?;
        let name = object.name.clone();
        let base = match (object.storage, object.linkage) {
            (Storage::ThreadLocal, _) => return Err(unsupported),
            (Storage::Shared, linkage) if linkage.is_defined_here() => {
                Base::Near(UnitSymbol::Data(name).into())
            }
            (Storage::Shared, _) => Base::Far(UnitSymbol::AddressSlot(name)),
        };
        match op {
            Op::DataAddr => self.address_of(inst, base),
            Op::DataLoad => self.load_from(inst, data, base, object.size),
            Op::DataStore => self.store_to(inst, data, base, object.size),
            _ => Err(unsupported),
        }
    }

    /// `function_addr`.
    pub(super) fn function_address(&mut self, inst: Inst, id: FuncId) -> Emitted {
        let function = self.module.function(id).ok_or(Unsupported::Op(Op::FunctionAddr))?;
        let base = match function.linkage.is_foreign() {
            true => Base::Far(UnitSymbol::AddressSlot(function.name.clone())),
            false => Base::Near(Referent::Stub(id)),
        };
        self.address_of(inst, base)
    }

    fn address_of(&mut self, inst: Inst, base: Base) -> Emitted {
        self.keep();
        self.last = None;
        self.bring_base(Register::Rax, base);
        self.define_results(inst)
    }

    fn bring_base(&mut self, into: Register, base: Base) {
        match base {
            Base::Frame(Room { start, align, .. }) if align <= FRAME_ALIGN => {
                self.assembler().address(into, Word::Frame(start));
            }
            Base::Frame(Room { start, align, .. }) => {
                self.assembler().address(into, Word::Frame(start + align as i32 - 1));
                self.assembler().round_down(into, align);
            }
            Base::Near(referent) => {
                let place = self.assembler().address_of_symbol(into);
                self.refer(place, referent);
            }
            Base::Far(symbol) => {
                let place = self.assembler().load_of_symbol(into);
                self.refer(place, symbol);
            }
        }
    }

    fn load_from(&mut self, inst: Inst, data: &InstData, base: Base, size: u64) -> Emitted {
        let unsupported = Unsupported::Op(data.op);
        let class = Class::of(data.ty).ok_or(unsupported)?;
        let key = Key::new(Op::Load, class, Variant::Plain);
        let stencil = self.stencils.find(key).ok_or(unsupported)?;
        let body = self.body;
        let [offset] = *body.args(inst) else { return Err(unsupported) };
        let constant = self.locate(offset, (base, size), data, Register::Rdi)?;
        self.paste(stencil, Some(constant.into()));
        self.define_results(inst)
    }

    fn store_to(&mut self, inst: Inst, data: &InstData, base: Base, size: u64) -> Emitted {
        let unsupported = Unsupported::Op(data.op);
        let class = Class::of(data.ty).ok_or(unsupported)?;
        let key = Key::new(Op::Store, class, Variant::Plain);
        let stencil = self.stencils.find(key).ok_or(unsupported)?;
        let body = self.body;
        let [value, offset] = *body.args(inst) else { return Err(unsupported) };
        let mut counts = Counts::default();
        let mut next = |bank| counts.next(bank, &ARGUMENTS);
        let (Some(place), Some(Place::Integer(address))) =
            (next(class.bank()), next(Bank::Integer))
        else {
            return Err(unsupported);
        };
        let constant = self.locate(offset, (base, size), data, address)?;
        self.fetch(&[(value, place)]);
        self.paste(stencil, Some(constant.into()));
        self.last = None;
        Ok(())
    }

    /// Brings the address of a checked access to a register, but for a constant, which it
    /// gives; stops where the access leaves its object. Changes no register of results.
    fn locate(
        &mut self,
        offset: Value,
        (base, size): (Base, u64),
        data: &InstData,
        into: Register,
    ) -> Emitted<i32> {
        let unsupported = Unsupported::Op(data.op);
        let last = size.checked_sub(self.module.types.layout(data.ty).size);
        let last = last.and_then(|last| i32::try_from(last).ok());
        if let Some(constant) = self.constant(offset) {
            let inside = last.is_some_and(|last| constant <= last as u64);
            if !inside {
                if size > i32::MAX as u64 {
                    return Err(unsupported);
                }
                self.stop(TrapCode::Bounds);
                return Ok(0);
            }
            self.bring_base(into, base);
            return Ok(constant as i32);
        }
        let last = last.ok_or(unsupported)?;
        let index = Register::Rdx;
        self.fetch(&[(offset, Place::Integer(index))]);
        self.assembler().compare_number(Class::I64, index, last);
        self.stop_if(condition::ABOVE, TrapCode::Bounds);
        self.bring_base(into, base);
        self.assembler().add_index(into);
        Ok(0)
    }
}
