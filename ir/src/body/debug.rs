//! Names of values and blocks, kept where the text or the builder gave them.

use std::hash::Hash;
use std::sync::Arc;

use hashbrown::HashMap;

use super::Body;
use crate::entity::{Block, Value};

/// Names in both directions.
#[derive(Clone, Debug)]
pub(super) struct Names<K> {
    of: HashMap<K, Arc<str>>,
    holders: HashMap<Arc<str>, K>,
}

impl<K> Default for Names<K> {
    fn default() -> Self {
        Names { of: HashMap::default(), holders: HashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> Names<K> {
    fn set(&mut self, key: K, name: &str) {
        let name: Arc<str> = name.into();
        if let Some(old) = self.of.insert(key, name.clone())
            && self.holders.get(&old) == Some(&key)
        {
            self.holders.remove(&old);
        }
        self.holders.entry(name).or_insert(key);
    }

    fn get(&self, key: K) -> Option<&str> {
        self.of.get(&key).map(AsRef::as_ref)
    }

    fn holder(&self, name: &str) -> Option<K> {
        self.holders.get(name).copied()
    }
}

impl Body {
    /// The name of `value`, without its sigil.
    pub fn value_name(&self, value: Value) -> Option<&str> {
        self.value_names.get(value)
    }

    /// The name of `block`.
    pub fn block_name(&self, block: Block) -> Option<&str> {
        self.block_names.get(block)
    }

    /// The first value that was given that name.
    pub fn value_named(&self, name: &str) -> Option<Value> {
        self.value_names.holder(name)
    }

    /// The first block that was given that name.
    pub fn block_named(&self, name: &str) -> Option<Block> {
        self.block_names.holder(name)
    }

    /// Names `value`. The printer falls back to the number where another
    /// value had the name first.
    pub fn set_value_name(&mut self, value: Value, name: &str) {
        self.value_names.set(value, name);
    }

    /// Names `block`, as [`set_value_name`](Self::set_value_name) does.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        self.block_names.set(block, name);
    }
}
