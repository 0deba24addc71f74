//! What is found out before a loop: how many rounds vectors do, and whether they may.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::plan::Plan;
use crate::analysis::dependence::Extent;
use crate::analysis::{Dominators, ScalarEvolution};
use crate::loops::expansion::{Available, Expansion, NEVER};
use crate::pass::Editor;

/// The most instructions that counting and comparing take before a loop.
const MOST: u32 = 48;

/// What is known where a loop is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Whether vectors do some rounds; none if they always do.
    pub(super) enter: Option<Value>,
    /// How many: a number of 64 bits, with which zero stands for two to the 64.
    pub(super) done: Value,
    /// Whether that is all, unless the last round is done alone.
    pub(super) whole: Whole,
}

/// Whether vectors do all rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    Always,
    Never,
    /// Where that is true.
    Where(Value),
}

/// Where the code goes, and what it is made of.
pub(super) struct Before<'a> {
    pub(super) evolution: &'a mut ScalarEvolution,
    pub(super) available: &'a Available,
    pub(super) dominators: &'a Dominators,
}

/// The integer type of an expression.
fn type_of(evolution: &ScalarEvolution, plan: &Plan) -> Type {
    match evolution.width(plan.shape.again) {
        8 => Type::I8,
        16 => Type::I16,
        32 => Type::I32,
        _ => Type::I64,
    }
}

impl Before<'_> {
    fn expansion(&mut self, plan: &Plan) -> Expansion<'_> {
        Expansion {
            evolution: self.evolution,
            available: self.available,
            dominators: self.dominators,
            block: plan.shape.preheader,
        }
    }

    /// Whether what is to be found out can be, at a price.
    pub(super) fn is_cheap(&mut self, body: &Body, plan: &Plan) -> bool {
        let ty = type_of(self.evolution, plan);
        let mut cost = self.expansion(plan).cost(body, plan.shape.again, ty);
        for extent in plan.memory.tests.iter().flatten() {
            for end in [extent.low, extent.high] {
                let mut expansion = self.expansion(plan);
                cost = cost.saturating_add(1);
                cost = match expansion.address_parts(body, end, Type::PTR) {
                    Some((_, rest)) => cost.saturating_add(expansion.cost(body, rest, Type::I64)),
                    None => NEVER,
                };
            }
        }
        cost <= MOST
    }

    /// Writes code at the end of the preheader that finds it out.
    pub(super) fn write(&mut self, editor: &mut Editor<'_, '_>, plan: &Plan) -> Option<Guard> {
        editor.stand_before(plan.shape.entering);
        editor.take_location(plan.shape.branch);
        let width = u128::from(plan.lanes * plan.copies);
        let least = width - u128::from(!plan.keeps_last);
        let mut tests = Vec::new();
        for pair in &plan.memory.tests {
            tests.push(self.apart(editor, plan, pair)?);
        }
        if let Some(again) = self.evolution.as_constant(plan.shape.again) {
            let rounds = again + u128::from(!plan.keeps_last);
            if rounds < width {
                return None;
            }
            let whole = match rounds % width {
                0 if !plan.keeps_last => Whole::Always,
                _ => Whole::Never,
            };
            let done = editor.constant(Type::I64, rounds - rounds % width);
            return Some(Guard { enter: all(editor, &tests), done, whole });
        }
        let ty = type_of(self.evolution, plan);
        let again = self.expansion(plan).write(editor, plan.shape.again, ty)?;
        let again = match ty.as_scalar() {
            Some(Scalar::I64) => again,
            _ => editor.op(Op::Zext, Type::I64, &[again]),
        };
        let least = editor.constant(Type::I64, least);
        tests.insert(0, editor.icmp(IntCond::Uge, Type::I64, again, least));
        let one = editor.constant(Type::I64, 1);
        let rounds = match plan.keeps_last {
            true => again,
            false => editor.op(Op::Add, Type::I64, &[again, one]),
        };
        let mask = editor.constant(Type::I64, !(width - 1));
        let done = editor.op(Op::And, Type::I64, &[rounds, mask]);
        let whole = match plan.keeps_last {
            true => Whole::Never,
            false => Whole::Where(editor.icmp(IntCond::Eq, Type::I64, done, rounds)),
        };
        Some(Guard { enter: all(editor, &tests), done, whole })
    }

    /// Whether two extents have no byte in common.
    fn apart(
        &mut self,
        editor: &mut Editor<'_, '_>,
        plan: &Plan,
        [one, other]: &[Extent; 2],
    ) -> Option<Value> {
        let [low, high] = self.ends(editor, plan, one)?;
        let [other_low, other_high] = self.ends(editor, plan, other)?;
        let below = editor.icmp(IntCond::Ule, Type::PTR, high, other_low);
        let above = editor.icmp(IntCond::Ule, Type::PTR, other_high, low);
        Some(editor.op(Op::Or, Type::I1, &[below, above]))
    }

    fn ends(
        &mut self,
        editor: &mut Editor<'_, '_>,
        plan: &Plan,
        extent: &Extent,
    ) -> Option<[Value; 2]> {
        let low = self.address(editor, plan, extent.low)?;
        Some([low, self.address(editor, plan, extent.high)?])
    }

    fn address(
        &mut self,
        editor: &mut Editor<'_, '_>,
        plan: &Plan,
        end: crate::analysis::scalar_evolution::Expr,
    ) -> Option<Value> {
        let mut expansion = self.expansion(plan);
        let (root, rest) = expansion.address_parts(editor.body, end, Type::PTR)?;
        if expansion.evolution.as_constant(rest) == Some(0) {
            return Some(root);
        }
        let rest = expansion.write(editor, rest, Type::I64)?;
        Some(editor.op(Op::PtrAdd, Type::NONE, &[root, rest]))
    }
}

/// Whether all hold; nothing where there are none.
fn all(editor: &mut Editor<'_, '_>, tests: &[Value]) -> Option<Value> {
    let mut all = *tests.first()?;
    for &test in &tests[1..] {
        all = editor.op(Op::And, Type::I1, &[all, test]);
    }
    Some(all)
}
