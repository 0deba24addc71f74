//! What was taken out and is not free yet, because a thread may be inside.

use std::collections::VecDeque;
use std::fmt;

use crate::epoch::Epochs;
use crate::sync::{Mutex, lock};

/// Things that nothing leads to any more, each with the epoch that ended when it was taken out.
pub struct Retired<T> {
    waiting: Mutex<Waiting<T>>,
}

struct Waiting<T> {
    /// The oldest epoch first.
    things: VecDeque<(u64, T)>,
    arrived: usize,
}

impl<T> Retired<T> {
    /// None.
    pub fn new() -> Retired<T> {
        Retired { waiting: Mutex::new(Waiting { things: VecDeque::new(), arrived: 0 }) }
    }

    /// Takes something in. Whoever enters from now on must not find it any more: each word that
    /// led to it has another value.
    pub fn retire(&self, epochs: &Epochs, thing: T) {
        let mut waiting = lock(&self.waiting);
        // Under the lock, so that epochs stand in their order.
        waiting.things.push_back((epochs.end(), thing));
        waiting.arrived += 1;
    }

    /// Takes in several things at once, with the same promise for each.
    pub fn retire_all(&self, epochs: &Epochs, things: impl ExactSizeIterator<Item = T>) {
        let mut waiting = lock(&self.waiting);
        waiting.things.reserve(things.len());
        waiting.arrived += things.len();
        let epoch = epochs.end();
        waiting.things.extend(things.map(|thing| (epoch, thing)));
    }

    /// Gives what no thread can be inside of, the oldest first and so many at most, in time for
    /// these alone. The caller drops it, outside of every lock.
    pub fn collect(&self, epochs: &Epochs, most: usize) -> Vec<T> {
        if self.is_empty() {
            return Vec::new();
        }
        let oldest = epochs.oldest();
        let things = &mut lock(&self.waiting).things;
        let count = things.partition_point(|&(epoch, _)| epoch < oldest);
        things.drain(..count.min(most)).map(|(_, thing)| thing).collect()
    }

    /// How many have come in since this was last asked: whoever collects as many each time keeps
    /// up.
    pub fn arrived(&self) -> usize {
        std::mem::take(&mut lock(&self.waiting).arrived)
    }

    /// How many things wait.
    pub fn len(&self) -> usize {
        lock(&self.waiting).things.len()
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
