//! References stay where the collector finds them: nothing derived from an
//! object is stored, and what the callee roots goes nowhere else.

use std::ops::Range;

use super::Rule;
use super::function::Checker;
use super::report::At;
use crate::entity::{Inst, Value};
use crate::instruction::InstData;
use crate::op::Op;
use crate::types::{Scalar, Type};

impl Checker<'_, '_> {
    pub(super) fn check_memory_kind(&mut self, inst: Inst, data: &InstData) {
        let scalar = data.ty.as_scalar();
        let message = match (data.op, scalar) {
            (Op::Load, Some(Scalar::Derived)) => {
                "a `derived` that is loaded has no base that could be found; load a `ref` or a `loaded`"
            }
            (Op::Store, Some(Scalar::Derived | Scalar::Loaded)) => {
                "of the managed kinds only a `ref` can be stored: nothing keeps the object of others alive"
            }
            _ => return,
        };
        self.fail(Rule::ManagedAccess, At::Inst(inst), format_args!("{message}"));
    }

    /// The operands that `data` passes to a function.
    pub(super) fn passed_operands(&self, data: &InstData) -> Range<usize> {
        if !data.op.is_call() {
            return 0..0;
        }
        let count = self.body.list_values(data.args).len();
        data.op.info().operands.len()..count.saturating_sub(data.roots())
    }

    pub(super) fn fail_callee(&mut self, inst: Inst, value: Value) {
        let (name, ty) = (self.show_value(value), Type::CALLEE);
        let message = format_args!("{name} is of type `{ty}` and can only be passed to a call");
        self.fail(Rule::CalleeUse, At::Inst(inst), message);
    }
}
