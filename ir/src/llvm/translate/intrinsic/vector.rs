//! Parts and orders of lanes.

use super::Use;
use crate::attribute::IntCond;
use crate::constant::Constant;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::translate::function::Translator;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

impl Translator<'_, '_> {
    /// The numbers from 0 on, one in each lane.
    pub(super) fn steps(&mut self, ty: Type) -> Value {
        let constant = Constant::vector(ty, (0..ty.lanes()).map(u128::from));
        match constant.or_else(|| Constant::zero(ty)) {
            Some(constant) => self.body.constant(constant),
            None => self.number(ty, 0),
        }
    }

    /// Lanes of two vectors of one type, counted through both.
    pub(super) fn mixed(&mut self, ty: Type, left: Value, right: Value, lanes: &[u32]) -> Value {
        let payload = Payload::Immediates(self.body.immediate_list(lanes));
        self.emit_one(Op::Shuffle, ty, &[left, right], payload, ty)
    }

    fn vector_operand(&mut self, call: &Use<'_>, index: usize) -> Parsed<(Value, Type)> {
        let value = self.value(call.args[index])?;
        let ty = self.body.value_type(value);
        match ty.is_vector() {
            true => Ok((value, ty)),
            false => Err(self.invalid("an operand of the intrinsic is no vector")),
        }
    }

    fn vector_result(&mut self, call: &Use<'_>) -> Parsed<Type> {
        let ty = self.ty(call.result)?;
        match ty.is_vector() {
            true => Ok(ty),
            false => Err(self.invalid("the intrinsic gives a vector")),
        }
    }
}

pub(super) fn step_vector(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let carrier = t.result_carrier(call)?;
    let is_counted = |lane: Scalar| lane == Scalar::I1 || lane.is_int();
    match carrier.ty.is_vector() && carrier.ty.lane().is_some_and(is_counted) {
        true => {
            let steps = t.steps(carrier.ty);
            Ok(t.cut(carrier, steps))
        }
        false => Err(t.invalid("the intrinsic gives a vector of integers")),
    }
}

/// Some lanes of a vector, from an index on.
pub(super) fn extract(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.vector_result(call)?;
    let (vector, from) = t.vector_operand(call, 0)?;
    let start = t.immediate(call, 1)?;
    if ty.lane() != from.lane() || start.saturating_add(ty.lanes().into()) > from.lanes().into() {
        return Err(t.invalid("the lanes are not within the vector"));
    }
    let lanes: Vec<u32> = (start as u32..start as u32 + ty.lanes()).collect();
    Ok(t.mixed(ty, vector, vector, &lanes))
}

/// A vector with some lanes, from an index on, replaced by another.
pub(super) fn insert(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let vector = t.first_operand(call)?;
    let ty = t.vector_result(call)?;
    let (part, from) = t.vector_operand(call, 1)?;
    let start = t.immediate(call, 2)?;
    if ty.lane() != from.lane() || start.saturating_add(from.lanes().into()) > ty.lanes().into() {
        return Err(t.invalid("the lanes are not within the vector"));
    }
    let start = start as u32;
    let wide: Vec<u32> = (0..ty.lanes()).map(|lane| lane % from.lanes()).collect();
    let wide = t.mixed(ty, part, part, &wide);
    let inside = start..start + from.lanes();
    let lanes: Vec<u32> = (0..ty.lanes())
        .map(|lane| if inside.contains(&lane) { ty.lanes() + lane - start } else { lane })
        .collect();
    Ok(t.mixed(ty, vector, wide, &lanes))
}

pub(super) fn reverse(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let vector = t.first_operand(call)?;
    let ty = t.vector_result(call)?;
    let lanes: Vec<u32> = (0..ty.lanes()).rev().collect();
    Ok(t.mixed(ty, vector, vector, &lanes))
}

/// Lanes that follow each other through two vectors, from an index on; below zero it
/// counts from the end of the first.
pub(super) fn splice(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.vector_result(call)?;
    let operands = t.same_operands(call, 2, ty)?;
    let index = i64::from(t.immediate(call, 2)? as u32 as i32);
    let start = if index < 0 { i64::from(ty.lanes()) + index } else { index };
    let Some(start) = u32::try_from(start).ok().filter(|&start| start <= ty.lanes()) else {
        return Err(t.invalid("the lanes are not within the vectors"));
    };
    let lanes: Vec<u32> = (start..start + ty.lanes()).collect();
    Ok(t.mixed(ty, operands[0], operands[1], &lanes))
}

