//! Flow that no edge of the graph shows.

use brolga_ir::body::Body;
use brolga_ir::module::{Module, Returns};
use brolga_ir::op::Op;

use super::placed_insts;

/// Whether execution can come to a place of the body by another way than its edges: to a
/// handler out of a region, or behind a call that returns twice out of any later call.
/// What holds at the end of an edge's start then need not hold at its end.
pub(crate) fn has_hidden_flow(body: &Body, module: &Module) -> bool {
    placed_insts(body).any(|inst| {
        let data = body.inst(inst);
        let callee = data.function().filter(|_| data.op.is_call());
        let callee = callee.and_then(|callee| module.function(callee));
        data.op == Op::Enter
            || callee.is_some_and(|callee| callee.attributes.returns == Returns::Twice)
    })
}
