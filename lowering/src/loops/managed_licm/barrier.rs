//! Write barriers that each round would do again.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::module::Module;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};

use super::{Shape, move_before};
use crate::analysis::Loop;
use crate::pass::{PassContext, effects_of, has_op};

/// Moves barriers before loops; says how many.
pub(super) fn hoist(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    if !has_op(body, &[Op::WriteBarrier]) {
        return 0;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let loops = context.analyses.loops(body);
    let shape = Shape { flow: &flow, dominators: &dominators, loops: &loops };
    let mut hoisted = 0;
    for id in loops.all().rev() {
        let Some(jump) = shape.preheader_jump(body, id) else { continue };
        let barriers = certain(body, context.module, &shape, id);
        if barriers.is_empty() || may_collect(body, context.module, &shape, id) {
            continue;
        }
        for barrier in barriers {
            move_before(body, barrier, jump);
            context.remark(barrier, RemarkKind::Applied, "done once before the loop");
            hoisted += 1;
        }
    }
    hoisted
}

/// The barriers on what comes from outside that each entry of the loop comes to before
/// anything may leave.
fn certain(body: &Body, module: &Module, shape: &Shape<'_>, id: Loop) -> Vec<Inst> {
    let mut found = Vec::new();
    let Some(header) = shape.loops.get(id).map(|data| data.header) else { return found };
    let leaving = Effects::TRAP | Effects::THROW | Effects::NO_RETURN;
    let mut next = Some(header);
    while let Some(block) = next {
        for inst in body.layout.insts(block) {
            let args = body.args(inst);
            let is_invariant = args.iter().all(|&arg| shape.is_invariant(body, id, arg));
            if body.inst(inst).op == Op::WriteBarrier && is_invariant {
                found.push(inst);
            } else if effects_of(module, body, inst).intersects(leaving) {
                return found;
            }
        }
        next = follower(body, shape, id, block);
    }
    found
}

/// The block behind that one, if there is no other way on or to it.
fn follower(body: &Body, shape: &Shape<'_>, id: Loop, block: Block) -> Option<Block> {
    let last = body.layout.last_inst(block).filter(|&last| body.inst(last).op == Op::Jump)?;
    let to = body.targets(last).first()?.block;
    let is_next = shape.flow.predecessors(to).len() == 1
        && shape.loops.innermost(to) == Some(id)
        && shape.loops.get(id).is_some_and(|data| data.header != to);
    is_next.then_some(to)
}

/// Whether the collector may run in a loop.
fn may_collect(body: &Body, module: &Module, shape: &Shape<'_>, id: Loop) -> bool {
    let mut insts = shape.loops.blocks(id).iter().flat_map(|&block| body.layout.insts(block));
    insts.any(|inst| effects_of(module, body, inst).contains(Effects::SAFEPOINT))
}
