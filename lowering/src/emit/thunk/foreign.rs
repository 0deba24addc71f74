//! From compiled code to functions of the platform's convention.

use brolga_ir::types::{Arity, Signature, Type, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder};

use super::{Thunk, portable_call};
use crate::emit::code::Code;
use crate::emit::compiler::Compiler;
use crate::emit::platform_signature::PlatformSignature;
use crate::emit::symbols::trampoline;
use crate::emit::types::internal_signature;
use crate::error::CompileError;
use crate::runtime::RecordField;
use crate::target::{Architecture, Isa};
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
            UnitSymbol::ForeignThunk(function) => {
                self.foreign_thunk(&function.name, &request.signature, isa)
            }
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
        self.platform_thunk(format!("foreign @{name}"), &[], signature, isa, |code, _| {
            code.load_slot(UnitSymbol::AddressSlot(name.into()))
        })
    }

    /// The thunk by which compiled code calls a function of the platform's
    /// convention at an address, which is the first of its parameters.
    ///
    /// # Errors
    /// [`CompileError::Signature`] and [`CompileError::BackEnd`].
    pub fn pointer_thunk(
        &mut self,
        signature: &Signature,
        isa: &Isa,
    ) -> Result<CompiledUnit, CompileError> {
        let mut name = "pointer".to_owned();
        // Writing to a string does not fail, and portable types need no pool.
        let _ = TypePool::default().write_signature(&mut name, signature);
        self.platform_thunk(name, &[Type::PTR], signature, isa, |_, params| params[0])
    }

    fn platform_thunk(
        &mut self,
        name: String,
        before: &[Type],
        signature: &Signature,
        isa: &Isa,
        address: impl FnOnce(&mut Code<'_>, &[machine::Value]) -> machine::Value,
    ) -> Result<CompiledUnit, CompileError> {
        let signature = &portable_call(signature);
        let thunk = Thunk { name, types: &TypePool::default(), isa };
        let callee =
            PlatformSignature::new(signature, isa).map_err(|reason| thunk.fault(reason))?;
        let params = before.iter().copied().chain(signature.param_types());
        let own = internal_signature(params, signature.result_types());
        thunk.compile(self, own, |code, params| {
            let address = address(code, params);
            code.leave_to_host();
            let args = callee.arrange(code, &params[before.len()..]);
            let call = match signature.arity {
                Arity::Variadic => code.call_variadic(callee.machine, address, &args),
                Arity::Fixed => {
                    let callee = code.builder.import_signature(callee.machine);
                    code.builder.ins().call_indirect(callee, address, &args)
                }
            };
            let results = code.builder.inst_results(call).to_vec();
            let pending = code.load_record(RecordField::Pending);
            code.come_back(pending);
            let results = code.normalise(signature.result_types(), &results);
            code.builder.ins().return_(&results);
            Ok(())
        })
    }
}

/// `mov eax, 8; jmp [r15 + UnwindPc]`: a variadic function finds in `al` how
/// many vector registers it must save at most, of which the back end knows
/// nothing. The address comes by a field that matters in unwinding only.
const VARIADIC_X86_64: &[u8] =
    &[0xb8, 8, 0, 0, 0, 0x41, 0xff, 0x67, RecordField::UnwindPc.offset() as u8];

impl Code<'_> {
    /// A call of a variadic function of the platform's convention.
    fn call_variadic(
        &mut self,
        signature: machine::Signature,
        address: machine::Value,
        args: &[machine::Value],
    ) -> machine::Inst {
        let signature = self.builder.import_signature(signature);
        if self.isa.spec().architecture() != Architecture::X86_64 {
            return self.builder.ins().call_indirect(signature, address, args);
        }
        self.store_record(RecordField::UnwindPc, address);
        self.needs.trampoline = Some(VARIADIC_X86_64);
        let callee = trampoline(self.builder.func, signature);
        self.builder.ins().call(callee, args)
    }

    /// Values that came from C, where nobody keeps a truth value to 0 and 1.
    pub(super) fn normalise(
        &mut self,
        types: impl Iterator<Item = Type>,
        values: &[machine::Value],
    ) -> Vec<machine::Value> {
        let one = |(ty, &value): (Type, &machine::Value)| {
            if ty != Type::I1 {
                return value;
            }
            let one = self.builder.ins().iconst(machine::types::I8, 1);
            self.builder.ins().band(value, one)
        };
        types.zip(values).map(one).collect()
    }
}
