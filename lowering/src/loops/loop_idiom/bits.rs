//! Loops that go round once for each bit of a number.
//!
//! In each round, how often the loop still goes round is a function of what is left of the
//! number: a second number that begins with that and goes down by one is zero exactly when
//! nothing is left.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::shape::{Equality, equality};
use crate::analysis::{Dominators, Loop, Loops};
use crate::loops::form::{back_edge, preheader_jump};
use crate::pass::{Editor, PassContext, count_uses};

/// A loop that takes bit after bit.
#[derive(Clone, Copy, Debug)]
struct Taking {
    header: Block,
    preheader: Inst,
    latch: Inst,
    /// The number before the loop.
    first: Value,
    ty: Type,
    /// What says how many rounds a number takes, of its bits.
    counted: Op,
    /// The compare with zero, and the branch that goes by it.
    test: Inst,
    branch: Inst,
    /// Whether it is asked of the number of the round, or of the next one.
    asks_next: bool,
}

/// Lets loops count down that leave when no bit is left; how many.
pub(super) fn count(
    body: &mut Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
    graph: &FlowGraph,
    dominators: &Dominators,
) -> u64 {
    let mut uses = None;
    let mut counted = 0;
    for of in loops.all() {
        let Some(taking) = find(body, (loops, graph, dominators), &mut uses, of) else { continue };
        rewrite(body, context, &taking);
        counted += 1;
    }
    counted
}

fn find(
    body: &Body,
    (loops, graph, dominators): (&Loops, &FlowGraph, &Dominators),
    uses: &mut Option<SecondaryMap<Value, u32>>,
    of: Loop,
) -> Option<Taking> {
    let preheader = preheader_jump(body, graph, loops, of)?;
    let data = loops.get(of)?;
    let back = back_edge(body, loops, of)?;
    let (latch, latch_block) = (back.inst, body.layout.block_of(back.inst)?);
    let back = body.targets(latch).get(back.index as usize)?;
    let first = body.targets(preheader).first()?;
    let pairs = body.target_args(first).iter().zip(body.target_args(back));
    body.params(data.header).iter().zip(pairs).find_map(|(&now, (&first, &next))| {
        let (counted, own_uses) = taken(body, now, next)?;
        let (asks_next, test, branch) = [false, true].into_iter().find_map(|asks_next| {
            let asked = if asks_next { next } else { now };
            let (test, branch) = exit_at_zero(body, loops, of, asked)?;
            Some((asks_next, test, branch))
        })?;
        let tested = body.result(test)?;
        let uses = uses.get_or_insert_with(|| count_uses(body));
        // The number is for nothing else.
        let is_only_counted = uses[now] == own_uses + u32::from(!asks_next)
            && uses[next] == 1 + u32::from(asks_next)
            && uses[tested] == 1;
        let is_in_every_round = dominators.dominates(body.layout.block_of(branch)?, latch_block);
        let ty = body.value_type(now);
        (is_only_counted && is_in_every_round).then_some(Taking {
            header: data.header,
            preheader,
            latch,
            first,
            ty,
            counted,
            test,
            branch,
            asks_next,
        })
    })
}

/// What counts the rounds of `now`, which becomes `next`, and how often that uses it.
fn taken(body: &Body, now: Value, next: Value) -> Option<(Op, u32)> {
    let is_scalar = body.value_type(now).as_scalar().is_some_and(|scalar| scalar.is_int());
    let ValueDef::Result(inst, _) = body.value_def(next) else { return None };
    let &[a, b] = body.args(inst) else { return None };
    let is_one = |value: Value| body.as_scalar_constant(value) == Some(1);
    let found = match body.inst(inst).op {
        Op::Lshr if a == now && is_one(b) => (Op::Clz, 1),
        Op::Shl if a == now && is_one(b) => (Op::Ctz, 1),
        Op::And if a == now && is_one_less(body, b, now) => (Op::Popcount, 2),
        Op::And if b == now && is_one_less(body, a, now) => (Op::Popcount, 2),
        _ => return None,
    };
    is_scalar.then_some(found)
}

/// Whether a value is one less than `than`.
fn is_one_less(body: &Body, value: Value, than: Value) -> bool {
    let ValueDef::Result(inst, _) = body.value_def(value) else { return false };
    let &[a, b] = body.args(inst) else { return false };
    let bits = body.value_type(value).as_scalar().map_or(128, |scalar| scalar.bits());
    let minus_one = u128::MAX >> (128 - bits.clamp(1, 128));
    let is = |value: Value, number: u128| body.as_scalar_constant(value) == Some(number);
    match body.inst(inst).op {
        Op::Sub => a == than && is(b, 1),
        Op::Add => (a == than && is(b, minus_one)) || (b == than && is(a, minus_one)),
        _ => false,
    }
}

/// The compare of a number with zero, and the branch by which the loop is left where it is
/// zero and goes on where it is not.
fn exit_at_zero(body: &Body, loops: &Loops, of: Loop, number: Value) -> Option<(Inst, Inst)> {
    let own = loops.own_blocks(of).iter();
    own.filter_map(|&block| body.layout.last_inst(block)).find_map(|branch| {
        let Equality { compare, operands: [a, b], equal } = equality(body, branch)?;
        let targets = body.targets(branch);
        let is_inside = |index: usize| loops.contains(of, targets[index].block);
        let leaves = targets.len() == 2 && !is_inside(equal) && is_inside(1 - equal);
        let is_zero = body.as_scalar_constant(b) == Some(0);
        (a == number && is_zero && leaves).then_some((compare, branch))
    })
}

/// Gives the loop a number that counts down, and lets it leave by that.
fn rewrite(body: &mut Body, context: &mut PassContext<'_>, taking: &Taking) {
    let Taking { header, preheader, latch, first, ty, counted, test, branch, asks_next } = *taking;
    let left = body.append_param(header, ty);
    let condition = body.inst(test).payload;
    let mut editor = Editor::new(body, context);
    editor.stand_before(preheader);
    let mut times = editor.op(counted, ty, &[first]);
    if counted != Op::Popcount {
        let bits = ty.as_scalar().map_or(0, |scalar| scalar.bits());
        let all = editor.constant(ty, bits.into());
        times = editor.op(Op::Sub, ty, &[all, times]);
    }
    let one = editor.constant(ty, 1);
    if asks_next {
        // Of zero, it takes a bit that is not there.
        times = editor.op(Op::Umax, ty, &[times, one]);
    }
    editor.stand_before(if asks_next { branch } else { latch });
    let less = editor.op(Op::Sub, ty, &[left, one]);
    editor.stand_before(branch);
    let zero = editor.zero(ty);
    let asked = if asks_next { less } else { left };
    let again = editor.op_with(Op::Icmp, ty, &[asked, zero], condition);
    let args = editor.body.list(&[again]);
    body.inst_mut(branch).args = args;
    for (inst, value) in [(preheader, times), (latch, less)] {
        let targets = body.targets(inst);
        let to_header = (0..targets.len()).filter(|&at| targets[at].block == header);
        for index in to_header.collect::<Vec<_>>() {
            body.push_target_arg(inst, index, value);
        }
    }
    context.remark(test, RemarkKind::Applied, "the loop goes round as often as bits are set");
    body.layout.remove_inst(test);
}
