//! Integers: of any width, carried with zeros above it.

use super::function::Translator;
use super::pieces::{Pieced, Pieces};
use super::soft_float::is_soft;
use super::types::Carrier;
use crate::attribute::{InstFlags, IntCond};
use crate::constant::mask;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{BinaryOp, FCmpCondition, Flags, TypeId};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// What the words of the text say to us.
pub(super) fn flags_of(flags: Flags) -> InstFlags {
    const PAIRS: [(Flags, InstFlags); 6] = [
        (Flags::NSW, InstFlags::NO_SIGNED_WRAP),
        (Flags::NUW, InstFlags::NO_UNSIGNED_WRAP),
        (Flags::EXACT, InstFlags::EXACT),
        (Flags::INBOUNDS, InstFlags::INBOUNDS),
        (Flags::CONTRACT, InstFlags::CONTRACT),
        (Flags::REASSOC, InstFlags::REASSOCIATE),
    ];
    let said = PAIRS.iter().filter(|(word, _)| flags.contains(*word));
    said.fold(InstFlags::empty(), |all, (_, flag)| all | *flag)
}

/// The op for values of which each bit of the carrier counts.
fn op_of(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::UDiv => Op::Udiv,
        BinaryOp::SDiv => Op::Sdiv,
        BinaryOp::URem => Op::Urem,
        BinaryOp::SRem => Op::Srem,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::LShr => Op::Lshr,
        BinaryOp::AShr => Op::Ashr,
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Xor => Op::Xor,
        BinaryOp::FAdd => Op::Fadd,
        BinaryOp::FSub => Op::Fsub,
        BinaryOp::FMul => Op::Fmul,
        BinaryOp::FDiv => Op::Fdiv,
        BinaryOp::FRem => Op::Frem,
    }
}

fn is_division(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
}

