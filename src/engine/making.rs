//! What users make modules by, where functions wait for these: it may ask for other functions,
//! which are made in their turn, each on top of the one before. None may come to ask for itself,
//! and a thread's stack ends.

use std::cell::RefCell;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use brolga_lifecycle::job::Caller;

use super::shared::Shared;
use crate::error::SmallStack;
use crate::runtime::{
    ThreadEntry, compiling_thread, ensure_room_to_compile, error_message, panic_message,
};

/// So many functions are made for each other, each for the one before.
const MOST_NESTED: usize = 256;

thread_local! {
    /// What is being made on this thread, by the address of who makes it.
    static NESTED: RefCell<Vec<(usize, Box<str>)>> = const { RefCell::new(Vec::new()) };
}

/// A function that is being made, as long as it is.
struct Nested;

impl Nested {
    fn begin(maker: usize, name: &str) -> Result<Nested, String> {
        let begun = NESTED.try_with(|nested| {
            let mut nested = nested.borrow_mut();
            if nested.iter().any(|(other, of)| *other == maker && **of == *name) {
                return Err("what is to make it asks for it".to_owned());
            }
            if nested.len() >= MOST_NESTED {
                return Err(format!("it is asked for by what makes others, {MOST_NESTED} deep"));
            }
            nested.push((maker, name.into()));
            Ok(Nested)
        });
        begun.unwrap_or_else(|_| Err("the thread is being torn down".to_owned()))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        // Where the thread is being torn down, so is the list.
        let _ = NESTED.try_with(|nested| nested.borrow_mut().pop());
    }
}

impl Shared {
    /// Has something made for a function by what has that address, with nothing locked.
    ///
    /// # Errors
    /// What it said, also when it panicked, or why it was not asked.
    pub(super) fn make<T: Send>(
        &self,
        (maker, name): (usize, &str),
        make: impl FnOnce() -> Result<T, Box<dyn Error + Send + Sync>> + Send,
    ) -> Result<T, String> {
        let nested = Nested::begin(maker, name)?;
        let entry = ThreadEntry::of(&self.environment);
        let made = self.with_room(entry.map(|entry| entry.caller()), make);
        drop(nested);
        let made = made.map_err(|small| small.to_string())?;
        let made = made.map_err(|payload| {
            format!("what was to make it panicked: {}", panic_message(payload))
        })?;
        made.map_err(error_message)
    }

    /// Runs what may take as much of the stack as compiling does: here, if there is so much, and
    /// else on a thread that waits as `caller` does.
    ///
    /// # Errors
    /// If there is not, and no thread is to be had.
    pub(super) fn with_room<T: Send>(
        &self,
        caller: Option<Caller>,
        run: impl FnOnce() -> T + Send,
    ) -> Result<thread::Result<T>, SmallStack> {
        let run = || catch_unwind(AssertUnwindSafe(run));
        let Err(small) = ensure_room_to_compile() else { return Ok(run()) };
        let nested = NESTED.try_with(|nested| nested.borrow().clone()).unwrap_or_default();
        let run = || {
            let _ = NESTED.try_with(|own| own.replace(nested));
            // What it runs of the user's may ask for what the caller is about.
            if let Some((entry, caller)) = ThreadEntry::of(&self.environment).zip(caller) {
                entry.act_for(caller);
            }
            run()
        };
        thread::scope(|scope| match compiling_thread().spawn_scoped(scope, run) {
            Ok(thread) => Ok(thread.join().and_then(|ran| ran)),
            Err(_) => Err(small),
        })
    }
}
