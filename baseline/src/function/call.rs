//! Calls, by the internal convention.

use brolga_ir::entity::{Block, FuncId, Inst, SigId, Value};
use brolga_ir::instruction::{InstData, Target};
use brolga_ir::module::{Linkage, Returns};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Convention, Signature};
use brolga_lowering::PRELUDE_PREFIX;
use brolga_lowering::emit::thunk_signature;
use brolga_lowering::options::Calls;
use brolga_lowering::runtime::{RecordField, STUB_INTERNAL_ENTRY};
use brolga_lowering::unit::{Handler, ThunkRequest};

use super::{Emitted, Emitter};
use crate::assembler::{ARGUMENTS, Assembler, Counts, FLOATS, Place, Register, Word, condition};
use crate::error::Unsupported;
use crate::key::{Bank, Class};
use crate::reference::Referent;

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// A function of the module.
    Function(FuncId),
    /// The first operand, a reference to a function of that signature.
    Reference(SigId),
}

/// Where an argument is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    /// In a register.
    Register(Place),
    /// So many bytes above the first argument on the stack.
    Stack(u32),
}

/// Where arguments are, one after another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arguments {
    counts: Counts,
    stack: u32,
}

/// Whether a thunk takes and gives what that signature says as words do.
fn is_plain(signature: &Signature) -> bool {
    signature.arity == Arity::Fixed
        && signature.by_value().is_empty()
        && signature.results.len() <= 1
}

impl Arguments {
    /// Where the next one is.
    pub(super) fn next(&mut self, class: Class) -> Emitted<Where> {
        if let Some(place) = self.counts.next(class.bank(), &ARGUMENTS) {
            return Ok(Where::Register(place));
        }
        // A vector has a place of its own alignment there.
        if class.bank() == Bank::Vector {
            return Err(Unsupported::Signature);
        }
        self.stack += 8;
        Ok(Where::Stack(self.stack - 8))
    }

    /// Bytes of those on the stack, which the callee takes off it.
    pub(super) const fn stack(self) -> u32 {
        self.stack.next_multiple_of(16)
    }
}

impl<'a> Emitter<'a> {
    /// A function that is called by name.
    pub(super) fn named(&self, id: FuncId) -> Emitted<Callee> {
        let unsupported = Unsupported::Op(Op::Call);
        let function = self.module.function(id).ok_or(unsupported)?;
        let is_variadic = self.module.types.sig(function.sig).arity == Arity::Variadic;
        // Nobody defines functions of the prelude: names of others need not be looked at.
        let is_of_prelude = || function.name.starts_with(PRELUDE_PREFIX);
        let is_unsupported = function.linkage.is_foreign() || is_variadic;
        match is_unsupported || (function.body.is_none() && is_of_prelude()) {
            true => Err(unsupported),
            false => Ok(Callee::Function(id)),
        }
    }

    /// The signature of a call by reference.
    pub(super) fn referenced(&self, data: &InstData) -> Emitted<SigId> {
        let unsupported = Unsupported::Op(data.op);
        let sig = data.ty.signature().ok_or(unsupported)?;
        let signature = self.module.types.sig(sig);
        match (signature.convention, signature.arity) {
            (Convention::Internal, Arity::Fixed) => Ok(sig),
            _ => Err(unsupported),
        }
    }

    /// Calls.
    pub(super) fn call(&mut self, inst: Inst, callee: Callee) -> Emitted {
        self.pass_to(inst, callee)?;
        match callee {
            Callee::Function(function) => {
                self.go_to(function, Assembler::call, Assembler::call_through);
            }
            Callee::Reference(_) => self.assembler().call_reference(STUB_INTERNAL_ENTRY as u8),
        }
        self.called(None);
        self.define_results(inst)
    }

