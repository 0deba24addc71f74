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
    let condition = body.args(branch).first().copied();
    let Some(bits) = condition.and_then(|condition| body.as_scalar_constant(condition)) else {
        return false;
    };
    take_way(body, branch, usize::from(bits & 1 == 0))
}

/// Puts a jump to its target of that index in the place of a branch; says whether it did.
pub(crate) fn take_way(body: &mut Body, branch: Inst, index: usize) -> bool {
    let Payload::Branch(ways) = body.inst(branch).payload else { return false };
    let Some(&way) = ways.get(index) else { return false };
    let args = body.list(&[]);
    let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(way));
    body.insert_inst(branch, InstData { loc: body.loc(branch), ..jump }, &[]);
    body.remove_inst(branch);
    true
}
