//! One function, block by block, in the order of its text.

mod branch;
mod call;
mod edge;
mod entity;
mod exit;
mod lane;
mod operand;
mod simple;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, FuncId, Inst, Loc, PackedOption, SigId, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::{Function, Module};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Signature};
use brolga_lowering::continuation::FrameMap;
use brolga_lowering::options::{Counting, LowerOptions, Polls, StackGuard};
use brolga_lowering::pipeline::Legal;
use brolga_lowering::runtime::{RecordField, RuntimeEntry, SPENT_MARK};
use brolga_lowering::target::Isa;
use brolga_lowering::unit::{Awaited, CallSite, ExitSite, SignatureHash, ThunkRequest, UnitSymbol};
use rustc_hash::FxHashSet;

use crate::assembler::{
    Assembler, Counts, FLOATS, Label, Place, RESULTS, Register, Word, condition, only_result,
};
use crate::error::Unsupported;
use crate::homes::Homes;
use crate::key::Class;
use crate::reference::{Reference, Referent};
use crate::registers::Registers;
use crate::sites::Sites;
use crate::stencil::Stencils;
use call::{Arguments, Callee, Where};
use entity::Room;
use exit::{Cold, bare};

/// What every emission says.
type Emitted<T = ()> = Result<T, Unsupported>;

/// The largest frame, in bytes: a function with more values than fit is compiled by a tier that
/// lets them share.
pub const MAX_FRAME: u32 = 1 << 16;

/// Saved frame pointer and return address.
const FRAME_HEADER: u32 = 16;

/// Memory that functions use one after another.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) assembler: Assembler,
    homes: Homes,
    pub(crate) sites: Sites,
    pub(crate) references: Vec<Reference>,
    pub(crate) call_sites: Vec<CallSite>,
    pub(crate) thunks: Vec<ThunkRequest>,
    /// What these are called by.
    requested: FxHashSet<UnitSymbol>,
    cold: Vec<Cold>,
    /// Call sites by their index, and where they go on with what is thrown.
    handlers: Vec<(usize, Label)>,
    slots: Vec<Room>,
    registers: Registers,
    /// Whether the frame has the word [`SPENT_MARK`].
    is_marked: bool,
    /// The registers of the caller, and where they are saved, from the frame pointer.
    preserved: Vec<(Register, i32)>,
    pub(crate) hashes: Vec<Option<SignatureHash>>,
}

/// What is the same for all functions of a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'m> {
    pub(crate) module: &'m Module,
    pub(crate) isa: &'m Isa,
    /// What was taken apart to be the module, if anything was.
    pub(crate) flattened: Option<&'m Legal>,
    pub(crate) options: &'m LowerOptions,
    pub(crate) stencils: &'static Stencils,
}

impl Surroundings<'_> {
    /// The signature by which others know a function.
    pub(crate) fn declared(&self, function: &Function) -> SigId {
        let declared = self.flattened.and_then(|legal| {
            legal.declared_signature(self.module.function_named(&function.name)?)
        });
        declared.unwrap_or(function.sig)
    }
}

/// What is known of a function once its code is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished {
    /// Bytes of stack that a call of it takes, its return address included.
    pub(crate) frame_size: u32,
    /// Where the guard's call returns to, if there is one.
    pub(crate) guard_return: Option<u32>,
    /// Where the code ends.
    pub(crate) end: u32,
}

/// A value that stands in a register, too.
#[derive(Clone, Copy, Debug)]
struct Last {
    value: Value,
    place: Place,
    /// Whether its home has it.
    is_stored: bool,
}

/// Emission of one function.
pub(crate) struct Emitter<'a> {
    surroundings: Surroundings<'a>,
    module: &'a Module,
    isa: &'a Isa,
    options: &'a LowerOptions,
    stencils: &'static Stencils,
    body: &'a Body,
    signature: &'a Signature,
    /// How many bytes of arguments the caller has pushed.
    popped: u16,
    buffers: &'a mut Buffers,
    /// The label of the first block.
    blocks: u32,
    last: Option<Last>,
    /// The source location of what is emitted.
    loc: PackedOption<Loc>,
    /// The most bytes of arguments that a call passes on the stack.
    outgoing: u32,
}

impl Buffers {
    /// Forgets what is of a module.
    pub(crate) fn forget_module(&mut self) {
        self.hashes.clear();
    }

