//! Names of values and blocks, kept where the text or the builder gave them.

use super::Body;
use crate::entity::{Block, Value};

impl Body {
    /// The name of `value`, without its sigil.
    pub fn value_name(&self, value: Value) -> Option<&str> {
        self.value_names.get(&value).map(AsRef::as_ref)
    }

    /// The name of `block`.
    pub fn block_name(&self, block: Block) -> Option<&str> {
        self.block_names.get(&block).map(AsRef::as_ref)
    }

    /// Names `value`. The printer falls back to the number where the name is
    /// no word of the text or another value has it.
    pub fn set_value_name(&mut self, value: Value, name: &str) {
        self.value_names.insert(value, name.into());
    }

    /// Names `block`, as [`set_value_name`](Self::set_value_name) does.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        self.block_names.insert(block, name.into());
    }
}
