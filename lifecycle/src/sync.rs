//! What threads share: the standard library's, or that of an explorer of schedules.
//!
//! A build with `--cfg loom` runs on loom, which tries the orderings of memory, one with
//! `--cfg shuttle` on shuttle, which tries schedules of whole scenarios. Nothing else in this
//! crate names `std::sync` or `std::thread`, but `table`, whose parts are made once and stay.

use std::sync::PoisonError;

#[cfg(all(test, loom))]
pub(crate) use loom::{
    hint::spin_loop,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence},
    sync::{Arc, Condvar, Mutex, MutexGuard},
};
#[cfg(all(test, shuttle))]
pub(crate) use shuttle::{
    hint::spin_loop,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence},
    sync::{Arc, Condvar, Mutex, MutexGuard},
};
#[cfg(not(all(test, any(loom, shuttle))))]
pub(crate) use std::{
    hint::spin_loop,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence},
    sync::{Arc, Condvar, Mutex, MutexGuard},
};

/// Locks. No code of a user runs under a lock of this crate, and its own does not panic
/// between two writes that belong together: what a poisoned lock guards is sound.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads what a lock guards into the caches. Nobody tells anything by it.
#[cfg(not(all(test, any(loom, shuttle))))]
pub(crate) fn touch<T>(mutex: &Mutex<T>) {
    std::hint::black_box(mutex.is_poisoned());
}
#[cfg(all(test, any(loom, shuttle)))]
pub(crate) fn touch<T>(_: &Mutex<T>) {}

/// Waits to be woken, which may happen for no reason.
pub(crate) fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// The faults that `cargo xtask schedules mutations` builds in, one at a time: each must
/// make a test fail.
#[cfg(all(test, any(loom, shuttle)))]
const MUTATION: Option<&str> = option_env!("BROLGA_MUTATION");

/// Whether this build has that fault.
#[cfg(all(test, any(loom, shuttle)))]
pub(crate) fn is_mutated(name: &str) -> bool {
    MUTATION == Some(name)
}

/// Nothing that is shipped has a fault on purpose.
#[cfg(not(all(test, any(loom, shuttle))))]
pub(crate) const fn is_mutated(_name: &str) -> bool {
    false
}

/// An ordering, which is relaxed in a build with that fault.
pub(crate) fn ordering(right: Ordering, mutation: &str) -> Ordering {
    if is_mutated(mutation) { Ordering::Relaxed } else { right }
}
