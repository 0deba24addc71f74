//! Work that waits for a thread: what somebody waits for before what may make things faster, and
//! what came first before what came later.
//!
//! A queue knows nothing of what is done. The same function may stand in it twice: whoever comes
//! to it second finds it done.

use std::collections::BinaryHeap;
use std::fmt;

use crate::sync::{Condvar, Mutex, is_mutated, lock, wait};

/// How much somebody wants a piece of work, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Priority {
    /// Nobody has asked for it yet.
    Speculation,
    /// It will make what runs already faster.
    Upgrade,
    /// Somebody has asked for it, and goes on meanwhile.
    Asked,
    /// A thread waits for it.
    Awaited,
}

struct Entry<T> {
    priority: Priority,
    number: u64,
    work: T,
}

impl<T> Entry<T> {
    /// The greatest is taken first: of equal priorities, the one that came first.
    fn rank(&self) -> (Priority, std::cmp::Reverse<u64>) {
        (self.priority, std::cmp::Reverse(self.number))
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Entry<T>) -> bool {
        self.rank() == other.rank()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Entry<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Entry<T>) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

struct State<T> {
    waiting: BinaryHeap<Entry<T>>,
    count: u64,
    is_closed: bool,
}

/// Work that waits.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    woken: Condvar,
}

impl<T> Queue<T> {
    /// One with nothing in it.
    pub fn new() -> Queue<T> {
        let state = State { waiting: BinaryHeap::new(), count: 0, is_closed: false };
        Queue { state: Mutex::new(state), woken: Condvar::new() }
    }

    /// Puts work in, and wakes a thread that waits for some.
    ///
    /// # Errors
    /// The work, if the queue is closed.
    pub fn push(&self, priority: Priority, work: T) -> Result<(), T> {
        let mut state = lock(&self.state);
        if state.is_closed {
            return Err(work);
        }
        let number = state.count;
        state.count += 1;
        state.waiting.push(Entry { priority, number, work });
        drop(state);
        self.woken.notify_one();
        Ok(())
    }

    /// What is to be done next, if there is anything.
    pub fn try_take(&self) -> Option<T> {
        lock(&self.state).waiting.pop().map(|entry| entry.work)
    }

    /// What is to be done next, which the thread waits for; nothing when the queue is closed.
    pub fn take(&self) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            if let Some(entry) = state.waiting.pop() {
                return Some(entry.work);
            }
            if state.is_closed {
                return None;
            }
            state = wait(&self.woken, state);
        }
    }

    /// Ends the work: threads that wait come back with nothing. What is left is the caller's, to
    /// be dropped outside of every lock.
    pub fn close(&self) -> Vec<T> {
        let mut state = lock(&self.state);
        state.is_closed = !is_mutated("queue-close");
        let left = std::mem::take(&mut state.waiting);
        drop(state);
        self.woken.notify_all();
        left.into_sorted_vec().into_iter().rev().map(|entry| entry.work).collect()
    }

    /// How much waits.
    pub fn len(&self) -> usize {
        lock(&self.state).waiting.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue::new()
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.state);
        let (waiting, is_closed) = (state.waiting.len(), state.is_closed);
        f.debug_struct("Queue").field("waiting", &waiting).field("is_closed", &is_closed).finish()
    }
}
