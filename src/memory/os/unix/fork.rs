//! Telling a forked child from its parent.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use rustix::process::{Pid, getpid};

use super::region::Region;
use crate::memory::MemoryError;

/// What the word holds in the process that owns the reservation.
const OWN: u32 = 1;

/// Something that a fork changes.
#[derive(Debug)]
pub(super) enum ForkMark {
    /// A word on a page that the kernel clears in a child.
    Wiped(Region),
    /// The number of the process, where the kernel does not clear pages. Costs
    /// a system call to compare.
    Process(AtomicI32),
}

impl ForkMark {
    /// A mark of this process.
    pub(super) fn new() -> Result<Self, MemoryError> {
        let mark = match wiped_page()? {
            Some(page) => Self::Wiped(page),
            None => Self::Process(AtomicI32::new(0)),
        };
        mark.adopt();
        Ok(mark)
    }

    /// Whether this process is not the one that made or adopted the mark.
    pub(super) fn in_child(&self) -> bool {
        match self {
            Self::Wiped(page) => word(page).load(Ordering::Relaxed) != OWN,
            Self::Process(owner) => owner.load(Ordering::Relaxed) != Pid::as_raw(Some(getpid())),
        }
    }

    /// Makes the mark this process's own.
    pub(super) fn adopt(&self) {
        match self {
            Self::Wiped(page) => word(page).store(OWN, Ordering::Relaxed),
            Self::Process(owner) => owner.store(Pid::as_raw(Some(getpid())), Ordering::Relaxed),
        }
    }
}

fn word(page: &Region) -> &AtomicU32 {
    // SAFETY: the page is mapped readable and writable as long as the region
    // lives, aligned, and only accessed by this function's callers.
    unsafe { page.at(0).cast::<AtomicU32>().as_ref() }
}

#[cfg(target_os = "linux")]
fn wiped_page() -> Result<Option<Region>, MemoryError> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};

    let len = rustix::param::page_size();
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: the kernel picks the address, so nothing is replaced.
    let page = unsafe { mmap_anonymous(std::ptr::null_mut(), len, protection, MapFlags::PRIVATE) };
    // SAFETY: the mapping has just been made and belongs to nobody else.
    let page = unsafe { Region::own(page, len) }?;
    // SAFETY: clearing the page in children is what it is for.
    let wiped = unsafe { madvise(page.at(0).as_ptr().cast(), len, Advice::LinuxWipeOnFork) };
    Ok(wiped.is_ok().then_some(page))
}

#[cfg(not(target_os = "linux"))]
fn wiped_page() -> Result<Option<Region>, MemoryError> {
    Ok(None)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::memory::tests::in_child;

    #[test]
    fn a_mark_tells_a_child_until_it_is_adopted() {
        let process = ForkMark::Process(AtomicI32::new(0));
        process.adopt();
        let wiped = ForkMark::new().unwrap();
        assert!(matches!(wiped, ForkMark::Wiped(_)));
        for mark in [process, wiped] {
            assert!(!mark.in_child());
            in_child(|| {
                assert!(mark.in_child());
                mark.adopt();
                assert!(!mark.in_child());
                in_child(|| assert!(mark.in_child()));
            });
            assert!(!mark.in_child());
        }
    }
}
