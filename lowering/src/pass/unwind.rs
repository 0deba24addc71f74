//! Calls whose throws go on at an edge.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;

use super::{PassContext, PassError, PassResult};

/// The function of the prelude that throws what it is given.
const THROW: &str = "brolga.throw";

/// What an instruction that throws becomes where its throws go on at an edge: a
/// call with those operands, whose targets are still to be filled in.
///
/// # Errors
/// An op that has no such form.
pub(crate) fn call_with_edge(
    body: &mut Body,
    context: &mut PassContext<'_>,
    inst: Inst,
    data: &InstData,
    args: &[Value],
) -> PassResult<InstData> {
    let args = body.list(args);
    let (op, function, roots) = match (data.op, data.payload) {
        (Op::Call | Op::ReturnCall, Payload::Function(function)) => {
            (Op::TryCall, Some(function), 0)
        }
        (Op::CallForeign, Payload::ForeignCall { function, roots }) => {
            (Op::TryCall, Some(function), roots)
        }
        (Op::Throw, _) => (Op::TryCall, Some(context.prelude_function(THROW)?), 0),
        (Op::CallIndirect | Op::ReturnCallIndirect, _) => (Op::TryCallIndirect, None, 0),
        (Op::CallPtr, _) => (Op::TryCallPtr, None, 0),
        (op, _) => {
            let reason = format!("`{op}` inside a handler region has another form");
            return Err(PassError::unsupported(inst, reason));
        }
    };
    let targets = [body.target(Block::from_u32(0), &[]); 2];
    let payload = Payload::TryCall { function: function.into(), roots, targets };
    Ok(InstData { op, args, payload, ..*data })
}

/// Whether an op that throws has a form with an edge.
pub(crate) fn has_edge_form(op: Op) -> bool {
    matches!(
        op,
        Op::Call
            | Op::ReturnCall
            | Op::CallForeign
            | Op::Throw
            | Op::CallIndirect
            | Op::ReturnCallIndirect
            | Op::CallPtr
    )
}
