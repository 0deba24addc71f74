//! Deadlines: a thread that exists while any is pending, and a moment longer, and makes the
//! engine's threads look at the clock when the earliest has passed.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{process, thread};

use super::shared::Shared;
use crate::runtime::Attention;

/// How long the thread waits at a time: it is there for so long behind the last deadline, which
/// mostly is taken back long before it comes, and another call may come with the next one.
const MOST_WAIT: Duration = Duration::from_secs(1);

/// The deadlines of an engine.
#[derive(Debug, Default)]
pub(super) struct Clock {
    board: Arc<Board>,
}

#[derive(Debug, Default)]
struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Each with a number of its own.
    pending: BTreeSet<(Instant, u64)>,
    next: u64,
    /// The process whose thread watches; a forked child has no such thread.
    watcher: Option<u32>,
    /// Whether the engine is gone.
    is_over: bool,
}

/// A deadline that is pending until this is dropped.
#[derive(Debug)]
pub(super) struct PendingDeadline {
    board: Arc<Board>,
    key: (Instant, u64),
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.board.lock().is_over = true;
        self.board.changed.notify_all();
    }
}

impl Drop for PendingDeadline {
    fn drop(&mut self) {
        self.board.lock().pending.remove(&self.key);
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock {
    /// Has the engine's threads look at the clock at `deadline`.
    pub(super) fn schedule(
        &self,
        shared: &Arc<Shared>,
        deadline: Instant,
    ) -> io::Result<PendingDeadline> {
        let mut state = self.board.lock();
        let key = (deadline, state.next);
        state.next += 1;
        state.pending.insert(key);
        let pending = PendingDeadline { board: Arc::clone(&self.board), key };
        let own = Some(process::id());
        if state.watcher != own {
            // Another thread that comes meanwhile must find the one that watches, or none.
            let (board, engine) = (Arc::clone(&self.board), Arc::downgrade(shared));
            let name = "brolga deadlines".to_owned();
            let spawned = thread::Builder::new().name(name).spawn(move || watch(&board, &engine));
            if let Err(error) = spawned {
                drop(state);
                return Err(error);
            }
            state.watcher = own;
        }
        drop(state);
        self.board.changed.notify_one();
        Ok(pending)
    }
}

fn watch(board: &Board, engine: &Weak<Shared>) {
    let mut state = board.lock();
    let mut is_idle = false;
    loop {
        let now = Instant::now();
        let first = state.pending.first().copied();
        if state.is_over || (is_idle && first.is_none()) {
            state.watcher = None;
            return;
        }
        match first.filter(|&(deadline, _)| deadline <= now) {
            Some(passed) => {
                state.pending.remove(&passed);
                drop(state);
                if let Some(engine) = engine.upgrade() {
                    engine.environment.registry.request(Attention::Clock);
                }
                state = board.lock();
            }
            None => {
                let left = first.map_or(MOST_WAIT, |(deadline, _)| deadline - now);
                let waited = board.changed.wait_timeout(state, left.min(MOST_WAIT));
                let (locked, ended) = waited.unwrap_or_else(PoisonError::into_inner);
                state = locked;
                is_idle = ended.timed_out() && first.is_none();
            }
        }
    }
}
