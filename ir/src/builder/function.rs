//! Where instructions go, and what becomes of them when the function is finished.

use std::fmt;

use smallvec::SmallVec;

use super::error::{BuildError, BuildErrors, Fault};
use super::handle::{Block, Entity, Exit, Local, Results, Slot, Value};
use super::module::declare;
use super::types::Types;
use super::variables::Variables;
use crate::body::{Body, ExitData, ExitKind, SlotData};
use crate::entity::{self, EntityRef, FuncId, Inst, Loc, PackedOption, ReservedValue};
use crate::instruction::{InstData, Payload, Target};
use crate::module::{Linkage, Module};
use crate::op::{Op, Safety};
use crate::text::BodyPrinter;
use crate::types::{Signature, Type};
use crate::typing::Typing;
use crate::verify::{
    Options, cut_head, cut_line, cut_message, cut_name, function_safety, shown_block,
};

/// Builds the body of one function.
///
/// Instructions go to the end of the current block, the first one at first.
/// Mistakes do not stop the building: what fails gives a handle that stands
/// for nothing, whose use is no further error.
#[derive(Debug)]
pub struct FunctionBuilder<'m> {
    pub(super) module: &'m mut Module,
    pub(super) id: FuncId,
    signature: Signature,
    pub(super) body: Body,
    pub(super) entry: entity::Block,
    pub(super) current: Option<entity::Block>,
    /// The instruction that hints go to.
    pub(super) last: Option<Inst>,
    pub(super) loc: PackedOption<Loc>,
    pub(super) variables: Variables,
    pub(super) errors: BuildErrors,
    /// Where it is noted whether anything raw is in the function.
    safety: Option<&'m mut Safety>,
}

/// How many instructions of its block an error shows.
const SHOWN_INSTS: usize = 6;

impl<'m> FunctionBuilder<'m> {
    /// Fills in `function` of `module`. Unless the builder is finished, the
    /// function keeps its state.
    pub fn new(module: &'m mut Module, function: FuncId) -> FunctionBuilder<'m> {
        FunctionBuilder::within(module, function, None)
    }

    /// The same for a module that is being built, which is told whether the function is raw.
    pub(super) fn within(
        module: &'m mut Module,
        function: FuncId,
        safety: Option<&'m mut Safety>,
    ) -> FunctionBuilder<'m> {
        let mut body = Body::default();
        let entry = body.make_block();
        body.layout.append_block(entry);
        let signature = module.signature_of(function).clone();
        for ty in signature.entry_types() {
            body.append_param(entry, ty);
        }
        let mut builder = FunctionBuilder {
            module,
            id: function,
            signature,
            body,
            entry,
            current: Some(entry),
            last: None,
            loc: None.into(),
            variables: Variables::default(),
            errors: BuildErrors::default(),
            safety,
        };
        let fault = match builder.module.function(function) {
            None => "the function is none of the module",
            Some(function) if function.body.is_some() => "the function is defined already",
            Some(function) if !function.linkage.is_defined_here() => {
                "the function is declared as defined elsewhere"
            }
            Some(_) => return builder,
        };
        builder.fail(Fault::Definition, format_args!("{fault}"));
        builder
    }

    /// The function that is being built.
    pub fn id(&self) -> FuncId {
        self.id
    }

    /// The types of the module, to make aggregates and signatures of.
    pub fn types(&mut self) -> Types<'_> {
        Types::new(&mut self.module.types)
    }

    /// Declares another function of the module, as
    /// [`ModuleBuilder::declare`](super::ModuleBuilder::declare) does.
    pub fn declare(&mut self, name: &str, linkage: Linkage, signature: Signature) -> FuncId {
        declare(self.module, &mut self.errors, name, linkage, signature)
    }

    /// The body as it is so far; values of variables are not yet what they will be.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Whether a mistake has been made so far.
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Ends the building: variables become values, the function is verified
    /// and put into the module.
    ///
    /// # Errors
    /// Every mistake that was made; the module is as it was.
    pub fn finish(mut self) -> Result<FuncId, BuildErrors> {
        self.resolve_variables();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        if let Some(function) = self.module.function_mut(self.id) {
            function.body = Some(Box::new(std::mem::take(&mut self.body)));
        }
        let found = match function_safety(self.module, self.id, &Options::default()) {
            Ok(found) => {
                if let Some(safety) = self.safety.filter(|_| found == Safety::Raw) {
                    *safety = found;
                }
                return Ok(self.id);
            }
            Err(found) => found,
        };
        if let Some(function) = self.module.function_mut(self.id) {
            self.body = *function.body.take().unwrap_or_default();
        }
        self.errors.omitted += found.omitted;
        for error in found.errors {
            let text = error.block.map(|block| self.block_text(block, error.inst));
            self.errors.push(|| BuildError::from_verifier(error, text));
        }
        Err(self.errors)
    }
}