    /// Brings the arguments of a call to where the callee takes them, and a reference to where
    /// it is called from.
    fn pass_to(&mut self, inst: Inst, callee: Callee) -> Emitted {
        let body = self.body;
        let args = body.args(inst);
        let Callee::Reference(_) = callee else { return self.pass(args) };
        let (&reference, passed) = args.split_first().ok_or(Unsupported::Op(Op::CallIndirect))?;
        self.keep_for(args);
        self.fetch(&[(reference, Place::Integer(Register::R10))]);
        self.assembler().test_reference();
        self.stop_if(condition::EQUAL, TrapCode::NullFunction);
        if self.last.is_some_and(|last| last.value == reference) && !passed.contains(&reference) {
            self.last = None;
        }
        self.pass(passed)
    }

    /// Brings arguments to where a callee takes them.
    fn pass(&mut self, args: &[Value]) -> Emitted {
        if args.len() <= 2 {
            // In the registers in which stencils take operands, too.
            return self.bring_operands(args);
        }
        let mut counted = Arguments::default();
        for &arg in args {
            counted.next(self.class_of(arg)?)?;
        }
        self.keep_for(args);
        let stack = counted.stack();
        if stack > 0 {
            self.assembler().grow_stack(stack);
            self.outgoing = self.outgoing.max(stack);
        }
        let mut wanted = [(Value::from_u32(0), Place::Float(0)); ARGUMENTS.len() + FLOATS];
        let (mut places, mut count) = (Arguments::default(), 0);
        for &arg in args {
            match places.next(self.class_of(arg)?)? {
                Where::Stack(offset) => self.put(arg, Word::Stack(offset as i32)),
                Where::Register(place) => {
                    wanted[count] = (arg, place);
                    count += 1;
                }
            }
        }
        self.fetch(&wanted[..count]);
        Ok(())
    }

    /// `call_foreign`, of a function of fixed parameters in registers: by the thunk of its
    /// signature.
    pub(super) fn call_foreign(&mut self, inst: Inst, id: FuncId, roots: u32) -> Emitted {
        let unsupported = Unsupported::Op(Op::CallForeign);
        let function = self.module.function(id).ok_or(unsupported)?;
        let signature = self.module.types.sig(function.sig);
        let is_plain = is_plain(signature)
            && function.attributes.returns != Returns::Twice
            && function.linkage == Linkage::Foreign
            && self.surroundings.declared(function) == function.sig;
        let body = self.body;
        let args = body.args(inst);
        let passed = args.get(..args.len().saturating_sub(roots as usize)).ok_or(unsupported)?;
        let mut places = Arguments::default();
        for &arg in passed {
            places.next(self.class_of(arg)?)?;
        }
        if !is_plain || places.stack() > 0 {
            return Err(unsupported);
        }
        let signature = thunk_signature(&self.module.types, signature, self.isa);
        let signature = signature.map_err(|_| unsupported)?;
        self.pass(passed)?;
        self.call_thunk(ThunkRequest::foreign(function.name.clone(), signature));
        self.define_results(inst)
    }

    /// Calls a thunk, which is asked for once.
    fn call_thunk(&mut self, request: ThunkRequest) {
        let place = self.assembler().call();
        let symbol = request.symbol.clone();
        if self.buffers.requested.insert(symbol.clone()) {
            self.buffers.thunks.push(request);
        }
        self.refer(place, symbol);
        self.called(None);
    }

