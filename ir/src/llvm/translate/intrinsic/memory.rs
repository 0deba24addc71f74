//! Memory, stack and addresses.

use super::Use;
use crate::attribute::{AccessFlags, IntCond, Order};
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::ParamAttributes;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

impl Translator<'_, '_> {
    /// What is said of the bytes that a copy or fill touches: the operand behind the
    /// length says whether it is volatile.
    fn bulk_access(&mut self, call: &Use<'_>, addresses: usize) -> Parsed<Access> {
        let mut access = self.access(call.inst)?;
        let plain = ParamAttributes::default();
        let attributes = call.attributes.iter().chain(std::iter::repeat(&plain)).take(addresses);
        let align = attributes.map(|attributes| attributes.align.max(1)).min().unwrap_or(1);
        access.align_log2 = align.trailing_zeros() as u8;
        let is_volatile = call.args.len() > 3 && self.immediate(call, 3)? != 0;
        access.flags.set(AccessFlags::VOLATILE, is_volatile);
        Ok(access)
    }

    fn length(&mut self, call: &Use<'_>, index: usize) -> Parsed<Value> {
        let length = self.value(call.args[index])?;
        match self.is_integer_value(length) {
            true => Ok(self.resized(length, Carrier { ty: Type::I64, bits: 0 })),
            false => Err(self.invalid("the length is no integer")),
        }
    }
}

/// A copy as if through a buffer: of areas that do not overlap, it is the same.
pub(super) fn copy(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let (to, from) = (t.address(call.args[0])?, t.address(call.args[1])?);
    let length = t.length(call, 2)?;
    let access = t.bulk_access(call, 2)?;
    t.emit(Op::MemCopy, Type::NONE, &[to, from, length], Payload::Access(access), &[]);
    Ok(())
}

pub(super) fn fill(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let to = t.address(call.args[0])?;
    let byte = t.operand_of(call, 1, Type::I8)?;
    let length = t.length(call, 2)?;
    let access = t.bulk_access(call, 1)?;
    t.emit(Op::MemFill, Type::NONE, &[to, byte, length], Payload::Access(access), &[]);
    Ok(())
}

pub(super) fn fence(t: &mut Translator<'_, '_>, _: &Use<'_>) -> Parsed<()> {
    let order = Payload::Order(Order::SequentiallyConsistent);
    t.emit(Op::Fence, Type::NONE, &[], order, &[]);
    Ok(())
}

pub(super) fn prefetch(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let address = t.address(call.args[0])?;
    t.emit(Op::Prefetch, Type::NONE, &[address], Payload::None, &[]);
    Ok(())
}

/// Nothing is known of the object: as large as any, or where that is asked for, empty.
pub(super) fn object_size(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let carrier = t.result_carrier(call)?;
    if !carrier.ty.as_scalar().is_some_and(Scalar::is_int) {
        return Err(t.unsupported("a size of more than 128 bits"));
    }
    let is_least = t.immediate(call, 1)? != 0;
    let value = t.number(carrier.ty, if is_least { 0 } else { u128::MAX });
    Ok(t.cut(carrier, value))
}

/// An address in the frame, which is what programs ask the depth of the stack by.
pub(super) fn frame_address(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    if t.ty(call.result)? != Type::PTR {
        return Err(t.unsupported("the address of a frame is a plain pointer"));
    }
    if t.immediate(call, 0)? != 0 {
        return Ok(t.number(Type::PTR, 0));
    }
    t.own_slot(16, 16)
}

pub(super) fn pointer_mask(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let address = t.first_operand(call)?;
    let ty = t.body.value_type(address);
    if ty.lane_type() != Type::PTR {
        return Err(t.unsupported("only plain addresses are masked"));
    }
    let bits = t.address_bits(address);
    let mask = t.operand_of(call, 1, t.body.value_type(bits))?;
    let masked = t.op(Op::And, t.body.value_type(bits), &[bits, mask]);
    Ok(t.address_of_bits(masked))
}

impl Translator<'_, '_> {
    pub(in crate::llvm::translate) fn address_behind(
        &mut self,
        base: Value,
        offset: Value,
    ) -> Value {
        self.emit_one(Op::PtrAdd, Type::NONE, &[base, offset], Payload::None, Type::PTR)
    }
}

/// Which lanes of a vector that starts at a number are below a limit.
pub(super) fn active_lanes(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let mask = t.ty(call.result)?;
    let start = t.value(call.args[0])?;
    let limit = t.operand_of(call, 1, t.body.value_type(start))?;
    let lane = t.body.value_type(start).as_scalar().filter(|lane| lane.is_int());
    let Some(ty) = lane.and_then(|lane| Type::vector(lane, mask.lanes())) else {
        return Err(t.unsupported("the lanes of `llvm.get.active.lane.mask` fit no vector"));
    };
    if ty.as_mask() != Some(mask) {
        return Err(t.invalid("the intrinsic gives a mask"));
    }
    let steps = t.steps(ty);
    let (starts, limits) = (t.splat(ty, start), t.splat(ty, limit));
    // A sum that wraps is of no lane either.
    let numbers = t.op(Op::UaddSat, ty, &[starts, steps]);
    Ok(t.integer_condition(IntCond::Ult, numbers, limits))
}
