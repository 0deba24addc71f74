//! A range of addresses that is owned.

use std::ops::Range;
use std::ptr::{self, NonNull};

use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use crate::memory::MemoryError;
use crate::memory::error::OsError;

/// Mapped addresses that nobody else uses; dropping it unmaps them.
#[derive(Debug)]
pub(super) struct Region {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: a region is a number of addresses. What is done with the bytes is
// guarded by those who own parts of it.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Reserves addresses: nothing is accessible, nothing is committed.
    pub(super) fn reserve(len: usize) -> Result<Self, MemoryError> {
        let flags = MapFlags::PRIVATE;
        // SAFETY: the kernel picks the address, so nothing is replaced.
        let base = unsafe { mmap_anonymous(ptr::null_mut(), len, ProtFlags::empty(), flags) };
        // SAFETY: the mapping has just been made and belongs to nobody else.
        unsafe { Self::own(base, len) }
    }

    /// Owns what a mapping call has made.
    ///
    /// # Safety
    /// The `len` bytes, if they are mapped, belong to the caller.
    pub(super) unsafe fn own(
        base: Result<*mut std::ffi::c_void, Errno>,
        len: usize,
    ) -> Result<Self, MemoryError> {
        let base = base.map_err(|cause| refused("map", len, cause))?;
        let base = NonNull::new(base.cast::<u8>()).ok_or_else(|| unavailable("map"))?;
        Ok(Self { base, len })
    }

    /// The byte at an offset inside the region.
    pub(super) fn at(&self, offset: u32) -> NonNull<u8> {
        debug_assert!(offset as usize <= self.len);
        // SAFETY: offsets come from the plan that the region was reserved for.
        unsafe { self.base.add(offset as usize) }
    }

    /// Makes private pages inaccessible and drops what they hold.
    pub(super) fn discard(&self, range: &Range<u32>) -> Result<(), MemoryError> {
        let flags = MapFlags::PRIVATE | MapFlags::FIXED;
        let start = self.at(range.start).as_ptr().cast();
        // SAFETY: the pages are part of this region and free: nobody accesses
        // them. The kernel replaces them in one step.
        let mapped = unsafe { mmap_anonymous(start, range.len(), ProtFlags::empty(), flags) };
        mapped.map(drop).map_err(|cause| refused("give back", range.len(), cause))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // Unmapping a whole mapping that exists cannot fail, and nothing could
        // be done about it.
        // SAFETY: the owner is gone, so nobody refers to the bytes.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
    }
}

/// The error for what the system did not do.
pub(super) fn refused(action: &'static str, bytes: usize, cause: Errno) -> MemoryError {
    MemoryError::Refused { action, bytes, cause: OsError(cause.raw_os_error()) }
}

/// The error for what the system does not have.
pub(super) fn unavailable(action: &'static str) -> MemoryError {
    refused(action, 0, Errno::NOTSUP)
}