/// Errors.
impl FunctionBuilder<'_> {
    /// Records a mistake at the current place.
    pub(super) fn fail(&mut self, fault: Fault, message: fmt::Arguments<'_>) {
        self.fail_in(fault, self.current, message);
    }

    pub(super) fn fail_in(
        &mut self,
        fault: Fault,
        block: Option<entity::Block>,
        message: fmt::Arguments<'_>,
    ) {
        let mut errors = std::mem::take(&mut self.errors);
        let block_name = |block| cut_name(shown_block(self.printer(), block));
        errors.push(|| BuildError {
            fault,
            message: cut_message(message),
            symbol: cut_name(self.module.function(self.id).map_or("", |f| &f.name)).into(),
            block: block.map_or_else(String::new, block_name).into(),
            text: block.map_or_else(String::new, |block| self.block_text(block, None)),
        });
        self.errors = errors;
    }

    fn printer(&self) -> BodyPrinter<'_> {
        let signature = Some(&self.signature);
        BodyPrinter { module: self.module, body: &self.body, signature }
    }

    /// The head of `block` and its instructions up to `inst`, or to its end;
    /// of many only the last.
    fn block_text(&self, block: entity::Block, inst: Option<Inst>) -> String {
        let layout = &self.body.layout;
        let last = inst.or_else(|| layout.last_inst(block));
        let mut lines: Vec<String> = std::iter::successors(last, |&inst| layout.prev_inst(inst))
            .take(SHOWN_INSTS + 1)
            .map(|inst| cut_line(self.printer(), inst))
            .collect();
        if lines.len() > SHOWN_INSTS {
            lines[SHOWN_INSTS] = "…".to_owned();
        }
        let mut text = cut_head(self.printer(), block);
        for line in lines.into_iter().rev() {
            text.push_str("\n    ");
            text.push_str(&line);
        }
        text
    }
}

/// Handles.
impl FunctionBuilder<'_> {
    pub(super) fn local<T: EntityRef + ReservedValue>(&self, entity: T) -> Local<T> {
        Local::new(entity, self.id)
    }

    /// The entity of a handle of this function.
    pub(super) fn own<T: Entity>(&mut self, handle: Local<T>) -> Option<T> {
        if handle.owner() != self.id {
            let owner = self.module.function(handle.owner()).map_or("", |function| &function.name);
            let (owner, entity) = (owner.to_owned(), handle.entity());
            self.fail(
                Fault::ForeignHandle,
                format_args!("{entity} is of @{owner}, not of this function"),
            );
            return None;
        }
        if handle.is_missing() {
            if self.errors.is_empty() {
                let message = format_args!("the result that is used here does not exist");
                self.fail(Fault::ForeignHandle, message);
            }
            return None;
        }
        // The numbers of functions repeat: in other modules, and in a builder
        // of the same function that was given up.
        let entity = handle.entity();
        if !entity.is_in(&self.body, &self.variables) {
            let message = format_args!("{entity} is none of this function");
            self.fail(Fault::ForeignHandle, message);
            return None;
        }
        Some(entity)
    }

    pub(super) fn own_all(&mut self, values: &[Value]) -> Option<SmallVec<[entity::Value; 4]>> {
        values.iter().map(|&value| self.own(value)).collect()
    }

    pub(super) fn own_target(&mut self, block: Block, args: &[Value]) -> Option<Target> {
        let (block, args) = (self.own(block), self.own_all(args));
        Some(self.body.target(block?, &args?))
    }

    /// The type of a value; [`Type::NONE`] if it is none of this function.
    pub fn value_type(&self, value: Value) -> Type {
        match value.owner() == self.id {
            true => self.body.value_type(value.entity()),
            false => Type::NONE,
        }
    }

    /// The value of parameter `index` of the function; using it is an error
    /// if there is none.
    pub fn param(&self, index: usize) -> Value {
        self.block_param(self.entry_block(), index)
    }

    /// A parameter of `block`, but for those that variables need; using it is
    /// an error if there is none.
    pub fn block_param(&self, block: Block, index: usize) -> Value {
        let own = block.owner() == self.id && !block.is_missing();
        let params = if own { self.body.params(block.entity()) } else { &[] };
        params.get(index).map_or_else(|| Local::missing(self.id), |&value| self.local(value))
    }
}