impl Translator<'_, '_> {
    /// An operation on two values of type `ty`.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        (left, right): (Value, Value),
        flags: Flags,
    ) -> Parsed<Value> {
        let carrier = self.shared.carrier(ty, self.at)?;
        if carrier.is_wide() {
            return self.wide_binary(op, carrier, left, right);
        }
        match self.pieced(ty)? {
            None => self.binary_carried(op, carrier, (left, right), flags),
            // Lanes that nobody looks at may be zero, by which nothing is divided.
            Some(pieced) if is_division(op) => self.divided_pieces(op, pieced, left, right),
            Some(pieced) => self.piecewise(pieced.lanes, &[left, right], |this, args| {
                this.binary_carried(op, pieced.piece, (args[0], args[1]), flags)
            }),
        }
    }

    fn divided_pieces(
        &mut self,
        op: BinaryOp,
        pieced: Pieced,
        left: Value,
        right: Value,
    ) -> Parsed<Value> {
        let (left, right) = (self.trimmed_pieces(pieced, left), self.trimmed_pieces(pieced, right));
        let quotients = left.into_iter().zip(right).map(|(left, right)| {
            let carrier = Carrier { ty: self.body.value_type(left), ..pieced.piece };
            let quotient = self.binary_carried(op, carrier, (left, right), Flags::empty())?;
            Ok(self.filled(pieced, quotient))
        });
        let quotients = quotients.collect::<Parsed<Pieces>>()?;
        self.join(&quotients, pieced.lanes)
    }

    fn binary_carried(
        &mut self,
        op: BinaryOp,
        carrier: Carrier,
        (left, right): (Value, Value),
        flags: Flags,
    ) -> Parsed<Value> {
        let ours = op_of(op);
        if ours.info().suffix.contains(carrier.ty) {
            if carrier.bits == 0 {
                let flags = flags_of(flags) & ours.info().flags;
                return Ok(self.op_with(ours, carrier.ty, &[left, right], flags));
            }
            return Ok(self.narrow_binary(op, carrier, left, right));
        }
        match carrier.ty.lane() {
            Some(Scalar::I1) => Ok(self.truth_binary(op, carrier.ty, left, right)),
            // Only divisions are of scalars alone.
            Some(lane) if lane.is_int() => {
                let lane = Carrier { ty: Type::scalar(lane), ..carrier };
                Ok(self.lanewise(carrier.ty, left, right, |this, left, right| {
                    this.narrow_binary(op, lane, left, right)
                }))
            }
            _ if is_soft(carrier.ty) => self.soft_binary(op, left, right),
            _ => Err(self.unsupported(format_args!("`{ours}` is not on `{}`", carrier.ty))),
        }
    }

    /// An operation on integers, of which those above `carrier.bits` are zero, and stay so.
    pub(super) fn narrow_binary(
        &mut self,
        op: BinaryOp,
        carrier: Carrier,
        left: Value,
        right: Value,
    ) -> Value {
        let ours = op_of(op);
        let signed = |this: &mut Self, value| this.sign_extended(carrier, value);
        let (left, right) = match op {
            BinaryOp::SDiv | BinaryOp::SRem => (signed(self, left), signed(self, right)),
            BinaryOp::AShr => (signed(self, left), right),
            _ => (left, right),
        };
        let result = self.op(ours, carrier.ty, &[left, right]);
        match op {
            // These give no bit that no operand has.
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::LShr => result,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => result,
            _ => self.cut(carrier, result),
        }
    }

    /// An operation on truth values, numbers of one bit.
    fn truth_binary(&mut self, op: BinaryOp, ty: Type, left: Value, right: Value) -> Value {
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.op(Op::Xor, ty, &[left, right]),
            BinaryOp::Mul => self.op(Op::And, ty, &[left, right]),
            // A shift by one leaves nothing, but copies of the sign.
            BinaryOp::Shl | BinaryOp::LShr => {
                let unshifted = self.op(Op::Not, ty, &[right]);
                self.op(Op::And, ty, &[left, unshifted])
            }
            BinaryOp::AShr => left,
            _ => self.lanewise(ty, left, right, |this, left, right| {
                let wide = Carrier { ty: Type::I8, bits: 1 };
                let left = this.op_from(Op::Zext, wide.ty, left);
                let right = this.op_from(Op::Zext, wide.ty, right);
                let result = this.narrow_binary(op, wide, left, right);
                this.op_from(Op::Trunc, Type::I1, result)
            }),
        }
    }

    /// What `lane` gives for each pair of lanes; for the operands themselves if they
    /// are no vectors.
    pub(super) fn lanewise(
        &mut self,
        ty: Type,
        left: Value,
        right: Value,
        mut lane: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Value {
        if !ty.is_vector() {
            return lane(self, left, right);
        }
        let lanes: Vec<Value> = (0..ty.lanes())
            .map(|index| {
                let (left, right) = (self.lane(left, index), self.lane(right, index));
                lane(self, left, right)
            })
            .collect();
        self.op(Op::MakeVector, ty, &lanes)
    }

    /// A lane of a vector, which has one of that index.
    pub(super) fn lane(&mut self, vector: Value, index: u32) -> Value {
        let ty = self.body.value_type(vector);
        let index = self.number(Type::I64, index.into());
        self.emit_one(Op::ExtractLane, ty, &[vector, index], Payload::None, ty.lane_type())
    }

    /// A conversion to `ty`.
    pub(super) fn op_from(&mut self, op: Op, ty: Type, value: Value) -> Value {
        self.op(op, ty, &[value])
    }

    /// The value with zeros above the bits that count.
    pub(super) fn cut(&mut self, carrier: Carrier, value: Value) -> Value {
        match carrier.bits {
            0 => value,
            bits => {
                let mask = self.number(carrier.ty, mask(bits));
                self.op(Op::And, carrier.ty, &[value, mask])
            }
        }
    }

    /// The value with copies of its sign above the bits that count.
    pub(super) fn sign_extended(&mut self, carrier: Carrier, value: Value) -> Value {
        if carrier.bits == 0 {
            return value;
        }
        let shifted = self.at_the_top(carrier, value);
        let amount = self.free_bits(carrier);
        self.op(Op::Ashr, carrier.ty, &[shifted, amount])
    }

    /// The value with its bits moved up to the top of the carrier: signed order stays.
    pub(super) fn at_the_top(&mut self, carrier: Carrier, value: Value) -> Value {
        let amount = self.free_bits(carrier);
        self.op(Op::Shl, carrier.ty, &[value, amount])
    }

    /// How many bits of the carrier are above those that count.
    pub(super) fn free_bits(&mut self, carrier: Carrier) -> Value {
        let width = carrier.ty.lane().map_or(0, Scalar::bits);
        self.number(carrier.ty, u128::from(width.saturating_sub(carrier.bits)))
    }

    /// Whether a condition holds of integers or addresses of type `ty`.
    pub(super) fn compare(
        &mut self,
        condition: IntCond,
        ty: TypeId,
        (left, right): (Value, Value),
    ) -> Parsed<Value> {
        let carrier = self.shared.carrier(ty, self.at)?;
        if carrier.is_wide() {
            return Ok(self.wide_compare(condition, carrier, left, right));
        }
        let is_managed = |lane: Scalar| lane.is_address() && lane != Scalar::Ptr;
        if carrier.ty.is_vector() && carrier.ty.lane().is_some_and(is_managed) {
            return Err(self.unsupported("vectors of managed addresses are not compared"));
        }
        match self.pieced(ty)? {
            None => Ok(self.compare_carried(condition, carrier, left, right)),
            Some(pieced) => self.piecewise(pieced.lanes, &[left, right], |this, args| {
                Ok(this.compare_carried(condition, pieced.piece, args[0], args[1]))
            }),
        }
    }

    fn compare_carried(
        &mut self,
        condition: IntCond,
        carrier: Carrier,
        left: Value,
        right: Value,
    ) -> Value {
        let mut ours = carrier.ty;
        let (mut condition, mut left, mut right) = (condition, left, right);
        let mask = ours.as_mask().unwrap_or(Type::I1);
        if condition != condition.unsigned() {
            match ours.lane() {
                // A truth value is 0 or -1 as a signed number.
                Some(Scalar::I1) => condition = condition.unsigned().swapped(),
                Some(Scalar::Ptr) => {
                    left = self.address_bits(left);
                    right = self.address_bits(right);
                    ours = self.body.value_type(left);
                }
                _ if carrier.bits != 0 => {
                    left = self.at_the_top(carrier, left);
                    right = self.at_the_top(carrier, right);
                }
                _ => {}
            }
        }
        let payload = Payload::IntCond(condition);
        self.emit_one(Op::Icmp, ours, &[left, right], payload, mask)
    }

    /// The number that an address, or each of a vector, is.
    pub(super) fn address_bits(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        match ty.is_vector() {
            false => self.emit_one(Op::PtrToInt, Type::NONE, &[value], Payload::None, Type::I64),
            true => match ty.with_lane(Scalar::I64) {
                Some(numbers) => self.op(Op::Bitcast, numbers, &[value]),
                None => value,
            },
        }
    }

    /// Whether a condition holds of floats of type `ty`.
    pub(super) fn compare_floats(
        &mut self,
        condition: FCmpCondition,
        ty: TypeId,
        (left, right): (Value, Value),
    ) -> Parsed<Value> {
        match self.pieced(ty)? {
            None => {
                let carrier = self.ty(ty)?;
                self.compare_carried_floats(condition, carrier, left, right)
            }
            Some(pieced) => self.piecewise(pieced.lanes, &[left, right], |this, args| {
                this.compare_carried_floats(condition, pieced.piece.ty, args[0], args[1])
            }),
        }
    }

    fn compare_carried_floats(
        &mut self,
        condition: FCmpCondition,
        carrier: Type,
        left: Value,
        right: Value,
    ) -> Parsed<Value> {
        let is_soft = is_soft(carrier);
        let mask = carrier.as_mask().unwrap_or(Type::I1);
        Ok(match condition {
            FCmpCondition::False => self.number(mask, 0),
            FCmpCondition::True => self.number(mask, 1),
            FCmpCondition::Holds(condition) if is_soft => {
                self.soft_compare(condition, left, right)?
            }
            FCmpCondition::Holds(condition) => {
                let payload = Payload::FloatCond(condition);
                self.emit_one(Op::Fcmp, carrier, &[left, right], payload, mask)
            }
        })
    }
}
