//! The edges of a body, each by the instruction and target that it is.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// An edge: a target of the instruction that ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The instruction.
    pub(crate) inst: Inst,
    /// The index of the target.
    pub(crate) index: u32,
}

impl Edge {
    /// What the edge gives for the parameter of that index.
    pub(crate) fn arg(self, body: &Body, param: usize) -> Option<Value> {
        let target = body.targets(self.inst).get(self.index as usize)?;
        body.target_args(target).get(param).copied()
    }
}

/// The edges that lead to each block, from blocks that stand in the body.
#[derive(Clone, Debug)]
pub(crate) struct IncomingEdges {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl IncomingEdges {
    /// The edges of `body` (a counting sort by the block that they lead to).
    pub(crate) fn new(body: &Body) -> IncomingEdges {
        let count = body.block_count();
        let mut found: Vec<(Block, Edge)> = Vec::new();
        for inst in body.layout.blocks().filter_map(|block| body.layout.last_inst(block)) {
            let targets = (0..).zip(body.targets(inst));
            let targets = targets.filter(|(_, target)| target.block.index() < count);
            found.extend(targets.map(|(index, target)| (target.block, Edge { inst, index })));
        }
        let mut starts = vec![0_u32; count + 1];
        for (block, _) in &found {
            starts[block.index() + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut edges = vec![Edge { inst: Inst::new(0), index: 0 }; found.len()];
        for (block, edge) in found {
            edges[next[block.index()] as usize] = edge;
            next[block.index()] += 1;
        }
        IncomingEdges { starts, edges }
    }

    /// The edges to `block`, in the order of the blocks that they leave.
    pub(crate) fn of(&self, block: Block) -> &[Edge] {
        let at = |index: usize| self.starts.get(index).map(|&start| start as usize);
        match (at(block.index()), at(block.index() + 1)) {
            (Some(start), Some(end)) => &self.edges[start..end],
            _ => &[],
        }
    }
}

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
