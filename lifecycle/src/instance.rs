//! One compiled specialisation of a function, as generic callers find it: three words that are
//! read without a lock, while another thread writes them.
//!
//! | invoke | flags | pointer | meaning |
//! |---|---|---|---|
//! | null | 00 | null | nothing is compiled |
//! | the wait marker | 00 | null | defined, and not compiled: calling it compiles, then calls |
//! | set | 00 | null | callable as it is, and never looks at the pointer |
//! | set | 10 | set | compiled, for the generic convention only |
//! | set | 11 | set | compiled for its own signature; `invoke` is a wrapper, which may read flags and pointer |
//!
//! A writer takes the pointer from null by a compare-exchange, then sets the low flag, then
//! `invoke`, then the high flag. A reader that sees `invoke` and no pointer calls it as it is;
//! one that sees a pointer waits for the high flag, a few instructions of the writer away, and
//! reads `invoke` again. So every combination that a reader can see is valid to call. Writers
//! publish behind their last step that can fail: nobody waits for one that is gone.

use std::fmt;
use std::num::NonZeroUsize;

use thiserror::Error;

use crate::sync::{AtomicUsize, Ordering, ordering, spin_loop};

/// Compiled for a signature of its own.
const SPECIALISED: usize = 0b01;
/// All three words stand.
const PUBLISHED: usize = 0b10;

/// The least address of code: what is below says something else.
const WAIT_MARKER: usize = 1;

/// How the machine code behind the pointer is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Convention {
    /// By the function, the arguments and their count.
    Generic,
    /// By its own signature.
    Specialised,
}

/// What a generic call finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// Nothing is compiled, and nothing defined.
    Nothing,
    /// It is to be compiled first.
    Pending,
    /// Code that is called as it is.
    Alone {
        /// Its address.
        invoke: NonZeroUsize,
    },
    /// Compiled code, by way of `invoke`.
    Compiled {
        /// What generic callers call.
        invoke: NonZeroUsize,
        /// The compiled code.
        pointer: NonZeroUsize,
        /// How that is called.
        convention: Convention,
    },
}

/// Another writer was first, and its code stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("other code was published first")]
pub struct Lost;

/// The three words.
#[repr(C)]
pub struct CodeInstance {
    invoke: AtomicUsize,
    flags: AtomicUsize,
    pointer: AtomicUsize,
}

impl CodeInstance {
    /// One of which nothing is known.
    pub fn new() -> CodeInstance {
        let [invoke, flags, pointer] = [(); 3].map(|()| AtomicUsize::new(0));
        CodeInstance { invoke, flags, pointer }
    }

    /// Says that there is a definition, unless there is more to say already.
    pub fn register(&self) {
        let (free, marked) = (0, WAIT_MARKER);
        let _ = self.invoke.compare_exchange(free, marked, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Publishes code that is called as it is: an interpreter, a constant, generic code.
    ///
    /// # Errors
    /// If there is code already, compiled or not.
    pub fn publish_alone(&self, invoke: NonZeroUsize) -> Result<(), Lost> {
        let mut known = self.invoke.load(Ordering::Acquire);
        while known <= WAIT_MARKER {
            let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
            match self.invoke.compare_exchange(known, invoke.get(), success, failure) {
                Ok(_) => return Ok(()),
                Err(other) => known = other,
            }
        }
        Err(Lost)
    }

    /// Publishes compiled code, and `invoke` in the place of what stands there.
    ///
    /// # Errors
    /// If another writer was first. What it published can be called when this comes back.
    pub fn publish(
        &self,
        invoke: NonZeroUsize,
        pointer: NonZeroUsize,
        convention: Convention,
    ) -> Result<(), Lost> {
        let taken =
            self.pointer.compare_exchange(0, pointer.get(), Ordering::AcqRel, Ordering::Acquire);
        if taken.is_err() {
            self.published_flags();
            return Err(Lost);
        }
        let low = match convention {
            Convention::Generic => 0,
            Convention::Specialised => SPECIALISED,
        };
        self.flags.store(low, Ordering::Relaxed);
        self.invoke.store(invoke.get(), ordering(Ordering::Release, "instance-invoke"));
        self.flags.store(low | PUBLISHED, ordering(Ordering::Release, "instance-published"));
        Ok(())
    }

    /// Puts code in the place of equivalent code: callers may go on to use either.
    ///
    /// Only where code is published, and one writer at a time: the engine calls this under the
    /// lock of the function.
    pub fn replace(&self, pointer: NonZeroUsize) {
        self.pointer.store(pointer.get(), ordering(Ordering::Release, "instance-replace"));
    }

    /// What a generic call finds now.
    pub fn read(&self) -> Callee {
        let Some(first) = NonZeroUsize::new(self.invoke.load(Ordering::Acquire)) else {
            return Callee::Nothing;
        };
        let Some(pointer) = NonZeroUsize::new(self.pointer.load(Ordering::Acquire)) else {
            return match first.get() {
                WAIT_MARKER => Callee::Pending,
                _ => Callee::Alone { invoke: first },
            };
        };
        let flags = self.published_flags();
        let invoke = NonZeroUsize::new(self.invoke.load(Ordering::Acquire)).unwrap_or(first);
        let convention = match flags & SPECIALISED {
            0 => Convention::Generic,
            _ => Convention::Specialised,
        };
        Callee::Compiled { invoke, pointer, convention }
    }

    /// The flags, when the writer that took the pointer has set all words.
    fn published_flags(&self) -> usize {
        loop {
            let flags = self.flags.load(Ordering::Acquire);
            if flags & PUBLISHED != 0 {
                return flags;
            }
            spin_loop();
        }
    }
}

impl Default for CodeInstance {
    fn default() -> CodeInstance {
        CodeInstance::new()
    }
}

impl fmt::Debug for CodeInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CodeInstance").field(&self.read()).finish()
    }
}