    /// `call_ptr`, of fixed parameters: by the entry of a stub for code of ours, if the address is
    /// one, else by the thunk of the signature.
    pub(super) fn call_pointer(&mut self, inst: Inst, data: &InstData) -> Emitted {
        let unsupported = Unsupported::Op(Op::CallPtr);
        let sig = data.ty.signature().ok_or(unsupported)?;
        let signature = self.module.types.sig(sig);
        let body = self.body;
        let args = body.args(inst);
        let split = args.split_first().filter(|_| is_plain(signature));
        let (&address, passed) = split.ok_or(unsupported)?;
        let thunk = thunk_signature(&self.module.types, signature, self.isa).ok();
        if thunk.is_none() && signature.convention == Convention::Platform {
            return Err(unsupported);
        }
        self.keep();
        self.last = None;
        let (theirs, done) = (self.assembler().label(), self.assembler().label());
        self.fetch(&[(address, Place::Integer(Register::R10))]);
        if signature.convention == Convention::Internal {
            let [base, bytes] = [RecordField::StubBase, RecordField::StubBytes];
            self.assembler().compare_range(base.offset(), bytes.offset());
            self.assembler().jump_if(condition::BELOW ^ 1, theirs);
            self.pass(passed)?;
            self.assembler().call_reference(STUB_INTERNAL_ENTRY as u8);
            self.called(None);
            self.assembler().jump(done);
        }
        self.assembler().bind(theirs);
        self.assembler().test_reference();
        self.stop_if(condition::EQUAL, TrapCode::NullFunction);
        match thunk {
            Some(signature) => {
                self.assembler().store_reference(RecordField::Callee.offset());
                self.pass(passed)?;
                self.call_thunk(ThunkRequest::pointer(signature));
            }
            // No function of the platform's has such a signature.
            None => self.stop(TrapCode::MissingFunction),
        }
        self.assembler().bind(done);
        self.define_results(inst)
    }

    /// Leaves this function by calling another in its place, where nothing is passed on the
    /// stack.
    pub(super) fn return_call(&mut self, inst: Inst, callee: Callee) -> Emitted {
        let unsupported = Unsupported::Op(Op::ReturnCall);
        let types = &self.module.types;
        let signature = match callee {
            Callee::Function(id) => types.sig(self.module.function(id).ok_or(unsupported)?.sig),
            Callee::Reference(sig) => types.sig(sig),
        };
        let mut passed = Arguments::default();
        for ty in signature.param_types() {
            passed.next(Class::of(ty).ok_or(unsupported)?)?;
        }
        // What is passed by value may stand in this frame.
        if self.popped > 0 || passed.stack() > 0 || !signature.by_value().is_empty() {
            return Err(unsupported);
        }
        self.pass_to(inst, callee)?;
        self.leave_frame();
        match callee {
            Callee::Function(function) => {
                self.go_to(function, Assembler::jump_out, Assembler::jump_through);
            }
            Callee::Reference(_) => self.assembler().jump_reference(STUB_INTERNAL_ENTRY as u8),
        }
        Ok(())
    }

    /// Goes to a function by its entry, or through its slot.
    fn go_to(
        &mut self,
        function: FuncId,
        near: fn(&mut Assembler) -> u32,
        through: fn(&mut Assembler) -> u32,
    ) {
        let (referent, go) = match self.options.calls {
            Calls::Near => (Referent::Call(function), near),
            Calls::BySlot => (Referent::EntrySlot(function), through),
        };
        let place = go(self.assembler());
        self.refer(place, referent);
    }

    /// Goes on behind a call, or where it unwinds.
    pub(super) fn unwind_or_go_on(
        &mut self,
        block: Block,
        [normal, unwind]: &[Target; 2],
        next: Option<Block>,
    ) {
        let handler = self.assembler().label();
        if let Some(site) = self.buffers.call_sites.len().checked_sub(1) {
            self.buffers.handlers.push((site, handler));
        }
        let body = self.body;
        self.keep_for(body.target_args(normal));
        self.edge(block, normal, None);
        self.assembler().bind(handler);
        self.last = None;
        self.edge(block, unwind, next);
    }

    /// Tells call sites of their handlers, now that the size of the frame is known.
    pub(super) fn place_handlers(&mut self, frame_offset: u32) {
        for (site, label) in std::mem::take(&mut self.buffers.handlers) {
            let offset = self.buffers.assembler.place_of(label);
            if let Some(site) = self.buffers.call_sites.get_mut(site) {
                site.handler = offset.map(|offset| Handler { offset, frame_offset });
            }
        }
    }
}
