//! From the host into compiled code.

use brolga_ir::types::{Arity, Signature, TypePool};
use cranelift_codegen::ir::{self as machine, AbiParam, InstBuilder, types};

use super::Thunk;
use crate::emit::compiler::Compiler;
use crate::error::CompileError;
use crate::target::Isa;
use crate::unit::CompiledUnit;

impl Compiler {
    /// The thunk by which the host calls functions of a signature:
    /// `extern "C" fn(entry: *const u8, record: *mut Record, buffer: *mut u8) -> u64`.
    ///
    /// `entry` is the internal entry of the function. `buffer`, aligned to
    /// [`VALUE_STRIDE`](crate::runtime::VALUE_STRIDE), holds the arguments and
    /// then the results, each side by its own
    /// [`BufferLayout`](crate::buffer::BufferLayout). The status is 0 when the
    /// function returned; else it is the payload that the runtime unwound with,
    /// and the buffer is as it was.
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn entry_thunk(
        &mut self,
        types: &TypePool,
        signature: &Signature,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let thunk = Thunk::new("entry", None, types, signature, isa);
        if signature.arity == Arity::Variadic {
            let reason = "the host cannot call a function of variable arguments; call it from \
                          one of fixed parameters";
            return Err(thunk.fault(reason));
        }
        let callee = thunk.internal(signature).map_err(|reason| thunk.fault(reason))?;
        let arguments = thunk.layout(signature.param_types())?;
        let results = thunk.layout(signature.result_types())?;
        let mut own = machine::Signature::new(thunk.platform());
        own.params = vec![AbiParam::new(types::I64); 3];
        own.returns = vec![AbiParam::new(types::I64)];
        thunk.compile(self, Ok(own), |code, params| {
            let [entry, record, buffer] = [params[0], params[1], params[2]];
            // The register is the host's to keep, and ours while we run.
            let kept = code.builder.ins().get_pinned_reg(types::I64);
            code.builder.ins().set_pinned_reg(record);
            let args = code.load_values(signature.param_types(), &arguments, buffer)?;
            let (values, unwound) = code.call_catching(entry, callee, &args);
            code.builder.ins().set_pinned_reg(kept);
            code.store_values(signature.result_types(), &values, &results, buffer)?;
            let returned = code.builder.ins().iconst(types::I64, 0);
            code.builder.ins().return_(&[returned]);
            code.builder.switch_to_block(unwound);
            let status = code.builder.block_params(unwound)[0];
            code.builder.ins().set_pinned_reg(kept);
            code.builder.ins().return_(&[status]);
            Ok(())
        })
    }
}