pub(super) fn interleave(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.vector_result(call)?;
    let (left, from) = t.vector_operand(call, 0)?;
    let (right, other) = t.vector_operand(call, 1)?;
    if from != other || ty.lane() != from.lane() || ty.lanes() != 2 * from.lanes() {
        return Err(t.invalid("the intrinsic gives the lanes of two vectors"));
    }
    let lanes: Vec<u32> =
        (0..ty.lanes()).map(|lane| lane / 2 + (lane % 2) * from.lanes()).collect();
    Ok(t.mixed(ty, left, right, &lanes))
}

pub(super) fn deinterleave(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let aggregate = t.ty(call.result)?;
    let (vector, from) = t.vector_operand(call, 0)?;
    let part = from.lane().and_then(|lane| Type::vector(lane, from.lanes() / 2));
    let types = &t.shared.module.types;
    let Some(part) = part.filter(|&part| {
        from.lanes() % 2 == 0
            && types.field_count(aggregate) == 2
            && (0..2).all(|field| types.field(aggregate, field) == Some(part))
    }) else {
        return Err(t.invalid("the intrinsic gives two vectors of half the lanes"));
    };
    let halves = [0, 1].map(|first| {
        let lanes: Vec<u32> = (0..part.lanes()).map(|lane| 2 * lane + first).collect();
        t.mixed(part, vector, vector, &lanes)
    });
    Ok(t.op(Op::MakeAggregate, aggregate, &halves))
}

/// The index of the first lane that is not zero; of none, how many lanes there are.
pub(super) fn first_set(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.refuse_pieces(call.args[0])?;
    let (vector, ty) = t.vector_operand(call, 0)?;
    let result = t.result_carrier(call)?;
    if !result.ty.as_scalar().is_some_and(|lane| lane.is_int()) {
        return Err(t.invalid("the intrinsic gives an integer"));
    }
    let mask = match ty.lane() {
        Some(Scalar::I1) => vector,
        Some(lane) if lane.is_int() => {
            let zero = t.number(ty, 0);
            t.integer_condition(IntCond::Ne, vector, zero)
        }
        _ => return Err(t.invalid("the operands of the intrinsic are integers")),
    };
    let mut first = t.number(result.ty, ty.lanes().into());
    for index in (0..ty.lanes()).rev() {
        let (is_set, number) = (t.lane(mask, index), t.number(result.ty, index.into()));
        first = t.choose(is_set, number, first);
    }
    Ok(t.cut(result, first))
}

/// The sign of each lane, as the bit of its number.
pub(super) fn signs(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.refuse_pieces(call.args[0])?;
    let (vector, ty) = t.vector_operand(call, 0)?;
    let result = t.ty(call.result)?;
    if result != Type::I32 {
        return Err(t.invalid("the intrinsic gives an i32"));
    }
    let lane = match ty.lane() {
        Some(Scalar::F32) => Scalar::I32,
        Some(Scalar::F64) => Scalar::I64,
        Some(lane) if lane.is_int() => lane,
        _ => return Err(t.invalid("the operand of the intrinsic has neither integers nor floats")),
    };
    let Some(words) = Type::vector(lane, ty.lanes()) else {
        return Err(t.invalid("the operand of the intrinsic is no vector of words"));
    };
    let vector = if words == ty { vector } else { t.op(Op::Bitcast, words, &[vector]) };
    let zero = t.number(words, 0);
    let negative = t.integer_condition(IntCond::Slt, vector, zero);
    let (mut all, none) = (t.number(result, 0), t.number(result, 0));
    for index in 0..ty.lanes() {
        let (is_set, bit) = (t.lane(negative, index), t.number(result, 1 << index));
        let bit = t.choose(is_set, bit, none);
        all = t.op(Op::Or, result, &[all, bit]);
    }
    Ok(all)
}
