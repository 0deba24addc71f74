//! Atomic accesses.

use super::code::{FunctionWriter, Typed};
use super::float::Extreme;
use super::memory::volatile;
use super::types::{Shape, scalar_text};
use crate::attribute::{Order, RmwOp};
use crate::entity::Inst;
use crate::instruction::Payload;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// The spelling of an order.
fn order_text(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "monotonic",
        other => other.name(),
    }
}

/// What orders an exchange that fails, where one that succeeds is ordered so.
const fn failure_of(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        Order::AcquireRelease => Order::Acquire,
        other => other,
    }
}

/// The kind of a read-modify-write, where LLVM has it with our meaning.
const fn kind_text(op: RmwOp) -> Option<&'static str> {
    Some(match op {
        RmwOp::Smin => "min",
        RmwOp::Smax => "max",
        RmwOp::Fmin | RmwOp::Fmax => return None,
        other => other.name(),
    })
}

/// The type by which a value is compared and exchanged.
fn exchanged_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F32 => "i32",
        Scalar::F64 => "i64",
        other => scalar_text(other),
    }
}

impl FunctionWriter<'_, '_> {
    fn atomic_scalar(&self, inst: Inst) -> Scalar {
        self.data(inst).ty.as_scalar().unwrap_or(Scalar::I64)
    }

    /// The address of an access, after a check that it is a multiple of the size.
    /// For a volatile one, nothing is known of where it comes from: LLVM divides
    /// the memory of an activation without a thought for what such an access needs.
    fn aligned(&mut self, inst: Inst, index: usize) -> (Typed, u64) {
        let mut address = self.address(inst, index);
        if !volatile(&self.access(inst)).is_empty() {
            let Typed { ty, .. } = &address;
            address.text = self.temporary(format_args!("call {ty} asm \"\", \"=r,0\"({address})"));
        }
        let size = self.atomic_scalar(inst).layout().size;
        if size > 1 {
            let number = self.temporary(format_args!("ptrtoint {address} to i64"));
            let rest = self.temporary(format_args!("and i64 {number}, {}", size - 1));
            let fits = self.temporary(format_args!("icmp eq i64 {rest}, 0"));
            self.require(&fits, TrapCode::MisalignedAtomic.number());
        }
        (address, size)
    }

    pub(super) fn write_atomic_load(&mut self, inst: Inst) {
        let Payload::Atomic { order, access } = self.data(inst).payload else { return };
        let (address, size) = self.aligned(inst, 0);
        let (ty, order) = (self.type_text(self.data(inst).ty), order_text(order));
        let volatile = volatile(&access);
        self.give(
            inst,
            format_args!("load atomic {volatile}{ty}, {address} {order}, align {size}"),
        );
    }

    pub(super) fn write_atomic_store(&mut self, inst: Inst) {
        let Payload::Atomic { order, access } = self.data(inst).payload else { return };
        let value = self.typed_arg(inst, 0);
        let (address, size) = self.aligned(inst, 1);
        let (order, volatile) = (order_text(order), volatile(&access));
        self.line(format_args!("store atomic {volatile}{value}, {address} {order}, align {size}"));
    }

    pub(super) fn write_rmw(&mut self, inst: Inst) {
        let Payload::AtomicRmw { op, order, access } = self.data(inst).payload else { return };
        let value = self.typed_arg(inst, 1);
        let (address, size) = self.aligned(inst, 0);
        let Some(kind) = kind_text(op) else {
            let kind = if op == RmwOp::Fmin { Extreme::Least } else { Extreme::Most };
            let scalar = self.atomic_scalar(inst);
            let (old, _) = self.repeat(inst, &address, order, |writer, old| {
                writer.extreme(kind, Shape::SCALAR, scalar, old, &value.text)
            });
            return self.give_operand(inst, &old);
        };
        let (order, volatile) = (order_text(order), volatile(&access));
        self.give(
            inst,
            format_args!("atomicrmw {volatile}{kind} {address}, {value} {order}, align {size}"),
        );
    }

