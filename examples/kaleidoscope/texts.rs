//! Texts, which compiled code knows by number.
//!
//! Those of programs stay; those that a call makes are gone when the expression is done that
//! made it: no variable lives longer, and none is seen by an expression on another thread.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// All texts of a session. Clones are the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct Texts(Arc<Mutex<Table>>);

#[derive(Default, Debug)]
struct Table {
    /// By number, from 0 on: those of programs, each once.
    kept: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, i64>,
    /// By number, from -1 downwards: those of the expression that each thread runs.
    made: HashMap<ThreadId, Vec<Arc<str>>>,
}

/// A number that stands for no text: one that was kept beyond its expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is gone: it was made by an expression that is done")]
pub(crate) struct Gone;

impl Texts {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a text of a program.
    pub(crate) fn keep(&self, text: &str) -> i64 {
        let mut table = self.table();
        if let Some(&number) = table.numbers.get(text) {
            return number;
        }
        let (text, number) = (Arc::from(text), table.kept.len() as i64);
        table.kept.push(Arc::clone(&text));
        table.numbers.insert(text, number);
        number
    }

    /// The number of a text that a call has made, on this thread.
    pub(crate) fn make(&self, text: impl Into<Arc<str>>) -> i64 {
        let mut table = self.table();
        let made = table.made.entry(thread::current().id()).or_default();
        made.push(text.into());
        -(made.len() as i64)
    }

    /// The text of a number, on the thread that has it.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn get(&self, number: i64) -> Result<Arc<str>, Gone> {
        let table = self.table();
        let found = match usize::try_from(number) {
            Ok(index) => table.kept.get(index),
            Err(_) => {
                let index = usize::try_from(-(number + 1)).map_err(|_| Gone)?;
                table.made.get(&thread::current().id()).and_then(|made| made.get(index))
            }
        };
        found.cloned().ok_or(Gone)
    }

    /// Forgets what calls have made on this thread.
    pub(crate) fn forget(&self) {
        self.table().made.remove(&thread::current().id());
    }
}
