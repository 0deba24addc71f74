//! Source locations.

use super::function::Translator;
use crate::llvm::syntax::Instruction;
use crate::text::Parsed;

impl Translator<'_, '_> {
    /// Gives what is emitted from now on the location of an instruction.
    pub(super) fn enter_location(&mut self, _inst: &Instruction) -> Parsed<()> {
        Ok(())
    }
}
