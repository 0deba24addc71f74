//! Calls.

use brolga_ir::entity::{FuncId, SigId, Value};
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::module::{Function, Linkage, Returns};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Convention};
use cranelift_codegen::ir::{
    self as machine, BlockArg, BlockCall, DataFlowGraph, ExceptionTableData, ExceptionTableItem,
    FuncRef, GlobalValue, InstBuilder, SigRef,
};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::types::internal_signature;
use super::unreachable_trap;
use crate::PRELUDE_PREFIX;
use crate::options::Calls;
use crate::prelude;
use crate::runtime::{RuntimeEntry, STUB_INTERNAL_ENTRY};
use crate::unit::{SignatureHash, SymbolName, UnitSymbol};

/// What a call goes to.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    /// A symbol.
    Direct(FuncRef),
    /// An address, by the internal convention.
    Indirect(machine::Value, SigRef),
}

impl Callee {
    fn signature(self, dfg: &DataFlowGraph) -> SigRef {
        match self {
            Callee::Direct(function) => dfg.ext_funcs[function].signature,
            Callee::Indirect(_, signature) => signature,
        }
    }
}

/// Where a call that throws goes on, if it is in this function.
pub(super) type Unwind<'e> = Option<&'e (machine::Block, Vec<BlockArg>)>;

