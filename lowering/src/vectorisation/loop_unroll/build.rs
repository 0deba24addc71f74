//! Writing copies of rounds one behind the other.
//!
//! ```text
//! preheader ──► before ──► copies ⟲ ──┐
//!     │                               ▼
//!     └─────────────────────────────► rest ──► the loop as it was ⟲ ──► exit
//! ```

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::choose::{Plan, Way};
use crate::pass::{
    Copies, Editor, PassContext, copy_rounds, enter_with_params, redirect, settle_rounds, take_way,
};
use crate::vectorisation::loop_vectorize::guard::Guard;
use crate::vectorisation::loop_vectorize::shape::Shape;

/// Unrolls a loop.
pub(super) fn build(
    body: &mut Body,
    context: &mut PassContext<'_>,
    plan: &Plan,
    guard: Option<Guard>,
) {
    let copies = plan.rounds as usize - 1;
    match (&plan.way, guard) {
        (Way::Counted(shape, _), Some(guard)) => count_off(body, context, plan, shape, guard),
        (Way::Even(shape), _) => {
            let made = repeat(body, plan, copies);
            for copy in &made {
                stay(body, shape, copy);
            }
        }
        _ => {
            repeat(body, plan, copies);
        }
    }
}

/// Puts copies before the loop, into which they lead and which leads back to the first.
fn repeat(body: &mut Body, plan: &Plan, count: usize) -> Vec<Copies> {
    let after = *plan.blocks.last().unwrap_or(&plan.header);
    let copies = copy_rounds(body, &plan.blocks, count, after, Some(plan.header));
    let Some(first) = copies.first().map(|copy| copy.block(plan.header)) else { return copies };
    redirect(body, &plan.blocks, plan.header, first);
    for target in body.targets_mut(plan.entering) {
        target.block = first;
    }
    settle_rounds(body, first);
    copies
}

/// The branch that ends a copy of a round.
fn branch_of(body: &Body, shape: &Shape, copy: &Copies) -> Option<Inst> {
    body.layout.last_inst(copy.block(body.layout.block_of(shape.branch)?))
}

/// Takes the test out of a copy of a round that is not the last one.
fn stay(body: &mut Body, shape: &Shape, copy: &Copies) {
    if let Some(branch) = branch_of(body, shape, copy) {
        take_way(body, branch, shape.back);
    }
}

/// Puts a loop of copies before the loop that does as many rounds as the guard says.
fn count_off(
    body: &mut Body,
    context: &mut PassContext<'_>,
    plan: &Plan,
    shape: &Shape,
    guard: Guard,
) {
    let given = shape.given(body).to_vec();
    let before = body.make_block();
    body.layout.insert_block_after(before, shape.preheader);
    let copies = copy_rounds(body, &plan.blocks, plan.rounds as usize, before, None);
    let (Some((last, others)), Some(first)) = (copies.split_last(), copies.first()) else { return };
    for copy in others {
        stay(body, shape, copy);
    }
    let Some(branch) = branch_of(body, shape, last) else { return };
    let (top, end) = (first.block(plan.header), body.layout.block_of(branch));
    let rest = enter_with_params(body, plan.header, end.unwrap_or(before));
    let count = body.append_param(top, Type::I64);
    let mut editor = Editor::new(body, context);
    editor.stand_before(branch);
    go_back(&mut editor, (shape, plan), (branch, top), (count, rest), guard.done);
    let mut start = given.clone();
    start.push(editor.constant(Type::I64, 0));
    let into = editor.body.target(top, &start);
    let none = editor.body.list(&[]);
    let jump = InstData::new(Op::Jump, Type::NONE, none, Payload::Jump(into));
    let loc = editor.body.loc(shape.branch);
    editor.body.append_inst(before, InstData { loc, ..jump }, &[]);
    let into = editor.body.target(before, &[]);
    let rest = editor.body.target(rest, &given);
    editor.stand_before(shape.entering);
    editor.take_location(shape.branch);
    match guard.enter {
        Some(enter) => {
            let targets = Payload::Branch([into, rest]);
            editor.op_without_result(Op::Branch, Type::NONE, &[enter], targets)
        }
        None => editor.op_without_result(Op::Jump, Type::NONE, &[], Payload::Jump(into)),
    };
    editor.body.remove_inst(shape.entering);
    settle_rounds(editor.body, top);
    settle_rounds(editor.body, plan.header);
}

/// Ends the last copy by a test of the count.
fn go_back(
    editor: &mut Editor<'_, '_>,
    (shape, plan): (&Shape, &Plan),
    (branch, top): (Inst, Block),
    (count, rest): (Value, Block),
    done: Value,
) {
    let handed = editor.body.target_args(&editor.body.targets(branch)[shape.back]).to_vec();
    let by = editor.constant(Type::I64, plan.rounds.into());
    let next = editor.op(Op::Add, Type::I64, &[count, by]);
    let again = editor.icmp(IntCond::Ne, Type::I64, next, done);
    let out = editor.body.target(rest, &handed);
    let mut handed = handed;
    handed.push(next);
    let back = editor.body.target(top, &handed);
    editor.op_without_result(Op::Branch, Type::NONE, &[again], Payload::Branch([back, out]));
    editor.body.remove_inst(branch);
}
