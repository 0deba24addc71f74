//! A compile that is under way, and the threads that wait for its end.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::sync::{Arc, Condvar, Mutex, lock, wait};

/// A thread, by a number that no other living thread of the engine has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Caller(pub u64);

/// One compile of one function.
pub struct Job {
    stamp: u64,
    owner: Caller,
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// Whether anybody has ever waited: to wake nobody is a system call all the same.
    is_awaited: bool,
}

impl Job {
    pub(crate) fn new(stamp: u64, owner: Caller) -> Job {
        Job { stamp, owner, state: Mutex::default(), woken: Condvar::new() }
    }

    /// What tells this compile from all others of its function.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Who compiles.
    pub fn owner(&self) -> Caller {
        self.owner
    }

    /// Whether nobody wants its result any more, which whoever compiles may ask for to give up
    /// early.
    pub fn is_over(&self) -> bool {
        lock(&self.state).is_over
    }

    /// Wakes all who wait.
    pub(crate) fn end(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        let is_awaited = state.is_awaited;
        drop(state);
        if is_awaited {
            self.woken.notify_all();
        }
    }

    fn wait_for_end(&self) {
        let mut state = lock(&self.state);
        while !state.is_over {
            state.is_awaited = true;
            state = wait(&self.woken, state);
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("stamp", &self.stamp).field("owner", &self.owner).finish()
    }
}

/// Waiting would never end: by way of others, the job waits for the thread that asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("waiting for the compile would never end, since that waits for this thread")]
pub struct Cycle;

/// Which threads wait for which jobs, and which have jobs of their own.
#[derive(Default, Debug)]
pub struct Waits {
    threads: Mutex<Threads>,
}

#[derive(Default, Debug)]
struct Threads {
    waiting: BTreeMap<Caller, Arc<Job>>,
    /// How many jobs each thread is at, one within another.
    compiling: BTreeMap<Caller, u32>,
}

/// While it is there, its thread is at a job.
#[derive(Debug)]
pub(crate) struct Compiling<'a> {
    waits: &'a Waits,
    caller: Caller,
}

impl Drop for Compiling<'_> {
    fn drop(&mut self) {
        let mut threads = lock(&self.waits.threads);
        let depth = threads.compiling.get(&self.caller).copied().unwrap_or(1);
        match depth {
            0 | 1 => threads.compiling.remove(&self.caller),
            _ => threads.compiling.insert(self.caller, depth - 1),
        };
    }
}

impl Waits {
    /// Nobody waits.
    pub fn new() -> Waits {
        Waits::default()
    }

    /// How many threads wait.
    pub fn count(&self) -> usize {
        lock(&self.threads).waiting.len()
    }

    /// A thread begins a job.
    pub(crate) fn begin(&self, caller: Caller) -> Compiling<'_> {
        *lock(&self.threads).compiling.entry(caller).or_default() += 1;
        Compiling { waits: self, caller }
    }

    /// Whether a thread is at a job.
    pub(crate) fn is_compiling(&self, caller: Caller) -> bool {
        lock(&self.threads).compiling.contains_key(&caller)
    }

    /// Waits until the job is over.
    ///
    /// # Errors
    /// If the job is the thread's own, or that of one that waits, at once or by way of others,
    /// for one of the thread's own.
    pub fn wait(&self, caller: Caller, job: &Arc<Job>) -> Result<(), Cycle> {
        {
            let mut threads = lock(&self.threads);
            // One lock for question and answer: of two threads that close a cycle, the second
            // sees the first.
            if leads_back(&threads.waiting, caller, job) {
                return Err(Cycle);
            }
            threads.waiting.insert(caller, Arc::clone(job));
        }
        job.wait_for_end();
        lock(&self.threads).waiting.remove(&caller);
        Ok(())
    }
}

fn leads_back(jobs: &BTreeMap<Caller, Arc<Job>>, caller: Caller, job: &Arc<Job>) -> bool {
    let mut owner = job.owner;
    // A job that is over holds nobody up, but whoever runs it may not know yet.
    let mut current = job;
    while !current.is_over() {
        if owner == caller {
            return true;
        }
        let Some(next) = jobs.get(&owner) else { return false };
        (owner, current) = (next.owner, next);
    }
    false
}
