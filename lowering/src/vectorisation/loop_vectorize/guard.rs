//! What is found out before a loop: how many rounds vectors do, and whether they may.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::FxHashSet;

use super::shape::Shape;
use crate::analysis::dependence::Extent;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{Dominators, ScalarEvolution};
use crate::loops::expansion::{Available, Expansion, NEVER};
use crate::pass::Editor;

/// The most instructions that counting and comparing take before a loop.
const MOST: u32 = 48;

/// How the rounds of a loop are to be done.
#[derive(Clone, Copy, Debug)]
pub(in crate::vectorisation) struct Rounds<'a> {
    pub(in crate::vectorisation) shape: &'a Shape,
    /// How often it goes back.
    pub(in crate::vectorisation) again: Expr,
    /// How many at once: a power of two, unless the last one is left over.
    pub(in crate::vectorisation) at_once: u64,
    /// Whether the last one is left over.
    pub(in crate::vectorisation) keeps_last: bool,
    /// What must not overlap, two by two, for several to be done at once.
    pub(in crate::vectorisation) tests: &'a [[Extent; 2]],
}

/// What is known where a loop is entered.
#[derive(Clone, Copy, Debug)]
pub(in crate::vectorisation) struct Guard {
    /// Whether some rounds are done several at once; none if they always are.
    pub(in crate::vectorisation) enter: Option<Value>,
    /// How many: a number of 64 bits, with which zero stands for two to the 64.
    pub(in crate::vectorisation) done: Value,
    /// Whether that is all, unless the last round is done alone.
    pub(in crate::vectorisation) whole: Whole,
}

/// Whether all rounds are done so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::vectorisation) enum Whole {
    Always,
    Never,
    /// Where that is true.
    Where(Value),
}

/// Where the code goes, and what it is made of.
pub(in crate::vectorisation) struct Before<'a> {
    pub(in crate::vectorisation) evolution: &'a mut ScalarEvolution,
    pub(in crate::vectorisation) available: &'a Available,
    pub(in crate::vectorisation) dominators: &'a Dominators,
}

/// The integer type of an expression.
fn type_of(evolution: &ScalarEvolution, rounds: &Rounds<'_>) -> Type {
    match evolution.width(rounds.again) {
        8 => Type::I8,
        16 => Type::I16,
        32 => Type::I32,
        _ => Type::I64,
    }
}

