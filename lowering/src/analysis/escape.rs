//! Which addresses get out: to memory, to other functions, into numbers. An object of
//! the function none of whose addresses does is known here only, so that no call, no
//! store through another address and no other thread touches it.
//!
//! What an instruction does with an address is asked of every use; from those that get
//! out the way goes back to what they are made from, through offsets, casts, `select`
//! and block parameters, in O(values + uses). The storage of an address in an object
//! that itself does not escape counts as an escape; so does handing it to an exit. A
//! compare tells of an address what the other operand is: it lets none out where that
//! is null or was made from the same object.
//!
//! Does not try: what a callee does with what it is given; the order of things, as in
//! an address that gets out at the end only.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{EntityRef, Inst, Slot, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Field, Form, Op, Pattern, TypeClass};

use super::addresses::{Base, Bases, Derivations, sources};

/// Which addresses get out of the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Escapes {
    bases: Bases,
    values: Vec<bool>,
    slots: Vec<bool>,
}

impl Escapes {
    /// Of all addresses of a body.
    pub fn new(body: &Body) -> Escapes {
        let derivations = Derivations::new(body);
        let bases = Bases::by(body, &derivations);
        let mut values = vec![false; body.value_count()];
        let mut stack: Vec<Value> = Vec::new();
        for inst in body.layout.all_insts() {
            let args = body.args(inst).iter().enumerate();
            let out = args.filter(|&(index, &arg)| lets_out(body, &bases, inst, index, arg));
            stack.extend(out.map(|(_, &arg)| arg));
        }
        while let Some(value) = stack.pop() {
            if let Some(escapes) = values.get_mut(value.index())
                && !std::mem::replace(escapes, true)
            {
                stack.extend(derivations.sources(value));
            }
        }
        let slots = escaping_slots(body, &values);
        Escapes { bases, values, slots }
    }

    /// Whether the address `value`, or one that is made from it, gets out.
    pub fn value_escapes(&self, value: Value) -> bool {
        self.values.get(value.index()).copied().unwrap_or(true)
    }

    /// Whether an address in the slot gets out.
    pub fn slot_escapes(&self, slot: Slot) -> bool {
        self.slots.get(slot.index()).copied().unwrap_or(true)
    }

    /// Whether accesses to a base are made in this function only, and through addresses
    /// that were made from it here.
    pub fn is_private(&self, base: Base) -> bool {
        match base {
            Base::Slot(slot) => !self.slot_escapes(slot),
            Base::Fresh(value) => !self.value_escapes(value),
            _ => false,
        }
    }

    /// What addresses were made from.
    pub fn bases(&self) -> &Bases {
        &self.bases
    }
}

fn escaping_slots(body: &Body, values: &[bool]) -> Vec<bool> {
    let mut slots = vec![false; body.slots().len()];
    for (index, _) in values.iter().enumerate().filter(|(_, escapes)| **escapes) {
        if let ValueDef::Result(inst, _) = body.value_def(Value::new(index))
            && let (Op::SlotAddr, Payload::Slot(slot)) =
                (body.inst(inst).op, body.inst(inst).payload)
            && let Some(escapes) = slots.get_mut(slot.index())
        {
            *escapes = true;
        }
    }
    slots
}

/// Whether `inst` lets out its operand of that index, as far as that is an address.
pub(crate) fn lets_out(body: &Body, bases: &Bases, inst: Inst, index: usize, arg: Value) -> bool {
    if body.value_type(arg).lane().is_some_and(|lane| !lane.is_address()) {
        return false;
    }
    let op = body.inst(inst).op;
    match op {
        Op::Icmp => !tells_nothing(body, bases, inst, arg),
        // They look at an object, or keep it alive.
        Op::Prefetch | Op::StackRestore | Op::TypeOf | Op::ArrayLen | Op::ArrayGet => false,
        Op::PreserveBegin | Op::WriteBarrier => false,
        Op::ArraySet => index != 0,
        _ if !sources(body, inst).is_empty() => false,
        _ => !is_place(op, index),
    }
}

/// Whether a compare of `arg` gives away no more than how far two places in one object
/// are apart.
fn tells_nothing(body: &Body, bases: &Bases, inst: Inst, arg: Value) -> bool {
    body.args(inst).iter().all(|&other| {
        let base = bases.of(other);
        body.as_scalar_constant(other) == Some(0)
            || (base == bases.of(arg) && !matches!(base, Base::Unknown | Base::Nowhere))
    })
}

/// Whether the operand of that index is a place that the op accesses.
pub(crate) fn is_place(op: Op, index: usize) -> bool {
    let fields = op.info().form.fields().iter();
    let mut operands =
        fields.filter(|field| matches!(field, Field::Operand | Field::Address)).skip(index);
    match operands.next() {
        Some(Field::Address) => true,
        // Copies, fills, compares and searches spell places as plain operands.
        Some(Field::Operand) => {
            let is_bulk = op.info().form == Form::Bulk;
            let pattern = op.info().operands.get(index);
            is_bulk && matches!(pattern, Some(Pattern::Any(TypeClass::Address)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
