//! Loads, stores, atomics, slots, data, aggregates: ops that name something.

use super::function::FunctionBuilder;
use super::handle::{Slot, Value};
use crate::attribute::{FloatCond, IntCond, Order, RmwOp};
use crate::entity::{DataId, FuncId};
use crate::instruction::{Access, Payload, ZERO_LANE};
use crate::op::Op;
use crate::types::Type;

/// An access that says nothing but an offset in bytes.
fn at(offset: i32) -> Access {
    Access { offset, ..Access::default() }
}

/// Memory by address. An [`Access`] adds an offset, promises and hints.
impl FunctionBuilder<'_> {
    /// Appends [`Op::Load`] of a `ty` at `address` plus `offset` bytes.
    pub fn load(&mut self, ty: Type, address: Value, offset: i32) -> Value {
        self.load_with(ty, address, at(offset))
    }

    /// Appends [`Op::Load`] of a `ty`.
    pub fn load_with(&mut self, ty: Type, address: Value, access: Access) -> Value {
        self.emit(Op::Load, ty, &[address], Payload::Access(access)).first()
    }

    /// Appends [`Op::Store`] at `address` plus `offset` bytes.
    pub fn store(&mut self, value: Value, address: Value, offset: i32) {
        self.store_with(value, address, at(offset));
    }

    /// Appends [`Op::Store`].
    pub fn store_with(&mut self, value: Value, address: Value, access: Access) {
        let ty = self.value_type(value);
        self.emit(Op::Store, ty, &[value, address], Payload::Access(access));
    }

    /// Appends [`Op::MaskedLoad`], at the type of `otherwise`.
    pub fn masked_load(
        &mut self,
        mask: Value,
        address: Value,
        otherwise: Value,
        access: Access,
    ) -> Value {
        let ty = self.value_type(otherwise);
        let payload = Payload::Access(access);
        self.emit(Op::MaskedLoad, ty, &[mask, address, otherwise], payload).first()
    }

    /// Appends [`Op::MaskedStore`], at the type of `value`.
    pub fn masked_store(&mut self, mask: Value, value: Value, address: Value, access: Access) {
        let ty = self.value_type(value);
        self.emit(Op::MaskedStore, ty, &[mask, value, address], Payload::Access(access));
    }

    /// Appends [`Op::MemCopy`].
    pub fn mem_copy(&mut self, to: Value, from: Value, bytes: Value, access: Access) {
        self.emit(Op::MemCopy, Type::NONE, &[to, from, bytes], Payload::Access(access));
    }

    /// Appends [`Op::MemFill`].
    pub fn mem_fill(&mut self, to: Value, byte: Value, bytes: Value, access: Access) {
        self.emit(Op::MemFill, Type::NONE, &[to, byte, bytes], Payload::Access(access));
    }

    /// Appends [`Op::MemCompare`].
    pub fn mem_compare(&mut self, x: Value, y: Value, bytes: Value, access: Access) -> Value {
        let payload = Payload::Access(access);
        self.emit(Op::MemCompare, Type::NONE, &[x, y, bytes], payload).first()
    }

    /// Appends [`Op::MemFind`].
    pub fn mem_find(&mut self, from: Value, byte: Value, bytes: Value, access: Access) -> Value {
        let payload = Payload::Access(access);
        self.emit(Op::MemFind, Type::NONE, &[from, byte, bytes], payload).first()
    }

    /// Appends [`Op::AtomicLoad`] of a `ty`; an `i128` comes from memory that may be written.
    pub fn atomic_load(&mut self, ty: Type, order: Order, address: Value, access: Access) -> Value {
        self.emit(Op::AtomicLoad, ty, &[address], Payload::Atomic { order, access }).first()
    }

    /// Appends [`Op::AtomicStore`].
    pub fn atomic_store(&mut self, order: Order, value: Value, address: Value, access: Access) {
        let ty = self.value_type(value);
        self.emit(Op::AtomicStore, ty, &[value, address], Payload::Atomic { order, access });
    }

    /// Appends [`Op::AtomicRmw`] and gives the old value.
    pub fn atomic_rmw(
        &mut self,
        op: RmwOp,
        order: Order,
        address: Value,
        operand: Value,
        access: Access,
    ) -> Value {
        let ty = self.value_type(operand);
        let payload = Payload::AtomicRmw { op, order, access };
        self.emit(Op::AtomicRmw, ty, &[address, operand], payload).first()
    }

    /// Appends [`Op::AtomicCas`], with the orders of success and failure, and
    /// gives the old value and whether it was replaced.
    pub fn atomic_cas(
        &mut self,
        (order, failure): (Order, Order),
        address: Value,
        expected: Value,
        new: Value,
        access: Access,
    ) -> (Value, Value) {
        let ty = self.value_type(expected);
        let payload = Payload::AtomicCas { order, failure, access };
        self.emit(Op::AtomicCas, ty, &[address, expected, new], payload).pair()
    }

    /// Appends [`Op::AtomicModify`] and gives the old and the new value.
    pub fn atomic_modify(
        &mut self,
        function: FuncId,
        order: Order,
        address: Value,
        operand: Value,
        access: Access,
    ) -> (Value, Value) {
        let ty = self.value_type(operand);
        let payload = Payload::AtomicModify { function, order, access };
        self.emit(Op::AtomicModify, ty, &[address, operand], payload).pair()
    }

    /// Appends [`Op::Fence`].
    pub fn fence(&mut self, order: Order) {
        self.emit(Op::Fence, Type::NONE, &[], Payload::Order(order));
    }
}