    /// Where the function that was emitted last has what.
    pub(crate) fn frame(&self) -> FrameMap {
        FrameMap {
            values: self.homes.all().collect(),
            slots: self.slots.iter().map(|room| room.place()).collect(),
            ..FrameMap::default()
        }
    }

    /// Begins with a function, the classes of whose values are known.
    fn begin(&mut self, body: &Body, options: &LowerOptions) {
        self.assembler.clear();
        self.sites.begin(body, options.text_lines);
        self.references.clear();
        self.call_sites.clear();
        self.thunks.clear();
        self.requested.clear();
        self.cold.clear();
        self.handlers.clear();
        self.slots.clear();
        self.registers.begin(body);
        match self.registers.has_loops() {
            true => self.homes.count_in_loops(body, |place| self.registers.frequency(place)),
            false => self.homes.count(body),
        }
        self.is_marked = options.counting == Counting::Emit && self.registers.leads_back();
        if self.is_marked {
            let mark = self.homes.room(8, 8);
            debug_assert_eq!(mark, SPENT_MARK, "it is the first word of the frame");
        }
        self.registers.choose(body, &mut self.homes);
        self.preserved.clear();
        for register in self.registers.preserved() {
            self.preserved.push((register, self.homes.room(8, 8)));
        }
    }
}

/// Makes the code of a function without structs and arrays, in the buffers.
///
/// # Errors
/// What it has that stencils do not do; [`Unsupported::Value`] if it has structs or arrays.
pub(crate) fn emit(
    surroundings: Surroundings<'_>,
    id: FuncId,
    buffers: &mut Buffers,
) -> Emitted<Finished> {
    let Surroundings { module, isa, flattened, options, stencils } = surroundings;
    let function = module.function(id).ok_or(Unsupported::NoBody)?;
    let body = function.body.as_deref().ok_or(Unsupported::NoBody)?;
    // What was taken apart may have numbers of values left that were structs or arrays.
    if !buffers.homes.begin(body) && flattened.is_none() && has_aggregates(body) {
        return Err(Unsupported::Value);
    }
    let signature = module.types.sig(function.sig);
    if signature.arity == Arity::Variadic || !signature.by_value().is_empty() {
        return Err(Unsupported::Signature);
    }
    // More results than registers go to an address that the caller hands over, and a tail call on.
    let mut counts = Counts::default();
    for ty in signature.result_types() {
        let class = Class::of(ty).ok_or(Unsupported::Signature)?;
        counts.next(class.bank(), &RESULTS).ok_or(Unsupported::Signature)?;
    }
    buffers.begin(body, options);
    let blocks = buffers.assembler.labels(body.block_count());
    let emitter = Emitter {
        surroundings,
        module,
        isa,
        options,
        stencils,
        body,
        signature,
        popped: 0,
        buffers,
        blocks,
        last: None,
        loc: None.into(),
        outgoing: 0,
    };
    emitter.emit()
}

/// Whether values are structs or arrays.
pub(crate) fn has_aggregates(body: &Body) -> bool {
    body.values().any(|(ty, _)| ty.is_aggregate())
}

/// Whether an instruction is told by its op and operands alone, and has its operands brought
/// where it takes them, or everything home: what the last one gave is not lost.
fn is_simple(data: &InstData) -> bool {
    match data.payload {
        Payload::None => {
            !matches!(data.op, Op::Return | Op::CallIndirect | Op::CallPtr | Op::ReturnCallIndirect)
        }
        Payload::IntCond(_) | Payload::FloatCond(_) | Payload::Access(_) => true,
        _ => false,
    }
}

impl<'a> Emitter<'a> {
    fn emit(mut self) -> Emitted<Finished> {
        let guard = (self.options.stack_guard == StackGuard::Emit).then(|| self.guard());
        let frame = self.assembler().enter();
        self.preserve();
        self.take_arguments()?;
        self.make_slots()?;
        if self.buffers.is_marked {
            self.assembler().clear_word(SPENT_MARK as i8);
        }
        self.count(None);
        if self.options.polls == Polls::LoopsAndEntries {
            self.poll(self.body.layout.entry());
        }
        let body = self.body;
        let mut next = body.layout.entry();
        while let Some(block) = next {
            next = body.layout.next_block(block);
            self.block(block, next)?;
        }
        self.cold_exits()?;
        self.finish(frame, guard)
    }

