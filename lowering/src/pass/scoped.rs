//! Tables that forget, when a scope is left, what was put in since it was entered.

use std::hash::Hash;

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

/// A table with scopes. What a scope has put in stays there when it is left, and is known by
/// the scope's number to count no more: keys are neither copied nor looked up to go.
#[derive(Clone, Debug)]
pub(crate) struct ScopedMap<K, V> {
    /// What was put in for each key, the innermost last, with its scope.
    known: FxHashMap<K, SmallVec<[(Scope, V); 1]>>,
    /// The numbers of the scopes that are open, the innermost last.
    open: Vec<u32>,
    /// How many scopes there have been.
    count: u32,
}

/// How many scopes were open around, and which number this one has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scope {
    depth: u32,
    number: u32,
}

impl<K: Eq + Hash, V> ScopedMap<K, V> {
    /// One with room for so many keys.
    pub(crate) fn with_capacity(count: usize) -> Self {
        let known = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        ScopedMap { known, open: Vec::new(), count: 0 }
    }

    /// What is known of `key`.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let entries = self.known.get(key)?;
        let last = entries.iter().rev().find(|(scope, _)| is_open(&self.open, *scope));
        last.map(|(_, value)| value)
    }

    /// Puts an entry into the innermost scope, above any that was there.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let open = &self.open;
        let number = open.last().copied().unwrap_or(0);
        let scope = Scope { depth: open.len() as u32, number };
        let entries = self.known.entry(key).or_default();
        // Scopes nest: those that are left stand above those that are open.
        while let Some((above, _)) = entries.last()
            && (*above == scope || !is_open(open, *above))
        {
            entries.pop();
        }
        entries.push((scope, value));
    }

    /// Enters a scope.
    pub(crate) fn enter(&mut self) {
        self.count += 1;
        self.open.push(self.count);
    }

    /// Leaves the innermost scope.
    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }
}

/// Whether a scope is among the open ones; the outermost, of no number, always is.
fn is_open(open: &[u32], scope: Scope) -> bool {
    match scope.depth {
        0 => true,
        depth => open.get(depth as usize - 1) == Some(&scope.number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_forgets_its_own_entries_and_uncovers_those_below() {
        let mut map = ScopedMap::with_capacity(0);
        map.insert(1, "outer");
        map.enter();
        map.insert(1, "inner");
        map.insert(1, "innermost");
        map.insert(2, "other");
        assert_eq!(map.get(&1), Some(&"innermost"));
        map.leave();
        assert_eq!((map.get(&1), map.get(&2)), (Some(&"outer"), None));
    }
}
