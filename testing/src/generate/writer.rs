//! One function in the making: the block that grows, and the values at hand.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::{Body, LocData};
use brolga_ir::entity::{Block, EntitySet, Inst, Loc, Slot, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Effects, Op, Theme};
use brolga_ir::types::{Scalar, Signature, Type};
use brolga_ir::typing::Typing;

use super::irregular::Around;
use super::jump::JumpSlots;
use super::program::Program;
use crate::random::Random;

/// What is known of a value beside its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// A number, a vector of numbers, or an aggregate of them.
    Plain,
    /// The address of the start of an object of at least [`LEAST_OBJECT`]
    /// bytes that lives as long as the function and may be written, aligned
    /// to 16 bytes.
    Pointer,
    /// The same, and the object outlives the function.
    Lasting,
    /// A function of the program.
    Function,
    /// A managed object of at least [`LEAST_OBJECT`] bytes, none of which is a reference.
    Object,
    /// A managed array of that many elements.
    Array(Type, u32),
}

impl Sort {
    /// Of a result of a call: addresses are such as were handed to it or outlive it.
    pub(super) fn of_result(ty: Type) -> Sort {
        if ty == Type::PTR { Sort::Pointer } else { Sort::Plain }
    }
}

/// Bytes that every object has at least: room for the widest vector.
pub(super) const LEAST_OBJECT: u64 = 64;

/// How deep code pretends to be inlined at most.
const MOST_INLINED: usize = 60;

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) ty: Type,
    pub(super) sort: Sort,
}

/// A slot and its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotFacts {
    pub(super) slot: Slot,
    pub(super) size: u64,
    pub(super) is_reset: bool,
}

/// The ops that a function is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repertoire {
    /// All that the program may have.
    All,
    /// Such as have no effects, in one block.
    Pure,
    /// The same, and such as read memory.
    Reading,
}

/// What a scope hides when it is left.
#[derive(Clone, Copy)]
pub(super) struct Scope(usize);

/// A function in the making.
pub(super) struct Writer<'p> {
    pub(super) program: &'p mut Program,
    pub(super) signature: Signature,
    pub(super) body: Body,
    pub(super) block: Block,
    pub(super) pool: Vec<Entry>,
    /// Values that may be a NaN whose bits are not determined.
    wild: EntitySet<Value>,
    pub(super) slots: Vec<SlotFacts>,
    /// A slot that holds nothing but addresses.
    pub(super) address_slot: Option<Slot>,
    /// A slot for an array that is sorted.
    pub(super) array_slot: Option<Slot>,
    /// Where second returns are kept, if no call of them stands around.
    pub(super) jump_slots: Option<JumpSlots>,
    /// The address of the list of variable arguments.
    pub(super) list: Option<Value>,
    /// The functions that inlined code pretends to come from, and the calls of
    /// them, outermost first.
    inlined: Vec<(u32, Loc)>,
    /// How often the present block is executed at most in one activation.
    pub(super) weight: u64,
    /// Instructions that one activation executes at most, calls included.
    pub(super) cost: u64,
    /// What `cost` may grow to.
    pub(super) limit: u64,
    /// Handler regions that are open.
    pub(super) regions: u32,
    /// The loops around the present block that may be left from their middle, innermost last.
    pub(super) loops: Vec<Around>,
    /// What it is made of.
    pub(super) repertoire: Repertoire,
    /// Whether it is called from outside.
    pub(super) is_entry: bool,
}