    fn assembler(&mut self) -> &mut Assembler {
        &mut self.buffers.assembler
    }

    fn block_label(&self, block: Block) -> Label {
        Assembler::nth_label(self.blocks, block.as_u32())
    }

    /// The test for the end of the stack; gives where the size of the frame is put in, and where
    /// the function stops.
    fn guard(&mut self) -> (u32, Label) {
        let assembler = self.assembler();
        let size = assembler.compare_stack(RecordField::StackLimit.offset() as u8);
        let label = assembler.label();
        assembler.jump_if(condition::BELOW, label);
        (size, label)
    }

    /// Brings the arguments home.
    fn take_arguments(&mut self) -> Emitted {
        let body = self.body;
        let entry = body.layout.entry().ok_or(Unsupported::NoBody)?;
        let mut arguments = Arguments::default();
        for (&param, ty) in body.params(entry).iter().zip(self.signature.param_types()) {
            let place = arguments.next(Class::of(ty).ok_or(Unsupported::Signature)?)?;
            if self.buffers.homes.uses(param) == 0 {
                continue;
            }
            match place {
                Where::Register(place) => self.bring_home(param, place),
                Where::Stack(offset) => {
                    self.take_from(Word::Frame((FRAME_HEADER + offset) as i32), param);
                }
            }
        }
        self.popped = u16::try_from(arguments.stack()).map_err(|_| Unsupported::Signature)?;
        Ok(())
    }

