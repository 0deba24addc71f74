//! Atomic accesses.

use super::function::Translator;
use super::memory::Place;
use super::soft_float::is_soft;
use super::types::Carrier;
use crate::attribute::{FloatCond, IntCond, Order, RmwOp};
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{BinaryOp, Instruction, Kind, Reach, RmwKind, TypeId, Typed};
use crate::op::{Op, TypeClass};
use crate::text::Parsed;
use crate::types::Type;

impl Translator<'_, '_> {
    /// The value of type `ty` at a place, read as one.
    pub(super) fn atomic_load(&mut self, ty: TypeId, order: Order, place: Place) -> Parsed<Value> {
        if matches!(order, Order::Release | Order::AcquireRelease) {
            return Err(self.invalid("an atomic load does not release"));
        }
        let (carrier, atomic) = self.atomic_type(ty)?;
        let payload = Payload::Atomic { order, access: place.access };
        let value = self.emit_one(Op::AtomicLoad, atomic, &[place.address], payload, atomic);
        Ok(self.read_as(carrier, value))
    }

    /// Puts a value of type `ty` at a place as one.
    pub(super) fn atomic_store(
        &mut self,
        (ty, value): (TypeId, Value),
        order: Order,
        place: Place,
    ) -> Parsed<()> {
        if matches!(order, Order::Acquire | Order::AcquireRelease) {
            return Err(self.invalid("an atomic store does not acquire"));
        }
        let (_, atomic) = self.atomic_type(ty)?;
        let value = self.read_as(atomic, value);
        let payload = Payload::Atomic { order, access: place.access };
        self.emit(Op::AtomicStore, atomic, &[value, place.address], payload, &[]);
        Ok(())
    }

    /// How values of `ty` are carried, and as which type of as many bits they are
    /// accessed as one.
    fn atomic_type(&mut self, ty: TypeId) -> Parsed<(Type, Type)> {
        let Carrier { ty: carrier, bits } = self.shared.carrier(ty, self.at)?;
        let room = self.shared.room(ty, self.at)?;
        if bits == 0 && TypeClass::Atomic.contains(carrier) {
            return Ok((carrier, carrier));
        }
        let whole = match room.bits {
            16 => Some(Type::I16),
            32 => Some(Type::I32),
            64 => Some(Type::I64),
            128 => Some(Type::I128),
            _ => None,
        };
        let castable = bits == 0 && Op::Bitcast.info().suffix.contains(carrier);
        whole.filter(|_| castable).map(|whole| (carrier, whole)).ok_or_else(|| {
            let name = self.shared.show_type(ty);
            self.unsupported(format_args!(
                "`{name}` is not accessed atomically: only 8 to 128 bits are"
            ))
        })
    }

    /// The bits of a value as the type that it is accessed or carried as.
    fn read_as(&mut self, ty: Type, value: Value) -> Value {
        match self.body.value_type(value) == ty {
            true => value,
            false => self.op(Op::Bitcast, ty, &[value]),
        }
    }

    /// Orders accesses.
    pub(super) fn fence(&mut self, order: Order) {
        self.emit(Op::Fence, Type::NONE, &[], Payload::Order(order), &[]);
    }

    /// Translates `cmpxchg`, whose result is the old value and whether it was replaced.
    pub(super) fn compare_exchange(&mut self, inst: &Instruction) -> Parsed<()> {
        let Kind::CompareExchange { address, expected, new, reach, failure, .. } = inst.kind else {
            return Ok(());
        };
        let (place, order) = self.atomic_place(inst, expected.ty, address, reach)?;
        let (carrier, atomic) = self.atomic_type(expected.ty)?;
        let (expected_value, new) = (self.value(expected)?, self.value(new)?);
        let operands =
            [place.address, self.read_as(atomic, expected_value), self.read_as(atomic, new)];
        let payload =
            Payload::AtomicCas { order: order.max(failure), failure, access: place.access };
        let results = [atomic, Type::I1];
        let cas = self.emit(Op::AtomicCas, atomic, &operands, payload, &results);
        let (old, done) = (self.body.results(cas)[0], self.body.results(cas)[1]);
        let old = self.read_as(carrier, old);
        let pair = self.result_type(inst)?;
        let pair = self.op(Op::MakeAggregate, pair, &[old, done]);
        self.define(inst.result, pair);
        Ok(())
    }

