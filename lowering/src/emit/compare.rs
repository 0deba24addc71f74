//! Compares and selects.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::body::ValueDef;
use brolga_ir::entity::Inst;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Scalar;
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{self as machine, InstBuilder};

use super::fault::Emitted;
use super::function::{Emitter, Instruction};
use crate::analysis::compare_of_extreme;
use crate::level::Level;
use crate::target::Architecture;

/// The back end's condition.
pub(super) const fn int_condition(condition: IntCond) -> IntCC {
    match condition {
        IntCond::Eq => IntCC::Equal,
        IntCond::Ne => IntCC::NotEqual,
        IntCond::Slt => IntCC::SignedLessThan,
        IntCond::Sle => IntCC::SignedLessThanOrEqual,
        IntCond::Sgt => IntCC::SignedGreaterThan,
        IntCond::Sge => IntCC::SignedGreaterThanOrEqual,
        IntCond::Ult => IntCC::UnsignedLessThan,
        IntCond::Ule => IntCC::UnsignedLessThanOrEqual,
        IntCond::Ugt => IntCC::UnsignedGreaterThan,
        IntCond::Uge => IntCC::UnsignedGreaterThanOrEqual,
    }
}

const fn float_condition(condition: FloatCond) -> FloatCC {
    match condition {
        FloatCond::Oeq => FloatCC::Equal,
        FloatCond::One => FloatCC::OrderedNotEqual,
        FloatCond::Olt => FloatCC::LessThan,
        FloatCond::Ole => FloatCC::LessThanOrEqual,
        FloatCond::Ogt => FloatCC::GreaterThan,
        FloatCond::Oge => FloatCC::GreaterThanOrEqual,
        FloatCond::Ord => FloatCC::Ordered,
        FloatCond::Ueq => FloatCC::UnorderedOrEqual,
        FloatCond::Une => FloatCC::NotEqual,
        FloatCond::Ult => FloatCC::UnorderedOrLessThan,
        FloatCond::Ule => FloatCC::UnorderedOrLessThanOrEqual,
        FloatCond::Ugt => FloatCC::UnorderedOrGreaterThan,
        FloatCond::Uge => FloatCC::UnorderedOrGreaterThanOrEqual,
        FloatCond::Uno => FloatCC::Unordered,
    }
}

/// The condition on truth values kept as 0 and 1, of which the one read as
/// signed is 0 and -1: signed orders turn around.
const fn truth_condition(condition: IntCond) -> IntCond {
    match condition {
        IntCond::Slt => IntCond::Ugt,
        IntCond::Sle => IntCond::Uge,
        IntCond::Sgt => IntCond::Ult,
        IntCond::Sge => IntCond::Ule,
        other => other,
    }
}

impl<'a> Emitter<'a> {
    /// Compares and selects.
    pub(super) fn comparison(&mut self, instruction: Instruction<'a>) -> Emitted {
        let (x, y) = match instruction.data.op {
            Op::Icmp => (self.arg(instruction, 0)?, self.second(instruction)?),
            _ => self.two(instruction)?,
        };
        let value = match (instruction.data.op, instruction.data.payload) {
            (Op::Icmp, Payload::IntCond(condition)) => {
                let ty = instruction.data.ty;
                let condition = match ty.lane() {
                    // A mask has lanes of 0 and -1: orders are as they are.
                    Some(Scalar::I1) if !ty.is_vector() => truth_condition(condition),
                    Some(lane) if lane.is_address() => condition.unsigned(),
                    _ => condition,
                };
                self.builder.ins().icmp(int_condition(condition), x, y)
            }
            (Op::Fcmp, Payload::FloatCond(condition)) => self.compare_floats(condition, x, y),
            (Op::Select, _) => {
                let z = self.arg(instruction, 2)?;
                match self.select_by_mask(instruction, y, z)? {
                    Some(selected) => selected,
                    None => self.select(x, y, z),
                }
            }
            (Op::VecSelect, _) => {
                let z = self.arg(instruction, 2)?;
                self.select_lanes(x, y, z)
            }
            _ => return Err(self.misplaced(instruction)),
        };
        self.define(instruction, &[value])
    }

    /// One value or the other. 128 bits are selected in halves: the back end makes a minimum
    /// of a compare and a select of them where it rewrites, and knows no instructions for it.
    pub(super) fn select(
        &mut self,
        condition: machine::Value,
        x: machine::Value,
        y: machine::Value,
    ) -> machine::Value {
        if self.builder.func.dfg.value_type(x) != machine::types::I128 {
            return self.builder.ins().select(condition, x, y);
        }
        let (low, high) = self.builder.ins().isplit(x);
        let (other_low, other_high) = self.builder.ins().isplit(y);
        let low = self.builder.ins().select(condition, low, other_low);
        let high = self.builder.ins().select(condition, high, other_high);
        self.builder.ins().iconcat(low, high)
    }