impl Before<'_> {
    fn expansion(&mut self, rounds: &Rounds<'_>) -> Expansion<'_> {
        Expansion {
            evolution: self.evolution,
            available: self.available,
            dominators: self.dominators,
            block: rounds.shape.preheader,
        }
    }

    /// Whether what is to be found out can be, at a price.
    pub(in crate::vectorisation) fn is_cheap(&mut self, body: &Body, rounds: &Rounds<'_>) -> bool {
        let ty = type_of(self.evolution, rounds);
        let mut others = FxHashSet::default();
        let again = rounds.again;
        let mut cost = self.expansion(rounds).cost_beside(body, again, ty, &mut others);
        for extent in rounds.tests.iter().flatten() {
            for end in [extent.low, extent.high] {
                let mut expansion = self.expansion(rounds);
                cost = cost.saturating_add(1);
                cost = match expansion.address_parts(body, end, Type::PTR) {
                    Some((_, rest)) => cost.saturating_add(expansion.cost_beside(
                        body,
                        rest,
                        Type::I64,
                        &mut others,
                    )),
                    None => NEVER,
                };
            }
        }
        cost <= MOST
    }

    /// Writes code at the end of the preheader that finds it out.
    pub(in crate::vectorisation) fn write(
        &mut self,
        editor: &mut Editor<'_, '_>,
        rounds: &Rounds<'_>,
    ) -> Option<Guard> {
        editor.stand_before(rounds.shape.entering);
        editor.take_location(rounds.shape.branch);
        let width = u128::from(rounds.at_once);
        let least = width - u128::from(!rounds.keeps_last);
        let mut tests = Vec::new();
        for pair in rounds.tests {
            tests.push(self.apart(editor, rounds, pair)?);
        }
        if let Some(again) = self.evolution.as_constant(rounds.again) {
            let count = again + u128::from(!rounds.keeps_last);
            if count < width {
                return None;
            }
            let whole = match count % width {
                0 if !rounds.keeps_last => Whole::Always,
                _ => Whole::Never,
            };
            let done = editor.constant(Type::I64, count - count % width);
            return Some(Guard { enter: all(editor, &tests), done, whole });
        }
        let ty = type_of(self.evolution, rounds);
        let again = self.expansion(rounds).write(editor, rounds.again, ty)?;
        let again = match ty.as_scalar() {
            Some(Scalar::I64) => again,
            _ => editor.op(Op::Zext, Type::I64, &[again]),
        };
        let least = editor.constant(Type::I64, least);
        tests.insert(0, editor.icmp(IntCond::Uge, Type::I64, again, least));
        let one = editor.constant(Type::I64, 1);
        let count = match rounds.keeps_last {
            true => again,
            false => editor.op(Op::Add, Type::I64, &[again, one]),
        };
        let done = whole_trips(editor, count, width);
        let whole = match rounds.keeps_last {
            true => Whole::Never,
            false => Whole::Where(editor.icmp(IntCond::Eq, Type::I64, done, count)),
        };
        Some(Guard { enter: all(editor, &tests), done, whole })
    }

    /// Whether two extents have no byte in common. One whose ends may have wrapped is known to
    /// be none of those where it ends behind its begin.
    fn apart(
        &mut self,
        editor: &mut Editor<'_, '_>,
        rounds: &Rounds<'_>,
        [one, other]: &[Extent; 2],
    ) -> Option<Value> {
        let [low, high] = self.ends(editor, rounds, one)?;
        let [other_low, other_high] = self.ends(editor, rounds, other)?;
        let below = editor.icmp(IntCond::Ule, Type::PTR, high, other_low);
        let above = editor.icmp(IntCond::Ule, Type::PTR, other_high, low);
        let mut apart = editor.op(Op::Or, Type::I1, &[below, above]);
        for (extent, low, high) in [(one, low, high), (other, other_low, other_high)] {
            if extent.may_wrap {
                let is_whole = editor.icmp(IntCond::Ule, Type::PTR, low, high);
                apart = editor.op(Op::And, Type::I1, &[apart, is_whole]);
            }
        }
        Some(apart)
    }

    fn ends(
        &mut self,
        editor: &mut Editor<'_, '_>,
        rounds: &Rounds<'_>,
        extent: &Extent,
    ) -> Option<[Value; 2]> {
        let low = self.address(editor, rounds, extent.low)?;
        Some([low, self.address(editor, rounds, extent.high)?])
    }

    fn address(
        &mut self,
        editor: &mut Editor<'_, '_>,
        rounds: &Rounds<'_>,
        end: Expr,
    ) -> Option<Value> {
        let mut expansion = self.expansion(rounds);
        let (root, rest) = expansion.address_parts(editor.body, end, Type::PTR)?;
        if expansion.evolution.as_constant(rest) == Some(0) {
            return Some(root);
        }
        let rest = expansion.write(editor, rest, Type::I64)?;
        Some(editor.op(Op::PtrAdd, Type::NONE, &[root, rest]))
    }
}

/// The greatest multiple of a number that is not above a count.
fn whole_trips(editor: &mut Editor<'_, '_>, count: Value, width: u128) -> Value {
    if width.is_power_of_two() {
        let mask = editor.constant(Type::I64, !(width - 1));
        return editor.op(Op::And, Type::I64, &[count, mask]);
    }
    let width = editor.constant(Type::I64, width);
    let left = editor.op(Op::Urem, Type::I64, &[count, width]);
    editor.op(Op::Sub, Type::I64, &[count, left])
}

/// Whether all hold; nothing where there are none.
fn all(editor: &mut Editor<'_, '_>, tests: &[Value]) -> Option<Value> {
    let mut all = *tests.first()?;
    for &test in &tests[1..] {
        all = editor.op(Op::And, Type::I1, &[all, test]);
    }
    Some(all)
}
