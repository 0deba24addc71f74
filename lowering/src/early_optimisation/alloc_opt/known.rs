//! What is known of new objects whoever else knows them: their type, and that they are
//! not null.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{Renames, list_insts};

/// Puts what is known in the place of questions for the type of new objects, and of compares
/// of them with null; says how many of each.
pub(super) fn fold(body: &mut Body) -> [usize; 2] {
    let (mut renames, mut counts) = (Renames::default(), [0, 0]);
    for inst in list_insts(body) {
        let (kind, value) = match body.inst(inst).op {
            Op::TypeOf => (0, type_of(body, inst)),
            Op::Icmp => (1, compare(body, inst)),
            _ => continue,
        };
        if let (Some(value), Some(result)) = (value, body.result(inst)) {
            renames.rename(result, value);
            body.remove_inst(inst);
            counts[kind] += 1;
        }
    }
    renames.apply(body);
    counts
}

/// The instruction that makes the object at `value`.
fn maker(body: &Body, value: Value) -> Option<Inst> {
    match body.value_def(value) {
        ValueDef::Result(inst, _) => Some(inst),
        _ => None,
    }
}

fn is_new(body: &Body, value: Value) -> bool {
    let op = maker(body, value).map(|inst| body.inst(inst).op);
    matches!(op, Some(Op::AllocObject | Op::ArrayNew))
}

fn type_of(body: &Body, inst: Inst) -> Option<Value> {
    let object = *body.args(inst).first()?;
    let ty = *body.args(maker(body, object)?).first()?;
    (is_new(body, object) && is_start(body, ty)).then_some(ty)
}

/// Whether a reference has no bits below those that addresses of objects have: `typeof`
/// gives it without such.
pub(super) fn is_start(body: &Body, value: Value) -> bool {
    match body.value_def(value) {
        ValueDef::Constant(_) => body.as_scalar_constant(value) == Some(0),
        ValueDef::Result(inst, _) => {
            matches!(body.inst(inst).op, Op::AllocObject | Op::ArrayNew | Op::TypeOf)
        }
        // Whoever gives it may have made it from a plain address, of any bits.
        ValueDef::Param(..) | ValueDef::Unused => false,
    }
}

/// What a compare of a new object with null gives.
fn compare(body: &mut Body, inst: Inst) -> Option<Value> {
    let is_null = |&value: &Value| body.as_scalar_constant(value) == Some(0);
    let is_new = |&value: &Value| is_new(body, value);
    let args = body.args(inst);
    let differs = match body.inst(inst).payload {
        Payload::IntCond(IntCond::Eq) => false,
        Payload::IntCond(IntCond::Ne) => true,
        _ => return None,
    };
    let is_decided = args.iter().any(is_null) && args.iter().any(is_new);
    let constant = Constant::scalar(Type::I1, differs.into()).filter(|_| is_decided)?;
    Some(body.constant(constant))
}
