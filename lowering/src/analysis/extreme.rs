//! Which choices are the smaller or the larger of two floats.

use brolga_ir::attribute::FloatCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::Inst;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

/// The compare of floats by which `inst` takes the one of the two that is less, or the one
/// that is greater: back ends make one instruction of the choice, which does not wait for
/// the compare.
pub(crate) fn compare_of_extreme(body: &Body, inst: Inst) -> Option<Inst> {
    if body.inst(inst).op != Op::Select {
        return None;
    }
    let &[condition, x, y] = body.args(inst) else { return None };
    let ValueDef::Result(compare, _) = body.value_def(condition) else { return None };
    let is_order =
        matches!(body.inst(compare).payload, Payload::FloatCond(FloatCond::Olt | FloatCond::Ogt));
    let compared = body.args(compare);
    (is_order && (compared == [x, y] || compared == [y, x])).then_some(compare)
}
