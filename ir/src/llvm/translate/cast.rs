//! Conversions.

use super::function::Translator;
use super::soft_float::is_soft;
use super::types::Carrier;
use crate::entity::Value;
use crate::instruction::{Payload, ZERO_LANE};
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
        let (source, target) = (carriers.0.ty, carriers.1.ty);
        let both = |test: fn(Scalar) -> bool, other: fn(Scalar) -> bool| {
            let same_lanes =
                source.lanes() == target.lanes() && source.is_vector() == target.is_vector();
            same_lanes && source.lane().is_some_and(test) && target.lane().is_some_and(other)
        };
        let is_integer = |lane: Scalar| lane == Scalar::I1 || lane.is_int();
        let (source_width, target_width) = (carriers.0.width(), carriers.1.width());
        let is_any_float = |lane: Scalar| lane.is_float() || is_soft(Type::scalar(lane));
        let converted = match op {
            CastOp::FpTrunc | CastOp::FpExt if is_soft(source) || is_soft(target) => {
                let widths = (carriers.0.width(), carriers.1.width());
                let is_so =
                    if op == CastOp::FpExt { widths.0 < widths.1 } else { widths.0 > widths.1 };
                let converted = match is_so && both(is_any_float, is_any_float) {
                    true => Some(self.soft_converted(value, target)?),
                    false => None,
                };
                converted
            }
            CastOp::FpToUi | CastOp::FpToSi if is_soft(source) && both(|_| true, is_integer) => {
                Some(self.soft_to_integer(value, carriers.1)?)
            }
            CastOp::UiToFp | CastOp::SiToFp if is_soft(target) && both(is_integer, |_| true) => {
                Some(self.soft_from_integer(op, value, carriers)?)
            }
            CastOp::Bitcast => self.bitcast(value, (from, to), carriers)?,
            CastOp::AddrSpaceCast => self.address_cast(value, source, target)?,
            CastOp::Trunc if both(is_integer, is_integer) => {
                (source_width > target_width).then(|| self.trunc(value, carriers, flags))
            }
            CastOp::ZExt | CastOp::SExt if both(is_integer, is_integer) => {
                (source_width < target_width).then(|| self.extend(op, value, carriers))
            }
            CastOp::FpTrunc | CastOp::FpExt if both(Scalar::is_float, Scalar::is_float) => {
                let ours = if op == CastOp::FpExt { Op::Fpext } else { Op::Fptrunc };
                let related = ours.info().relation.holds(target, source);
                related.then(|| self.op(ours, target, &[value]))
            }
            CastOp::FpToUi | CastOp::FpToSi if both(Scalar::is_float, is_integer) => {
                Some(self.float_to_integer(op, value, carriers.1))
            }
            CastOp::UiToFp | CastOp::SiToFp if both(is_integer, Scalar::is_float) => {
                Some(self.integer_to_float(op, value, carriers))
            }
            CastOp::PtrToInt | CastOp::PtrToAddr if both(Scalar::is_address, is_integer) => {
                let bits = self.plain_address_bits(value);
                Some(self.resized(bits, carriers.1))
            }
            CastOp::IntToPtr if both(is_integer, |lane| lane == Scalar::Ptr) => {
                Some(self.integer_to_address(value, carriers))
            }
            _ => None,
        };
        converted.ok_or_else(|| {
            let (from, to) = (self.shared.show_type(from), self.shared.show_type(to));
            self.unsupported(format_args!("there is no such conversion from `{from}` to `{to}`"))
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

    fn integer_to_address(&mut self, value: Value, (_, to): FromTo) -> Value {
        let Some(numbers) = to.ty.with_lane(Scalar::I64) else { return value };
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

    fn address_cast(&mut self, value: Value, from: Type, to: Type) -> Parsed<Option<Value>> {
        let managed = |ty: Type| ty.as_scalar().is_some_and(Scalar::is_managed);
        if from == to && from.lane().is_some_and(Scalar::is_address) {
            return Ok(Some(value));
        }
        if managed(from) && to == Type::PTR {
            return Ok(Some(self.plain_address(value)));
        }
        let related = Op::AddressCast.info().suffix.contains(to)
            && Op::AddressCast.info().relation.holds(to, from);
        Ok(related.then(|| self.op(Op::AddressCast, to, &[value])))
    }

    /// The same bits as another type.
    fn bitcast(
        &mut self,
        value: Value,
        (from, to): (TypeId, TypeId),
        (source, target): FromTo,
    ) -> Parsed<Option<Value>> {
        if from == to {
            return Ok(Some(value));
        }
        let bits = (self.shared.room(from, self.at)?.bits, self.shared.room(to, self.at)?.bits);
        let castable = |ty: Type| Op::Bitcast.info().suffix.contains(ty);
        if bits.0 != bits.1 || !castable(source.ty) || !castable(target.ty) {
            return Ok(None);
        }
        let carried = |ty: Type| u64::from(ty.lane().map_or(0, Scalar::bits) * ty.lanes());
        if source.bits == 0 && target.bits == 0 && carried(source.ty) == carried(target.ty) {
            let same = source.ty == target.ty;
            return Ok(Some(if same { value } else { self.op(Op::Bitcast, target.ty, &[value]) }));
        }
        let packed = self.packed(from, source, value)?;
        Ok(Some(self.unpacked(to, target, packed)?))
    }

    /// The bits of a value, lane behind lane, as an integer of the next wider carrier.
    pub(super) fn packed(&mut self, ty: TypeId, carrier: Carrier, value: Value) -> Parsed<Value> {
        let bits = self.shared.room(ty, self.at)?.bits;
        let whole = self.whole(ty, bits)?;
        let width = carrier.width();
        if !carrier.ty.is_vector() {
            return match carrier.ty.lane() {
                Some(lane) if lane.is_int() => Ok(value),
                Some(Scalar::I1) => Ok(self.op(Op::Zext, whole, &[value])),
                Some(Scalar::Ptr) => Ok(self.address_bits(value)),
                _ => self.same_bits(value, whole),
            };
        }
        if carrier.bits == 0
            && let Some(padded) = self.padded(carrier.ty, whole)
        {
            let lanes: Vec<u32> = (0..padded.lanes())
                .map(|lane| if lane < carrier.ty.lanes() { lane } else { ZERO_LANE })
                .collect();
            let value = self.relaned(value, padded, &lanes);
            return Ok(self.op(Op::Bitcast, whole, &[value]));
        }
        let mut all = self.number(whole, 0);
        for lane in 0..carrier.ty.lanes() {
            let part = self.lane(value, lane);
            let part = self.resized(part, Carrier { ty: whole, bits: 0 });
            let amount = self.number(whole, u128::from(lane) * u128::from(width));
            let part = self.op(Op::Shl, whole, &[part, amount]);
            all = self.op(Op::Or, whole, &[all, part]);
        }
        Ok(all)
    }

    /// The value whose bits, lane behind lane, are those of an integer; its bits above
    /// are not looked at.
    pub(super) fn unpacked(&mut self, ty: TypeId, carrier: Carrier, value: Value) -> Parsed<Value> {
        let bits = self.shared.room(ty, self.at)?.bits;
        let whole = self.whole(ty, bits)?;
        if !carrier.ty.is_vector() {
            return match carrier.ty.lane() {
                Some(lane) if lane.is_int() => Ok(self.cut(carrier, value)),
                Some(Scalar::I1) => Ok(self.op(Op::Trunc, carrier.ty, &[value])),
                Some(Scalar::Ptr) => Ok(self.address_of_bits(value)),
                _ => self.same_bits(value, carrier.ty),
            };
        }
        if carrier.bits == 0
            && let Some(padded) = self.padded(carrier.ty, whole)
        {
            let value = self.op(Op::Bitcast, padded, &[value]);
            let lanes: Vec<u32> = (0..carrier.ty.lanes()).collect();
            return Ok(self.relaned(value, carrier.ty, &lanes));
        }
        let (lane, width) = (carrier.ty.lane_type(), carrier.width());
        let lanes: Vec<Value> = (0..carrier.ty.lanes())
            .map(|index| {
                let amount = self.number(whole, u128::from(index) * u128::from(width));
                let part = self.op(Op::Lshr, whole, &[value, amount]);
                self.resized(part, Carrier { ty: lane, ..carrier })
            })
            .collect();
        Ok(self.op(Op::MakeVector, carrier.ty, &lanes))
    }

    fn same_bits(&mut self, value: Value, ty: Type) -> Parsed<Value> {
        let from = self.body.value_type(value);
        let castable = |ty: Type| Op::Bitcast.info().suffix.contains(ty);
        let related = castable(from) && castable(ty);
        if related && Op::Bitcast.info().relation.holds(ty, from) {
            return Ok(self.op(Op::Bitcast, ty, &[value]));
        }
        let message = format_args!("the bits of `{from}` cannot be read as `{ty}`");
        Err(self.unsupported(message))
    }

    /// The carrier of an integer of that many bits.
    pub(super) fn whole(&mut self, ty: TypeId, bits: u64) -> Parsed<Type> {
        let carriers = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::I128];
        let carrier = carriers.into_iter().find(|scalar| u64::from(scalar.bits()) >= bits);
        carrier.map(Type::scalar).ok_or_else(|| {
            let name = self.shared.show_type(ty);
            self.unsupported(format_args!("the {bits} bits of `{name}` fit no integer"))
        })
    }

    /// The vector of lanes as `vector` has that fills the integer `whole`.
    fn padded(&self, vector: Type, whole: Type) -> Option<Type> {
        let (lane, whole) = (vector.lane()?, whole.lane()?.bits());
        (whole % lane.bits() == 0).then(|| Type::vector(lane, whole / lane.bits()))?
    }

    /// The named lanes of a vector.
    pub(super) fn relaned(&mut self, value: Value, ty: Type, lanes: &[u32]) -> Value {
        if self.body.value_type(value) == ty {
            return value;
        }
        let payload = Payload::Immediates(self.body.immediate_list(lanes));
        self.emit_one(Op::Shuffle, ty, &[value, value], payload, ty)
    }
}
