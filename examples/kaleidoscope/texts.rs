//! Texts, which compiled code knows by number.
//!
//! Those of programs stay; those that a call makes are gone when the expression is done that
//! made it: no variable lives longer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All texts of a session. Clones are the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct Texts(Arc<Mutex<Table>>);

#[derive(Default, Debug)]
struct Table {
    /// By number, from 0 on: those of programs, each once.
    kept: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, i64>,
    /// By number, from -1 downwards.
    made: Vec<Arc<str>>,
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

    /// The number of a text that a call has made.
    pub(crate) fn make(&self, text: impl Into<Arc<str>>) -> i64 {
        let mut table = self.table();
        table.made.push(text.into());
        -(table.made.len() as i64)
    }

    /// The text of a number.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn get(&self, number: i64) -> Result<Arc<str>, Gone> {
        let table = self.table();
        let found = match usize::try_from(number) {
            Ok(index) => table.kept.get(index),
            Err(_) => table.made.get(usize::try_from(-(number + 1)).map_err(|_| Gone)?),
        };
        found.cloned().ok_or(Gone)
    }

    /// Forgets what calls have made.
    pub(crate) fn forget(&self) {
        self.table().made = Vec::new();
    }
}
