//! Answers what code asks of its processor, and drops the arms for others.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = cpu_has "sse2"
//!     branch %1, block1, block2
//! block1:
//!     %2 = add.i32 %0, 1
//!     return %2
//! block2:
//!     %3 = sub.i32 %0, -1
//!     return %3
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1
//! block1:
//!     %2 = add.i32 %0, 1
//!     return %2
//! }
//! ```
//! `cpu_has` and `have_fma` become constants of the target that the function is compiled
//! for, logic on these constants is computed, and branches on them are decided: at every
//! level, so that no code for another processor is compiled. A feature that no processor
//! of the architecture has is one that this one does not have.
//!
//! Needs: nothing. Keeps: nothing, as blocks go. Does not try: conditions of which the
//! processor decides one half only, which `inst_combine` and `simplify_cfg` do.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{EntitySet, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{
    Change, PassContext, PassResult, Renames, decide_branch, drop_stale_marks, fold_inst,
    remove_unreachable_blocks,
};
use crate::target::Feature;

/// Answers what code asks of its processor.
///
/// # Errors
/// None.
pub fn cpu_features(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::CpuHas, Op::HaveFma]) {
        return Ok(Change::Nothing);
    }
    remove_unreachable_blocks(body);
    let (mut renames, mut answers) = (Renames::default(), EntitySet::new());
    let (mut answered, mut decided) = (0, 0);
    let graph = FlowGraph::new(body);
    let insts: Vec<Inst> =
        graph.reverse_postorder().flat_map(|block| body.layout.insts(block)).collect();
    for inst in insts {
        renames.apply_to(body, inst);
        let known = match body.inst(inst).op {
            Op::CpuHas | Op::HaveFma => {
                answered += 1;
                let answer = Constant::scalar(Type::I1, u128::from(holds(body, inst, context)));
                answer.map(|answer| body.constant(answer))
            }
            Op::Branch => {
                decided +=
                    u64::from(branches_on(body, inst, &answers) && decide_branch(body, inst));
                None
            }
            _ => logic(body, inst, &answers),
        };
        if let (Some(known), Some(result)) = (known, body.result(inst)) {
            answers.insert(known);
            renames.rename(result, known);
            body.remove_inst(inst);
        }
    }
    if decided > 0 {
        remove_unreachable_blocks(body);
        drop_stale_marks(body);
    }
    context.statistics.add("cpu_features", "answered questions", answered);
    context.statistics.add("cpu_features", "decided branches", decided);
    Ok(Change::Something)
}

/// Whether the target has what `inst` asks for.
fn holds(body: &Body, inst: Inst, context: &PassContext<'_>) -> bool {
    let data = body.inst(inst);
    match data.payload {
        Payload::Feature(feature) => {
            let name = context.module.string(feature);
            let feature = Feature::from_name(context.target.architecture(), name);
            feature.is_ok_and(|feature| context.target.has(feature))
        }
        _ => context.target.fuses(data.ty),
    }
}

fn branches_on(body: &Body, branch: Inst, answers: &EntitySet<Value>) -> bool {
    body.args(branch).first().is_some_and(|&condition| answers.contains(condition))
}

/// What logic on answers alone gives.
fn logic(body: &mut Body, inst: Inst, answers: &EntitySet<Value>) -> Option<Value> {
    let data = body.inst(inst);
    let is_logic = matches!(data.op, Op::And | Op::Or | Op::Xor | Op::Not) && data.ty == Type::I1;
    if !is_logic || !body.args(inst).iter().all(|&arg| answers.contains(arg)) {
        return None;
    }
    fold_inst(body, inst)?.ok()?.first().copied()
}