/// Slots, data objects and functions, by name.
impl FunctionBuilder<'_> {
    /// Appends [`Op::SlotLoad`] of a `ty`; the offset is an `i64` in bytes.
    pub fn slot_load(&mut self, ty: Type, slot: Slot, offset: Value) -> Value {
        let Some(slot) = self.own(slot) else { return self.no_results().first() };
        self.emit(Op::SlotLoad, ty, &[offset], Payload::Slot(slot)).first()
    }

    /// Appends [`Op::SlotStore`]; the offset is an `i64` in bytes.
    pub fn slot_store(&mut self, value: Value, slot: Slot, offset: Value) {
        let ty = self.value_type(value);
        if let Some(slot) = self.own(slot) {
            self.emit(Op::SlotStore, ty, &[value, offset], Payload::Slot(slot));
        }
    }

    /// Appends [`Op::SlotAddr`].
    pub fn slot_addr(&mut self, slot: Slot) -> Value {
        let Some(slot) = self.own(slot) else { return self.no_results().first() };
        self.emit(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot)).first()
    }

    /// Appends [`Op::SlotStart`].
    pub fn slot_start(&mut self, slot: Slot) {
        if let Some(slot) = self.own(slot) {
            self.emit(Op::SlotStart, Type::NONE, &[], Payload::Slot(slot));
        }
    }

    /// Appends [`Op::SlotEnd`].
    pub fn slot_end(&mut self, slot: Slot) {
        if let Some(slot) = self.own(slot) {
            self.emit(Op::SlotEnd, Type::NONE, &[], Payload::Slot(slot));
        }
    }

    /// Appends [`Op::DataLoad`] of a `ty`; the offset is an `i64` in bytes.
    pub fn data_load(&mut self, ty: Type, data: DataId, offset: Value) -> Value {
        self.emit(Op::DataLoad, ty, &[offset], Payload::Data(data)).first()
    }

    /// Appends [`Op::DataStore`]; the offset is an `i64` in bytes.
    pub fn data_store(&mut self, value: Value, data: DataId, offset: Value) {
        let ty = self.value_type(value);
        self.emit(Op::DataStore, ty, &[value, offset], Payload::Data(data));
    }

    /// Appends [`Op::DataAddr`].
    pub fn data_addr(&mut self, data: DataId) -> Value {
        self.emit(Op::DataAddr, Type::NONE, &[], Payload::Data(data)).first()
    }

    /// Appends [`Op::FunctionAddr`].
    pub fn function_addr(&mut self, function: FuncId) -> Value {
        let ty = self.module.function(function).map_or(Type::NONE, |f| Type::function(f.sig));
        self.emit(Op::FunctionAddr, ty, &[], Payload::Function(function)).first()
    }
}

