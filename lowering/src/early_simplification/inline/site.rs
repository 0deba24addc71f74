//! The call that a callee's code takes the place of.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Loc, PackedOption, Value};
use brolga_ir::op::Op;

use crate::pass::Renames;

/// An edge of the call, with what it hands on.
#[derive(Clone, Debug)]
pub(super) struct SiteEdge {
    pub(super) block: Block,
    pub(super) args: Vec<Value>,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) args: Vec<Value>,
    pub(super) results: Vec<Value>,
    pub(super) loc: PackedOption<Loc>,
    /// The normal edge and the unwind edge, where it has edges.
    pub(super) edges: Option<[SiteEdge; 2]>,
}

impl Site {
    /// The call `inst`, with the values that its operands have become.
    pub(super) fn new(body: &Body, renames: &mut Renames, inst: Inst) -> Site {
        let mut all = |values: &[Value]| -> Vec<Value> {
            values.iter().map(|&value| renames.resolve(value)).collect()
        };
        let args = all(body.args(inst));
        let edges = match (body.inst(inst).op, body.targets(inst)) {
            (Op::TryCall, &[normal, unwind]) => Some([normal, unwind].map(|target| SiteEdge {
                block: target.block,
                args: all(body.target_args(&target)),
            })),
            _ => None,
        };
        Site { args, results: body.results(inst).to_vec(), loc: body.loc(inst), edges }
    }

    /// What the normal edge hands on when the callee has returned `values`.
    pub(super) fn normal_args(&self, values: &[Value]) -> Vec<Value> {
        let returned = |arg: Value| {
            let index = self.results.iter().position(|&result| result == arg);
            index.and_then(|index| values.get(index)).copied().unwrap_or(arg)
        };
        let edge = self.edges.as_ref().map(|[normal, _]| normal.args.iter());
        edge.into_iter().flatten().map(|&arg| returned(arg)).collect()
    }
}