    fn atomic_place(
        &mut self,
        inst: &Instruction,
        ty: TypeId,
        address: Typed,
        reach: Reach,
    ) -> Parsed<(Place, Order)> {
        let place = self.place(inst, ty, address, reach)?;
        Ok((place, reach.order.unwrap_or(Order::SequentiallyConsistent)))
    }

    /// Translates `atomicrmw`.
    pub(super) fn atomic_rmw(&mut self, inst: &Instruction) -> Parsed<()> {
        let Kind::AtomicRmw { op, address, value, reach } = inst.kind else { return Ok(()) };
        let ty = value.ty;
        let (place, order) = self.atomic_place(inst, ty, address, reach)?;
        let (carrier, atomic) = self.atomic_type(ty)?;
        let value = self.value(value)?;
        let ours = step_of(op).filter(|ours| {
            let wanted = if *ours == RmwOp::Exchange { atomic } else { carrier };
            wanted == atomic && atomic.as_scalar().is_some_and(|scalar| ours.computes_on(scalar))
        });
        let old = match ours {
            Some(ours) => {
                let operand = self.read_as(atomic, value);
                let payload = Payload::AtomicRmw { op: ours, order, access: place.access };
                self.emit_one(Op::AtomicRmw, atomic, &[place.address, operand], payload, atomic)
            }
            None => self.rmw_loop(op, (carrier, atomic), value, (place, order))?,
        };
        let old = self.read_as(carrier, old);
        self.define(inst.result, old);
        Ok(())
    }

    /// Exchanges the value by what comes of it until nobody came between, and gives
    /// the old one.
    fn rmw_loop(
        &mut self,
        op: RmwKind,
        (carrier, atomic): (Type, Type),
        operand: Value,
        (place, order): (Place, Order),
    ) -> Parsed<Value> {
        // A managed reference or a float is exchanged by the bits that it was read as.
        let access = Access { offset: 0, ..place.access };
        let payload = Payload::Atomic { order: Order::Relaxed, access };
        let first = self.emit_one(Op::AtomicLoad, atomic, &[place.address], payload, atomic);
        let (again, behind) = (self.new_block(), self.new_block());
        let old = self.body.append_param(again, atomic);
        self.jump(again, &[first]);
        self.switch_to(again);
        let value = self.read_as(carrier, old);
        let new = match is_soft(carrier) {
            true => self.soft_rmw_result(op, carrier, value, operand)?,
            false => self.rmw_result(op, carrier, value, operand),
        };
        let new = self.read_as(atomic, new);
        let failure = match order {
            Order::Release => Order::Relaxed,
            Order::AcquireRelease => Order::Acquire,
            order => order,
        };
        let payload = Payload::AtomicCas { order, failure, access };
        let operands = [place.address, old, new];
        let cas = self.emit(Op::AtomicCas, atomic, &operands, payload, &[atomic, Type::I1]);
        let (found, done) = (self.body.results(cas)[0], self.body.results(cas)[1]);
        self.branch(done, (behind, &[]), (again, &[found]));
        self.switch_to(behind);
        Ok(old)
    }

