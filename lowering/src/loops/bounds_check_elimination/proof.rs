//! Compares that give the same in every round.

use std::rc::Rc;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::Inst;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::rounds::{Moving, is_compare};
use crate::analysis::conditions::Outcomes;
use crate::analysis::scalar_evolution::{Compare, Expr, Kind, Known, Reading};
use crate::analysis::{
    Conditions, Dominators, FlowGraph, Loop, Loops, ScalarEvolution, ValueFacts,
};
use crate::pass::{PassContext, Renames, decide_branch, list_insts};

/// How many loops around a compare are looked at.
const MOST_LOOPS: usize = 4;

/// What is known of a body, and what follows from it where loops are entered.
pub(super) struct Reasoning<'a> {
    pub(super) body: &'a Body,
    pub(super) graph: Rc<FlowGraph>,
    pub(super) dominators: Rc<Dominators>,
    pub(super) loops: Rc<Loops>,
    facts: Rc<ValueFacts>,
    conditions: Rc<Conditions>,
    pub(super) evolution: ScalarEvolution,
}

impl<'a> Reasoning<'a> {
    pub(super) fn new(body: &'a Body, context: &mut PassContext<'_>) -> Reasoning<'a> {
        let analyses = &mut *context.analyses;
        let evolution = analyses.scalar_evolution(body, context.module);
        Reasoning {
            body,
            graph: analyses.flow(body),
            dominators: analyses.dominators(body),
            loops: analyses.loops(body),
            facts: analyses.value_facts(body, context.module),
            conditions: analyses.conditions(body),
            evolution: ScalarEvolution::clone(&evolution),
        }
    }

    /// Whether a compare holds each time that a loop is entered.
    pub(super) fn holds(&mut self, of: Loop, (a, condition, b): Compare) -> bool {
        if self.holds_plainly(of, (a, condition, b)) {
            return true;
        }
        // What is less as signed, and not below zero, is so as unsigned.
        let (less, signed, more) = match condition {
            IntCond::Ult => (a, IntCond::Slt, b),
            IntCond::Ule => (a, IntCond::Sle, b),
            IntCond::Ugt => (b, IntCond::Slt, a),
            IntCond::Uge => (b, IntCond::Sle, a),
            _ => return false,
        };
        let zero = self.evolution.constant(self.evolution.width(less), 0);
        self.holds_plainly(of, (zero, IntCond::Sle, less))
            && self.holds_plainly(of, (less, signed, more))
    }

    fn holds_plainly(&mut self, of: Loop, compare: Compare) -> bool {
        if compare.0 == compare.2 {
            return Outcomes::EQUAL.decide(compare.1) == Some(true);
        }
        let known = Known {
            graph: &self.graph,
            dominators: &self.dominators,
            loops: &self.loops,
            facts: &self.facts,
            conditions: &self.conditions,
        };
        self.evolution.holds_where_entered(self.body, known, of, compare)
    }

    /// The same, also where it follows from what both compare with a third number.
    fn holds_through(&mut self, of: Loop, (a, condition, b): Compare, middle: Expr) -> bool {
        let (first, second) = match condition {
            IntCond::Ult | IntCond::Ule => (condition, IntCond::Ule),
            IntCond::Slt | IntCond::Sle => (condition, IntCond::Sle),
            IntCond::Ugt | IntCond::Uge => (condition, IntCond::Uge),
            IntCond::Sgt | IntCond::Sge => (condition, IntCond::Sge),
            IntCond::Eq | IntCond::Ne => return false,
        };
        self.evolution.width(middle) == self.evolution.width(a)
            && self.holds(of, (a, first, middle))
            && self.holds(of, (middle, second, b))
    }

    /// Whether an unsigned number is at most another one where a loop is entered.
    fn is_at_most(&mut self, of: Loop, a: Expr, b: Expr) -> bool {
        if let Kind::Extreme(Op::Umin, one, other) = *self.evolution.kind(a) {
            // What these are is mostly no minimum; no expression is deep.
            return self.is_at_most(of, one, b) || self.is_at_most(of, other, b);
        }
        let width = self.evolution.width(a).max(self.evolution.width(b));
        let (a, b) = (self.evolution.resized(width, a), self.evolution.resized(width, b));
        if a == b || self.holds(of, (a, IntCond::Ule, b)) {
            return true;
        }
        // As much more than each: if the lesser is then no less than that, neither wraps.
        let more = self.evolution.constant_of(a).wrapping_neg();
        let (above_a, above_b) =
            (self.evolution.add_constant(a, more), self.evolution.add_constant(b, more));
        let more = self.evolution.constant(width, more);
        above_a != a
            && self.holds(of, (above_a, IntCond::Ule, above_b))
            && self.holds(of, (more, IntCond::Ule, above_a))
    }

    /// Whether a condition holds in all rounds of a loop that are gone to.
    pub(super) fn holds_always(&mut self, of: Loop, moving: &Moving) -> bool {
        let Some(rounds) = moving.rounds_behind_first(&mut self.evolution) else { return false };
        let trips = self.evolution.trips(of);
        let bound = trips.and_then(|trips| trips.bound);
        let holds_first = self.holds(of, moving.at_first())
            || bound.is_some_and(|bound| {
                let less = self.evolution.constant_of(bound).wrapping_neg();
                let end = self.evolution.add_constant(bound, less);
                self.holds_through(of, moving.at_first(), end)
            });
        holds_first
            && (self.never_turns(moving)
                || bound.is_some_and(|bound| self.is_at_most(of, bound, rounds)))
    }

    /// Whether what moves goes away from its bound and never comes around the end of its
    /// type: it meets the condition for good, once it does.
    pub(super) fn never_turns(&self, moving: &Moving) -> bool {
        let reading = match moving.condition == moving.condition.unsigned() {
            true => Reading::Unsigned,
            false => Reading::Signed,
        };
        let expr = self.evolution.of(moving.value);
        moving.goes_away() && expr.is_some_and(|expr| self.evolution.never_wraps(expr, reading))
    }

    /// What a compare in loops gives whenever it is come to, if that follows from how one
    /// of the loops around it goes.
    fn outcome(&mut self, inst: Inst) -> Option<bool> {
        let loops = Rc::clone(&self.loops);
        let block = self.body.layout.block_of(inst).filter(|_| is_compare(self.body, inst))?;
        let parent = |&of: &Loop| loops.get(of)?.parent.expand();
        let around = std::iter::successors(loops.innermost(block), parent);
        for of in around.take(MOST_LOOPS) {
            for truth in [true, false] {
                let moving =
                    Moving::new(self.body, &mut self.evolution, of, (inst, truth), &|_| false);
                if moving.is_some_and(|moving| self.holds_always(of, &moving)) {
                    return Some(truth);
                }
            }
        }
        None
    }
}

