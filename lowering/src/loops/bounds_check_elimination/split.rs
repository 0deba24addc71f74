//! Splitting loops by their rounds.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::plan::{Guard, Plan};
use crate::analysis::scalar_evolution::{Expr, Kind, Recurrence};
use crate::analysis::{Dominators, Loops, ScalarEvolution};
use crate::loops::expansion::{Available, Expansion, NEVER, integer, is_read_address};
use crate::loops::form::after_marks;
use crate::pass::{
    Copies, Editor, Graph, IncomingEdges, PassContext, Renames, count_uses, enter_with_params,
    join_copied_edges, take_way,
};

/// How much more often the rounds without checks are gone to than the others.
const LIKELY: u32 = 2000;

/// What is filled in when all loops have their blocks.
#[derive(Debug)]
pub(super) struct Split {
    plan: Plan,
    /// The branches at the ends of the stages that have guards, by their numbers.
    branches: Vec<Option<Inst>>,
    /// The branch that ends the loop without checks.
    end: Inst,
    /// The blocks of the loop without checks.
    region: Vec<Block>,
}

/// Whether code before a loop can compute an expression of what stands there.
pub(super) fn can_write(
    body: &Body,
    (evolution, available): (&ScalarEvolution, &Available),
    expr: Expr,
) -> bool {
    let Some(ty) = integer(evolution.width(expr)) else { return false };
    let can_write = |part: Expr| can_write(body, (evolution, available), part);
    let all = |parts: &[Expr]| parts.iter().all(|&part| can_write(part));
    match evolution.kind(expr) {
        Kind::Constant(_) => true,
        Kind::Value(value) => body.value_type(*value) == ty || is_read_address(body, *value, ty),
        Kind::Sum(_, terms) => terms.iter().all(|term| can_write(term.0)),
        Kind::Product(a, b) | Kind::Extreme(_, a, b) => all(&[*a, *b]),
        Kind::Triangle(a) | Kind::Quotient(a, _) => all(&[*a]),
        Kind::Extended(_, a) | Kind::Truncated(a) => all(&[*a]),
        Kind::Recurrence(recurrence) => {
            let header = evolution.loops().get(recurrence.of).map(|data| data.header);
            let params = header.map_or(&[][..], |header| body.params(header));
            let own = |value: Value| evolution.as_recurrence(evolution.of(value)?);
            let is_written = |own: Recurrence| all(&[own.start, recurrence.start]);
            let is_sibling = |&param: &Value| {
                let own = own(param).filter(|own| own.step == recurrence.step);
                body.value_type(param) == ty && own.is_some_and(is_written)
            };
            let along = available.along(evolution, recurrence);
            params.iter().any(is_sibling)
                || along.and_then(|(value, _)| own(value)).is_some_and(is_written)
        }
    }
}

impl Split {
    /// Makes the copy of the loop that has the checks, and the blocks around; conditions
    /// are filled in by [`fill`](Self::fill).
    pub(super) fn new(
        body: &mut Body,
        graph: Graph<'_>,
        loops: &Loops,
        plan: Plan,
    ) -> Option<Split> {
        let region = loops.blocks(plan.of).to_vec();
        let (&header, &last) = (region.first()?, region.last()?);
        let no = body.constant(Constant::scalar(Type::I1, 0)?);
        let mut copies = Copies::default();
        copies.copy_blocks(body, &region, last);
        drop_marks(body, copies.block(header));
        join_copied_edges(body, graph.edges, &plan.exits, &copies);
        let rest = enter_with_params(body, copies.block(header), last);
        let branches = lead_in(body, &plan, rest, no);
        let end = lead_out(body, &plan, (header, rest), no)?;
        decide(body, &plan);
        Some(Split { plan, branches, end, region })
    }

    /// Writes the conditions.
    pub(super) fn fill(
        &self,
        body: &mut Body,
        context: &mut PassContext<'_>,
        (evolution, available, dominators): (&mut ScalarEvolution, &Available, &Dominators),
    ) {
        let mut editor = Editor::new(body, context);
        let Some(mut block) = editor.body.layout.block_of(self.plan.jump) else { return };
        let mut expansion = Expansion { evolution, available, dominators, block };
        // Where the last stage begins: it alone has no guards.
        let written = self.write_limit(&mut editor, &mut expansion);
        let none = editor.constant(Type::I1, 0);
        for (stage, branch) in self.plan.stages.iter().zip(&self.branches) {
            let Some(branch) = *branch else { continue };
            block = editor.body.layout.block_of(branch).unwrap_or(block);
            expansion.block = block;
            editor.stand_before(branch);
            let guard =
                written.and_then(|_| write_guards(&mut editor, &mut expansion, &stage.guards));
            let list = editor.body.list(&[guard.unwrap_or(none)]);
            editor.body.inst_mut(branch).args = list;
        }
        let going_on = written.map_or(none, |limit| {
            editor.stand_before(self.end);
            let ty = editor.body.value_type(self.plan.moving);
            editor.icmp(self.plan.condition, ty, self.plan.moving, limit)
        });
        let list = editor.body.list(&[going_on]);
        editor.body.inst_mut(self.end).args = list;
    }

