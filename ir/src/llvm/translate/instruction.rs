//! Instructions, by their kind.

use super::function::Translator;
use super::integer::flags_of;
use super::soft_float::is_soft;
use crate::entity::Value;
use crate::llvm::syntax::{Instruction, Kind, Operand, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Scalar;

impl Translator<'_, '_> {
    /// Translates one instruction.
    pub(super) fn instruction(&mut self, inst: &Instruction) -> Parsed<()> {
        self.at = inst.at;
        self.enter_location(inst)?;
        match &inst.kind {
            Kind::Call(call) => self.call(inst, call),
            Kind::Invoke { call, normal, .. } => self.invoke(inst, call, *normal),
            Kind::VaArg { list, ty } => self.va_arg(inst, *list, *ty),
            Kind::Load { .. }
            | Kind::Store { .. }
            | Kind::Alloca { .. }
            | Kind::Fence(_)
            | Kind::CompareExchange { .. }
            | Kind::AtomicRmw { .. } => self.memory_instruction(inst),
            Kind::Return(value) => self.return_value(*value),
            Kind::Branch(_)
            | Kind::ConditionalBranch { .. }
            | Kind::Switch { .. }
            | Kind::IndirectBranch { .. }
            | Kind::Resume
            | Kind::Unreachable => self.terminator(inst),
            Kind::LandingPad => {
                Err(self.invalid("a landing pad stands where no `invoke` unwinds to"))
            }
            Kind::ExtractValue { aggregate, path } => self.extract_value(inst, *aggregate, path),
            Kind::InsertValue { aggregate, value, path } => {
                self.insert_value(inst, *aggregate, *value, path)
            }
            _ => {
                let value = self.computation(inst)?;
                self.define(inst.result, value);
                Ok(())
            }
        }
    }

    /// The result of an instruction that does nothing but compute one.
    fn computation(&mut self, inst: &Instruction) -> Parsed<Value> {
        let function = self.function;
        match &inst.kind {
            Kind::FNeg(value) => self.negated(*value),
            Kind::Binary { op, ty, left, right } => {
                let operands = self.pair(*left, *right)?;
                self.binary(*op, *ty, operands, inst.flags)
            }
            Kind::ICmp { condition, ty, left, right } => {
                let operands = self.pair(*left, *right)?;
                self.compare(*condition, *ty, operands)
            }
            Kind::FCmp { condition, ty, left, right } => {
                let operands = self.pair(*left, *right)?;
                self.compare_floats(*condition, *ty, operands)
            }
            Kind::Cast { op, value, to } => {
                let from = self.value(*value)?;
                self.cast(*op, from, (value.ty, *to), inst.flags)
            }
            Kind::Select { condition, yes, no } => self.select(*condition, *yes, *no),
            Kind::Freeze(value) => self.value(*value),
            Kind::ExtractElement { vector, index } => self.extract_element(*vector, *index),
            Kind::InsertElement { vector, value, index } => {
                self.insert_element(*vector, *value, *index)
            }
            Kind::Shuffle { left, right, mask } => self.shuffle(*left, *right, *mask),
            Kind::GetElementPointer { element, base, indices } => {
                let indices = &function.operands[indices.start as usize..indices.end as usize];
                self.element_pointer(*element, *base, indices, flags_of(inst.flags))
            }
            _ => Err(self.unsupported("this instruction is not read")),
        }
    }

    fn pair(&mut self, left: Operand, right: Operand) -> Parsed<(Value, Value)> {
        Ok((self.operand(left)?, self.operand(right)?))
    }

    fn negated(&mut self, operand: Typed) -> Parsed<Value> {
        let value = self.value(operand)?;
        let ty = self.body.value_type(value);
        if let Some(pieced) = self.pieced(operand.ty)? {
            return self.piecewise(pieced.lanes, &[value], |this, args| {
                Ok(this.op(Op::Fneg, pieced.piece.ty, args))
            });
        }
        match is_soft(ty) {
            true => self.soft_sign("negate", &[value]),
            false => Ok(self.op(Op::Fneg, ty, &[value])),
        }
    }

    pub(super) fn select(&mut self, condition: Typed, yes: Typed, no: Operand) -> Parsed<Value> {
        let lanes = self.lane_count(yes.ty);
        let (condition, yes, no) = (self.value(condition)?, self.value(yes)?, self.operand(no)?);
        let (test, ty) = (self.body.value_type(condition), self.body.value_type(yes));
        if test.is_aggregate() || ty.is_aggregate() && test.is_vector() {
            return self.piecewise(lanes, &[condition, yes, no], |this, args| {
                let ty = this.body.value_type(args[1]);
                Ok(this.op(Op::VecSelect, ty, args))
            });
        }
        let op = match test.is_vector() {
            true => Op::VecSelect,
            false => Op::Select,
        };
        Ok(self.op(op, ty, &[condition, yes, no]))
    }

    /// An instruction that touches memory.
    fn memory_instruction(&mut self, inst: &Instruction) -> Parsed<()> {
        match inst.kind {
            Kind::Load { ty, address, reach } => {
                let place = self.place(inst, ty, address, reach)?;
                let value = match reach.order {
                    Some(order) => self.atomic_load(ty, order, place)?,
                    None => self.load(ty, place)?,
                };
                self.hint_result(inst, ty, value)?;
                self.define(inst.result, value);
                Ok(())
            }
            Kind::Store { value, address, reach } => {
                let place = self.place(inst, value.ty, address, reach)?;
                let stored = self.value(value)?;
                match reach.order {
                    Some(order) => self.atomic_store((value.ty, stored), order, place),
                    None => self.store(value.ty, stored, place),
                }
            }
            Kind::Alloca { ty, count, align, space } => {
                self.alloca(inst, ty, count, (align, space))
            }
            Kind::Fence(order) => {
                self.fence(order);
                Ok(())
            }
            Kind::CompareExchange { .. } => self.compare_exchange(inst),
            Kind::AtomicRmw { .. } => self.atomic_rmw(inst),
            _ => Ok(()),
        }
    }

    /// Whether the value is an integer or truth value of ours.
    pub(super) fn is_integer_value(&self, value: Value) -> bool {
        let scalar = self.body.value_type(value).as_scalar();
        scalar.is_some_and(|scalar| scalar.is_int() || scalar == Scalar::I1)
    }
}
