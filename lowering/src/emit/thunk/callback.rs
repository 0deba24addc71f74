//! From C into compiled code.

use brolga_ir::module::Function;
use brolga_ir::types::{Arity, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::{Thunk, portable_call};
use crate::emit::code::Code;
use crate::emit::compiler::Compiler;
use crate::emit::platform::PlatformSignature;
use crate::error::CompileError;
use crate::runtime::{RecordField, RuntimeEntry, STUB_INTERNAL_ENTRY};
use crate::target::Isa;
use crate::unit::{CompiledUnit, SignatureHash, SymbolName, UnitSymbol};

impl Compiler {
    /// The thunk behind the platform's entry of a function's stub: it makes the
    /// thread ready to run compiled code, calls the function, and returns zero
    /// when that must not be or when the function failed. `types` is the pool of
    /// the function's module.
    ///
    /// # Errors
    /// [`CompileError::Signature`] if the platform's convention cannot carry the
    /// signature, and [`CompileError::BackEnd`].
    pub fn callback_thunk(
        &mut self,
        function: &Function,
        types: &TypePool,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let (name, signature) = (&function.name, types.sig(function.sig));
        let stub =
            SymbolName { name: name.clone(), signature: SignatureHash::of(types, signature) };
        let signature = &portable_call(types, signature);
        let stub = UnitSymbol::Stub(stub);
        let thunk = Thunk::new("callback", Some((name, stub.clone())), types, signature, isa);
        let own = PlatformSignature::of(signature, isa).map_err(|reason| thunk.fault(reason))?;
        let callee = thunk.internal(signature).map_err(|reason| thunk.fault(reason))?;
        thunk.compile(self, Ok(own.entry()), |code, given| {
            let mut params = code.take_arguments(&own, given)?;
            if signature.arity == Arity::Variadic {
                params.push(code.list_further(&own, given)?);
            }
            let stub = code.symbol_address(stub);
            let engine = code.load_slot(UnitSymbol::EngineSlot);
            let call = code.call_runtime(RuntimeEntry::EnterCallback, &[stub, engine]);
            let record = code.builder.inst_results(call)[0];
            let refused = code.builder.create_block();
            let entered = code.builder.create_block();
            code.builder.ins().brif(record, entered, &[], refused, &[]);
            code.builder.switch_to_block(entered);
            let kept = code.builder.ins().get_pinned_reg(types::I64);
            code.builder.ins().set_pinned_reg(record);
            let kept = Kept { register: kept, exit_frame: code.enter_from_host() };
            let entry = code.further(stub, STUB_INTERNAL_ENTRY.into());
            let (values, unwound) = code.call_catching(entry, callee, &params);
            let status = code.builder.ins().iconst(types::I64, 0);
            code.leave_callback(kept, record, status);
            let values = code.give_results(&own, &params, &values)?;
            code.builder.ins().return_(&values);
            code.builder.switch_to_block(unwound);
            let status = code.builder.block_params(unwound)[0];
            code.leave_callback(kept, record, status);
            code.builder.ins().jump(refused, &[]);
            code.builder.switch_to_block(refused);
            let zeros = code.zero_results(&own);
            let zeros = code.give_results(&own, &params, &zeros)?;
            code.builder.ins().return_(&zeros);
            Ok(())
        })
    }
}

/// What a callback has changed and puts back. It stands in the frame of the
/// thunk, so that nothing of it is left when that frame is jumped over.
#[derive(Clone, Copy)]
struct Kept {
    /// The pinned register, which is the host's.
    register: machine::Value,
    /// Where compiled code had left to the host.
    exit_frame: machine::Value,
}

impl Code<'_> {
    /// Compiled code itself runs from here on; gives where it had left.
    fn enter_from_host(&mut self) -> machine::Value {
        let frame = self.load_record(RecordField::ExitFrame);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.store_record(RecordField::ExitFrame, zero);
        frame
    }

    fn leave_callback(&mut self, kept: Kept, record: machine::Value, status: machine::Value) {
        self.store_record(RecordField::ExitFrame, kept.exit_frame);
        self.builder.ins().set_pinned_reg(kept.register);
        self.call_runtime(RuntimeEntry::LeaveCallback, &[record, status]);
    }
}
