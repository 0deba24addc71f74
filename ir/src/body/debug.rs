//! Names of values and blocks, kept where the text or the builder gave them.

use std::hash::BuildHasher;
use std::ops::Range;

use cranelift_entity::EntityRef;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::Body;
use crate::entity::{Block, Value};

/// Names in both directions, all in one text: with a string and two entries of hash maps for
/// each, they took half of the memory of a body that a text names all values in.
#[derive(Clone, Debug)]
pub(super) struct Names<K> {
    text: String,
    /// Where the names stand in the text, by the index of who has them.
    spans: Vec<Range<u32>>,
    /// Who had each name first, by the hash of the name.
    holders: HashTable<K>,
    hashes: DefaultHashBuilder,
    /// Bytes of the text that are no name any more.
    waste: usize,
}

/// The place of no name.
const NONE: Range<u32> = u32::MAX..u32::MAX;

/// So many bytes of a text may be no name any more, whatever its size.
const SMALL_WASTE: usize = 256;

impl<K> Default for Names<K> {
    fn default() -> Self {
        Names {
            text: String::new(),
            spans: Vec::new(),
            holders: HashTable::new(),
            hashes: DefaultHashBuilder::default(),
            waste: 0,
        }
    }
}

impl<K: Copy + Eq + EntityRef> Names<K> {
    /// Names `key`, which is small: there is room for all up to it. Names of more than 4 GiB in
    /// all are not kept.
    fn set(&mut self, key: K, name: &str) {
        let start = self.text.len();
        let ends = (u32::try_from(start), u32::try_from(start + name.len()));
        let (Ok(start), Ok(end)) = ends else { return };
        self.forget(key);
        self.text.push_str(name);
        if self.spans.len() <= key.index() {
            self.spans.resize(key.index() + 1, NONE);
        }
        self.spans[key.index()] = start..end;
        self.hold(key);
        if self.waste > SMALL_WASTE && self.waste > self.text.len() / 2 {
            self.compact();
        }
    }

    /// Takes the name from `key`, if it has any.
    fn forget(&mut self, key: K) {
        let Some(name) = self.get(key) else { return };
        let (length, hash) = (name.len(), self.hashes.hash_one(name));
        if let Ok(entry) = self.holders.find_entry(hash, |&holder| holder == key) {
            entry.remove();
        }
        self.waste += length;
        self.spans[key.index()] = NONE;
    }

    /// Notes the name of `key` as its own, if nobody had it first.
    fn hold(&mut self, key: K) {
        let Names { text, spans, holders, hashes, .. } = self;
        let name_of = |key: K| slice(text, spans, key).unwrap_or("");
        let name = name_of(key);
        let hash_of = |&holder: &K| hashes.hash_one(name_of(holder));
        holders
            .entry(hashes.hash_one(name), |&holder| name_of(holder) == name, hash_of)
            .or_insert(key);
    }

    /// Leaves out of the text what is no name any more.
    fn compact(&mut self) {
        let mut text = String::with_capacity(self.text.len() - self.waste);
        for span in self.spans.iter_mut().filter(|span| **span != NONE) {
            let start = text.len() as u32;
            text.push_str(self.text.get(span.start as usize..span.end as usize).unwrap_or(""));
            *span = start..text.len() as u32;
        }
        (self.text, self.waste) = (text, 0);
    }

    fn get(&self, key: K) -> Option<&str> {
        slice(&self.text, &self.spans, key)
    }

    fn holder(&self, name: &str) -> Option<K> {
        let is_holder = |&holder: &K| slice(&self.text, &self.spans, holder) == Some(name);
        self.holders.find(self.hashes.hash_one(name), is_holder).copied()
    }

    fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.spans.shrink_to_fit();
    }
}

/// The name of `key`, if it has one.
fn slice<'a, K: EntityRef>(text: &'a str, spans: &[Range<u32>], key: K) -> Option<&'a str> {
    let span = spans.get(key.index())?;
    text.get(span.start as usize..span.end as usize)
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
        if self.contains_value(value) {
            self.value_names.set(value, name);
        }
    }

    /// Names `block`, as [`set_value_name`](Self::set_value_name) does.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        if self.contains_block(block) {
            self.block_names.set(block, name);
        }
    }

    pub(super) fn shrink_names(&mut self) {
        self.value_names.shrink_to_fit();
        self.block_names.shrink_to_fit();
    }

    /// How long the text is that holds the names.
    #[cfg(test)]
    pub(super) fn bytes_of_names(&self) -> usize {
        self.value_names.text.len() + self.block_names.text.len()
    }
}
