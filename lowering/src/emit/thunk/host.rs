//! From compiled code to functions of the host.

use brolga_ir::module::Function;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::TypePool;
use cranelift_codegen::ir::{self as machine, InstBuilder, StackSlotData, StackSlotKind, types};

use super::Thunk;
use crate::emit::code::Code;
use crate::emit::compiler::Compiler;
use crate::error::CompileError;
use crate::runtime::{RecordField, RuntimeEntry};
use crate::target::Isa;
use crate::unit::{CompiledUnit, ExitSite, UnitSymbol};

impl Compiler {
    /// The thunk that stands in for a function of the host: of the internal
    /// convention, it hands its arguments to [`RuntimeEntry::HostCall`] in a
    /// buffer, together with what the address slot of its name holds. `types` is its module's pool.
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn host_thunk(
        &mut self,
        function: &Function,
        types: &TypePool,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let (name, signature) = (&function.name, types.sig(function.sig));
        let slot = UnitSymbol::AddressSlot(name.clone());
        let thunk = Thunk::new("host", Some((name, slot.clone())), types, signature, isa);
        let own = thunk.internal(signature);
        let arguments = thunk.layout(signature.param_types())?;
        let results = thunk.layout(signature.result_types())?;
        let size = arguments.size.max(results.size);
        thunk.compile(self, own, |code, params| {
            let room = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
            let room = code.builder.create_sized_stack_slot(room);
            let buffer = code.builder.ins().stack_addr(types::I64, room, 0);
            code.store_values(signature.param_types(), params, &arguments, buffer)?;
            let closure = code.load_slot(slot);
            let record = code.builder.ins().get_pinned_reg(types::I64);
            code.leave_to_host();
            let call = code.call_runtime(RuntimeEntry::HostCall, &[buffer, closure, record]);
            let status = code.builder.inst_results(call)[0];
            code.come_back(status);
            let values = code.load_values(signature.result_types(), &results, buffer)?;
            code.builder.ins().return_(&values);
            Ok(())
        })
    }
}

impl Code<'_> {
    /// Tells whoever walks the stack where compiled code ends: behind the
    /// frame of this thunk stand its return address and its caller's frame.
    pub(super) fn leave_to_host(&mut self) {
        let frame = self.builder.ins().get_frame_pointer(types::I64);
        self.store_record(RecordField::ExitFrame, frame);
        let sequence = self.load_record(RecordField::CallSequence);
        let one = self.builder.ins().iconst(types::I64, 1);
        let sequence = self.builder.ins().iadd(sequence, one);
        self.store_record(RecordField::CallSequence, sequence);
    }

    /// Takes that back, and stops if the call failed.
    pub(super) fn come_back(&mut self, failed: machine::Value) {
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.store_record(RecordField::ExitFrame, zero);
        let (stop, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(failed, stop, &[], next, &[]);
        self.builder.switch_to_block(stop);
        let code = TrapCode::HostError;
        self.raise(ExitSite { code, side: None, values: Vec::new() }, None);
        self.builder.switch_to_block(next);
    }
}