    /// What the value that is compared is in the last round without checks.
    fn write_limit(
        &self,
        editor: &mut Editor<'_, '_>,
        expansion: &mut Expansion<'_>,
    ) -> Option<Value> {
        let evolution = &mut *expansion.evolution;
        let (plan, width) = (&self.plan, evolution.width(self.plan.line.start));
        let widest = plan.limits.iter().map(|&limit| evolution.width(limit)).max()?;
        let mut rounds: Option<Expr> = None;
        for &limit in &plan.limits {
            let limit = evolution.resized(widest, limit);
            rounds = Some(match rounds {
                Some(rounds) => evolution.extreme(Op::Umin, rounds, limit),
                None => limit,
            });
        }
        let rounds = evolution.resized(width, rounds?);
        let way = evolution.scale(rounds, plan.line.step as u128);
        let limit = evolution.add(plan.line.start, way);
        let ty = editor.body.value_type(plan.moving);
        editor.stand_before(plan.jump);
        if ty == Type::PTR {
            return write_address(editor, expansion, limit);
        }
        write(editor, expansion, limit, ty)
    }

    /// Joins the straight lines in the loops without checks, so that a round is one block
    /// where nothing in it branches.
    pub(super) fn join(body: &mut Body, splits: &[Split]) {
        let edges = IncomingEdges::new(body);
        let mut renames = Renames::default();
        for &block in splits.iter().flat_map(|split| &split.region) {
            while let Some(jump) = body.layout.last_inst(block)
                && body.inst(jump).op == Op::Jump
                && let Some(&way) = body.targets(jump).first()
                && edges.of(way.block).len() == 1
                && let Some(first) = after_marks(body, way.block)
            {
                // A block that one edge leads to is the header of no loop.
                let is_mark = |inst: &Inst| body.inst(*inst).op == Op::LoopMark;
                let marks: Vec<Inst> = body.layout.insts(way.block).filter(is_mark).collect();
                marks.into_iter().for_each(|mark| body.remove_inst(mark));
                let given = body.target_args(&way).iter().zip(body.params(way.block));
                given.for_each(|(&arg, &param)| renames.rename(param, arg));
                body.remove_inst(jump);
                body.layout.move_tail(first, block);
                body.layout.remove_block(way.block);
            }
        }
        renames.apply(body);
    }

    /// Takes away what told whether checks pass and the loops go on, where nothing else
    /// needs it.
    pub(super) fn clean(body: &mut Body, splits: &[Split]) {
        let mut uses = count_uses(body);
        let told = splits.iter().flat_map(|split| {
            let Plan { decision, conditions, .. } = &split.plan;
            decision.iter().rev().chain(conditions.iter().rev())
        });
        for inst in told {
            let is_used = body.results(*inst).iter().any(|&result| uses[result] > 0);
            if !is_used && body.layout.block_of(*inst).is_some() {
                body.args(*inst).iter().for_each(|&arg| uses[arg] = uses[arg].saturating_sub(1));
                body.remove_inst(*inst);
            }
        }
    }
}

fn write(
    editor: &mut Editor<'_, '_>,
    expansion: &mut Expansion<'_>,
    expr: Expr,
    ty: Type,
) -> Option<Value> {
    let can = expansion.cost(editor.body, expr, ty) < NEVER;
    if can { expansion.write(editor, expr, ty) } else { None }
}

/// An address that is only compared.
fn write_address(
    editor: &mut Editor<'_, '_>,
    expansion: &mut Expansion<'_>,
    expr: Expr,
) -> Option<Value> {
    let number = write(editor, expansion, expr, Type::I64)?;
    Some(editor.op(Op::IntToPtr, Type::NONE, &[number]))
}

