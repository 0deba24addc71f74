//! Conversions.

use super::function::Translator;
use super::soft_float::is_soft;
use super::types::Carrier;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{CastOp, Flags, TypeId};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

use super::integer::flags_of;

/// Where a conversion leads from and to.
pub(super) type FromTo = (Carrier, Carrier);

impl Translator<'_, '_> {
    /// A value of the first type as one of the second.
    pub(super) fn cast(
        &mut self,
        op: CastOp,
        value: Value,
        (from, to): (TypeId, TypeId),
        flags: Flags,
    ) -> Parsed<Value> {
        let carriers = (self.shared.carrier(from, self.at)?, self.shared.carrier(to, self.at)?);
        if op == CastOp::Bitcast {
            return self.bitcast(value, (from, to), carriers);
        }
        if carriers.0.is_wide() || carriers.1.is_wide() {
            return self.wide_cast(op, value, carriers);
        }
        if self.pieced(from)?.is_some() || self.pieced(to)?.is_some() {
            return self.cast_pieces((from, to), value, |this, value, carriers| {
                this.cast_carried(op, value, carriers, flags)
            });
        }
        self.cast_carried(op, value, carriers, flags)
    }

    fn cast_carried(
        &mut self,
        op: CastOp,
        value: Value,
        carriers: FromTo,
        flags: Flags,
    ) -> Parsed<Value> {
        let (source, target) = (carriers.0.ty, carriers.1.ty);
        Ok(match op {
            CastOp::Trunc => self.trunc(value, carriers, flags),
            CastOp::ZExt | CastOp::SExt => self.extend(op, value, carriers),
            CastOp::FpTrunc | CastOp::FpExt if is_soft(source) || is_soft(target) => {
                self.soft_converted(value, target)?
            }
            CastOp::FpTrunc => self.op(Op::Fptrunc, target, &[value]),
            CastOp::FpExt => self.op(Op::Fpext, target, &[value]),
            CastOp::FpToUi | CastOp::FpToSi if is_soft(source) => {
                self.soft_to_integer(value, carriers.1)?
            }
            CastOp::FpToUi | CastOp::FpToSi => self.float_to_integer(op, value, carriers.1),
            CastOp::UiToFp | CastOp::SiToFp if is_soft(target) => {
                self.soft_from_integer(op, value, carriers)?
            }
            CastOp::UiToFp | CastOp::SiToFp => self.integer_to_float(op, value, carriers),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let bits = self.plain_address_bits(value);
                self.resized(bits, carriers.1)
            }
            CastOp::IntToPtr => {
                let address = self.integer_to_address(value, target);
                self.address_cast(address, target)?
            }
            CastOp::AddrSpaceCast | CastOp::Bitcast => self.address_cast(value, target)?,
        })
    }

    fn trunc(&mut self, value: Value, (from, to): FromTo, flags: Flags) -> Value {
        if from.ty == to.ty {
            return self.cut(to, value);
        }
        // That nothing is cut off says nothing of what the carriers cut off.
        let flags = if from.bits == 0 && to.bits == 0 { flags } else { Flags::empty() };
        let value = self.op_with(Op::Trunc, to.ty, &[value], flags_of(flags));
        self.cut(to, value)
    }

    fn extend(&mut self, op: CastOp, value: Value, (from, to): FromTo) -> Value {
        if op == CastOp::ZExt {
            return if from.ty == to.ty { value } else { self.op(Op::Zext, to.ty, &[value]) };
        }
        let mut value = self.sign_extended(from, value);
        if from.ty != to.ty {
            value = self.op(Op::Sext, to.ty, &[value]);
        }
        self.cut(to, value)
    }

    /// What a float is beside the range of the integer has no meaning in LLVM; here it
    /// is held at the nearest number of the carrier, of which the low bits count.
    fn float_to_integer(&mut self, op: CastOp, value: Value, to: Carrier) -> Value {
        let ours = if op == CastOp::FpToSi { Op::FptosiSat } else { Op::FptouiSat };
        if to.ty.lane() != Some(Scalar::I1) {
            let value = self.op(ours, to.ty, &[value]);
            return self.cut(to, value);
        }
        let Some(bytes) = to.ty.with_lane(Scalar::I8) else { return value };
        let number = self.op(ours, bytes, &[value]);
        self.op(Op::Trunc, to.ty, &[number])
    }

    fn integer_to_float(&mut self, op: CastOp, value: Value, (from, to): FromTo) -> Value {
        let (ours, extend) = match op {
            CastOp::SiToFp => (Op::Sitofp, Op::Sext),
            _ => (Op::Uitofp, Op::Zext),
        };
        let value = match from.ty.with_lane(Scalar::I8) {
            Some(bytes) if from.ty.lane() == Some(Scalar::I1) => self.op(extend, bytes, &[value]),
            _ if op == CastOp::SiToFp => self.sign_extended(from, value),
            _ => value,
        };
        self.op(ours, to.ty, &[value])
    }

    /// The number that an address of any kind is.
    fn plain_address_bits(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        let value = match ty.as_scalar() {
            Some(lane) if lane.is_managed() => self.plain_address(value),
            _ => value,
        };
        self.address_bits(value)
    }

    fn plain_address(&mut self, value: Value) -> Value {
        self.emit_one(Op::PointerFromRef, Type::NONE, &[value], Payload::None, Type::PTR)
    }

    /// An unsigned number, of which no bits but the carrier's count, in another width.
    pub(super) fn resized(&mut self, value: Value, to: Carrier) -> Value {
        let from = self.body.value_type(value);
        let bits = |ty: Type| ty.lane().map_or(0, Scalar::bits);
        let value = match bits(from).cmp(&bits(to.ty)) {
            std::cmp::Ordering::Less => self.op(Op::Zext, to.ty, &[value]),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.op(Op::Trunc, to.ty, &[value]),
        };
        self.cut(to, value)
    }

    fn integer_to_address(&mut self, value: Value, to: Type) -> Value {
        let Some(numbers) = to.with_lane(Scalar::I64) else { return value };
        let number = self.resized(value, Carrier { ty: numbers, bits: 0 });
        self.address_of_bits(number)
    }

    /// The address that a number, or each of a vector, is.
    pub(super) fn address_of_bits(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        match ty.with_lane(Scalar::Ptr) {
            Some(addresses) if ty.is_vector() => self.op(Op::Bitcast, addresses, &[value]),
            _ => self.emit_one(Op::IntToPtr, Type::NONE, &[value], Payload::None, Type::PTR),
        }
    }

    /// The address as one of another kind.
    fn address_cast(&mut self, value: Value, to: Type) -> Parsed<Value> {
        let from = self.body.value_type(value);
        let managed = |ty: Type| ty.as_scalar().is_some_and(Scalar::is_managed);
        if from == to {
            return Ok(value);
        }
        if managed(from) && to == Type::PTR {
            return Ok(self.plain_address(value));
        }
        let related = Op::AddressCast.info().suffix.contains(to)
            && Op::AddressCast.info().relation.holds(to, from);
        match related {
            true => Ok(self.op(Op::AddressCast, to, &[value])),
            false => Err(self.unsupported(format_args!("no `{from}` becomes a `{to}`"))),
        }
    }
}
