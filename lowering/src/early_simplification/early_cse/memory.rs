//! What is known of memory.

use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::Content;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::{Computed, Walk};
use crate::analysis::memory_ssa::Walker;
use crate::analysis::{Accesses, MemorySsa};
use crate::pass::bytes::holds_bytes;
use crate::pass::{Expression, PassContext};

/// What tells which writes touch what is read.
pub(super) struct Memory {
    accesses: Rc<Accesses>,
    ssa: Rc<MemorySsa>,
    dominators: Rc<Dominators>,
}

impl Memory {
    pub(super) fn of(body: &Body, context: &mut PassContext<'_>) -> Memory {
        let analyses = &mut context.analyses;
        Memory {
            accesses: analyses.accesses(body, context.module),
            ssa: analyses.memory_ssa(body, context.module),
            dominators: analyses.dominators(body),
        }
    }
}

/// Whether an op reads one place and does nothing else.
pub(super) fn is_load(op: Op) -> bool {
    matches!(op, Op::Load | Op::SlotLoad | Op::DataLoad)
}

impl Walk<'_, '_> {
    /// Whether nothing writes to what `load` reads, from `before` on, which reads it, too, or
    /// writes it, and is on every way there.
    pub(super) fn is_untouched(&self, load: Inst, before: Option<Inst>) -> bool {
        let (Some(memory), Some(before)) = (self.memory.as_ref(), before) else { return false };
        if !is_load(self.body.inst(load).op) {
            return false;
        }
        let Memory { accesses, ssa, dominators } = memory;
        let walker = Walker::new(self.body, dominators, accesses, ssa, Walker::BOUND);
        let found = walker.clobber_of(load);
        let known = match ssa.made(before) {
            Some(made) => Some(made),
            None => walker.clobber_of(before),
        };
        found.is_some() && found == known
    }

    /// A state of memory that nothing has seen.
    pub(super) fn change_memory(&mut self) {
        self.states += 1;
        self.state = self.states;
    }

    /// Notes of an address what it is a constant offset behind.
    pub(super) fn note_base(&mut self, inst: Inst) {
        let (Op::PtrAdd, &[base, offset]) = (self.body.inst(inst).op, self.body.args(inst)) else {
            return;
        };
        let (Some(result), Some(offset)) =
            (self.body.result(inst), self.body.as_scalar_constant(offset))
        else {
            return;
        };
        let (base, before) = self.bases[base].unwrap_or((base, 0));
        self.bases[result] = Some((base, before.wrapping_add(offset as i64)));
    }

    /// The expression of an instruction; that of a load is the same for every
    /// way to spell its address.
    pub(super) fn expression(&self, inst: Inst) -> Option<Expression> {
        let data = self.body.inst(inst);
        match (data.op, data.payload, self.body.args(inst)) {
            (Op::Load, Payload::Access(access), &[address]) => {
                Some(self.load_from(data.ty, address, access.offset))
            }
            _ => Expression::of(self.body, inst),
        }
    }

    fn load_from(&self, ty: Type, address: Value, offset: i32) -> Expression {
        let (base, before) = self.bases[address].unwrap_or((address, 0));
        Expression::load(ty, base, before.wrapping_add(offset.into()))
    }

    /// The state of memory that an instruction depends on, if it depends on any:
    /// not where what it reads never changes.
    pub(super) fn state_read(&self, inst: Inst, effects: Effects) -> Option<u32> {
        let data = self.body.inst(inst);
        let is_promised =
            data.access().is_some_and(|access| access.flags.contains(AccessFlags::INVARIANT));
        let is_constant = match data.payload {
            Payload::Data(object) => self
                .context
                .module
                .data(object)
                .is_some_and(|object| object.content == Content::Constant),
            _ => false,
        };
        // An object keeps the type and the length that it was made with.
        let is_fixed = matches!(data.op, Op::TypeOf | Op::ArrayLen);
        let changes = effects.contains(Effects::READ) && !(is_promised || is_constant || is_fixed);
        changes.then_some(self.state)
    }

    /// What changes memory: of a store it is known what is there behind it.
    pub(super) fn write(&mut self, inst: Inst, effects: Effects) {
        // A volatile access is marked, and an atomic one synchronises.
        let is_plain = !effects.intersects(Effects::MARK | Effects::SYNCHRONISE);
        let stored = if is_plain { self.stored(inst) } else { None };
        let Some((load, value)) = stored else { return self.change_memory() };
        let there = self.available.get(&load);
        let is_there =
            there.is_some_and(|it| it.state == Some(self.state) && it.values.as_slice() == [value]);
        // A truth value that was loaded may be stored back as other bits of its byte.
        if is_there && holds_bytes(self.body.value_type(value)) {
            self.counts.stores += 1;
            self.body.remove_inst(inst);
            return;
        }
        self.change_memory();
        let state = Some(self.state);
        let values = SmallVec::from_slice(&[value]);
        self.available.insert(load, Computed { values, state, by: Some(inst) });
    }

    /// What would load the value that an instruction stores, and the value.
    fn stored(&self, inst: Inst) -> Option<(Expression, Value)> {
        let data = self.body.inst(inst);
        let load_op = match data.op {
            Op::Store => Op::Load,
            Op::SlotStore => Op::SlotLoad,
            Op::DataStore => Op::DataLoad,
            Op::ArraySet => Op::ArrayGet,
            _ => return None,
        };
        let (value, place) = match (data.op, self.body.args(inst)) {
            (Op::ArraySet, [place @ .., value]) => (*value, place),
            (_, [value, place @ ..]) => (*value, place),
            _ => return None,
        };
        if let (Op::Store, Payload::Access(access), &[address]) = (data.op, data.payload, place) {
            return Some((self.load_from(data.ty, address, access.offset), value));
        }
        let expression = Expression::new(self.body, data, place)?;
        Some((expression.with_op(load_op), value))
    }
}
