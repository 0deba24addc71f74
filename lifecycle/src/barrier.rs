//! The fence that one thread makes all others pass.

use crate::sync::{Ordering, fence};

/// How it is done here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The system interrupts every running thread of the process.
    #[cfg_attr(
        any(all(test, any(loom, shuttle)), not(target_os = "linux")),
        expect(
            dead_code,
            reason = "explorers know no other processors, other systems no such call"
        )
    )]
    Membarrier,
    /// Each thread has a fence of its own.
    BothSides,
}

/// Nobody but the caller has passed a fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Refused;

impl Kind {
    /// The best that the system lets the process do.
    #[cfg(all(target_os = "linux", not(all(test, any(loom, shuttle)))))]
    pub(crate) fn best() -> Kind {
        use rustix::thread::{MembarrierCommand, membarrier};
        match membarrier(MembarrierCommand::RegisterPrivateExpedited) {
            Ok(()) => Kind::Membarrier,
            Err(_) => Kind::BothSides,
        }
    }

    /// Explorers see a fence on both sides, which is what the call amounts to.
    #[cfg(not(all(target_os = "linux", not(all(test, any(loom, shuttle))))))]
    pub(crate) const fn best() -> Kind {
        Kind::BothSides
    }

    /// Passes a fence, as do all threads of the process.
    ///
    /// # Errors
    /// If the system refuses what it once granted: a filter of system calls came later.
    pub(crate) fn pass(self) -> Result<(), Refused> {
        fence(Ordering::SeqCst);
        #[cfg(all(target_os = "linux", not(all(test, any(loom, shuttle)))))]
        if self == Kind::Membarrier {
            use rustix::thread::{MembarrierCommand, membarrier};
            membarrier(MembarrierCommand::PrivateExpedited).map_err(|_| Refused)?;
            fence(Ordering::SeqCst);
        }
        Ok(())
    }
}

/// Holds the compiler to the order of the text.
pub(crate) fn compiler() {
    #[cfg(not(all(test, any(loom, shuttle))))]
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
}
