//! From compiled code to functions of the platform's convention.

use brolga_ir::types::{Signature, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder};

use super::{Thunk, portable_call};
use crate::emit::code::Code;
use crate::emit::compiler::Compiler;
use crate::emit::platform::PlatformSignature;
use crate::emit::types::internal_signature;
use crate::error::CompileError;
use crate::runtime::RecordField;
use crate::target::Isa;
use crate::unit::{CompiledUnit, ThunkRequest, UnitSymbol};

impl Compiler {
    /// The thunk that a unit asked for ([`CompiledUnit::thunks`]).
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn requested_thunk(
        &mut self,
        request: &ThunkRequest,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        match &request.symbol {
            UnitSymbol::ForeignThunk(name, _) => self.foreign_thunk(name, &request.signature, isa),
            _ => self.pointer_thunk(&request.signature, isa),
        }
    }

    /// The thunk by which compiled code calls the foreign function whose
    /// address the slot of `name` holds: of the internal convention, with the
    /// parameters and results of `signature`.
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn foreign_thunk(
        &mut self,
        name: &str,
        signature: &Signature,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let slot = UnitSymbol::AddressSlot(name.into());
        let callee = Some((name, slot.clone()));
        self.platform_thunk("foreign", callee, (signature, isa), |code| code.load_slot(slot))
    }

    /// The thunk by which compiled code calls a function of the platform's
    /// convention at an address, which [`RecordField::Callee`] has.
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn pointer_thunk(
        &mut self,
        signature: &Signature,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let address = |code: &mut Code<'_>| code.load_record(RecordField::Callee);
        self.platform_thunk("pointer", None, (signature, isa), address)
    }

    fn platform_thunk(
        &mut self,
        does: &str,
        callee: Option<(&str, UnitSymbol)>,
        (signature, isa): (&Signature, &Isa),
        address: impl FnOnce(&mut Code<'_>) -> machine::Value,
    ) -> Result<CompiledUnit, CompileError> {
        let types = TypePool::default();
        let signature = &portable_call(&types, signature);
        let thunk = Thunk::new(does, callee, &types, signature, isa);
        let callee = PlatformSignature::of(signature, isa).map_err(|reason| thunk.fault(reason))?;
        let own = internal_signature(signature.param_types(), signature.result_types());
        thunk.compile(self, own, |code, params| {
            let address = address(code);
            code.leave_to_host();
            let results = code.call_platform(&callee, address, params)?;
            let pending = code.load_record(RecordField::Pending);
            code.come_back(pending);
            code.builder.ins().return_(&results);
            Ok(())
        })
    }
}
