//! From C into compiled code.

use brolga_ir::module::Function;
use brolga_ir::types::{Signature, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::{Thunk, portable_call};
use crate::emit::code::Code;
use crate::emit::compiler::Compiler;
use crate::emit::platform_signature::PlatformSignature;
use crate::error::CompileError;
use crate::runtime::{RuntimeEntry, STUB_INTERNAL_ENTRY};
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
        let signature = &portable_call(signature);
        let thunk = Thunk { name: format!("callback @{name}"), types, isa };
        let own = PlatformSignature::new(signature, isa).map_err(|reason| thunk.fault(reason))?;
        let callee = thunk.internal(signature).map_err(|reason| thunk.fault(reason))?;
        thunk.compile(self, Ok(own.machine.clone()), |code, params| {
            let params = own.restore(params);
            let params = code.normalise(signature.param_types(), &params);
            let stub = code.symbol_address(UnitSymbol::Stub(stub));
            let call = code.call_runtime(RuntimeEntry::EnterCallback, &[stub]);
            let record = code.builder.inst_results(call)[0];
            let refused = code.builder.create_block();
            let entered = code.builder.create_block();
            code.builder.ins().brif(record, entered, &[], refused, &[]);
            code.builder.switch_to_block(entered);
            let kept = code.builder.ins().get_pinned_reg(types::I64);
            code.builder.ins().set_pinned_reg(record);
            let entry = code.further(stub, STUB_INTERNAL_ENTRY.into());
            let (values, unwound) = code.call_catching(entry, callee, &params);
            let status = code.builder.ins().iconst(types::I64, 0);
            code.leave_callback(kept, record, status);
            code.builder.ins().return_(&values);
            code.builder.switch_to_block(unwound);
            let status = code.builder.block_params(unwound)[0];
            code.leave_callback(kept, record, status);
            code.builder.ins().jump(refused, &[]);
            code.builder.switch_to_block(refused);
            let zeros = code.zeros(signature);
            code.builder.ins().return_(&zeros);
            Ok(())
        })
    }
}

impl Code<'_> {
    fn leave_callback(
        &mut self,
        kept: machine::Value,
        record: machine::Value,
        status: machine::Value,
    ) {
        self.builder.ins().set_pinned_reg(kept);
        self.call_runtime(RuntimeEntry::LeaveCallback, &[record, status]);
    }

    /// A zero for each result.
    fn zeros(&mut self, signature: &Signature) -> Vec<machine::Value> {
        let types = signature.result_types().filter_map(crate::emit::types::machine_type);
        types
            .map(|ty| match ty.is_vector() {
                true => self.vector_constant(ty, [0; 16]),
                false => self.scalar_constant(ty, 0),
            })
            .collect()
    }
}
