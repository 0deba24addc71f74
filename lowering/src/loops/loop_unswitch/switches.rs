//! Switches that go the same way in each round of a loop.
//!
//! A branch on one case comes before the others, and can leave the loop as any branch does;
//! of the copy in which it is not that case, the next round takes the next one.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, SwitchData};
use brolga_ir::entity::Inst;
use brolga_ir::flow::IncomingEdges;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::{Choice, apart};
use crate::pass::{DedicatedExits, Editor, Graph, PassContext};

/// Takes the first case out of a switch each of loops that do not stand in each other, where
/// copies of the loop would not be too large; how many.
pub(super) fn take_cases(body: &mut Body, context: &mut PassContext<'_>, growth: usize) -> usize {
    if !context.analyses.ops(body).has_any(&[Op::Switch]) {
        return 0;
    }
    let loops = context.analyses.loops(body);
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let frequencies = context.analyses.frequencies(body);
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let exits = DedicatedExits::new(graph, &loops);
    let found = apart(&loops, |id| {
        let choice = |op| Choice::of(body, op, graph, &loops, &frequencies, (id, &exits));
        // A branch goes first: it takes less.
        let switch = choice(Op::Branch).is_none().then(|| choice(Op::Switch))?;
        switch.filter(|switch| switch.size <= growth)
    });
    let taken = found.iter().filter(|it| take_case(body, context, it.jump, it.branch));
    taken.count()
}

/// Puts a branch on its first case before a switch; `jump` ends the preheader.
fn take_case(body: &mut Body, context: &mut PassContext<'_>, jump: Inst, switch: Inst) -> bool {
    let data = *body.inst(switch);
    let (Payload::Switch(table), &[operand]) = (data.payload, body.args(switch)) else {
        return false;
    };
    let (Some(block), Some(SwitchData { cases, targets })) =
        (body.layout.block_of(switch), body.switch(table).cloned())
    else {
        return false;
    };
    let ([case, cases @ ..], [target, targets @ ..]) = (cases.as_slice(), targets.as_slice())
    else {
        return false;
    };
    let weights = body.weights(switch).map(<[u32]>::to_vec);
    let mut editor = Editor::new(body, context);
    editor.stand_before(jump);
    editor.take_location(switch);
    let number = editor.constant(data.ty, *case);
    let condition = editor.icmp(IntCond::Eq, data.ty, operand, number);
    let rest = body.make_block();
    body.layout.insert_block_after(rest, block);
    let ways = [*target, body.target(rest, &[])];
    let args = body.list(&[condition]);
    let branch = InstData::new(Op::Branch, Type::NONE, args, Payload::Branch(ways));
    let branch = body.insert_inst(switch, InstData { loc: data.loc, ..branch }, &[]);
    let others = if let (true, [only]) = (cases.is_empty(), targets) {
        let args = body.list(&[]);
        InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(*only))
    } else {
        let table = body.make_switch(SwitchData { cases: cases.into(), targets: targets.into() });
        let args = body.list(&[operand]);
        InstData::new(Op::Switch, data.ty, args, Payload::Switch(table))
    };
    let others = body.append_inst(rest, InstData { loc: data.loc, ..others }, &[]);
    if let Some([weight, weights @ ..]) = weights.as_deref() {
        let sum = weights.iter().fold(0_u32, |sum, &weight| sum.saturating_add(weight));
        body.set_weights(branch, &[*weight, sum]);
        if !cases.is_empty() {
            body.set_weights(others, weights);
        }
    }
    body.remove_inst(switch);
    true
}