/// Compares, aggregates and vectors.
impl FunctionBuilder<'_> {
    /// Appends [`Op::Icmp`], at the type of `x`.
    pub fn icmp(&mut self, cond: IntCond, x: Value, y: Value) -> Value {
        let ty = self.value_type(x);
        self.emit(Op::Icmp, ty, &[x, y], Payload::IntCond(cond)).first()
    }

    /// Appends [`Op::Fcmp`], at the type of `x`.
    pub fn fcmp(&mut self, cond: FloatCond, x: Value, y: Value) -> Value {
        let ty = self.value_type(x);
        self.emit(Op::Fcmp, ty, &[x, y], Payload::FloatCond(cond)).first()
    }

    /// Appends [`Op::ExtractValue`]: the part of `aggregate` that the indices lead to.
    pub fn extract_value(&mut self, aggregate: Value, path: &[u32]) -> Value {
        let ty = self.value_type(aggregate);
        let payload = Payload::Immediates(self.body.immediate_list(path));
        self.emit(Op::ExtractValue, ty, &[aggregate], payload).first()
    }

    /// Appends [`Op::InsertValue`]: `aggregate` with `part` where the indices lead to.
    pub fn insert_value(&mut self, aggregate: Value, part: Value, path: &[u32]) -> Value {
        let ty = self.value_type(aggregate);
        let payload = Payload::Immediates(self.body.immediate_list(path));
        self.emit(Op::InsertValue, ty, &[aggregate, part], payload).first()
    }

    /// Appends [`Op::Shuffle`]: the named lanes, counted through both
    /// operands, and zero where none is named.
    pub fn shuffle(&mut self, x: Value, y: Value, lanes: &[Option<u32>]) -> Value {
        let lane = self.value_type(x).lane();
        let ty = lane.and_then(|lane| Type::vector(lane, lanes.len() as u32)).unwrap_or(Type::NONE);
        let lanes: Vec<u32> = lanes.iter().map(|lane| lane.unwrap_or(ZERO_LANE)).collect();
        let payload = Payload::Immediates(self.body.immediate_list(&lanes));
        self.emit(Op::Shuffle, ty, &[x, y], payload).first()
    }

    /// Appends [`Op::CpuHas`].
    pub fn cpu_has(&mut self, feature: &str) -> Value {
        let payload = Payload::Feature(self.module.intern(feature));
        self.emit(Op::CpuHas, Type::NONE, &[], payload).first()
    }
}

#[cfg(test)]
pub(super) const IN_THIS_FILE: &[Op] = &[
    Op::Load,
    Op::Store,
    Op::MaskedLoad,
    Op::MaskedStore,
    Op::MemCopy,
    Op::MemFill,
    Op::MemCompare,
    Op::MemFind,
    Op::AtomicLoad,
    Op::AtomicStore,
    Op::AtomicRmw,
    Op::AtomicCas,
    Op::AtomicModify,
    Op::Fence,
    Op::SlotLoad,
    Op::SlotStore,
    Op::SlotAddr,
    Op::SlotStart,
    Op::SlotEnd,
    Op::DataLoad,
    Op::DataStore,
    Op::DataAddr,
    Op::FunctionAddr,
    Op::Icmp,
    Op::Fcmp,
    Op::ExtractValue,
    Op::InsertValue,
    Op::Shuffle,
    Op::CpuHas,
];