    fn block(&mut self, block: Block, next: Option<Block>) -> Emitted {
        let label = self.block_label(block);
        self.assembler().bind(label);
        self.last = None;
        let body = self.body;
        let mut inst = body.layout.first_inst(block);
        while let Some(at) = inst {
            let data = body.inst(at);
            let offset = self.assembler().offset();
            self.loc = data.loc;
            self.buffers.sites.enter(self.module, body, data.loc, offset);
            let fused = match data.op {
                Op::Icmp | Op::Fcmp => self.fused(at, data, block, next)?,
                _ => None,
            };
            inst = match fused {
                Some(done) => body.layout.next_inst(done),
                None => {
                    self.instruction(at, data, block, next)?;
                    body.layout.next_inst(at)
                }
            };
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        inst: Inst,
        data: &InstData,
        block: Block,
        next: Option<Block>,
    ) -> Emitted {
        let (body, unsupported) = (self.body, Unsupported::Op(data.op));
        let args = body.list_values(data.args);
        if is_simple(data) {
            return self.simple(inst, data, args);
        }
        if let Some(last) = self.last
            && !last.is_stored
            && !args.contains(&last.value)
            && !body.targets(inst).iter().any(|it| body.target_args(it).contains(&last.value))
        {
            self.keep();
        }
        match (data.op, &data.payload) {
            (Op::Jump, Payload::Jump(target)) => {
                self.edge(block, target, next);
                Ok(())
            }
            (Op::Branch, Payload::Branch(targets)) => {
                let &condition = args.first().ok_or(unsupported)?;
                self.branch(block, condition, targets, next)
            }
            (Op::Switch, Payload::Switch(table)) => {
                let &selector = args.first().ok_or(unsupported)?;
                self.switch(block, selector, *table)
            }
            (Op::Return, _) => self.give_back(args),
            (Op::Call, Payload::Function(function)) => {
                let callee = self.named(*function)?;
                self.call(inst, callee)
            }
            (Op::CallForeign, Payload::ForeignCall { function, roots }) => {
                self.call_foreign(inst, *function, *roots)
            }
            (Op::ReturnCall, Payload::Function(function)) => {
                let callee = self.named(*function)?;
                self.return_call(inst, callee)
            }
            (Op::CallPtr, _) => self.call_pointer(inst, data),
            (Op::CallIndirect, _) => self.call(inst, Callee::Reference(self.referenced(data)?)),
            (Op::ReturnCallIndirect, _) => {
                self.return_call(inst, Callee::Reference(self.referenced(data)?))
            }
            (op, Payload::TryCall { function, targets, .. }) => {
                let callee = match function.expand() {
                    Some(function) => self.named(function)?,
                    None if op == Op::TryCallIndirect => Callee::Reference(self.referenced(data)?),
                    None => return Err(unsupported),
                };
                self.call(inst, callee)?;
                self.unwind_or_go_on(block, targets, next);
                Ok(())
            }
            (op, Payload::Slot(slot)) => self.slot(inst, data, op, *slot),
            (op, Payload::Data(object)) => self.data(inst, data, op, *object),
            (Op::FunctionAddr, Payload::Function(function)) => {
                self.function_address(inst, *function)
            }
            (Op::Trap, Payload::Trap(code)) => {
                self.stop(*code);
                Ok(())
            }
            (Op::Check, Payload::Exit(exit)) => self.check(args, *exit),
            _ => self.simple(inst, data, args),
        }
    }

    /// A distance to be filled in by whoever links.
    fn refer(&mut self, offset: u32, referent: impl Into<Referent>) {
        self.refer_before(0, offset, referent);
    }

    /// The same, with so many bytes of the instruction behind it.
    fn refer_before(&mut self, behind: i64, offset: u32, referent: impl Into<Referent>) {
        let (referent, addend) = (referent.into(), -4 - behind);
        self.buffers.references.push(Reference { offset, referent, addend });
    }

    /// Calls the runtime, by registers that are set.
    fn call_runtime(&mut self, entry: RuntimeEntry) {
        let place = self.assembler().call();
        self.refer(place, UnitSymbol::Runtime(entry));
        self.called(None);
    }

    /// Notes that a call returns here.
    fn called(&mut self, exit: Option<ExitSite>) {
        let here = self.assembler().offset();
        self.returns_to(here, exit, Awaited::Callee);
    }

    /// Notes that a call returns to a place.
    fn returns_to(&mut self, return_offset: u32, exit: Option<ExitSite>, awaited: Awaited) {
        let frame = self.buffers.sites.frames.frame(self.module, self.body, self.loc);
        let site = CallSite { return_offset, handler: None, frame, exit, awaited };
        self.buffers.call_sites.push(site);
    }

    fn give_back(&mut self, args: &[Value]) -> Emitted {
        if let &[value] = args {
            let place = only_result(self.class_of(value)?.bank());
            self.fetch(&[(value, place)]);
        } else {
            self.fetch_results(args)?;
        }
        self.go_back();
        Ok(())
    }

    /// Brings several results to where the caller takes them.
    fn fetch_results(&mut self, args: &[Value]) -> Emitted {
        let mut wanted = [(Value::from_u32(0), Place::Float(0)); RESULTS.len() + FLOATS];
        let wanted = wanted.get_mut(..args.len()).ok_or(Unsupported::Signature)?;
        let mut counts = Counts::default();
        for (slot, &arg) in wanted.iter_mut().zip(args) {
            let place = counts.next(self.class_of(arg)?.bank(), &RESULTS);
            *slot = (arg, place.ok_or(Unsupported::Signature)?);
        }
        self.fetch(wanted);
        Ok(())
    }

    /// Saves the registers of the caller that are used.
    fn preserve(&mut self) {
        for &(register, word) in &self.buffers.preserved {
            self.buffers.assembler.store(Place::Integer(register), Word::Frame(word));
        }
    }

    /// Gives up the frame, with the caller's registers as they were.
    fn leave_frame(&mut self) {
        for &(register, word) in &self.buffers.preserved {
            self.buffers.assembler.load(Place::Integer(register), Word::Frame(word));
        }
        self.assembler().leave();
    }

    /// To the caller, with the results in place.
    fn go_back(&mut self) {
        let popped = self.popped;
        self.leave_frame();
        self.assembler().ret(popped);
    }

    fn finish(mut self, frame: u32, guard: Option<(u32, Label)>) -> Emitted<Finished> {
        let size = self.buffers.homes.size();
        if size > MAX_FRAME {
            return Err(Unsupported::Frame);
        }
        let frame_size = size + FRAME_HEADER + self.outgoing;
        let mut guard_return = None;
        self.assembler().patch(frame, size);
        if let Some((place, label)) = guard {
            self.assembler().patch(place, frame_size.wrapping_neg());
            self.assembler().bind(label);
            self.loc = None.into();
            let call = self.assembler().call();
            self.refer(call, UnitSymbol::Runtime(RuntimeEntry::StackOverflow));
            guard_return = Some(self.assembler().offset());
            self.called(Some(bare(TrapCode::StackOverflow)));
            self.assembler().never();
        }
        if !self.assembler().resolve() {
            return Err(Unsupported::NoBody);
        }
        self.place_handlers(size);
        Ok(Finished { frame_size, guard_return, end: self.assembler().offset() })
    }
}
