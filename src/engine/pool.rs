//! Threads that compile in the background: made when there is something to do, gone with the
//! engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use brolga_lifecycle::queue::{Priority, Queue};

use super::shared::Shared;
use super::tiering::Work;
use crate::runtime::{ThreadEntry, compiling_thread, discard};

/// The threads of an engine, and what waits for them.
#[derive(Debug)]
pub(crate) struct Pool {
    queue: Arc<Queue<Work>>,
    /// How many there are to be.
    wanted: usize,
    made: Mutex<Made>,
    /// Whose they are. They do not keep the engine.
    engine: OnceLock<Weak<Shared>>,
}

/// How many threads there are.
#[derive(Debug)]
struct Made {
    count: usize,
    /// The process that has them; a forked child has none of them.
    process: u32,
}

impl Pool {
    /// One for so many threads, none of which is made yet.
    pub(super) fn new(wanted: usize) -> Pool {
        let made = Mutex::new(Made { count: 0, process: process::id() });
        Pool { queue: Arc::default(), wanted, made, engine: OnceLock::new() }
    }

    /// Says whose it is.
    pub(super) fn belong_to(&self, engine: &Arc<Shared>) {
        // Said once, when the engine is made.
        let _ = self.engine.set(Arc::downgrade(engine));
        if engine.config.tiering.is_adaptive() {
            // There will be work. To make a thread takes as long as to compile some functions,
            // for which nobody waits yet.
            self.ensure_threads();
        }
    }

    /// Leaves work to the threads.
    ///
    /// # Errors
    /// The work, if there are none.
    pub(super) fn push(&self, priority: Priority, work: Work) -> Result<(), Work> {
        if !self.ensure_threads() {
            return Err(work);
        }
        self.queue.push(priority, work)
    }

    /// Makes another thread unless there are enough; tells whether there is any.
    fn ensure_threads(&self) -> bool {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.process != process::id() {
            *made = Made { count: 0, process: process::id() };
        }
        if made.count < self.wanted
            && let Some(engine) = self.engine.get()
        {
            let (engine, queue) = (Weak::clone(engine), Arc::clone(&self.queue));
            // Where the system has no more threads, those that there are do its share.
            let spawned = compiling_thread().spawn(move || serve(&engine, &queue));
            made.count += usize::from(spawned.is_ok());
        }
        made.count > 0
    }

    /// What is to be done next, for a thread that has nothing better to do.
    pub(super) fn try_take(&self) -> Option<Work> {
        self.queue.try_take()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The threads find it closed, and end.
        drop(self.queue.close());
    }
}

fn serve(engine: &Weak<Shared>, queue: &Queue<Work>) {
    while let Some(work) = queue.take() {
        let Some(shared) = engine.upgrade() else { break };
        // What makes modules and what observes is the user's, and may call the engine: then it
        // waits by the same number.
        let Some(entry) = ThreadEntry::of(&shared.environment) else { break };
        let carry_out = || {
            // A number that work goes by means the same function until that is done.
            let stay = entry.stay(&shared.environment);
            shared.carry_out(&work, stay.caller());
            drop(stay);
            // What has gone meanwhile, nobody who was inside could free.
            shared.free_some();
        };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(carry_out)) {
            discard(payload);
        }
    }
}