    /// What a step of the kind makes of the old value and the operand.
    fn rmw_result(&mut self, op: RmwKind, ty: Type, old: Value, operand: Value) -> Value {
        let simple = match op {
            RmwKind::FAdd => Op::Fadd,
            RmwKind::FSub => Op::Fsub,
            RmwKind::FMax => Op::FmaxNum,
            RmwKind::FMin => Op::FminNum,
            RmwKind::FMaximum => Op::Fmax,
            RmwKind::FMinimum => Op::Fmin,
            RmwKind::USubSat => Op::UsubSat,
            RmwKind::USubCond => {
                let fits = self.holds(IntCond::Uge, ty, old, operand);
                let difference = self.op(Op::Sub, ty, &[old, operand]);
                return self.op(Op::Select, ty, &[fits, difference, old]);
            }
            RmwKind::UIncWrap => {
                let (zero, one) = (self.number(ty, 0), self.number(ty, 1));
                let wraps = self.holds(IntCond::Uge, ty, old, operand);
                let more = self.op(Op::Add, ty, &[old, one]);
                return self.op(Op::Select, ty, &[wraps, zero, more]);
            }
            RmwKind::UDecWrap => {
                let (zero, one) = (self.number(ty, 0), self.number(ty, 1));
                let none = self.holds(IntCond::Eq, ty, old, zero);
                let above = self.holds(IntCond::Ugt, ty, old, operand);
                let wraps = self.op(Op::Or, Type::I1, &[none, above]);
                let less = self.op(Op::Sub, ty, &[old, one]);
                return self.op(Op::Select, ty, &[wraps, operand, less]);
            }
            // All others have a step of their own.
            _ => return operand,
        };
        self.op(simple, ty, &[old, operand])
    }

    /// The same for floats that no op computes with.
    fn soft_rmw_result(
        &mut self,
        op: RmwKind,
        ty: Type,
        old: Value,
        operand: Value,
    ) -> Parsed<Value> {
        let (beyond, sign) = match op {
            RmwKind::FAdd => return self.soft_binary(BinaryOp::FAdd, old, operand),
            RmwKind::FSub => return self.soft_binary(BinaryOp::FSub, old, operand),
            RmwKind::FMin | RmwKind::FMinimum => (FloatCond::Olt, IntCond::Slt),
            RmwKind::FMax | RmwKind::FMaximum => (FloatCond::Ogt, IntCond::Sge),
            _ => return Err(self.unsupported("this `atomicrmw` is of integers")),
        };
        let beyond = self.soft_compare(beyond, operand, old)?;
        // Of two zeros the sign decides, where it counts at all.
        let bits = self.read_as(Type::I128, operand);
        let zero = self.number(Type::I128, 0);
        let has_sign = self.holds(sign, Type::I128, bits, zero);
        let same = self.soft_compare(FloatCond::Oeq, operand, old)?;
        let signed = self.op(Op::And, Type::I1, &[same, has_sign]);
        let beyond = self.op(Op::Or, Type::I1, &[beyond, signed]);
        let unordered = match op {
            RmwKind::FMin | RmwKind::FMax => old,
            _ => operand,
        };
        let is_taken = self.soft_compare(FloatCond::Uno, unordered, unordered)?;
        let is_taken = self.op(Op::Or, Type::I1, &[beyond, is_taken]);
        Ok(self.op(Op::Select, ty, &[is_taken, operand, old]))
    }

    /// Whether a condition holds of two integers of one carrier.
    pub(super) fn holds(&mut self, condition: IntCond, ty: Type, x: Value, y: Value) -> Value {
        self.emit_one(Op::Icmp, ty, &[x, y], Payload::IntCond(condition), Type::I1)
    }
}

/// The kind of ours that does the same.
fn step_of(kind: RmwKind) -> Option<RmwOp> {
    Some(match kind {
        RmwKind::Exchange => RmwOp::Exchange,
        RmwKind::Add => RmwOp::Add,
        RmwKind::Sub => RmwOp::Sub,
        RmwKind::And => RmwOp::And,
        RmwKind::Nand => RmwOp::Nand,
        RmwKind::Or => RmwOp::Or,
        RmwKind::Xor => RmwOp::Xor,
        RmwKind::Max => RmwOp::Smax,
        RmwKind::Min => RmwOp::Smin,
        RmwKind::UMax => RmwOp::Umax,
        RmwKind::UMin => RmwOp::Umin,
        RmwKind::FAdd => RmwOp::Fadd,
        RmwKind::FSub => RmwOp::Fsub,
        RmwKind::FMaximum => RmwOp::Fmax,
        RmwKind::FMinimum => RmwOp::Fmin,
        // The others find numbers where ours finds NaN, or are not there.
        _ => return None,
    })
}
