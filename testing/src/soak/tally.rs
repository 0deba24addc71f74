//! What a run has reached: named counts that add up over ranges and processes.

use std::collections::BTreeMap;

/// Counts by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    counts: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds to a count.
    pub fn add(&mut self, name: &str, count: u64) {
        match self.counts.get_mut(name) {
            Some(known) => *known += count,
            None => {
                self.counts.insert(name.to_owned(), count);
            }
        }
    }

    /// The count of that name.
    pub fn of(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Adds what another run has counted.
    pub fn merge(&mut self, other: &Tally) {
        for (name, &count) in &other.counts {
            self.add(name, count);
        }
    }

    /// All counts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(name, &count)| (name.as_str(), count))
    }
}
