//! Rewrites that look at more than the operands of pure ops: offsets of accesses,
//! lanes of shuffles, results that nobody uses.

use brolga_ir::body::ValueDef;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::Combiner;
use super::bound::bits_of;

impl Combiner<'_> {
    /// Rewrites `inst` by a procedure, if one fits.
    pub(super) fn by_procedure(&mut self, inst: Inst, fresh: &mut Vec<Inst>) -> bool {
        match self.body.inst(inst).op {
            Op::SaddOverflow | Op::UaddOverflow => self.overflow(inst, Op::Add, fresh),
            Op::SsubOverflow | Op::UsubOverflow => self.overflow(inst, Op::Sub, fresh),
            Op::SmulOverflow | Op::UmulOverflow => self.overflow(inst, Op::Mul, fresh),
            Op::Check => self.check(inst),
            Op::Shuffle => self.shuffle(inst),
            Op::ExtractLane => self.extract_lane(inst),
            _ => self.address(inst),
        }
    }

    /// What defines a value, if it is an instruction with that op.
    fn definition(&self, value: Value, op: Op) -> Option<Inst> {
        match self.body.value_def(value) {
            ValueDef::Result(inst, _) if self.body.inst(inst).op == op => Some(inst),
            _ => None,
        }
    }

    /// Arithmetic that tells of an overflow which nobody asks for, or which cannot be.
    fn overflow(&mut self, inst: Inst, plain: Op, fresh: &mut Vec<Inst>) -> bool {
        let (&[number, flag], &[a, b]) = (self.body.results(inst), self.body.args(inst)) else {
            return false;
        };
        let is_exact = self.never_overflows(inst, a, b);
        if self.uses[flag] > 0 && !is_exact {
            return false;
        }
        let ty = self.body.inst(inst).ty;
        let Some(result) = self.insert(inst, plain, ty, &[a, b], fresh) else { return false };
        if let (true, Some(zero)) = (self.uses[flag] > 0, Constant::zero(Type::I1)) {
            let zero = self.body.constant(zero);
            self.rename(flag, zero);
        }
        self.rename(number, result);
        self.body.remove_inst(inst);
        self.release_all(&[a, b]);
        self.counts.rewritten += 1;
        true
    }

    fn never_overflows(&self, inst: Inst, a: Value, b: Value) -> bool {
        let constant = self.body.as_scalar_constant(b);
        match self.body.inst(inst).op {
            Op::SsubOverflow | Op::UsubOverflow => a == b || constant == Some(0),
            Op::SmulOverflow => {
                // With one bit for the sign, 1 is no number of a type of one bit.
                constant == Some(0) || (constant == Some(1) && bits_of(self.body.value_type(b)) > 1)
            }
            Op::UmulOverflow => matches!(constant, Some(0 | 1)),
            _ => constant == Some(0),
        }
    }

    /// A check that always holds.
    fn check(&mut self, inst: Inst) -> bool {
        let args: SmallVec<[Value; 3]> = SmallVec::from_slice(self.body.args(inst));
        if args.first().and_then(|&arg| self.body.as_scalar_constant(arg)) != Some(1) {
            return false;
        }
        self.body.remove_inst(inst);
        self.release_all(&args);
        self.counts.removed += 1;
        true
    }

    /// A shuffle that takes all lanes of one operand in their order.
    fn shuffle(&mut self, inst: Inst) -> bool {
        let (Payload::Immediates(list), &[first, second]) =
            (self.body.inst(inst).payload, self.body.args(inst))
        else {
            return false;
        };
        let ty = self.body.inst(inst).ty;
        let count = self.body.value_type(first).lanes();
        let lanes = self.body.immediates(list);
        let takes = |from: u32| (from..).zip(lanes).all(|(wanted, &lane)| wanted == lane);
        let whole = if takes(0) && self.body.value_type(first) == ty {
            first
        } else if takes(count) && self.body.value_type(second) == ty {
            second
        } else {
            return false;
        };
        self.replace(inst, whole);
        self.counts.rewritten += 1;
        true
    }

    /// A lane of a vector that was put together, or of a shuffle of one.
    fn extract_lane(&mut self, inst: Inst) -> bool {
        let &[vector, index] = self.body.args(inst) else { return false };
        let Some(lane) = self.body.as_scalar_constant(index) else { return false };
        if let Some(made) = self.definition(vector, Op::MakeVector) {
            let Some(&part) = self.body.args(made).get(lane as usize) else { return false };
            self.replace(inst, part);
            self.counts.rewritten += 1;
            return true;
        }
        let Some(inserted) = self.definition(vector, Op::InsertLane) else { return false };
        let &[base, _, at] = self.body.args(inserted) else { return false };
        // That of the same lane is a rule.
        let other = self
            .body
            .as_scalar_constant(at)
            .is_some_and(|at| at != lane && at < u128::from(self.body.value_type(base).lanes()));
        if other {
            let args = self.body.list(&[base, index]);
            let data = InstData { args, ..*self.body.inst(inst) };
            self.become_inst(inst, data);
            self.counts.rewritten += 1;
        }
        other
    }

    /// An access at an address with a constant part: its offset takes that in.
    fn address(&mut self, inst: Inst) -> bool {
        let Some(position) = offset_operand(self.body.inst(inst).op) else { return false };
        let data = *self.body.inst(inst);
        let Some(&address) = self.body.args(inst).get(position) else { return false };
        let sum = self
            .definition(address, Op::PtrAdd)
            .or_else(|| self.definition(address, Op::DerivedAdd));
        let Some(&[base, further]) = sum.map(|sum| self.body.args(sum)) else { return false };
        let Some(further) = self.body.as_scalar_constant(further) else { return false };
        let Some(offset) = data.access().and_then(|access| {
            let sum = i64::from(access.offset).checked_add(further as u64 as i64)?;
            i32::try_from(sum).ok()
        }) else {
            return false;
        };
        let mut args: SmallVec<[Value; 4]> = SmallVec::from_slice(self.body.args(inst));
        args[position] = base;
        let args = self.body.list(&args);
        let mut data = InstData { args, ..data };
        if let Some(access) = data.access_mut() {
            access.offset = offset;
        }
        self.become_inst(inst, data);
        self.counts.rewritten += 1;
        true
    }
}

/// The operand that is the address of an access with an offset.
fn offset_operand(op: Op) -> Option<usize> {
    match op {
        Op::Load | Op::AtomicLoad | Op::AtomicRmw | Op::AtomicCas | Op::AtomicModify => Some(0),
        Op::Store | Op::AtomicStore | Op::MaskedLoad => Some(1),
        Op::MaskedStore => Some(2),
        _ => None,
    }
}
