//! Which threads may be inside code that was taken out: each notes the epoch in which it came
//! in, in a word of its own, and what was taken out in an epoch is free when no thread inside
//! came in during that one or an earlier one.
//!
//! Entering costs a load and a store, without a full fence: whoever wants to free something makes
//! every thread of the process pass one instead (`membarrier`). The order that matters is
//! between a thread's store of its pin and its later loads of slots. If the reclaimer, behind
//! its barrier, still finds no pin, then the pin is stored behind the barrier, and the loads
//! behind it find what the reclaimer stored before. Where the system refuses, entering has the
//! fence. See Dice, Herlihy and Kogan, "Fast non-intrusive memory reclamation for highly
//! concurrent data structures" (ISMM 2016), and the manual of `membarrier(2)`.

use std::fmt;

use crate::barrier;
use crate::sync::{Arc, AtomicU64, Mutex, Ordering, fence, is_mutated, lock, ordering};

/// The pin of a thread that is outside.
const OUTSIDE: u64 = 0;

/// The epoch in which an engine begins.
const FIRST: u64 = 1;

/// The word of a thread, in a line of the cache of its own.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Pin {
    epoch: AtomicU64,
}

impl Pin {
    /// The pin of a thread that is outside.
    pub fn new() -> Pin {
        Pin { epoch: AtomicU64::new(OUTSIDE) }
    }
}

impl Default for Pin {
    fn default() -> Pin {
        Pin::new()
    }
}

/// The epochs of an engine, and the pins of its threads.
pub struct Epochs {
    now: AtomicU64,
    pins: Mutex<Vec<Arc<Pin>>>,
    barrier: barrier::Kind,
}

impl Epochs {
    /// Epochs with the cheapest barrier that the system has.
    pub fn new() -> Epochs {
        Epochs::with(barrier::Kind::best())
    }

    /// Epochs whose threads have a fence when they enter, whatever the system can do.
    pub fn with_fences() -> Epochs {
        Epochs::with(barrier::Kind::BothSides)
    }

    fn with(barrier: barrier::Kind) -> Epochs {
        Epochs { now: AtomicU64::new(FIRST), pins: Mutex::new(Vec::new()), barrier }
    }

    /// The word that compiled code reads when it enters, the same for as long as the epochs
    /// live.
    pub fn now(&self) -> &AtomicU64 {
        &self.now
    }

    /// Whether whoever enters must pass a fence between its pin and its first load of a slot.
    pub fn needs_fence(&self) -> bool {
        self.barrier == barrier::Kind::BothSides
    }

    /// Takes a thread in. It must be outside.
    pub fn register(&self, pin: &Arc<Pin>) {
        lock(&self.pins).push(Arc::clone(pin));
    }

    /// Lets a thread go that is outside.
    pub fn unregister(&self, pin: &Arc<Pin>) {
        lock(&self.pins).retain(|other| !Arc::ptr_eq(other, pin));
    }

    /// A thread comes in, before it loads any slot: what machine code does at its outermost
    /// entry, in Rust.
    pub fn enter(&self, pin: &Pin) {
        let now = self.now.load(Ordering::Acquire);
        // A reclaimer may read this pin and never the one before it, by which the thread left:
        // what it read then is read before this store, too.
        pin.epoch.store(now, ordering(Ordering::Release, "epoch-enter"));
        if self.needs_fence() && !is_mutated("epoch-light") {
            fence(Ordering::SeqCst);
        } else {
            barrier::compiler();
        }
    }

    /// A thread goes out, and holds nothing of what it found inside.
    pub fn leave(pin: &Pin) {
        pin.epoch.store(OUTSIDE, ordering(Ordering::Release, "epoch-leave"));
    }

    /// A thread that stays inside says that, of what was taken out before, it holds only what
    /// it has counted otherwise: the frames on its stack.
    pub fn renew(&self, pin: &Pin) {
        self.enter(pin);
    }

    /// Ends the epoch, and gives its number: what was taken out before this call is free when
    /// [`Self::oldest`] is a later one.
    pub(crate) fn end(&self) -> u64 {
        self.now.fetch_add(1, Ordering::AcqRel)
    }

    /// What was taken out in an epoch before this one, no thread is inside of.
    pub(crate) fn oldest(&self) -> u64 {
        // Before the pins are read: what is taken out later, a thread may enter that was outside
        // when its pin was read.
        let now = self.now.load(Ordering::Acquire) + u64::from(is_mutated("epoch-bound"));
        let pins = lock(&self.pins);
        if !is_mutated("epoch-heavy") && self.barrier.pass().is_err() {
            return FIRST;
        }
        let inside = pins.iter().map(|pin| pin.epoch.load(Ordering::Acquire));
        inside.filter(|&epoch| epoch != OUTSIDE).fold(now, u64::min)
    }
}

impl Default for Epochs {
    fn default() -> Epochs {
        Epochs::new()
    }
}

impl fmt::Debug for Epochs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, barrier) = (self.now.load(Ordering::Relaxed), self.barrier);
        f.debug_struct("Epochs").field("now", &now).field("barrier", &barrier).finish()
    }
}
