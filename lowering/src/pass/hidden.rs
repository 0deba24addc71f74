//! Flow that no edge of the graph shows.

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::module::{Module, Returns};
use brolga_ir::op::Op;

/// Whether execution can come to a place of the body by another way than its edges: to a
/// handler out of a region, or behind a call that returns twice out of any later call.
/// What holds at the end of an edge's start then need not hold at its end, and what no
/// edge leads to may be needed: nothing but memory is as it was.
pub(crate) fn has_hidden_flow(body: &Body, module: &Module) -> bool {
    body.layout
        .all_insts()
        .any(|inst| body.inst(inst).op == Op::Enter || returns_twice(module, body, inst))
}

/// Whether an instruction calls a function that returns twice.
pub(crate) fn returns_twice(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let callee = data.function().filter(|_| data.op.is_call());
    callee
        .and_then(|callee| module.function(callee))
        .is_some_and(|callee| callee.attributes.returns == Returns::Twice)
}
