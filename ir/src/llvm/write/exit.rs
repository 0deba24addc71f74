//! Checks, traps and exits.

use super::code::{FunctionWriter, Typed};
use crate::body::ExitKind;
use crate::entity::{Inst, Value};
use crate::instruction::Payload;
use crate::trap::TrapCode;
use crate::types::Type;

/// What stands for the number of a side exit where there is none: the code says so.
const NO_SIDE: u32 = 0;

impl FunctionWriter<'_, '_> {
    pub(super) fn write_trap_op(&mut self, inst: Inst) {
        if let Payload::Trap(code) = self.data(inst).payload {
            self.write_trap(code.number());
        }
    }

    pub(super) fn write_unreachable(&mut self, _inst: Inst) {
        self.write_trap(TrapCode::Unreachable.number());
    }

    pub(super) fn write_check(&mut self, inst: Inst) {
        let Payload::Exit(exit) = self.data(inst).payload else { return };
        let Some(exit) = self.body.exit(exit) else { return };
        let condition = self.arg(inst, 0);
        let values = self.body.args(inst).get(1..).unwrap_or_default();
        if let (ExitKind::Trap(code), []) = (exit.kind, values) {
            return self.require(&condition, code.number());
        }
        let (on, out) = (self.new_label(), self.new_label());
        self.line(format_args!("br i1 {condition}, label %{on}, label %{out}"));
        self.write_aside(out, |writer| match exit.kind {
            ExitKind::Trap(code) => writer.leave(code, NO_SIDE, values),
            ExitKind::Side(number) => writer.leave(TrapCode::SideExit, number, values),
            ExitKind::Deopt(function) => writer.go_over(function, values),
        });
        self.start(on);
    }

    /// Leaves with values, put into memory as the fields of a struct.
    fn leave(&mut self, code: TrapCode, side: u32, values: &[Value]) {
        let mut size = 0u64;
        for &value in values {
            let ty = self.body.value_type(value);
            let layout = self.types().layout(ty);
            let at = size.next_multiple_of(layout.align);
            let operand = self.operand(value);
            self.store_whole(ty, &operand, at);
            size = at + layout.stride();
        }
        self.exit_space = self.exit_space.max(size.max(1));
        self.require_exit();
        let (code, call) = (code.number(), "call void @brolga.exit");
        self.line(format_args!("{call}(i32 {code}, i32 {}, ptr %exit, i64 {size})", side as i32));
        self.line(format_args!("unreachable"));
    }

    /// Puts a value, with all that it consists of, at an offset of the memory for exits.
    fn store_whole(&mut self, ty: Type, operand: &str, at: u64) {
        if !ty.is_aggregate() {
            let address = self.temporary(format_args!("getelementptr i8, ptr %exit, i64 {at}"));
            return self.store(ty, operand, &Typed::pointer(address), 1, "");
        }
        let text = self.type_text(ty);
        for index in 0..self.types().field_count(ty) {
            let (Some(field), Some(offset)) =
                (self.types().field(ty, index), self.types().field_offset(ty, index))
            else {
                return;
            };
            let part = self.temporary(format_args!("extractvalue {text} {operand}, {index}"));
            self.store_whole(field, &part, at + offset);
        }
    }
}