/// What was proved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proved {
    pub(super) compares: usize,
    pub(super) checks: usize,
    pub(super) branches: usize,
}

/// Puts constants in the place of compares that give the same in every round, and takes
/// away the checks, and decides the branches, that they are for.
pub(super) fn prove(body: &mut Body, context: &mut PassContext<'_>) -> Proved {
    let mut reasoning = Reasoning::new(body, context);
    let (graph, loops) = (Rc::clone(&reasoning.graph), Rc::clone(&reasoning.loops));
    let mut decided: Vec<(Inst, bool)> = Vec::new();
    for block in graph.reverse_postorder().filter(|&block| loops.innermost(block).is_some()) {
        for inst in body.layout.insts(block) {
            decided.extend(reasoning.outcome(inst).map(|truth| (inst, truth)));
        }
    }
    let mut proved = Proved { compares: decided.len(), ..Proved::default() };
    if decided.is_empty() {
        return proved;
    }
    let mut renames = Renames::default();
    for &(inst, truth) in &decided {
        decide(body, &mut renames, inst, truth);
    }
    for block in graph.reverse_postorder() {
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            renames.apply_to(body, inst);
            match body.inst(inst).op {
                Op::Check if is_true(body, inst) => {
                    body.remove_inst(inst);
                    proved.checks += 1;
                }
                Op::And | Op::Or | Op::Not => simplify(body, &mut renames, inst),
                _ => {}
            }
        }
    }
    // What goes back to a header is used before it is met.
    renames.apply(body);
    for inst in list_insts(body) {
        if body.inst(inst).op == Op::Branch {
            proved.branches += usize::from(decide_branch(body, inst));
        }
    }
    proved
}

/// Lets a constant stand for a truth value, whose instruction goes.
fn decide(body: &mut Body, renames: &mut Renames, inst: Inst, truth: bool) {
    if let Some(result) = body.result(inst)
        && let Some(truth) = Constant::scalar(Type::I1, truth.into())
    {
        let truth = body.constant(truth);
        renames.rename(result, truth);
        body.remove_inst(inst);
    }
}

/// Goes on with what truth values are made of of which one is decided.
fn simplify(body: &mut Body, renames: &mut Renames, inst: Inst) {
    if body.inst(inst).ty != Type::I1 {
        return;
    }
    let truth = |value| body.as_scalar_constant(value).map(|bits| bits == 1);
    match (body.inst(inst).op, body.args(inst)) {
        (Op::Not, &[a]) => {
            if let Some(truth) = truth(a) {
                decide(body, renames, inst, !truth);
            }
        }
        (op, &[a, b]) => {
            let (known, other) = match (truth(a), truth(b)) {
                (Some(known), _) => (known, b),
                (_, Some(known)) => (known, a),
                _ => return,
            };
            if known != (op == Op::And) {
                decide(body, renames, inst, known);
            } else if let Some(result) = body.result(inst) {
                renames.rename(result, other);
                body.remove_inst(inst);
            }
        }
        _ => {}
    }
}

fn is_true(body: &Body, check: Inst) -> bool {
    let condition = body.args(check).first();
    condition.and_then(|&condition| body.as_scalar_constant(condition)) == Some(1)
}
