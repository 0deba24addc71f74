//! What was taken out and is not free yet, because a thread may be inside.

use std::fmt;
use std::mem;

use crate::epoch::Epochs;
use crate::sync::{Mutex, lock};

/// Things that nothing leads to any more, each with the epoch that ended when it was taken out.
pub struct Retired<T> {
    waiting: Mutex<Vec<(u64, T)>>,
}

impl<T> Retired<T> {
    /// None.
    pub fn new() -> Retired<T> {
        Retired { waiting: Mutex::new(Vec::new()) }
    }

    /// Takes something in. Whoever enters from now on must not find it any more: each word that
    /// led to it has another value.
    pub fn retire(&self, epochs: &Epochs, thing: T) {
        let epoch = epochs.end();
        lock(&self.waiting).push((epoch, thing));
    }

    /// Gives what no thread can be inside of. The caller drops it, outside of every lock.
    pub fn collect(&self, epochs: &Epochs) -> Vec<T> {
        if self.is_empty() {
            return Vec::new();
        }
        let oldest = epochs.oldest();
        let mut waiting = lock(&self.waiting);
        let (free, kept) =
            mem::take(&mut *waiting).into_iter().partition(|&(epoch, _)| epoch < oldest);
        *waiting = kept;
        drop(waiting);
        let free: Vec<(u64, T)> = free;
        free.into_iter().map(|(_, thing)| thing).collect()
    }

    /// How many things wait.
    pub fn len(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for Retired<T> {
    fn default() -> Retired<T> {
        Retired::new()
    }
}

impl<T> fmt::Debug for Retired<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retired").field("waiting", &self.len()).finish()
    }
}
