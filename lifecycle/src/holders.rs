//! Who holds code that was taken out, though no pin speaks for them any more.
//!
//! A thread that stays inside for long would keep all that is taken out meanwhile. So it counts
//! itself among the holders of what it has frames of, and then [renews](crate::epoch::Epochs::renew)
//! its pin: whoever finds the new pin finds the count, too. What is held when its epoch is over is
//! taken out once more.

use std::fmt;

use crate::sync::{AtomicUsize, Ordering, ordering};

/// How many threads hold something.
pub struct Holders(AtomicUsize);

impl Holders {
    /// None.
    pub fn new() -> Holders {
        Holders(AtomicUsize::new(0))
    }

    /// One more holds it, who has been inside since before it could be freed. The pin that is
    /// renewed behind this makes it known.
    pub fn hold(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One fewer does: what it has read of the thing is read before that is known.
    pub fn release(&self) {
        self.0.fetch_sub(1, ordering(Ordering::Release, "holders-release"));
    }

    /// Whether somebody holds it. Asked once no thread's pin is as old as the thing's end.
    pub fn is_held(&self) -> bool {
        self.0.load(ordering(Ordering::Acquire, "holders-read")) != 0
    }
}

impl Default for Holders {
    fn default() -> Holders {
        Holders::new()
    }
}

impl fmt::Debug for Holders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Holders").field(&self.0.load(Ordering::Relaxed)).finish()
    }
}
