//! Slots and data objects by name, with checked bounds.

use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::Type;

use super::memory::Wish;
use super::writer::{LEAST_OBJECT, Writer};

impl Writer<'_> {
    /// An offset at which a value of `ty` lies in an object of `size` bytes;
    /// where the program is hazardous, any.
    fn offset(&mut self, ty: Type, size: u64) -> Value {
        if self.has_hazard() {
            return match self.random().percent(50) {
                true => self.any(Type::I64),
                false => self.small(Type::I64, 0x1ff),
            };
        }
        let room = size - self.program.module.types.layout(ty).size;
        if self.random().percent(40) {
            let offset = self.program.random.below(room as usize + 1) as u64;
            return self.index(offset);
        }
        let most = (1u128 << (room + 1).ilog2()) - 1;
        let offset = self.any(Type::I64);
        let most = self.number_of(Type::I64, most);
        self.compute(Op::And, Type::I64, &[offset, most])
    }

    /// What the first slot holds, for an operand.
    pub(super) fn read_slot(&mut self, ty: Type) -> Value {
        let facts = self.slots[0];
        let room = facts.size - self.program.module.types.layout(ty).size;
        let offset = self.program.random.below(room as usize + 1) as u64;
        let offset = self.index(offset);
        let inst = self.push(Op::SlotLoad, ty, &[offset], Payload::Slot(facts.slot));
        self.keep(inst);
        self.body.results(inst)[0]
    }

    pub(super) fn emit_slot_load(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Number);
        let index = self.program.random.below(self.slots.len());
        let facts = self.slots[index];
        let offset = self.offset(ty, facts.size);
        let inst = self.push(Op::SlotLoad, ty, &[offset], Payload::Slot(facts.slot));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_slot_store(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Number);
        let index = self.program.random.below(self.slots.len());
        let facts = self.slots[index];
        let (value, offset) = (self.steady(ty), self.offset(ty, facts.size));
        self.push(Op::SlotStore, ty, &[value, offset], Payload::Slot(facts.slot));
        Some(())
    }

    pub(super) fn emit_slot_reset(&mut self, op: Op) -> Option<()> {
        let index = self.program.random.below(self.slots.len());
        let facts = self.slots[index];
        if !facts.is_reset {
            return None;
        }
        self.push(op, Type::NONE, &[], Payload::Slot(facts.slot));
        Some(())
    }

    pub(super) fn emit_data_load(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Number);
        let data = self.program.some_data(Wish::Read);
        let offset = self.offset(ty, data.size);
        let inst = self.push(Op::DataLoad, ty, &[offset], Payload::Data(data.id));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_data_store(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Number);
        let data = self.program.some_data(Wish::Write);
        let (value, offset) = (self.steady(ty), self.offset(ty, data.size));
        self.push(Op::DataStore, ty, &[value, offset], Payload::Data(data.id));
        Some(())
    }

    /// Copies what is in the slots to where it is compared after the call.
    pub(super) fn leave_slots(&mut self) {
        let Some(remains) = self.program.remains else { return };
        let mut to = 0;
        for facts in self.slots.clone() {
            let (slot, data) = (Payload::Slot(facts.slot), Payload::Data(remains));
            if self.program.raw {
                let from = self.compute_with(Op::SlotAddr, Type::NONE, &[], slot);
                let start = self.compute_with(Op::DataAddr, Type::NONE, &[], data);
                let distance = self.index(to);
                let place = self.compute(Op::PtrAdd, Type::NONE, &[start, distance]);
                let args = [place, from, self.index(facts.size)];
                self.push(Op::MemCopy, Type::NONE, &args, Payload::Access(Access::default()));
            } else {
                // Word by word, and no more of them than the program has ops itself.
                for offset in (0..LEAST_OBJECT).step_by(8) {
                    let (from, place) = (self.index(offset), self.index(to + offset));
                    let word = self.compute_with(Op::SlotLoad, Type::I64, &[from], slot);
                    self.push(Op::DataStore, Type::I64, &[word, place], data);
                }
            }
            to += facts.size;
        }
    }
}
