//! How much memory this process takes at most, by an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes in use.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The most that there have been since [`begin`].
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting;

fn took(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    if live > MOST.load(Relaxed) {
        MOST.store(live, Relaxed);
    }
}

// SAFETY: each call goes to the system's allocator as it came, and gives what that gave.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may be there at once.
        took(size);
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Starts to count: the bytes in use, for [`most_since`].
pub(crate) fn begin() -> usize {
    let live = LIVE.load(Relaxed);
    MOST.store(live, Relaxed);
    live
}

/// How many more bytes than `before` were in use at once since [`begin`] gave that.
pub(crate) fn most_since(before: usize) -> usize {
    MOST.load(Relaxed).saturating_sub(before)
}
