//! Deadlines: a thread that exists while any is pending, and makes the
//! engine's threads look at the clock when the earliest has passed.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use std::{process, thread};

use super::shared::Shared;
use crate::runtime::Attention;

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
}

/// A deadline that is pending until this is dropped.
#[derive(Debug)]
pub(super) struct PendingDeadline {
    board: Arc<Board>,
    key: (Instant, u64),
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
        let watcher = std::mem::replace(&mut state.watcher, own);
        drop(state);
        if watcher != own {
            let (board, engine) = (Arc::clone(&self.board), Arc::downgrade(shared));
            let name = "brolga deadlines".to_owned();
            let spawned = thread::Builder::new().name(name).spawn(move || watch(&board, &engine));
            if let Err(error) = spawned {
                self.board.lock().watcher = None;
                return Err(error);
            }
        }
        self.board.changed.notify_one();
        Ok(pending)
    }
}

fn watch(board: &Board, engine: &Weak<Shared>) {
    let mut state = board.lock();
    loop {
        let Some(&(deadline, number)) = state.pending.first() else {
            state.watcher = None;
            return;
        };
        let now = Instant::now();
        if deadline > now {
            let waited = board.changed.wait_timeout(state, deadline - now);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            continue;
        }
        state.pending.remove(&(deadline, number));
        drop(state);
        if let Some(engine) = engine.upgrade() {
            engine.environment.registry.request(Attention::Clock);
        }
        state = board.lock();
    }
}
