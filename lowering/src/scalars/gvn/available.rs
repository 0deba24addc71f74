//! What was computed, and in which blocks.

use std::hash::{BuildHasher, Hash};
use std::mem;

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, PackedOption, PrimaryMap, Value};
use cranelift_entity::entity_impl;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// How many places of a thing are looked at, the latest first.
const MOST_LOOKED_AT: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
struct ComputedRef(u32);
entity_impl!(ComputedRef, "computed");

/// What a thing has given, and where.
#[derive(Clone, Debug)]
struct Computed<K> {
    key: K,
    block: Block,
    values: SmallVec<[Value; 2]>,
    /// The same thing, the time before.
    before: PackedOption<ComputedRef>,
}

/// A table of things that were computed. What is hashed are their numbers, as things are long:
/// so a larger table is made without moving them.
#[derive(Clone, Debug)]
pub(super) struct Available<K> {
    /// The latest of each thing, by what that is.
    latest: HashTable<ComputedRef>,
    computed: PrimaryMap<ComputedRef, Computed<K>>,
}

impl<K: Eq + Hash> Available<K> {
    /// A table with room for so many things.
    pub(super) fn with_capacity(count: usize) -> Self {
        Available { latest: HashTable::with_capacity(count), computed: PrimaryMap::new() }
    }

    /// Notes that `block` computes a thing.
    pub(super) fn insert(&mut self, key: K, block: Block, values: &[Value]) {
        let Available { latest, computed } = self;
        let next = computed.next_key();
        let is_same = |&known: &ComputedRef| computed[known].key == key;
        let hash = |&known: &ComputedRef| FxBuildHasher.hash_one(&computed[known].key);
        let before = match latest.entry(FxBuildHasher.hash_one(&key), is_same, hash) {
            Entry::Occupied(mut known) => Some(mem::replace(known.get_mut(), next)),
            Entry::Vacant(place) => {
                place.insert(next);
                None
            }
        };
        let (values, before) = (SmallVec::from_slice(values), before.into());
        computed.push(Computed { key, block, values, before });
    }

    /// What a thing gives that was computed on every path to `block`, or in it so far.
    pub(super) fn find(
        &self,
        key: &K,
        block: Block,
        dominators: &Dominators,
    ) -> Option<SmallVec<[Value; 2]>> {
        let is_same = |&known: &ComputedRef| self.computed[known].key == *key;
        let latest = self.latest.find(FxBuildHasher.hash_one(key), is_same).copied();
        let known = latest.map(|latest| &self.computed[latest]);
        let earlier = |it: &&Computed<K>| it.before.expand().map(|before| &self.computed[before]);
        let mut known = std::iter::successors(known, earlier).take(MOST_LOOKED_AT);
        let above = known.find(|it| dominators.dominates(it.block, block))?;
        Some(above.values.clone())
    }
}
