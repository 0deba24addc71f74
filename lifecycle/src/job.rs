//! A compile that is under way, and the threads that wait for its end.

use std::collections::BTreeMap;
use std::fmt;

use crate::sync::{Arc, Condvar, Mutex, lock, wait};

/// A thread, by a number that no other living thread of the engine has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Caller(pub u64);

/// One compile of one function.
pub struct Job {
    stamp: u64,
    owner: Caller,
    is_over: Mutex<bool>,
    woken: Condvar,
}

impl Job {
    pub(crate) fn new(stamp: u64, owner: Caller) -> Job {
        Job { stamp, owner, is_over: Mutex::new(false), woken: Condvar::new() }
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
        *lock(&self.is_over)
    }

    /// Wakes all who wait.
    pub(crate) fn end(&self) {
        *lock(&self.is_over) = true;
        self.woken.notify_all();
    }

    fn wait_for_end(&self) {
        let mut is_over = lock(&self.is_over);
        while !*is_over {
            is_over = wait(&self.woken, is_over);
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("stamp", &self.stamp).field("owner", &self.owner).finish()
    }
}

/// Waiting would never end: by way of others, the job waits for the thread that asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle;

/// Which thread waits for which job.
#[derive(Default, Debug)]
pub struct Waits {
    jobs: Mutex<BTreeMap<Caller, Arc<Job>>>,
}

impl Waits {
    /// Nobody waits.
    pub fn new() -> Waits {
        Waits::default()
    }

    /// How many threads wait.
    pub fn count(&self) -> usize {
        lock(&self.jobs).len()
    }

    /// Waits until the job is over.
    ///
    /// # Errors
    /// If the job is the thread's own, or that of one that waits, at once or by way of others,
    /// for one of the thread's own.
    pub fn wait(&self, caller: Caller, job: &Arc<Job>) -> Result<(), Cycle> {
        {
            let mut jobs = lock(&self.jobs);
            // One lock for question and answer: of two threads that close a cycle, the second
            // sees the first.
            if leads_back(&jobs, caller, job) {
                return Err(Cycle);
            }
            jobs.insert(caller, Arc::clone(job));
        }
        job.wait_for_end();
        lock(&self.jobs).remove(&caller);
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
