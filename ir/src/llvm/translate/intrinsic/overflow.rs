//! Arithmetic that says whether it wrapped.

use super::Use;
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{BinaryOp, TypeData};
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::llvm::translate::wide::Sign;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

macro_rules! overflowing {
    ($($name:ident = $op:ident, $sign:ident;)*) => {$(
        pub(super) fn $name(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
            t.with_overflow(call, Op::$op, Sign::$sign)
        }
    )*};
}

overflowing! {
    sadd = SaddOverflow, Signed;
    uadd = UaddOverflow, Unsigned;
    ssub = SsubOverflow, Signed;
    usub = UsubOverflow, Unsigned;
    smul = SmulOverflow, Signed;
    umul = UmulOverflow, Unsigned;
}

impl Translator<'_, '_> {
    fn with_overflow(&mut self, call: &Use<'_>, op: Op, sign: Sign) -> Parsed<Value> {
        let aggregate = self.ty(call.result)?;
        let carrier = self.shared.carrier(call.args[0].ty, self.at)?;
        let flags = carrier.ty.as_mask();
        let parts = match self.shared.type_data(call.result) {
            TypeData::Struct { fields, .. } => fields.len(),
            _ => 0,
        };
        let types = &self.shared.module.types;
        let given = [types.field(aggregate, 0), types.field(aggregate, 1)];
        if carrier.is_wide() && parts == 2 && given == [Some(carrier.ty), Some(Type::I1)] {
            let operands = self.same_operands(call, 2, carrier.ty)?;
            let op = match op {
                Op::SaddOverflow | Op::UaddOverflow => BinaryOp::Add,
                Op::SsubOverflow | Op::UsubOverflow => BinaryOp::Sub,
                _ => BinaryOp::Mul,
            };
            let (result, wrapped) =
                self.wide_overflow((op, sign), carrier, operands[0], operands[1])?;
            return Ok(self.op(Op::MakeAggregate, aggregate, &[result, wrapped]));
        }
        let is_integer = carrier.ty.lane().is_some_and(|lane| lane.is_int() || lane == Scalar::I1);
        if parts != 2 || given != [Some(carrier.ty), flags] || !is_integer {
            return Err(self.invalid("the intrinsic gives an integer and whether it wrapped"));
        }
        let operands = self.same_operands(call, 2, carrier.ty)?;
        let (result, wrapped) = match carrier.ty.is_vector() {
            false => self.overflowing(op, sign, carrier, (operands[0], operands[1])),
            true => self.overflowing_lanes(op, sign, carrier, (operands[0], operands[1])),
        };
        Ok(self.op(Op::MakeAggregate, aggregate, &[result, wrapped]))
    }

    fn overflowing_lanes(
        &mut self,
        op: Op,
        sign: Sign,
        carrier: Carrier,
        (left, right): (Value, Value),
    ) -> (Value, Value) {
        let lane = Carrier { ty: carrier.ty.lane_type(), ..carrier };
        let (mut results, mut wrapped) = (Vec::new(), Vec::new());
        for index in 0..carrier.ty.lanes() {
            let pair = (self.lane(left, index), self.lane(right, index));
            let (result, flag) = self.overflowing(op, sign, lane, pair);
            results.push(result);
            wrapped.push(flag);
        }
        let mask = carrier.ty.as_mask().unwrap_or(Type::I1);
        let results = self.op(Op::MakeVector, carrier.ty, &results);
        (results, self.op(Op::MakeVector, mask, &wrapped))
    }

    /// The wrapped result on two integers, and whether it wrapped.
    fn overflowing(
        &mut self,
        op: Op,
        sign: Sign,
        carrier: Carrier,
        (left, right): (Value, Value),
    ) -> (Value, Value) {
        if carrier.ty == Type::I1 {
            let byte = Carrier { ty: Type::I8, bits: 1 };
            let pair = (self.op(Op::Zext, byte.ty, &[left]), self.op(Op::Zext, byte.ty, &[right]));
            let (result, wrapped) = self.overflowing(op, sign, byte, pair);
            return (self.op(Op::Trunc, Type::I1, &[result]), wrapped);
        }
        let (left, right) = match sign {
            Sign::Signed => (self.sign_extended(carrier, left), self.sign_extended(carrier, right)),
            Sign::Unsigned => (left, right),
        };
        let types = [carrier.ty, Type::I1];
        let inst = self.emit(op, carrier.ty, &[left, right], Payload::None, &types);
        let results = self.body.results(inst);
        let (whole, wrapped) = (results[0], results[1]);
        if carrier.bits == 0 {
            return (whole, wrapped);
        }
        // A narrower integer has wrapped where it is another number than in the carrier.
        let result = self.cut(carrier, whole);
        let number = match sign {
            Sign::Signed => self.sign_extended(carrier, result),
            Sign::Unsigned => result,
        };
        let payload = Payload::IntCond(IntCond::Ne);
        let differs = self.emit_one(Op::Icmp, carrier.ty, &[number, whole], payload, Type::I1);
        (result, self.op(Op::Or, Type::I1, &[wrapped, differs]))
    }
}
