//! Structs and arrays.

use super::code::FunctionWriter;
use crate::entity::Inst;
use crate::instruction::Payload;

impl FunctionWriter<'_, '_> {
    /// The indices of a path, each behind a comma.
    fn path(&self, inst: Inst) -> String {
        let Payload::Immediates(list) = self.data(inst).payload else { return String::new() };
        self.body.immediates(list).iter().map(|index| format!(", {index}")).collect()
    }

    pub(super) fn write_make_aggregate(&mut self, inst: Inst) {
        let text = self.type_text(self.data(inst).ty);
        self.write_parts(inst, "insertvalue", &text, "");
    }

    pub(super) fn write_extract_value(&mut self, inst: Inst) {
        let (whole, path) = (self.typed_arg(inst, 0), self.path(inst));
        match path.is_empty() {
            true => self.give_operand(inst, &whole.text),
            false => self.give(inst, format_args!("extractvalue {whole}{path}")),
        }
    }

    pub(super) fn write_insert_value(&mut self, inst: Inst) {
        let (whole, part) = (self.typed_arg(inst, 0), self.typed_arg(inst, 1));
        let path = self.path(inst);
        match path.is_empty() {
            true => self.give_operand(inst, &part.text),
            false => self.give(inst, format_args!("insertvalue {whole}, {part}{path}")),
        }
    }
}
