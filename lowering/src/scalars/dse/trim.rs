//! Fills and copies of fewer bytes.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// What is left begins and ends at multiples of so many bytes from the beginning, or where
/// it did: pieces of registers are no cheaper than whole ones.
const GRAIN: u64 = 8;

/// Lets a fill or copy do the bytes from `start` to `end` only; says whether it does less.
pub(super) fn trim(body: &mut Body, inst: Inst, start: u64, end: u64) -> bool {
    let &[to, from, length] = body.args(inst) else { return false };
    let Some(size) = body.as_scalar_constant(length).map(|size| size as u64) else { return false };
    let is_copy = body.inst(inst).op == Op::MemCopy;
    let is_plain = |value: Value| body.value_type(value) == Type::PTR;
    let can_move = is_plain(to) && (!is_copy || is_plain(from));
    let start = if can_move { start / GRAIN * GRAIN } else { 0 };
    let end = end.next_multiple_of(GRAIN).min(size);
    if start == 0 && end == size {
        return false;
    }
    let to = moved(body, inst, to, start);
    let from = if is_copy { moved(body, inst, from, start) } else { from };
    let Some(length) = Constant::scalar(Type::I64, u128::from(end - start)) else { return false };
    let length = body.constant(length);
    let args = body.list(&[to, from, length]);
    let data = body.inst_mut(inst);
    data.args = args;
    if let Some(access) = data.access_mut()
        && start > 0
    {
        access.align_log2 = access.align_log2.min(start.trailing_zeros() as u8);
    }
    true
}

/// The address so many bytes further, computed before `inst`.
fn moved(body: &mut Body, inst: Inst, address: Value, bytes: u64) -> Value {
    let bytes = Constant::scalar(Type::I64, bytes.into()).filter(|_| bytes > 0);
    let Some(bytes) = bytes else { return address };
    let bytes = body.constant(bytes);
    let args = body.list(&[address, bytes]);
    let loc = body.loc(inst);
    let data = InstData { loc, ..InstData::new(Op::PtrAdd, Type::NONE, args, Payload::None) };
    let added = body.insert_inst(inst, data, &[Type::PTR]);
    body.result(added).unwrap_or(address)
}
