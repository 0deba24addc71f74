//! What was computed, and in which blocks.

use std::hash::Hash;

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

/// How many places of a thing are looked at, the latest first.
const MOST_LOOKED_AT: usize = 8;

/// What a thing has given, and where.
type Entry = (Block, SmallVec<[Value; 2]>);

/// A table of things that were computed.
#[derive(Clone, Debug)]
pub(super) struct Available<K> {
    entries: FxHashMap<K, SmallVec<[Entry; 1]>>,
}

impl<K: Eq + Hash> Available<K> {
    /// A table with room for so many things.
    pub(super) fn with_capacity(count: usize) -> Self {
        Available { entries: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher) }
    }

    /// Notes that `block` computes a thing.
    pub(super) fn insert(&mut self, key: K, block: Block, values: &[Value]) {
        let values = SmallVec::from_slice(values);
        self.entries.entry(key).or_default().push((block, values));
    }

    /// What a thing gives that was computed on every path to `block`, or in it so far.
    pub(super) fn find(
        &self,
        key: &K,
        block: Block,
        dominators: &Dominators,
    ) -> Option<SmallVec<[Value; 2]>> {
        let entries = self.entries.get(key)?.iter().rev().take(MOST_LOOKED_AT);
        let mut above = entries.filter(|(at, _)| dominators.dominates(*at, block));
        above.next().map(|(_, values)| values.clone())
    }
}
