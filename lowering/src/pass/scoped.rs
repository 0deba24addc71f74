//! Tables that forget, when a scope is left, what was put in since it was entered.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A table with scopes.
#[derive(Clone, Debug)]
pub(crate) struct ScopedMap<K, V> {
    known: FxHashMap<K, V>,
    /// What each entry replaced, in the order in which they were made.
    replaced: Vec<(K, Option<V>)>,
    scopes: Vec<usize>,
}

impl<K, V> Default for ScopedMap<K, V> {
    fn default() -> Self {
        ScopedMap { known: FxHashMap::default(), replaced: Vec::new(), scopes: Vec::new() }
    }
}

impl<K: Clone + Eq + Hash, V> ScopedMap<K, V> {
    /// What is known of `key`.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.known.get(key)
    }

    /// Puts an entry into the innermost scope, above any that was there.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let before = self.known.insert(key.clone(), value);
        self.replaced.push((key, before));
    }

    /// Enters a scope.
    pub(crate) fn enter(&mut self) {
        self.scopes.push(self.replaced.len());
    }

    /// Leaves the innermost scope.
    pub(crate) fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for (key, before) in self.replaced.drain(start..).rev() {
            match before {
                Some(value) => self.known.insert(key, value),
                None => self.known.remove(&key),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_forgets_its_own_entries_and_uncovers_those_below() {
        let mut map = ScopedMap::default();
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