    /// A select of floats by a compare of such floats beside it, as vectors of which one lane
    /// counts: the back end for x86-64 jumps over a move otherwise, and which way data goes
    /// is often anybody's guess. Not where it is a minimum or maximum, which is one
    /// instruction, nor where compiling is all that matters.
    fn select_by_mask(
        &mut self,
        instruction: Instruction<'a>,
        y: machine::Value,
        z: machine::Value,
    ) -> Emitted<Option<machine::Value>> {
        let vector = match self.builder.func.dfg.value_type(y) {
            machine::types::F32 => machine::types::F32X4,
            machine::types::F64 => machine::types::F64X2,
            _ => return Ok(None),
        };
        let is_wanted = self.options.level >= Level::O1
            && self.isa.spec().architecture() == Architecture::X86_64;
        let Some((compare, condition)) = self.compare_beside(instruction).filter(|_| is_wanted)
        else {
            return Ok(None);
        };
        let mask = match self.masks.get(&compare) {
            Some(&mask) => mask,
            None => {
                let args = self.body.args(compare);
                let (a, b) = (self.value(args[0])?, self.value(args[1])?);
                let a = self.builder.ins().splat(vector, a);
                let b = self.builder.ins().splat(vector, b);
                let mask = self.compare_floats(condition, a, b);
                self.masks.insert(compare, mask);
                mask
            }
        };
        let y = self.builder.ins().splat(vector, y);
        let z = self.builder.ins().splat(vector, z);
        let selected = self.select_lanes(mask, y, z);
        Ok(Some(self.builder.ins().extractlane(selected, 0)))
    }

    /// The compare of floats that decides a select of such floats, if it stands in the same
    /// block and is more than the question which of the two is less.
    fn compare_beside(&self, instruction: Instruction<'a>) -> Option<(Inst, FloatCond)> {
        let &[condition, ..] = instruction.args else { return None };
        let ValueDef::Result(compare, _) = self.body.value_def(condition) else { return None };
        let data = self.body.inst(compare);
        let Payload::FloatCond(relation) = data.payload else { return None };
        let block = |inst| self.body.layout.block_of(inst);
        let is_beside = data.ty == instruction.data.ty && block(compare) == block(self.inst);
        let is_extreme = compare_of_extreme(self.body, self.inst).is_some();
        (is_beside && !is_extreme).then_some((compare, relation))
    }

    /// Whether floats are in a relation. The back ends know a minimum or maximum, as one
    /// instruction, by the one spelling of "greater" as "less" the other way round.
    fn compare_floats(
        &mut self,
        condition: FloatCond,
        x: machine::Value,
        y: machine::Value,
    ) -> machine::Value {
        let (condition, x, y) = match condition {
            FloatCond::Ogt | FloatCond::Oge => (condition.swapped(), y, x),
            _ => (condition, x, y),
        };
        if !self.builder.func.dfg.value_type(x).is_vector() {
            return self.builder.ins().fcmp(float_condition(condition), x, y);
        }
        // Of vectors the back ends compare what is common to both machines.
        let mut compare = |condition| self.builder.ins().fcmp(condition, x, y);
        match condition {
            FloatCond::One => {
                let (ordered, unequal) = (compare(FloatCC::Ordered), compare(FloatCC::NotEqual));
                self.builder.ins().band(ordered, unequal)
            }
            FloatCond::Ueq => {
                let (unordered, equal) = (compare(FloatCC::Unordered), compare(FloatCC::Equal));
                self.builder.ins().bor(unordered, equal)
            }
            FloatCond::Ult | FloatCond::Ule | FloatCond::Ugt | FloatCond::Uge => {
                let inverse = compare(float_condition(condition).complement());
                self.builder.ins().bnot(inverse)
            }
            _ => compare(float_condition(condition)),
        }
    }

    /// Lanes of `x` where the mask is true, of `y` elsewhere.
    pub(super) fn select_lanes(
        &mut self,
        mask: machine::Value,
        x: machine::Value,
        y: machine::Value,
    ) -> machine::Value {
        let ty = self.builder.func.dfg.value_type(x);
        let mask = self.recast(ty, mask);
        self.builder.ins().bitselect(mask, x, y)
    }
}