/// All of the guards in one truth value.
fn write_guards(
    editor: &mut Editor<'_, '_>,
    expansion: &mut Expansion<'_>,
    guards: &[Guard],
) -> Option<Value> {
    let mut all: Option<Value> = None;
    for &guard in guards {
        let holds = match guard {
            Guard::Truth(value, true) => value,
            Guard::Truth(value, false) => editor.op(Op::Not, Type::I1, &[value]),
            Guard::Compare((a, condition, b)) => {
                let ty = integer(expansion.evolution.width(a))?;
                let a = write(editor, expansion, a, ty)?;
                let b = write(editor, expansion, b, ty)?;
                editor.icmp(condition, ty, a, b)
            }
        };
        all = Some(match all {
            Some(all) => editor.op(Op::And, Type::I1, &[all, holds]),
            None => holds,
        });
    }
    all
}

/// A mark says how the loop is to be run: the rounds with checks are few.
fn drop_marks(body: &mut Body, header: Block) {
    let marks = body.layout.insts(header).filter(|&inst| body.inst(inst).op == Op::LoopMark);
    for mark in marks.collect::<Vec<_>>() {
        body.remove_inst(mark);
    }
}

fn append(body: &mut Body, block: Block, op: Op, args: &[Value], payload: Payload) -> Inst {
    let args = body.list(args);
    body.append_inst(block, InstData::new(op, Type::NONE, args, payload), &[])
}

/// Puts the stages before the loop: the jump into it ends the last one.
fn lead_in(body: &mut Body, plan: &Plan, rest: Block, unknown: Value) -> Vec<Option<Inst>> {
    let given = body.targets(plan.jump).first().map(|way| body.target_args(way).to_vec());
    let given = given.unwrap_or_default();
    let mut branches = Vec::with_capacity(plan.stages.len());
    for stage in &plan.stages {
        for &inst in &stage.moved {
            body.layout.remove_inst(inst);
            body.layout.insert_inst_before(inst, plan.jump);
        }
        let Some(block) = body.layout.block_of(plan.jump).filter(|_| !stage.guards.is_empty())
        else {
            branches.push(None);
            continue;
        };
        let next = body.make_block();
        body.layout.insert_block_after(next, block);
        let targets = [body.target(next, &[]), body.target(rest, &given)];
        let branch = append(body, block, Op::Branch, &[unknown], Payload::Branch(targets));
        body.inst_mut(branch).loc = body.loc(plan.jump);
        body.set_weights(branch, &[LIKELY, 1]);
        body.layout.remove_inst(plan.jump);
        body.layout.append_inst(plan.jump, next);
        branches.push(Some(branch));
    }
    branches
}

/// Ends the loop by a branch of its own, behind which the old one tells whether rounds with
/// checks follow.
fn lead_out(
    body: &mut Body,
    plan: &Plan,
    (header, rest): (Block, Block),
    unknown: Value,
) -> Option<Inst> {
    let block = body.layout.block_of(plan.latch)?;
    let behind = body.make_block();
    body.layout.insert_block_after(behind, block);
    let loc = body.loc(plan.latch);
    let back = *body.targets(plan.latch).iter().find(|target| target.block == header)?;
    let again = body.target_args(&back).to_vec();
    let targets: [Target; 2] = [body.target(header, &again), body.target(behind, &[])];
    let end = append(body, block, Op::Branch, &[unknown], Payload::Branch(targets));
    body.inst_mut(end).loc = loc;
    if let Some(weights) = body.weights(plan.latch).map(<[u32]>::to_vec) {
        let is_first = body.targets(plan.latch).first().is_some_and(|way| way.block == header);
        let weights: Vec<u32> =
            if is_first { weights } else { weights.into_iter().rev().collect() };
        body.set_weights(end, &weights);
    }
    body.layout.remove_inst(plan.latch);
    let mut copies = Copies::default();
    for &inst in &plan.decision {
        let copy = copies.copy_inst(body, inst);
        body.layout.append_inst(copy, behind);
    }
    body.layout.append_inst(plan.latch, behind);
    body.map_uses(plan.latch, |value| copies.value(value));
    let mut weights = [1, 1];
    for (target, weight) in body.targets_mut(plan.latch).iter_mut().zip(&mut weights) {
        match target.block == header {
            true => target.block = rest,
            false => *weight = LIKELY,
        }
    }
    body.set_weights(plan.latch, &weights);
    Some(end)
}

/// Takes the checks out of the loop.
fn decide(body: &mut Body, plan: &Plan) {
    for &check in &plan.checks {
        body.remove_inst(check);
    }
    for &(branch, index) in &plan.branches {
        take_way(body, branch, index);
    }
}
