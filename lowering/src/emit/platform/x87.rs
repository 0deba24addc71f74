//! Floats of 80 bits, which C gives back in the registers of the x87 unit. The
//! back end has no instruction of that unit, and uses none: what is left there
//! or put there stays between a call and the next instruction of ours.

use brolga_ir::types::Type;
use cranelift_codegen::ir::{
    self as machine, AbiParam, InstBuilder, StackSlotData, StackSlotKind, types,
};

use crate::emit::code::Code;
use crate::emit::fault::Emitted;
use crate::emit::memory::plain;
use crate::emit::symbols::trampoline;

/// `fstp tbyte ptr [rdi]; ret`.
const POP: &[u8] = &[0xdb, 0x3f, 0xc3];

/// `fld tbyte ptr [rdi]; ret`.
const PUSH: &[u8] = &[0xdb, 0x2f, 0xc3];

impl Code<'_> {
    /// The value on top of the unit's registers, which it leaves.
    pub(super) fn pop_extended(&mut self) -> Emitted<machine::Value> {
        let place = self.extended_place();
        self.call_x87(POP, place);
        self.load_as(Type::X86_FP80, place, 0, plain())
    }

    /// Puts a value on top of the unit's registers.
    pub(super) fn push_extended(&mut self, value: machine::Value) -> Emitted {
        let place = self.extended_place();
        self.store_as(Type::X86_FP80, value, place, 0, plain())?;
        self.call_x87(PUSH, place);
        Ok(())
    }

    fn extended_place(&mut self) -> machine::Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 4);
        let slot = self.builder.create_sized_stack_slot(slot);
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    fn call_x87(&mut self, code: &'static [u8], place: machine::Value) {
        let convention = self.isa.platform_convention();
        let mut signature = machine::Signature::new(convention);
        signature.params.push(AbiParam::new(types::I64));
        let signature = self.builder.import_signature(signature);
        let index = self.needs.trampoline(code);
        let callee = trampoline(self.builder.func, index, signature);
        self.builder.ins().call(callee, &[place]);
    }
}
