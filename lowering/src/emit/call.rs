//! Calls.

use brolga_ir::entity::{FuncId, SigId, Value};
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::module::{Function, Linkage};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Convention, Param, Signature, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as machine, BlockArg, BlockCall, ExceptionTableData, ExceptionTableItem, FuncRef,
    InstBuilder, SigRef,
};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::thunk::portable_call;
use super::types::internal_signature;
use super::unreachable_trap;
use crate::PRELUDE_PREFIX;
use crate::runtime::{RecordField, RuntimeEntry, STUB_INTERNAL_ENTRY};
use crate::target::{Allocator, Architecture, System};
use crate::unit::{SignatureHash, SymbolName, ThunkRequest, UnitSymbol};

/// What a call goes to.
#[derive(Clone, Copy)]
enum Callee {
    /// A symbol.
    Direct(FuncRef),
    /// An address, by the internal convention.
    Indirect(machine::Value, SigRef),
}

impl<'a> Emitter<'a> {
    /// Calls of every kind.
    pub(super) fn call(&mut self, instruction: Instruction<'a>) -> Emitted {
        match (instruction.data.op, instruction.data.payload) {
            (Op::Call, Payload::Function(function)) => {
                let args = self.values_of(instruction.args)?;
                let callee = self.callee(function)?;
                self.call_and_define(instruction, callee, &args)
            }
            (Op::ReturnCall, Payload::Function(function)) => {
                let args = self.values_of(instruction.args)?;
                self.return_to(function, &args)
            }
            (Op::CallIndirect, _) => {
                let (callee, args) = self.referenced(instruction)?;
                self.call_and_define(instruction, callee, &args)
            }
            (Op::ReturnCallIndirect, _) => {
                let (callee, args) = self.referenced(instruction)?;
                self.return_to_callee(callee, &args)
            }
            (Op::CallPtr, _) => self.call_pointer(instruction),
            (Op::CallForeign, Payload::ForeignCall { function, roots }) => {
                self.call_foreign(instruction, function, roots as usize)
            }
            (Op::TryCall | Op::TryCallIndirect, Payload::TryCall { function, targets }) => {
                self.try_call(instruction, function.expand(), &targets)
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    fn function(&self, id: FuncId) -> Emitted<&'a Function> {
        let module = self.module;
        module.function(id).ok_or_else(|| Fault::illegal(format!("there is no {id}")))
    }

    /// The name with the signature that the function was declared with: the
    /// one by which other modules know it.
    fn symbol_name(&self, id: FuncId, function: &Function) -> SymbolName {
        let types = &self.module.types;
        let declared = self.legal.declared_signature(id).unwrap_or(function.sig);
        let signature = SignatureHash::of(types, types.sig(declared));
        SymbolName { name: function.name.clone(), signature }
    }

    /// The back end's signature of the internal convention.
    fn internal(&mut self, id: SigId) -> Emitted<SigRef> {
        if let Some(&known) = self.signatures.get(&id) {
            return Ok(known);
        }
        let module = self.module;
        let signature = module.types.sig(id);
        let machine = internal_signature(signature.param_types(), signature.result_types())
            .map_err(Fault::illegal)?;
        let made = self.builder.import_signature(machine);
        self.signatures.insert(id, made);
        Ok(made)
    }

    /// A function to call by name.
    fn callee(&mut self, id: FuncId) -> Emitted<Callee> {
        let function = self.function(id)?;
        if function.linkage == Linkage::Foreign {
            return Err(Fault::illegal(format!("@{} is foreign", function.name)));
        }
        let signature = self.internal(function.sig)?;
        // Also from one function of the prelude to another: no module defines
        // such names but the prelude.
        let symbol = match function.name.starts_with(PRELUDE_PREFIX) {
            true => UnitSymbol::Prelude(function.name.clone()),
            false => UnitSymbol::Call(self.symbol_name(id, function)),
        };
        Ok(Callee::Direct(self.import(symbol, |_| signature)))
    }

    /// A reference to a function: the address of its stub, or of the foreign
    /// function itself.
    pub(super) fn function_reference(&mut self, id: FuncId) -> Emitted<machine::Value> {
        let function = self.function(id)?;
        Ok(match function.linkage {
            Linkage::Foreign => self.load_slot(UnitSymbol::AddressSlot(function.name.clone())),
            _ => {
                let name = self.symbol_name(id, function);
                self.symbol_address(UnitSymbol::Stub(name))
            }
        })
    }

    /// The function that the first operand refers to, and the arguments.
    fn referenced(
        &mut self,
        instruction: Instruction<'a>,
    ) -> Emitted<(Callee, Vec<machine::Value>)> {
        let reference = self.arg(instruction, 0)?;
        let mut args = self.values_of(instruction.args.get(1..).unwrap_or(&[]))?;
        self.trap_unless(reference, TrapCode::NullFunction);
        let id = self.called_signature(instruction)?;
        let signature = self.module.types.sig(id);
        if signature.convention == Convention::Platform {
            let callee = self.pointer_thunk(signature, &instruction.args[1..])?;
            args.insert(0, reference);
            return Ok((callee, args));
        }
        let signature = self.internal(id)?;
        let entry = self.further(reference, STUB_INTERNAL_ENTRY.into());
        Ok((Callee::Indirect(entry, signature), args))
    }

    fn called_signature(&self, instruction: Instruction<'a>) -> Emitted<SigId> {
        let ty = match instruction.data.op {
            Op::TryCallIndirect | Op::CallIndirect | Op::ReturnCallIndirect | Op::CallPtr => {
                instruction.data.ty
            }
            _ => Type::NONE,
        };
        ty.signature().ok_or_else(|| Fault::illegal("its type is no function type"))
    }

    fn emit_call(&mut self, callee: Callee, args: &[machine::Value]) -> machine::Inst {
        self.needs.calls += 1;
        match callee {
            Callee::Direct(function) => self.builder.ins().call(function, args),
            Callee::Indirect(entry, signature) => {
                self.builder.ins().call_indirect(signature, entry, args)
            }
        }
    }

    fn call_and_define(
        &mut self,
        instruction: Instruction<'a>,
        callee: Callee,
        args: &[machine::Value],
    ) -> Emitted {
        self.check_arguments(callee, args)?;
        let call = self.emit_call(callee, args);
        let results = self.builder.inst_results(call).to_vec();
        self.define(instruction, &results)
    }

    /// The back end would panic, or pass rubbish.
    fn check_arguments(&self, callee: Callee, args: &[machine::Value]) -> Emitted {
        let dfg = &self.builder.func.dfg;
        let wanted = self.signature_of(callee).params.iter().map(|param| param.value_type);
        match wanted.eq(args.iter().map(|&arg| dfg.value_type(arg))) {
            true => Ok(()),
            false => Err(Fault::illegal("its arguments are not those of the signature")),
        }
    }

    /// Leaves this function by calling another in its place.
    pub(super) fn return_to(&mut self, function: FuncId, args: &[machine::Value]) -> Emitted {
        let callee = self.callee(function)?;
        self.return_to_callee(callee, args)
    }

    fn return_to_callee(&mut self, callee: Callee, args: &[machine::Value]) -> Emitted {
        self.check_arguments(callee, args)?;
        if self.signature_of(callee).returns != self.builder.func.signature.returns {
            return Err(Fault::illegal("its results are not those of the function that it leaves"));
        }
        let words = args.iter().map(|&arg| self.builder.func.dfg.value_type(arg).bytes());
        let words: u32 = words.map(|bytes| bytes.div_ceil(8)).sum();
        self.needs.tail_argument_words = self.needs.tail_argument_words.max(words);
        match callee {
            Callee::Direct(function) => self.builder.ins().return_call(function, args),
            Callee::Indirect(entry, signature) => {
                self.builder.ins().return_call_indirect(signature, entry, args)
            }
        };
        Ok(())
    }

    fn signature_of(&self, callee: Callee) -> &machine::Signature {
        let dfg = &self.builder.func.dfg;
        &dfg.signatures[match callee {
            Callee::Direct(callee) => dfg.ext_funcs[callee].signature,
            Callee::Indirect(_, signature) => signature,
        }]
    }

    fn try_call(
        &mut self,
        instruction: Instruction<'a>,
        function: Option<FuncId>,
        targets: &[Target; 2],
    ) -> Emitted {
        let (callee, args) = match function {
            Some(id) => {
                let args = self.values_of(instruction.args)?;
                let callee = match self.function(id)?.linkage {
                    Linkage::Foreign => self.foreign_callee(id, instruction.args)?,
                    _ => self.callee(id)?,
                };
                (callee, args)
            }
            None => self.referenced(instruction)?,
        };
        self.check_arguments(callee, &args)?;
        let [normal, unwind] = targets;
        let (unwind_block, unwind_args) = self.edge(unwind)?;
        // The results get a block of their own, where the edge can use them
        // like any values.
        let landing = self.builder.create_block();
        let mut results = Vec::with_capacity(instruction.results.len());
        for &result in instruction.results {
            let ty = self.machine_type_of(result)?;
            results.push(self.builder.append_block_param(landing, ty));
        }
        self.emit_try_call(callee, &args, landing, results.len(), (unwind_block, &unwind_args));
        self.continue_in(landing);
        self.define(instruction, &results)?;
        let (block, args) = self.edge(normal)?;
        self.builder.ins().jump(block, &args);
        Ok(())
    }

    fn emit_try_call(
        &mut self,
        callee: Callee,
        args: &[machine::Value],
        landing: machine::Block,
        results: usize,
        unwind: (machine::Block, &[BlockArg]),
    ) {
        self.needs.calls += 1;
        let signature = match callee {
            Callee::Direct(function) => self.builder.func.dfg.ext_funcs[function].signature,
            Callee::Indirect(_, signature) => signature,
        };
        let dfg = &mut self.builder.func.dfg;
        let returned = (0..results as u32).map(BlockArg::TryCallRet);
        let normal = BlockCall::new(landing, returned, &mut dfg.value_lists);
        let unwind = BlockCall::new(unwind.0, unwind.1.iter().copied(), &mut dfg.value_lists);
        let items = [ExceptionTableItem::Default(unwind)];
        let table = dfg.exception_tables.push(ExceptionTableData::new(signature, normal, items));
        match callee {
            Callee::Direct(function) => self.builder.ins().try_call(function, args, table),
            Callee::Indirect(entry, _) => self.builder.ins().try_call_indirect(entry, args, table),
        };
    }

    fn call_foreign(&mut self, instruction: Instruction<'a>, id: FuncId, roots: usize) -> Emitted {
        let count = instruction.args.len().saturating_sub(roots);
        let passed = &instruction.args[..count];
        let callee = self.foreign_callee(id, passed)?;
        let args = self.values_of(passed)?;
        self.call_and_define(instruction, callee, &args)
    }

    /// The thunk that calls the foreign function with values of those types.
    fn foreign_callee(&mut self, id: FuncId, passed: &[Value]) -> Emitted<Callee> {
        let function = self.function(id)?;
        let signature = self.platform_call(self.module.types.sig(function.sig), passed)?;
        let hash = SignatureHash::of(&self.module.types, &signature);
        let name = SymbolName { name: function.name.clone(), signature: hash };
        self.thunk(UnitSymbol::ForeignThunk(name), signature, &[])
    }

    /// The thunk that calls an address, its first argument.
    fn pointer_thunk(&mut self, signature: &Signature, passed: &[Value]) -> Emitted<Callee> {
        let signature = self.platform_call(signature, passed)?;
        let hash = SignatureHash::of(&self.module.types, &signature);
        self.thunk(UnitSymbol::PointerThunk(hash), signature, &[Type::PTR])
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
        let call = portable_call(&call);
        let convention = self.isa.machine(Allocator::SinglePass).default_call_conv();
        super::types::platform_signature(&call, convention).map_err(Fault::unsupported)?;
        Ok(call)
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

    fn thunk(
        &mut self,
        symbol: UnitSymbol,
        signature: Signature,
        before: &[Type],
    ) -> Emitted<Callee> {
        let params = before.iter().copied().chain(signature.param_types());
        let machine =
            internal_signature(params, signature.result_types()).map_err(Fault::illegal)?;
        self.needs.symbols.request(ThunkRequest { symbol: symbol.clone(), signature });
        let made = self.import(symbol, |function| function.import_signature(machine));
        Ok(Callee::Direct(made))
    }

    /// A call of an address that is a stub of ours or a function of the platform's.
    fn call_pointer(&mut self, instruction: Instruction<'a>) -> Emitted {
        let id = self.called_signature(instruction)?;
        let address = self.arg(instruction, 0)?;
        let passed = instruction.args.get(1..).unwrap_or(&[]);
        let args = self.values_of(passed)?;
        self.trap_unless(address, TrapCode::NullFunction);
        let signature = self.module.types.sig(id);
        let with_address: Vec<_> = [address].into_iter().chain(args.iter().copied()).collect();
        let platform = self.pointer_thunk(signature, passed);
        if signature.arity == Arity::Variadic || signature.convention == Convention::Platform {
            let callee = platform?;
            return self.call_and_define(instruction, callee, &with_address);
        }
        let internal = self.internal(id)?;
        let is_ours = self.is_stub(address);
        let (ours, theirs) = (self.builder.create_block(), self.builder.create_block());
        let next = self.builder.create_block();
        let mut results = Vec::with_capacity(instruction.results.len());
        for &result in instruction.results {
            let ty = self.machine_type_of(result)?;
            results.push(self.builder.append_block_param(next, ty));
        }
        self.builder.ins().brif(is_ours, ours, &[], theirs, &[]);
        self.continue_in(ours);
        let entry = self.further(address, STUB_INTERNAL_ENTRY.into());
        self.call_and_join(Callee::Indirect(entry, internal), &args, next)?;
        self.continue_in(theirs);
        match platform {
            Ok(callee) => self.call_and_join(callee, &with_address, next)?,
            // No function of the platform's has such a signature.
            Err(_) => self.trap(TrapCode::MissingFunction),
        }
        self.continue_in(next);
        self.define(instruction, &results)
    }

    fn call_and_join(
        &mut self,
        callee: Callee,
        args: &[machine::Value],
        next: machine::Block,
    ) -> Emitted {
        self.check_arguments(callee, args)?;
        let call = self.emit_call(callee, args);
        let results: Vec<BlockArg> =
            self.builder.inst_results(call).iter().map(|&value| value.into()).collect();
        self.builder.ins().jump(next, &results);
        Ok(())
    }

    /// Whether the address is that of a stub.
    fn is_stub(&mut self, address: machine::Value) -> machine::Value {
        let base = self.load_record(RecordField::StubBase);
        let bytes = self.load_record(RecordField::StubBytes);
        let offset = self.builder.ins().isub(address, base);
        self.builder.ins().icmp(IntCC::UnsignedLessThan, offset, bytes)
    }

    /// `throw`.
    pub(super) fn throw(&mut self, instruction: Instruction<'a>) -> Emitted {
        let exception = self.arg(instruction, 0)?;
        self.call_runtime(RuntimeEntry::Throw, &[exception]);
        self.builder.ins().trap(unreachable_trap());
        Ok(())
    }
}
