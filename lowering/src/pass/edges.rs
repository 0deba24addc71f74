//! Parameters of blocks, with what the edges give for them.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// Removes the parameters of `block` for which `keep` says no, and what the
/// `edges` to the block give for them.
pub(crate) fn retain_params(
    body: &mut Body,
    block: Block,
    edges: &[Edge],
    mut keep: impl FnMut(Value) -> bool,
) {
    let kept: Vec<bool> = body.params(block).iter().map(|&param| keep(param)).collect();
    for edge in edges {
        let Some(target) = body.targets(edge.inst).get(edge.index as usize) else { continue };
        let args = body.target_args(target).iter().zip(&kept);
        let args: Vec<Value> = args.filter(|(_, kept)| **kept).map(|(&arg, _)| arg).collect();
        let list = body.list(&args);
        body.targets_mut(edge.inst)[edge.index as usize].args = list;
    }
    let mut kept = kept.into_iter();
    body.retain_params(block, |_| kept.next().unwrap_or(true));
}

/// Puts a jump in the place of a branch whose condition is constant; says whether it did.
pub(crate) fn decide_branch(body: &mut Body, branch: Inst) -> bool {
    let (Some(&condition), Payload::Branch([yes, no])) =
        (body.args(branch).first(), body.inst(branch).payload)
    else {
        return false;
    };
    let Some(bits) = body.as_scalar_constant(condition) else { return false };
    let target = if bits & 1 == 1 { yes } else { no };
    let args = body.list(&[]);
    let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(target));
    body.insert_inst(branch, InstData { loc: body.loc(branch), ..jump }, &[]);
    body.remove_inst(branch);
    true
}