impl<'a> Emitter<'a> {
    /// Calls of every kind.
    pub(super) fn call(&mut self, instruction: Instruction<'a>) -> Emitted {
        match (instruction.data.op, instruction.data.payload) {
            (Op::Call, Payload::Function(function)) => {
                let (callee, args) = self.named(instruction, function)?;
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
                let sig = self.called_signature(instruction)?;
                self.return_to_callee(callee, sig, &args)
            }
            (Op::CallPtr, _) => self.call_pointer(instruction),
            (Op::CallForeign, Payload::ForeignCall { function, .. })
                if self.function(function)?.attributes.returns == Returns::Twice =>
            {
                self.call_twice(instruction, function)
            }
            (Op::CallForeign, Payload::ForeignCall { function, .. }) => {
                let (callee, args) = self.named(instruction, function)?;
                self.call_and_define(instruction, callee, &args)
            }
            (op, Payload::TryCall { function, targets, .. }) if op.is_try_call() => {
                self.try_call(instruction, function.expand(), &targets)
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    pub(super) fn function(&self, id: FuncId) -> Emitted<&'a Function> {
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

    /// Whether the prelude has a function of that name and signature.
    fn is_of_prelude(&self, id: FuncId, function: &Function) -> bool {
        let module = prelude::module();
        let own = module.function_named(&function.name).map(|own| module.signature_of(own));
        let own = own.map(|signature| SignatureHash::of(&module.types, signature));
        own == Some(self.symbol_name(id, function).signature)
    }

    /// The back end's signature of the internal convention.
    pub(super) fn internal(&mut self, id: SigId) -> Emitted<SigRef> {
        if let Some(&known) = self.signatures.get(&id) {
            return Ok(known);
        }
        let module = self.module;
        let signature = module.types.sig(id);
        let machine = internal_signature(signature.entry_types(), signature.result_types())
            .map_err(Fault::illegal)?;
        let made = self.builder.import_signature(machine);
        self.signatures.insert(id, made);
        Ok(made)
    }

    /// A function to call by name.
    fn callee(&mut self, id: FuncId) -> Emitted<Callee> {
        if let Some(&known) = self.callees.get(&id) {
            return Ok(Callee::Direct(known));
        }
        let function = self.function(id)?;
        if function.linkage.is_foreign() {
            return Err(Fault::illegal(format!("@{} is foreign", function.name)));
        }
        let signature = self.internal(function.sig)?;
        // Also from one function of the prelude to another: no module defines
        // such names but the prelude.
        let is_prelude = function.name.starts_with(PRELUDE_PREFIX);
        if is_prelude && !self.is_of_prelude(id, function) {
            let name = &function.name;
            let reason = format!("@{name} is another function than the library's own of that name");
            return Err(Fault::unsupported(reason));
        }
        let symbol = match (is_prelude, self.options.calls) {
            (true, _) => UnitSymbol::Prelude(function.name.clone()),
            (false, Calls::Near) => UnitSymbol::Call(self.symbol_name(id, function)),
            (false, Calls::BySlot) => {
                let slot = self.entry_slot(id, function);
                return Ok(Callee::Indirect(self.load_global(slot), signature));
            }
        };
        let callee = self.import(symbol, |_| signature);
        self.callees.insert(id, callee);
        Ok(Callee::Direct(callee))
    }

    /// The slot by which a function is called.
    fn entry_slot(&mut self, id: FuncId, function: &Function) -> GlobalValue {
        if let Some(&known) = self.entry_slots.get(&id) {
            return known;
        }
        let name = self.symbol_name(id, function);
        let slot = self.symbol_global(UnitSymbol::EntrySlot(name));
        self.entry_slots.insert(id, slot);
        slot
    }

    /// A reference to a function: the address of its stub, or of the foreign
    /// function itself.
    pub(super) fn function_reference(&mut self, id: FuncId) -> Emitted<machine::Value> {
        let function = self.function(id)?;
        Ok(match function.linkage {
            linkage if linkage.is_foreign() => {
                self.load_slot(UnitSymbol::AddressSlot(function.name.clone()))
            }
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
        let args = self.values_of(instruction.args.get(1..).unwrap_or(&[]))?;
        self.trap_unless(reference, TrapCode::NullFunction);
        let id = self.called_signature(instruction)?;
        if self.module.types.sig(id).convention == Convention::Platform {
            return Err(Fault::illegal("its callee is of the platform's convention"));
        }
        let signature = self.internal(id)?;
        let entry = self.further(reference, STUB_INTERNAL_ENTRY.into());
        Ok((Callee::Indirect(entry, signature), args))
    }

    pub(super) fn called_signature(&self, instruction: Instruction<'a>) -> Emitted<SigId> {
        instruction
            .data
            .ty
            .signature()
            .ok_or_else(|| Fault::illegal("its type is no function type"))
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
        let (callee, sig) = (self.callee(function)?, self.function(function)?.sig);
        self.return_to_callee(callee, sig, args)
    }

    fn return_to_callee(&mut self, callee: Callee, sig: SigId, args: &[machine::Value]) -> Emitted {
        self.check_arguments(callee, args)?;
        if self.signature_of(callee).returns != self.builder.func.signature.returns {
            return Err(Fault::illegal("its results are not those of the function that it leaves"));
        }
        if !self.module.types.sig(sig).by_value().is_empty() {
            // The callee copies the bytes, which may stand in this frame.
            let call = self.emit_call(callee, args);
            let results = self.builder.inst_results(call).to_vec();
            self.leave_side_stack();
            self.builder.ins().return_(&results);
            return Ok(());
        }
        let words = args.iter().map(|&arg| self.builder.func.dfg.value_type(arg).bytes());
        let words: u32 = words.map(|bytes| bytes.div_ceil(8)).sum();
        self.needs.tail_argument_words = self.needs.tail_argument_words.max(words);
        self.leave_side_stack();
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
        &dfg.signatures[callee.signature(dfg)]
    }

    /// A call with an edge for what is thrown.
    fn try_call(
        &mut self,
        instruction: Instruction<'a>,
        function: Option<FuncId>,
        [normal, unwind]: &[Target; 2],
    ) -> Emitted {
        let unwind = self.edge(unwind)?;
        // The results get a block of their own, where the edge can use them
        // like any values.
        let landing = self.landing(instruction)?;
        if instruction.data.op == Op::TryCallPtr {
            self.call_address(instruction, landing, Some(&unwind))?;
        } else {
            let (callee, args) = match function {
                Some(id) => self.named(instruction, id)?,
                None => self.referenced(instruction)?,
            };
            self.call_and_join(callee, &args, landing, Some(&unwind))?;
        }
        self.define_landed(instruction, landing)?;
        let (block, args) = self.edge(normal)?;
        self.builder.ins().jump(block, &args);
        Ok(())
    }

    /// A function, foreign or not, and the arguments.
    fn named(
        &mut self,
        instruction: Instruction<'a>,
        id: FuncId,
    ) -> Emitted<(Callee, Vec<machine::Value>)> {
        let passed = passed(instruction);
        let function = self.function(id)?;
        if function.linkage.is_foreign() {
            let args = self.values_of(passed)?;
            if function.linkage == Linkage::ForeignWeak {
                let address = self.function_reference(id)?;
                self.trap_unless(address, TrapCode::NullFunction);
            }
            return Ok((self.foreign_callee(id, passed)?, args));
        }
        let signature = self.module.types.sig(function.sig);
        let (named, further) = match signature.arity {
            Arity::Fixed => (passed, &[][..]),
            Arity::Variadic => passed.split_at(signature.params.len().min(passed.len())),
        };
        let mut args = self.values_of(named)?;
        if signature.arity == Arity::Variadic {
            args.push(self.list_arguments(further)?);
        }
        Ok((self.callee(id)?, args))
    }

    /// A block whose parameters are the results of a call.
    pub(super) fn landing(&mut self, instruction: Instruction<'a>) -> Emitted<machine::Block> {
        let landing = self.builder.create_block();
        for &result in instruction.results {
            let ty = self.machine_type_of(result)?;
            self.builder.append_block_param(landing, ty);
        }
        Ok(landing)
    }

    /// Goes on in the landing of a call.
    pub(super) fn define_landed(
        &mut self,
        instruction: Instruction<'a>,
        landing: machine::Block,
    ) -> Emitted {
        self.continue_in(landing);
        let results = self.builder.block_params(landing).to_vec();
        self.define(instruction, &results)
    }

    /// Calls, and goes on in `landing` with the results, or where it unwinds.
    pub(super) fn call_and_join(
        &mut self,
        callee: Callee,
        args: &[machine::Value],
        landing: machine::Block,
        unwind: Unwind<'_>,
    ) -> Emitted {
        self.check_arguments(callee, args)?;
        let dfg = &self.builder.func.dfg;
        let landed = dfg.block_params(landing).iter().map(|&param| dfg.value_type(param));
        if !landed.eq(self.signature_of(callee).returns.iter().map(|result| result.value_type)) {
            return Err(Fault::illegal("its results are not those of the signature"));
        }
        match unwind {
            Some(unwind) => self.emit_try_call(callee, args, landing, unwind),
            None => {
                let call = self.emit_call(callee, args);
                let results = self.builder.inst_results(call).to_vec();
                let results: Vec<BlockArg> = results.into_iter().map(BlockArg::Value).collect();
                self.builder.ins().jump(landing, &results);
            }
        }
        Ok(())
    }

    fn emit_try_call(
        &mut self,
        callee: Callee,
        args: &[machine::Value],
        landing: machine::Block,
        (block, handed): &(machine::Block, Vec<BlockArg>),
    ) {
        self.needs.calls += 1;
        let dfg = &mut self.builder.func.dfg;
        let signature = callee.signature(dfg);
        let returned = (0..dfg.block_params(landing).len() as u32).map(BlockArg::TryCallRet);
        let normal = BlockCall::new(landing, returned, &mut dfg.value_lists);
        let unwind = BlockCall::new(*block, handed.iter().copied(), &mut dfg.value_lists);
        let items = [ExceptionTableItem::Default(unwind)];
        let table = dfg.exception_tables.push(ExceptionTableData::new(signature, normal, items));
        match callee {
            Callee::Direct(function) => self.builder.ins().try_call(function, args, table),
            Callee::Indirect(entry, _) => self.builder.ins().try_call_indirect(entry, args, table),
        };
    }

    /// `throw`.
    pub(super) fn throw(&mut self, instruction: Instruction<'a>) -> Emitted {
        let exception = self.arg(instruction, 0)?;
        self.call_runtime(RuntimeEntry::Throw, &[exception]);
        self.builder.ins().trap(unreachable_trap());
        Ok(())
    }
}

/// The operands that a call passes: the others are merely kept alive.
pub(super) fn passed(instruction: Instruction<'_>) -> &[Value] {
    let count = instruction.args.len().saturating_sub(instruction.data.roots());
    &instruction.args[..count]
}
