//! How many rounds of a loop a condition holds for, from the first one on.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use crate::analysis::scalar_evolution::{Compare, Expr, Line};
use crate::analysis::value_facts::Fact;
use crate::analysis::{Loop, ScalarEvolution};

/// The most parts that a condition is taken apart into.
const MOST_PARTS: usize = 8;

/// The widest numbers that are compared.
const WIDEST: u32 = 64;

/// Something that holds where a condition does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// That truth value is this.
    Truth(Value, bool),
    /// The result of that compare of integers is this.
    Compare(Inst, bool),
}

/// What all holds where `condition` is `truth`, and nowhere else; nothing if it is too much.
pub(super) fn parts(body: &Body, condition: Value, truth: bool) -> Option<Vec<Part>> {
    let (mut parts, mut open) = (Vec::new(), vec![(condition, truth)]);
    while let Some((value, truth)) = open.pop() {
        if parts.len() + open.len() >= MOST_PARTS {
            return None;
        }
        let ValueDef::Result(inst, 0) = body.value_def(value) else {
            parts.push(Part::Truth(value, truth));
            continue;
        };
        match (body.inst(inst).op, body.args(inst)) {
            (op @ (Op::And | Op::Or), &[a, b]) if truth == (op == Op::And) => {
                open.extend([(b, truth), (a, truth)]);
            }
            (Op::Not, &[a]) => open.push((a, !truth)),
            (Op::Icmp, _) if is_compare(body, inst) => parts.push(Part::Compare(inst, truth)),
            _ => parts.push(Part::Truth(value, truth)),
        }
    }
    Some(parts)
}

/// Whether it compares numbers that are not too wide, or addresses.
pub(super) fn is_compare(body: &Body, inst: Inst) -> bool {
    let is_number = |scalar: &Scalar| scalar.is_int() || *scalar == Scalar::Ptr;
    let number = body.inst(inst).ty.as_scalar().filter(is_number);
    body.inst(inst).op == Op::Icmp
        && number.is_some_and(|number| number.bits() <= WIDEST)
        && body.inst(inst).ty != Type::I1
}

/// A compare of what moves in a loop with what does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    /// What moves, as a value and as a line.
    pub(super) value: Value,
    pub(super) line: Line,
    /// The condition that holds, what moves being on the left.
    pub(super) condition: IntCond,
    pub(super) bound: Expr,
}

impl Moving {
    /// What a compare says if its result is `truth`; `is_steady` tells what else does not
    /// move.
    pub(super) fn new(
        body: &Body,
        evolution: &mut ScalarEvolution,
        of: Loop,
        (inst, truth): (Inst, bool),
        is_steady: &dyn Fn(Value) -> bool,
    ) -> Option<Moving> {
        let (&[a, b], Payload::IntCond(condition)) = (body.args(inst), body.inst(inst).payload)
        else {
            return None;
        };
        let block = body.layout.block_of(inst)?;
        let is_address = body.inst(inst).ty.as_scalar()?.is_address();
        let condition = if is_address { condition.unsigned() } else { condition };
        let condition = if truth { condition } else { condition.inverted() };
        let width = body.inst(inst).ty.as_scalar()?.bits();
        let mut line = |value: Value| {
            let expr = match body.as_scalar_constant(value) {
                Some(bits) => evolution.constant(width, bits),
                None => evolution.of_use(body, value, block)?,
            };
            evolution.line(expr, of, is_steady)
        };
        let (left, right) = (line(a)?, line(b)?);
        match (left.step, right.step) {
            (_, 0) => Some(Moving { value: a, line: left, condition, bound: right.start }),
            (0, _) => {
                let condition = condition.swapped();
                Some(Moving { value: b, line: right, condition, bound: left.start })
            }
            _ => None,
        }
    }

    /// What holds in the first round.
    pub(super) fn at_first(&self) -> Compare {
        (self.line.start, self.condition, self.bound)
    }

    /// Whether it goes away from its bound, so that the condition ends by a wrap only.
    pub(super) fn goes_away(&self) -> bool {
        match self.condition {
            IntCond::Ugt | IntCond::Uge | IntCond::Sgt | IntCond::Sge => self.line.step > 0,
            IntCond::Ult | IntCond::Ule | IntCond::Slt | IntCond::Sle => self.line.step < 0,
            _ => false,
        }
    }

    /// In how many rounds behind the first one it holds, without a gap, as an unsigned
    /// number, if it holds in the first one: at least so many. Of any numbers that is so:
    /// the difference that is divided lies between the two, in the order of the compare.
    pub(super) fn rounds_behind_first(&self, evolution: &mut ScalarEvolution) -> Option<Expr> {
        let Line { start, step } = self.line;
        let width = evolution.width(start);
        let length = step.unsigned_abs();
        let all = Fact::any(width);
        if step == 0 {
            return None;
        }
        let is_up = step > 0;
        // The last number of which it holds on the way.
        let last = match self.condition {
            IntCond::Ult | IntCond::Slt if is_up => evolution.add_constant(self.bound, u128::MAX),
            IntCond::Ugt | IntCond::Sgt if !is_up => evolution.add_constant(self.bound, 1),
            IntCond::Ule | IntCond::Sle if is_up => self.bound,
            IntCond::Uge | IntCond::Sge if !is_up => self.bound,
            IntCond::Ugt | IntCond::Uge => evolution.constant(width, all.unsigned().1),
            IntCond::Sgt | IntCond::Sge => evolution.constant(width, all.signed().1 as u128),
            IntCond::Ult | IntCond::Ule => evolution.constant(width, 0),
            IntCond::Slt | IntCond::Sle => evolution.constant(width, all.signed().0 as u128),
            // What it does not equal comes around again, one before it at the latest.
            IntCond::Ne if is_up => evolution.add_constant(self.bound, u128::MAX),
            IntCond::Ne => evolution.add_constant(self.bound, 1),
            IntCond::Eq => return None,
        };
        let way = match is_up {
            true => evolution.sub(last, start),
            false => evolution.sub(start, last),
        };
        Some(evolution.quotient(way, length))
    }
}