/// Blocks and other entities.
impl FunctionBuilder<'_> {
    /// The first block.
    pub fn entry_block(&self) -> Block {
        self.local(self.entry)
    }

    /// A new block; an empty name leaves it a number. It stands behind the
    /// others from the moment when it becomes the current one.
    pub fn create_block(&mut self, name: &str) -> Block {
        let block = self.body.make_block();
        if !name.is_empty() {
            self.body.set_block_name(block, name);
        }
        self.local(block)
    }

    /// A new parameter of `block`, behind the others.
    pub fn append_param(&mut self, block: Block, ty: Type) -> Value {
        let Some(block) = self.own(block) else { return Local::missing(self.id) };
        if block == self.entry {
            let message =
                format_args!("the parameters of the first block are those of the function");
            self.fail_in(Fault::Place, Some(block), message);
            return Local::missing(self.id);
        }
        let value = self.body.append_param(block, ty);
        self.local(value)
    }

    /// Makes `block` the current one: instructions go to its end.
    pub fn switch_to(&mut self, block: Block) {
        if let Some(block) = self.own(block) {
            self.body.layout.append_block(block);
            self.current = Some(block);
            self.last = None;
        }
    }

    /// The current block.
    pub fn current_block(&self) -> Option<Block> {
        self.current.map(|block| self.local(block))
    }

    /// Whether the current block has its terminator.
    pub fn is_terminated(&self) -> bool {
        let last = self.current.and_then(|block| self.body.layout.last_inst(block));
        last.is_some_and(|inst| self.body.inst(inst).op.is_terminator())
    }

    /// A new stack slot of zeros, with the alignment that follows from its size in bytes.
    pub fn create_slot(&mut self, size: u32) -> Slot {
        self.create_slot_with(SlotData::new(size))
    }

    /// A new stack slot.
    pub fn create_slot_with(&mut self, slot: SlotData) -> Slot {
        let slot = self.body.make_slot(slot);
        self.local(slot)
    }

    /// A new exit, which takes values of those types along.
    pub fn create_exit(&mut self, kind: ExitKind, types: &[Type]) -> Exit {
        let exit = self.body.make_exit(ExitData { kind, types: types.to_vec() });
        self.local(exit)
    }
}

/// Instructions.
impl FunctionBuilder<'_> {
    /// Appends an instruction whose form has nothing but operands, and gives
    /// its first result; using that is an error if there is none.
    pub fn ins(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        self.ins_all(op, ty, args).first()
    }

    /// As [`ins`](Self::ins), with all results.
    pub fn ins_all(&mut self, op: Op, ty: Type, args: &[Value]) -> Results {
        self.emit(op, ty, args, Payload::None)
    }

    /// Appends any instruction. What the payload names must be of this
    /// function and its module: see [`make_target`](Self::make_target) and
    /// its like.
    pub fn instruction(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Results {
        self.emit(op, ty, args, payload)
    }

    pub(super) fn emit(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Results {
        let args = self.own_all(args);
        let (Some(block), Some(args)) = (self.open_block(op), args) else {
            return self.no_results();
        };
        let list = self.body.list(&args);
        let data = InstData { loc: self.loc, ..InstData::new(op, ty, list, payload) };
        let typing = Typing::of(self.module, &self.body, Some(&self.signature), &data);
        let Some(types) = typing.results() else {
            let ty = self.module.types.display(ty).to_string();
            let message = format_args!(
                "`{op}` has no meaning at the type `{ty}`, with this function or these indices"
            );
            self.fail(Fault::Instruction, message);
            return self.no_results();
        };
        let inst = self.body.append_inst(block, data, &types);
        self.last = Some(inst);
        let values = self.body.results(inst).iter().map(|&value| self.local(value)).collect();
        Results { values, owner: self.id }
    }

    pub(super) fn no_results(&self) -> Results {
        Results { values: SmallVec::new(), owner: self.id }
    }

    /// The current block, if it can take `op`.
    fn open_block(&mut self, op: Op) -> Option<entity::Block> {
        if self.is_terminated() {
            self.last = None;
            let message =
                format_args!("`{op}` stands behind the terminator; switch to another block first");
            self.fail(Fault::AfterTerminator, message);
            return None;
        }
        self.current
    }
}