    pub(super) fn write_modify(&mut self, inst: Inst) {
        let Payload::AtomicModify { function, order, .. } = self.data(inst).payload else { return };
        let value = self.typed_arg(inst, 1);
        let (address, _) = self.aligned(inst, 0);
        let (name, ty) = (self.function_name(function), self.type_text(self.data(inst).ty));
        let (old, new) = self.repeat(inst, &address, order, |writer, old| {
            let call = format!("{ty} {name}({ty} {old}, {value})");
            match writer.regions.handler() {
                None => writer.temporary(format_args!("call {call}")),
                Some(pad) => {
                    let on = writer.new_label();
                    let new = writer.temporary(format_args!(
                        "invoke {call} to label %{on} unwind label %{pad}"
                    ));
                    writer.start(on);
                    new
                }
            }
        });
        self.give_operand(inst, &old);
        self.give_nth(inst, 1, format_args!("bitcast {ty} {new} to {ty}"));
    }

    pub(super) fn write_cas(&mut self, inst: Inst) {
        let Payload::AtomicCas { order, failure, .. } = self.data(inst).payload else { return };
        let (address, _) = self.aligned(inst, 0);
        let ty = self.data(inst).ty;
        let [expected, new] = [1, 2].map(|index| {
            let value = self.arg(inst, index);
            self.as_bits(ty, &value)
        });
        let (seen, done) = self.exchange(inst, &address, [&expected, &new], [order, failure]);
        let seen = self.as_value(ty, &seen);
        self.give_operand(inst, &seen);
        self.give_nth(inst, 1, format_args!("bitcast i1 {done} to i1"));
    }

    /// Bits that can be compared.
    fn as_bits(&mut self, ty: Type, value: &str) -> String {
        self.recast(ty, value, |from, to| (from, to))
    }

    fn as_value(&mut self, ty: Type, bits: &str) -> String {
        self.recast(ty, bits, |from, to| (to, from))
    }

    fn recast(
        &mut self,
        ty: Type,
        value: &str,
        order: impl Fn(&'static str, &'static str) -> (&'static str, &'static str),
    ) -> String {
        let scalar = ty.as_scalar().unwrap_or(Scalar::I64);
        let (from, to) = order(scalar_text(scalar), exchanged_type(scalar));
        match from == to {
            true => value.to_owned(),
            false => self.temporary(format_args!("bitcast {from} {value} to {to}")),
        }
    }

    /// What stood at the address, and whether it was what was expected.
    fn exchange(
        &mut self,
        inst: Inst,
        address: &Typed,
        [expected, new]: [&str; 2],
        [order, failure]: [Order; 2],
    ) -> (String, String) {
        let scalar = self.atomic_scalar(inst);
        let (ty, size) = (exchanged_type(scalar), scalar.layout().size);
        let (order, failure) = (order_text(order), order_text(failure));
        let volatile = volatile(&self.access(inst));
        let pair = self.temporary(format_args!(
            "cmpxchg {volatile}{address}, {ty} {expected}, {ty} {new} {order} {failure}, align {size}"
        ));
        let [seen, done] = [0, 1].map(|index| {
            self.temporary(format_args!("extractvalue {{ {ty}, i1 }} {pair}, {index}"))
        });
        (seen, done)
    }

    /// Replaces a value by what `compute` gives for it, as one step: again and
    /// again until nobody came between. Gives the old value and the new one.
    fn repeat(
        &mut self,
        inst: Inst,
        address: &Typed,
        order: Order,
        compute: impl FnOnce(&mut Self, &str) -> String,
    ) -> (String, String) {
        let ty = self.data(inst).ty;
        let scalar = self.atomic_scalar(inst);
        let (bits, size) = (exchanged_type(scalar), scalar.layout().size);
        let first =
            self.temporary(format_args!("load atomic {bits}, {address} monotonic, align {size}"));
        let (head, again, on) = (self.new_label(), self.new_label(), self.new_label());
        let (before, seen_again) = (self.label.clone(), self.new_name());
        self.line(format_args!("br label %{head}"));
        self.start(head.clone());
        let known = self.temporary(format_args!(
            "phi {bits} [ {first}, %{before} ], [ {seen_again}, %{again} ]"
        ));
        let old = self.as_value(ty, &known);
        let new = compute(self, &old);
        let new_bits = self.as_bits(ty, &new);
        let orders = [order, failure_of(order)];
        let (seen, done) = self.exchange(inst, address, [&known, &new_bits], orders);
        self.line(format_args!("br i1 {done}, label %{on}, label %{again}"));
        self.start(again);
        self.define(&seen_again, format_args!("select i1 true, {bits} {seen}, {bits} {seen}"));
        self.line(format_args!("br label %{head}"));
        self.start(on);
        (old, new)
    }
}
