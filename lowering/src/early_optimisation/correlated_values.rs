//! Decides compares and whatever else can give one number only, and takes the trap out of
//! arithmetic, by what branches, switches and checks on the way say of the operands.
//!
//! Before:
//! ```text
//! func @f(i64, i64) -> i64 {
//!     exit0 = trap bounds
//! block0(%0: i64, %1: i64):
//!     %2 = icmp.i64 slt %0, %1
//!     branch %2, block1, block2
//! block1:
//!     %3 = sadd_trap.i64 %0, 1
//!     %4 = icmp.i64 sge %0, 0
//!     check %4, exit0
//!     %5 = sdiv.i64 %0, 3
//!     %6 = icmp.i64 sgt %1, 0
//!     %7 = select.i64 %6, %3, %5
//!     return %7
//! block2:
//!     return 0
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, i64) -> i64 {
//!     exit0 = trap bounds
//! block0(%0: i64, %1: i64):
//!     %2 = icmp.i64 slt %0, %1
//!     branch %2, block1, block2
//! block1:
//!     %3 = add.i64 %0, 1
//!     %4 = icmp.i64 sge %0, 0
//!     check %4, exit0
//!     %5 = udiv.i64 %0, 3
//!     %6 = icmp.i64 sgt %1, 0
//!     %7 = select.i64 %6, %3, %5
//!     return %7
//! block2:
//!     return 0
//! }
//! ```
//! Between the edge of a branch and a block that it dominates none of its values is computed
//! anew: there its condition holds (Conditions). With the ranges of all values (ValueFacts),
//! narrowed by these conditions, compares are decided, sums and differences that may trap
//! are found not to, and signed divisions, shifts and extensions of what is not negative
//! become the unsigned ones, which are cheaper. So is what can give one number only, and a
//! mask, remainder or bound that changes nothing. A select that an edge hands on is what it
//! takes there, where the branch of the edge says.
//!
//! Each question is bounded, so that the pass takes O(instructions).
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try: what
//! follows from several conditions together (`constraint_elimination`); what edges into a
//! block say of its parameters (`jump_threading`); vectors.

mod overflow;
mod results;

use std::rc::Rc;

use brolga_ir::attribute::{InstFlags, IntCond};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use crate::analysis::conditions::Position;
use crate::analysis::value_facts::Fact;
use crate::analysis::{Conditions, Kept, ValueFacts};
use crate::pass::{Change, PassContext, PassResult, Renames, wrapped};

use overflow::may_wrap;

/// How many selects of selects are looked through on an edge.
const MOST_CHOSEN: usize = 4;

/// Decides what the conditions on the way decide.
///
/// # Errors
/// None.
pub fn correlated_values(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let known = Known {
        conditions: context.analyses.conditions(body),
        facts: context.analyses.value_facts(body, context.module),
    };
    let mut renames = Renames::default();
    let mut decided: Vec<Inst> = Vec::new();
    let (mut superfluous, mut exact): (Vec<Inst>, Vec<Inst>) = Default::default();
    let mut cheaper: Vec<(Inst, Op)> = Vec::new();
    for block in graph.reverse_postorder() {
        for (at, inst) in known.conditions.places(body, block) {
            if let Some(truth) = known.compare(body, at, inst) {
                let Some(result) = body.result(inst) else { continue };
                let truth = Constant::scalar(Type::I1, truth.into());
                let Some(truth) = truth.map(|truth| body.constant(truth)) else { continue };
                renames.rename(result, truth);
                decided.push(inst);
            } else if let Some(value) = known.result(body, at, inst) {
                body.results(inst).iter().for_each(|&result| renames.rename(result, value));
                superfluous.push(inst);
            } else if let Some(values) = known.without_overflow(body, at, inst) {
                for (&result, value) in body.results(inst).iter().zip(values) {
                    renames.rename(result, value);
                }
                exact.push(inst);
            } else if let Some(op) = known.cheaper(body, at, inst) {
                cheaper.push((inst, op));
            }
        }
    }
    let selects = known.choose_on_edges(body);
    let counts = [
        ("decided compares", decided.len()),
        ("known results", superfluous.len()),
        ("sums and products that fit", exact.len()),
        ("cheaper ops", cheaper.len()),
        ("decided selects on edges", selects),
    ];
    if context.statistics.add_each("correlated_values", counts) == Change::Nothing {
        return Ok(Change::Nothing);
    }
    renames.apply(body);
    decided.into_iter().chain(superfluous).chain(exact).for_each(|inst| body.remove_inst(inst));
    for (inst, op) in cheaper {
        let data = body.inst_mut(inst);
        data.op = op;
        // Hints spoke of the other op.
        data.flags = InstFlags::empty();
    }
    context.analyses.keep(Kept::GRAPH);
    Ok(Change::Something)
}

/// What is known of values.
struct Known {
    conditions: Rc<Conditions>,
    facts: Rc<ValueFacts>,
}

impl Known {
    fn fact(&self, body: &Body, at: Position, value: Value) -> Option<Fact> {
        self.conditions.fact(body, &self.facts, at, value)
    }

    /// Hands on what a select takes where the branch of the edge says which that is; gives
    /// how often.
    fn choose_on_edges(&self, body: &mut Body) -> usize {
        let mut count = 0;
        for block in body.layout.blocks().collect::<Vec<_>>() {
            let Some(last) = body.layout.last_inst(block) else { continue };
            if !matches!(body.inst(last).op, Op::Jump | Op::Branch | Op::Switch) {
                continue;
            }
            for index in 0..body.targets(last).len() {
                let Some(&target) = body.targets(last).get(index) else { continue };
                let mut args = body.target_args(&target).to_vec();
                let mut chosen = 0;
                for arg in &mut args {
                    for _ in 0..MOST_CHOSEN {
                        let Some(value) = self.chosen(body, (block, index), *arg) else { break };
                        *arg = value;
                        chosen += 1;
                    }
                }
                if chosen > 0 {
                    body.targets_mut(last)[index] = body.target(target.block, &args);
                    count += chosen;
                }
            }
        }
        count
    }

    /// What a select takes on an edge, if that is known.
    fn chosen(&self, body: &Body, edge: (Block, usize), value: Value) -> Option<Value> {
        let ValueDef::Result(inst, 0) = body.value_def(value) else { return None };
        let (Op::Select, &[condition, yes, no]) = (body.inst(inst).op, body.args(inst)) else {
            return None;
        };
        let fact = self.conditions.fact_on_edge(body, &self.facts, edge, condition)?;
        Some(if fact.as_constant()? & 1 == 1 { yes } else { no })
    }

    /// What a compare of two numbers gives, if that is known.
    fn compare(&self, body: &Body, at: Position, inst: Inst) -> Option<bool> {
        let data = body.inst(inst);
        let (Op::Icmp, Payload::IntCond(condition), &[a, b]) =
            (data.op, data.payload, body.args(inst))
        else {
            return None;
        };
        let lane = data.ty.as_scalar()?;
        let condition = if lane.is_address() { condition.unsigned() } else { condition };
        if a == b {
            return Some(matches!(
                condition,
                IntCond::Eq | IntCond::Sle | IntCond::Sge | IntCond::Ule | IntCond::Uge
            ));
        }
        self.conditions.compare(body, &self.facts, at, (condition, a, b))
    }

    /// The op that gives the same for these operands, and is cheaper.
    fn cheaper(&self, body: &Body, at: Position, inst: Inst) -> Option<Op> {
        let op = match body.inst(inst).op {
            op @ (Op::SaddTrap | Op::SsubTrap | Op::UaddTrap | Op::UsubTrap) => op,
            op @ (Op::SmulTrap | Op::UmulTrap) => op,
            op @ (Op::Sdiv | Op::Srem | Op::Ashr | Op::Sext) => op,
            _ => return None,
        };
        let args = body.args(inst);
        let is_number = |&arg: &Value| body.value_type(arg).as_scalar().is_some_and(Scalar::is_int);
        if !args.iter().all(is_number) {
            return None;
        }
        let x = self.fact(body, at, *args.first()?)?;
        let is_positive = |fact: &Fact| fact.signed().0 >= 0;
        match op {
            Op::Ashr if is_positive(&x) => return Some(Op::Lshr),
            Op::Sext if is_positive(&x) => return Some(Op::Zext),
            Op::Ashr | Op::Sext => return None,
            _ => {}
        }
        let y = self.fact(body, at, *args.get(1)?)?;
        match op {
            Op::Sdiv if is_positive(&x) && is_positive(&y) => Some(Op::Udiv),
            Op::Srem if is_positive(&x) && is_positive(&y) => Some(Op::Urem),
            Op::Sdiv | Op::Srem => None,
            _ if may_wrap(op, &x, &y) => None,
            _ => wrapped(op),
        }
    }
}