impl<'p> Writer<'p> {
    pub(super) fn new(program: &'p mut Program, signature: Signature) -> Writer<'p> {
        let mut body = Body::default();
        let block = body.make_block();
        body.layout.append_block(block);
        Writer {
            program,
            signature,
            body,
            block,
            pool: Vec::new(),
            wild: EntitySet::new(),
            slots: Vec::new(),
            address_slot: None,
            array_slot: None,
            jump_slots: None,
            list: None,
            inlined: Vec::new(),
            weight: 1,
            cost: 0,
            limit: 0,
            regions: 0,
            loops: Vec::new(),
            repertoire: Repertoire::All,
            is_entry: false,
        }
    }

    pub(super) fn random(&mut self) -> &mut Random {
        &mut self.program.random
    }

    fn own_loc(&mut self, function: Option<u32>, inlined_at: Option<Loc>) -> Loc {
        self.program.line += 1;
        let column = self.program.line % 3;
        self.body.make_loc(LocData {
            file: self.program.file,
            line: self.program.line,
            column,
            function,
            inlined_at: inlined_at.into(),
        })
    }

    /// A line of its own for each instruction, so that a trap names the one
    /// that ran into it. Some pretend to be inlined: code goes down into
    /// functions, comes back out of them, and nests as deep as it happens to.
    fn loc(&mut self) -> Loc {
        match self.program.random.below(100) {
            0..5 if self.inlined.len() < MOST_INLINED => {
                let at = self.here();
                let name = format!("inlined{}", self.inlined.len());
                let name = self.program.module.intern(&name);
                self.inlined.push((name, at));
            }
            5..8 => drop(self.inlined.pop()),
            8 => self.inlined.clear(),
            _ => {}
        }
        self.here()
    }

    fn here(&mut self) -> Loc {
        let (function, at) = self.inlined.last().copied().unzip();
        self.own_loc(function, at)
    }

    /// An instruction at the end of the present block.
    pub(super) fn push(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Inst {
        self.push_with(op, ty, args, payload, InstFlags::empty())
    }

    /// The same, with flags.
    pub(super) fn push_with(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        flags: InstFlags,
    ) -> Inst {
        let list = self.body.list(args);
        let mut data = InstData::new(op, ty, list, payload);
        data.flags = flags;
        data.loc = self.loc().into();
        let module = &self.program.module;
        let typing = Typing::of(module, &self.body, Some(&self.signature), &data);
        let results = typing.results().unwrap_or_else(|| panic!("`{op}` at {ty} has no results"));
        let inst = self.body.append_inst(self.block, data, &results);
        self.cost += self.weight;
        let is_tainted = makes_nan(op) || args.iter().any(|&arg| self.wild.contains(arg));
        if is_tainted && keeps_bits_or_makes_nan(op) {
            for index in 0..self.body.results(inst).len() {
                let result = self.body.results(inst)[index];
                if has_float_lanes(self.body.value_type(result)) {
                    self.wild.insert(result);
                }
            }
        }
        inst
    }

    /// An instruction with one result, which is not put at hand.
    pub(super) fn compute(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        self.compute_with(op, ty, args, Payload::None)
    }

    pub(super) fn compute_with(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
    ) -> Value {
        let inst = self.push(op, ty, args, payload);
        self.body.results(inst)[0]
    }

    /// Puts the results of an instruction at hand.
    pub(super) fn keep(&mut self, inst: Inst) {
        for value in self.body.results(inst).to_vec() {
            self.keep_as(value, Sort::Plain);
        }
    }

    /// The same of a call.
    pub(super) fn keep_results(&mut self, call: Inst) {
        for value in self.body.results(call).to_vec() {
            let ty = self.body.value_type(value);
            self.keep_as(value, Sort::of_result(ty));
        }
    }

    pub(super) fn keep_as(&mut self, value: Value, sort: Sort) {
        let ty = self.body.value_type(value);
        self.pool.push(Entry { value, ty, sort });
    }

    /// Whether the bits of `value` may differ from run to run.
    pub(super) fn is_wild(&self, value: Value) -> bool {
        self.wild.contains(value)
    }

    pub(super) fn taint(&mut self, value: Value) {
        self.wild.insert(value);
    }

    pub(super) fn tame(&mut self, value: Value) {
        self.wild.remove(value);
    }

    /// A new parameter of `block`, put at hand. Floats count as wild, whatever
    /// the edges bring.
    pub(super) fn param(&mut self, block: Block, ty: Type, sort: Sort) -> Value {
        let value = self.body.append_param(block, ty);
        if has_float_lanes(ty) {
            self.wild.insert(value);
        }
        self.keep_as(value, sort);
        value
    }

    /// Goes on in that block.
    pub(super) fn start(&mut self, block: Block) {
        self.body.layout.append_block(block);
        self.block = block;
    }

    pub(super) fn open_scope(&self) -> Scope {
        Scope(self.pool.len())
    }

    pub(super) fn close_scope(&mut self, scope: Scope) {
        self.pool.truncate(scope.0);
    }

    /// Whether a piece that costs that much each time still fits.
    pub(super) fn affords(&self, cost: u64) -> bool {
        self.cost + cost.saturating_mul(self.weight) <= self.limit
    }

    pub(super) fn has_hazard(&mut self) -> bool {
        let chance = self.program.hazard;
        self.repertoire == Repertoire::All && self.random().percent(chance)
    }
}

fn has_float_lanes(ty: Type) -> bool {
    ty.lane().is_some_and(Scalar::is_float)
}

/// Ops whose result may be a NaN that the meaning leaves open.
fn makes_nan(op: Op) -> bool {
    let info = op.info();
    let is_sign_op = matches!(op, Op::Fneg | Op::Fabs | Op::Fcopysign);
    let is_reduction =
        matches!(op, Op::ReduceFadd | Op::ReduceFmul | Op::ReduceFmin | Op::ReduceFmax);
    let is_conversion = matches!(op, Op::Fptrunc | Op::Fpext);
    (info.theme == Theme::Float && !is_sign_op) || is_reduction || is_conversion
}

/// Everything but what reads memory, whose bytes are always determined, or
/// makes floats of integers.
fn keeps_bits_or_makes_nan(op: Op) -> bool {
    let info = op.info();
    // Of a masked load, lanes may come from an operand.
    let reads = info.effects.intersects(Effects::READ) && op != Op::MaskedLoad;
    !reads && !matches!(op, Op::Bitcast | Op::Sitofp | Op::Uitofp)
}
