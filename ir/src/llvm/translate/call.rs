//! Calls.

use super::function::Translator;
use crate::llvm::syntax::{BlockId, Call, Instruction, TypeId, Typed};
use crate::text::Parsed;

impl Translator<'_, '_> {
    /// Translates a call, of whatever kind.
    pub(super) fn call(&mut self, _inst: &Instruction, _call: &Call) -> Parsed<()> {
        Err(self.unsupported("`call` is not read yet"))
    }

    /// Translates a call that goes on at `normal`: an edge as any other, see `jump_to`.
    pub(super) fn invoke(
        &mut self,
        inst: &Instruction,
        call: &Call,
        _normal: BlockId,
    ) -> Parsed<()> {
        self.call(inst, call)
    }

    /// Translates `va_arg`.
    pub(super) fn va_arg(&mut self, _: &Instruction, _list: Typed, _ty: TypeId) -> Parsed<()> {
        Err(self.unsupported("`va_arg` is not read yet"))
    }
}
