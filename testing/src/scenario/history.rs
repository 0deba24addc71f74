//! What each name has meant, and when.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A moment, by the count that all threads take part in.
pub(super) type Moment = u64;

/// A span of time: a call, or a round of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: Moment,
    pub(super) to: Moment,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A function of that stamp.
    Function(i64),
    /// One that cannot be compiled.
    Broken,
    /// None.
    Undefined,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    meaning: Meaning,
    began: Moment,
    /// The last of all times while the engine has not come back.
    done: Moment,
}

impl Change {
    /// Whether the name means this no more at a time: another change has come behind it.
    fn is_over(&self, others: &[Change], at: Moment) -> bool {
        others.iter().any(|other| other.began > self.done && other.done < at)
    }
}

/// What the names of an engine have meant.
pub(super) struct History {
    count: AtomicU64,
    names: Vec<Mutex<Vec<Change>>>,
    /// When the running call of each thread began; the last of all times where none runs.
    calls: Vec<AtomicU64>,
}

impl History {
    pub(super) fn new(names: usize, threads: usize) -> History {
        let first = Change { meaning: Meaning::Undefined, began: 0, done: 0 };
        History {
            count: AtomicU64::new(1),
            names: (0..names).map(|_| Mutex::new(vec![first])).collect(),
            calls: (0..threads).map(|_| AtomicU64::new(Moment::MAX)).collect(),
        }
    }

    /// The present, which has not been before.
    pub(super) fn now(&self) -> Moment {
        self.count.fetch_add(1, Ordering::SeqCst)
    }

    fn changes<T>(&self, name: usize, change: impl FnOnce(&mut Vec<Change>) -> T) -> T {
        change(&mut self.names[name].lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A thread is about to call; gives when.
    pub(super) fn begin_call(&self, thread: usize) -> Moment {
        // It may be older than what the call takes part in, never younger.
        self.calls[thread].store(0, Ordering::SeqCst);
        let now = self.now();
        self.calls[thread].store(now, Ordering::SeqCst);
        now
    }

    pub(super) fn end_call(&self, thread: usize) {
        self.calls[thread].store(Moment::MAX, Ordering::SeqCst);
    }

    /// Names are about to mean something else; gives when.
    pub(super) fn begin_change(&self, meanings: &[(usize, Meaning)]) -> Moment {
        let began = self.now();
        for &(name, meaning) in meanings {
            let change = Change { meaning, began, done: Moment::MAX };
            self.changes(name, |changes| changes.push(change));
        }
        began
    }

    /// The engine has come back from a change that began then.
    pub(super) fn end_change(&self, names: impl IntoIterator<Item = usize>, began: Moment) {
        let done = self.now();
        let oldest = self.calls.iter().map(|call| call.load(Ordering::SeqCst)).min();
        let oldest = oldest.unwrap_or(done).min(done);
        for name in names {
            self.changes(name, |changes| {
                let own = changes.iter_mut().filter(|change| change.began == began);
                own.for_each(|change| change.done = done);
                let all = changes.clone();
                changes.retain(|change| !change.is_over(&all, oldest));
            });
        }
    }

    /// A change that began then has come to nothing.
    pub(super) fn forget_change(&self, names: impl IntoIterator<Item = usize>, began: Moment) {
        for name in names {
            self.changes(name, |changes| changes.retain(|change| change.began != began));
        }
    }

    /// Whether a name may have meant that for whoever looked within a span.
    ///
    /// # Errors
    /// What it has meant instead.
    pub(super) fn check(&self, name: usize, meaning: Meaning, span: Span) -> Result<(), String> {
        self.changes(name, |changes| {
            let mut could = changes
                .iter()
                .filter(|change| change.began <= span.to && !change.is_over(changes, span.from));
            if could.any(|change| change.meaning == meaning) {
                return Ok(());
            }
            Err(format!("@f{name} was {meaning:?} within {span:?}; its history: {changes:?}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: Moment, to: Moment) -> Span {
        Span { from, to }
    }

    #[test]
    fn what_was_there_or_came_meanwhile_is_allowed_and_nothing_else() {
        let history = History::new(1, 1);
        let one = Meaning::Function(1);
        let before = history.now();
        let began = history.begin_change(&[(0, one)]);
        let call = history.begin_call(0);
        let during = history.now();
        assert_eq!(history.check(0, one, span(call, during)), Ok(()));
        assert_eq!(history.check(0, Meaning::Undefined, span(call, during)), Ok(()));
        history.end_change([0], began);
        let behind = history.now();
        assert_eq!(history.check(0, Meaning::Undefined, span(call, behind)), Ok(()));
        history.end_call(0);
        assert!(history.check(0, Meaning::Undefined, span(behind, behind)).is_err());
        assert!(history.check(0, one, span(before, before)).is_err());
        assert!(history.check(0, Meaning::Function(2), span(call, behind)).is_err());
    }

    #[test]
    fn of_two_changes_at_once_either_may_have_come_last() {
        let history = History::new(1, 1);
        let (one, two) = (Meaning::Function(1), Meaning::Function(2));
        let first = history.begin_change(&[(0, one)]);
        let second = history.begin_change(&[(0, two)]);
        history.end_change([0], first);
        history.end_change([0], second);
        let now = history.now();
        assert_eq!(history.check(0, one, span(now, now)), Ok(()));
        assert_eq!(history.check(0, two, span(now, now)), Ok(()));
        assert!(history.check(0, Meaning::Undefined, span(now, now)).is_err());
    }
}
