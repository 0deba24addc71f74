//! Constants that instructions take.

use super::function::Translator;
use crate::entity::Value;
use crate::llvm::syntax::ConstantId;
use crate::text::Parsed;

impl Translator<'_, '_> {
    /// The value of a constant.
    pub(super) fn constant(&mut self, _constant: ConstantId) -> Parsed<Value> {
        Err(self.unsupported("constants are not read yet"))
    }
}
