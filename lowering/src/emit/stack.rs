//! The side stack of a thread: objects whose size is known at run time, for
//! which frames have no room.
//!
//! A function that makes such objects keeps where the side stack was at its
//! entry in a slot of its frame, and puts that back wherever it is left: the
//! runtime does so for frames that it unwinds, and finds the slot by
//! [`CompiledUnit::side_mark`](crate::unit::CompiledUnit::side_mark).

use brolga_ir::body::{MAX_STACK_OBJECT_ALIGN, MIN_STACK_OBJECT_ALIGN, stack_object_align};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as machine, InstBuilder, StackSlot, StackSlotData, StackSlotKind, types,
};

use super::fault::Emitted;
use super::function::{Emitter, Instruction};
use super::memory::aligned;
use crate::runtime::{RecordField, RuntimeEntry};

impl<'a> Emitter<'a> {
    /// What a function that makes such objects does at its entry.
    pub(super) fn enter_side_stack(&mut self) {
        let body = self.body;
        let makes =
            |&block: &_| body.layout.insts(block).any(|inst| body.inst(inst).op == Op::StackAlloc);
        if !body.layout.blocks().any(|block| makes(&block)) {
            return;
        }
        let slot = self.keep_side_stack();
        self.side_mark = Some(slot);
        self.needs.side_mark = Some(slot);
        let known = self.load_record(RecordField::SideStack);
        let (make, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(make);
        self.builder.ins().brif(known, next, &[], make, &[]);
        self.continue_in(make);
        let record = self.builder.ins().get_pinned_reg(types::I64);
        let call = self.call_runtime(RuntimeEntry::SideStack, &[record]);
        let made = self.builder.inst_results(call)[0];
        self.trap_unless(made, TrapCode::StackOverflow);
        let first = self.load_record(RecordField::SideStack);
        self.store_mark(first, slot);
        self.builder.ins().jump(next, &[]);
        self.continue_in(next);
    }

    /// Gives back what the function has made, where it is left.
    pub(super) fn leave_side_stack(&mut self) {
        if let Some(slot) = self.side_mark {
            self.put_side_stack_back(slot);
        }
    }

    /// Where the side stack is, in a slot of its own.
    pub(super) fn keep_side_stack(&mut self) -> StackSlot {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        let slot = self.builder.create_sized_stack_slot(slot);
        let mark = self.load_record(RecordField::SideStack);
        self.store_mark(mark, slot);
        slot
    }

    /// Takes the side stack back to where it was.
    pub(super) fn put_side_stack_back(&mut self, slot: StackSlot) {
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        let mark = self.builder.ins().load(types::I64, aligned(), address, 0);
        self.store_record(RecordField::SideStack, mark);
    }

    fn store_mark(&mut self, mark: machine::Value, slot: StackSlot) {
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        self.builder.ins().store(aligned(), mark, address, 0);
    }

    /// `stack_alloc`, `stack_save` and `stack_restore`.
    pub(super) fn stack(&mut self, instruction: Instruction<'a>) -> Emitted {
        match instruction.data.op {
            Op::StackAlloc => self.stack_alloc(instruction),
            Op::StackSave => {
                let mark = self.load_record(RecordField::SideStack);
                self.define(instruction, &[mark])
            }
            Op::StackRestore => {
                let mark = self.arg(instruction, 0)?;
                self.store_record(RecordField::SideStack, mark);
                Ok(())
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    fn stack_alloc(&mut self, instruction: Instruction<'a>) -> Emitted {
        let size = self.arg(instruction, 0)?;
        let mask = self.align_mask(instruction)?;
        let end = self.load_record(RecordField::SideStack);
        let limit = self.load_record(RecordField::SideStackLimit);
        let room = self.builder.ins().isub(end, limit);
        let fits = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, size, room);
        let start = self.builder.ins().isub(end, size);
        let start = self.builder.ins().band(start, mask);
        let stays = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, start, limit);
        let fits = self.builder.ins().band(fits, stays);
        self.trap_unless(fits, TrapCode::StackOverflow);
        self.store_record(RecordField::SideStack, start);
        self.define(instruction, &[start])
    }

    /// The bits of an address that the alignment leaves, which is what
    /// [`stack_object_align`] makes of the operand.
    fn align_mask(&mut self, instruction: Instruction<'a>) -> Emitted<machine::Value> {
        if let Some(asked) = self.arg_constant(instruction, 1) {
            let align = stack_object_align(asked as u64);
            return Ok(self.builder.ins().iconst(types::I64, -(align as i64)));
        }
        let asked = self.arg(instruction, 1)?;
        let [zero, one, least, most] = [0, 1, MIN_STACK_OBJECT_ALIGN, MAX_STACK_OBJECT_ALIGN]
            .map(|number| self.builder.ins().iconst(types::I64, number as i64));
        let below = self.builder.ins().isub(asked, one);
        let bits = self.builder.ins().band(asked, below);
        // Of zero, the number below is above all.
        let single = self.builder.ins().icmp(IntCC::Equal, bits, zero);
        let small = self.builder.ins().icmp(IntCC::UnsignedLessThan, below, most);
        let large = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, asked, least);
        let fits = self.builder.ins().band(single, small);
        let fits = self.builder.ins().band(fits, large);
        let align = self.select(fits, asked, least);
        Ok(self.builder.ins().ineg(align))
    }
}
