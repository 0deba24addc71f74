//! What is known where a loop is entered.

use brolga_ir::attribute::IntCond;

use super::build::Builder;
use super::expression::{Expr, Kind, Reading};
use super::{Block, Body, Loop, ScalarEvolution, Value};
use crate::analysis::conditions::{Conditions, Known, Operand, Outcomes};
use crate::analysis::scalar_evolution as evolution;
use crate::analysis::value_facts::Fact;

impl ScalarEvolution {
    /// Whether a compare holds each time that a loop is entered.
    pub fn holds_where_entered(
        &mut self,
        body: &Body,
        known: evolution::Known<'_>,
        of: Loop,
        compare: Compare,
    ) -> bool {
        let Some(header) = self.loops.get(of).map(|data| data.header) else { return false };
        let mut builder = Builder::of_finished(body, known, std::mem::take(self));
        let holds = builder.holds_at(header, compare);
        *self = builder.into_evolution();
        holds
    }
}

impl Builder<'_> {
    /// What is known of an expression of values from before a loop, where the loop is
    /// entered.
    pub(super) fn fact_at(&self, header: Block, expr: Expr) -> Fact {
        let position = self.known.conditions.at_start(header);
        self.evolution.fact_with(expr, &|leaf| {
            let everywhere = self.evolution.arena.value_fact(leaf);
            let Kind::Value(value) = *self.evolution.kind(leaf) else { return everywhere };
            let conditions = self.known.conditions;
            match conditions.fact(self.body, self.known.facts, position, value) {
                Some(here) => everywhere.narrowed(&here),
                None => everywhere,
            }
        })
    }

    /// Whether a compare holds where a loop is entered.
    pub(super) fn holds_at(&mut self, header: Block, (a, condition, b): Compare) -> bool {
        let (one, other) = (self.fact_at(header, a), self.fact_at(header, b));
        if one.compare(condition, &other) == Some(true) {
            return true;
        }
        // What is less than another is, one more, at most that; and it is no greatest number.
        let strict = match condition {
            IntCond::Ule => Some(IntCond::Ult),
            IntCond::Sle => Some(IntCond::Slt),
            _ => None,
        };
        let less = self.evolution.add_constant(a, u128::MAX);
        let mut outcomes = Outcomes::ANY;
        let position = self.known.conditions.at_start(header);
        let known: Vec<Known> =
            self.known.conditions.known(position).take(Conditions::BOUND).collect();
        for known in known {
            let Some((left, right)) = self.sides(&known, header) else { continue };
            let (left, right) = self.as_long(known.condition, (left, right), a);
            let own = Outcomes::of(known.condition);
            let swapped = Outcomes::of(known.condition.swapped());
            if (left, right) == (a, b) {
                outcomes = outcomes.intersection(own);
            } else if (left, right) == (b, a) {
                outcomes = outcomes.intersection(swapped);
            }
            let says = |strict: IntCond| {
                ((left, right) == (less, b) && own.decide(strict) == Some(true))
                    || ((left, right) == (b, less) && swapped.decide(strict) == Some(true))
            };
            if strict.is_some_and(says) {
                return true;
            }
        }
        outcomes.decide(condition) == Some(true)
    }

    /// What a condition compares.
    fn sides(&mut self, known: &Known, header: Block) -> Option<(Expr, Expr)> {
        let left = self.at_entry(known.value, header)?;
        let right = match known.operand {
            Operand::Value(value) => self.at_entry(value, header)?,
            Operand::Number(bits) => {
                let width = self.evolution.width(left);
                self.evolution.constant(width, bits)
            }
        };
        (self.evolution.width(left) == self.evolution.width(right)).then_some((left, right))
    }

    /// The sides of a condition with as many bits as `like` has: in the same order.
    fn as_long(
        &mut self,
        condition: IntCond,
        (left, right): (Expr, Expr),
        like: Expr,
    ) -> (Expr, Expr) {
        let width = self.evolution.width(like);
        let reading = match condition == condition.unsigned() {
            true => Reading::Unsigned,
            false => Reading::Signed,
        };
        let mut long = |side: Expr| self.evolution.extended(reading, width, side);
        (long(left), long(right))
    }

    fn at_entry(&mut self, value: Value, header: Block) -> Option<Expr> {
        let known = self.evolution.exprs[value].expand();
        known.filter(|&expr| self.evolution.is_in_scope(expr, header))
    }
}

/// A compare of two expressions.
pub type Compare = (Expr, IntCond, Expr);
