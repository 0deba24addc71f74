//! Calls of functions of the platform's convention: by thunks, since compiled
//! code has a convention of its own.

use brolga_ir::entity::{FuncId, Value};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Convention, Param, Signature};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, InstBuilder};

use super::call::{Callee, Unwind, passed};
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::platform::PlatformSignature;
use super::thunk::thunk_signature;
use super::types::internal_signature;
use crate::runtime::{RecordField, STUB_INTERNAL_ENTRY};
use crate::target::{Architecture, System};
use crate::unit::{ThunkRequest, UnitSymbol};

/// What calls functions of the platform's convention for compiled code.
struct Thunk {
    symbol: UnitSymbol,
    /// How it is called itself.
    signature: machine::Signature,
}

impl<'a> Emitter<'a> {
    /// The thunk that calls the foreign function with values of those types.
    pub(super) fn foreign_callee(&mut self, id: FuncId, passed: &[Value]) -> Emitted<Callee> {
        let function = self.function(id)?;
        let signature = self.platform_call(self.module.types.sig(function.sig), passed)?;
        let thunk = self.thunk(ThunkRequest::foreign(function.name.clone(), signature))?;
        Ok(self.thunk_to_call(thunk))
    }

    /// A call of a foreign function that returns twice: from this frame and from
    /// no other, since a frame that the first return has ended is not there for
    /// the second. What a thunk does around a call is done here each time that
    /// this one returns, whatever frames were left to get here.
    pub(super) fn call_twice(&mut self, instruction: Instruction<'a>, id: FuncId) -> Emitted {
        let function = self.function(id)?;
        let signature = self.module.types.sig(function.sig);
        let passed = passed(instruction);
        let signature = self.platform_call(signature, passed)?;
        let platform = PlatformSignature::of(&signature, self.isa).map_err(Fault::unsupported)?;
        let args = self.values_of(passed)?;
        let address = self.load_slot(UnitSymbol::AddressSlot(function.name.clone()));
        let mark = self.keep_side_stack();
        self.needs.calls += 1;
        self.needs.second_returns += 1;
        let results = self.call_platform(&platform, address, &args)?;
        let zero = self.builder.ins().iconst(machine::types::I64, 0);
        self.store_record(RecordField::ExitFrame, zero);
        self.put_side_stack_back(mark);
        let pending = self.load_record(RecordField::Pending);
        self.trap_if(pending, TrapCode::HostError);
        self.define(instruction, &results)
    }

    /// The thunk that calls the address which [`RecordField::Callee`] has.
    fn pointer_thunk(&mut self, signature: &Signature, passed: &[Value]) -> Emitted<Thunk> {
        let signature = self.platform_call(signature, passed)?;
        self.thunk(ThunkRequest::pointer(signature))
    }

    /// The signature of one call: with the types of the arguments that a
    /// variadic function takes beside its parameters.
    fn platform_call(&self, signature: &Signature, passed: &[Value]) -> Emitted<Signature> {
        let mut call = signature.clone();
        if signature.arity == Arity::Variadic {
            self.check_variadic()?;
            let more = passed.get(signature.params.len()..).unwrap_or(&[]);
            call.params.extend(more.iter().map(|&arg| Param::from(self.body.value_type(arg))));
        }
        thunk_signature(self.types, &call, self.isa).map_err(Fault::unsupported)
    }

    /// Where variadic functions want their arguments elsewhere than others do,
    /// the back end does not pass them.
    fn check_variadic(&self) -> Emitted {
        let spec = self.isa.spec();
        match (spec.system(), spec.architecture()) {
            (System::Linux, _) | (System::MacOs, Architecture::X86_64) => Ok(()),
            _ => Err(Fault::unsupported(format!(
                "variadic functions cannot be called on {}; call one of fixed parameters",
                spec.triple()
            ))),
        }
    }

    /// Asks for a thunk.
    fn thunk(&mut self, request: ThunkRequest) -> Emitted<Thunk> {
        let ThunkRequest { symbol, signature } = &request;
        let machine = internal_signature(signature.param_types(), signature.result_types());
        let symbol = symbol.clone();
        self.needs.symbols.request(request);
        Ok(Thunk { symbol, signature: machine.map_err(Fault::illegal)? })
    }

    fn thunk_to_call(&mut self, Thunk { symbol, signature }: Thunk) -> Callee {
        Callee::Direct(self.import(symbol, |function| function.import_signature(signature)))
    }

    /// A call of an address.
    pub(super) fn call_pointer(&mut self, instruction: Instruction<'a>) -> Emitted {
        let landing = self.landing(instruction)?;
        self.call_address(instruction, landing, None)?;
        self.define_landed(instruction, landing)
    }

    /// Calls an address that is a stub of ours or a function of the platform's,
    /// and goes on in `landing` with the results, or where it unwinds.
    pub(super) fn call_address(
        &mut self,
        instruction: Instruction<'a>,
        landing: machine::Block,
        unwind: Unwind<'_>,
    ) -> Emitted {
        let id = self.called_signature(instruction)?;
        let address = self.arg(instruction, 0)?;
        let passed = instruction.args.get(1..).unwrap_or(&[]);
        let args = self.values_of(passed)?;
        let signature = self.module.types.sig(id);
        let thunk = self.pointer_thunk(signature, passed);
        if signature.arity == Arity::Variadic || signature.convention == Convention::Platform {
            let callee = thunk.map(|thunk| self.thunk_to_call(thunk))?;
            self.trap_unless(address, TrapCode::NullFunction);
            self.store_record(RecordField::Callee, address);
            return self.call_and_join(callee, &args, landing, unwind);
        }
        let internal = self.internal(id)?;
        if let Ok(thunk) = &thunk
            && thunk.signature != self.builder.func.dfg.signatures[internal]
        {
            return Err(Fault::illegal("a thunk is called otherwise than the function"));
        }
        let entry = self.entry_at(address, thunk.ok());
        self.call_and_join(Callee::Indirect(entry, internal), &args, landing, unwind)
    }

    /// Where an address is entered by the internal convention: in a stub of ours, or by the
    /// thunk, so that there is one call. With one each, code was larger, and calls through a table
    /// took 2 to 3 % longer.
    fn entry_at(&mut self, address: machine::Value, thunk: Option<Thunk>) -> machine::Value {
        let (theirs, known) = (self.builder.create_block(), self.builder.create_block());
        let entry = self.builder.append_block_param(known, machine::types::I64);
        self.builder.set_cold_block(theirs);
        let own = self.further(address, STUB_INTERNAL_ENTRY.into());
        let is_ours = self.is_stub(address);
        self.builder.ins().brif(is_ours, known, &[own.into()], theirs, &[]);
        self.continue_in(theirs);
        self.trap_unless(address, TrapCode::NullFunction);
        match thunk {
            Some(thunk) => {
                self.store_record(RecordField::Callee, address);
                let thunk = self.symbol_address(thunk.symbol);
                self.builder.ins().jump(known, &[thunk.into()]);
            }
            // No function of the platform's has such a signature.
            None => self.trap(TrapCode::MissingFunction),
        }
        self.continue_in(known);
        entry
    }

    /// Whether the address is that of a stub; null is not. The base is loaded
    /// right before it is subtracted, or the back end does not make one
    /// instruction of the two.
    fn is_stub(&mut self, address: machine::Value) -> machine::Value {
        let base = self.load_record(RecordField::StubBase);
        let offset = self.builder.ins().isub(address, base);
        let bytes = self.load_record(RecordField::StubBytes);
        self.builder.ins().icmp(IntCC::UnsignedLessThan, offset, bytes)
    }
}
