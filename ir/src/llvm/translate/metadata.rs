//! Promises and hints that metadata makes.

use super::function::Translator;
use crate::entity::Value;
use crate::instruction::Access;
use crate::llvm::syntax::{Instruction, TypeId};
use crate::text::Parsed;

impl Translator<'_, '_> {
    /// What metadata says of the access of an instruction.
    pub(super) fn access(&mut self, _inst: &Instruction) -> Parsed<Access> {
        Ok(Access::default())
    }

    /// Hints what metadata says of what an instruction has loaded.
    pub(super) fn hint_result(
        &mut self,
        _inst: &Instruction,
        _ty: TypeId,
        _value: Value,
    ) -> Parsed<()> {
        Ok(())
    }

    /// Hints what metadata says of the branch that was appended last.
    pub(super) fn hint_branch(&mut self, _inst: &Instruction) -> Parsed<()> {
        Ok(())
    }
}
