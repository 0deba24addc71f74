//! The border to the operating system.
//!
//! One trait, one implementation per family of systems. Ranges are offsets in
//! the reservation, in whole pages where nothing else is said.

use std::ops::Range;
use std::ptr::NonNull;

use super::MemoryError;
use super::area::Access;
use super::plan::Plan;

// Where code memory exists. AArch64 needs a barrier across processors that
// only Linux offers, and macOS on AArch64 pages of a kind of their own.
#[cfg(all(unix, any(target_arch = "x86_64", all(target_arch = "aarch64", target_os = "linux"))))]
mod unix;
#[cfg(all(
    unix,
    any(target_arch = "x86_64", all(target_arch = "aarch64", target_os = "linux"))
))]
use unix as platform;
// Tests compile it everywhere, so that it cannot rot.
#[cfg(any(
    test,
    not(all(
        unix,
        any(target_arch = "x86_64", all(target_arch = "aarch64", target_os = "linux"))
    ))
))]
#[cfg_attr(test, allow(dead_code, reason = "tests look at one function of it"))]
mod unsupported;
#[cfg(not(all(
    unix,
    any(target_arch = "x86_64", all(target_arch = "aarch64", target_os = "linux"))
)))]
use unsupported as platform;

pub(super) use platform::{Mapping, page_size};

/// How pages are mapped and written. No page is writable and executable at
/// once in any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Published areas are one file mapped twice: executable (or readable)
    /// where machine code lives, writable elsewhere. Writing costs no system
    /// call. A forked child shares the pages and has no writable mapping.
    Alias,
    /// Published areas are private and never writable; the kernel writes them
    /// through the process's memory file. Safe to fork.
    ProcessMemory,
    /// Published areas are private; a batch gets pages of its own, which are
    /// writable until it is published, and are given back when all of it is
    /// freed. Safe to fork, works on every Unix, and wastes the rest of the
    /// last page of each batch.
    Protection,
}

impl Strategy {
    /// Every strategy, the best first.
    pub(super) const ALL: [Strategy; 3] =
        [Strategy::Alias, Strategy::ProcessMemory, Strategy::Protection];
    /// Those that give a forked child a copy of its own, the best first.
    pub(super) const PRIVATE: [Strategy; 2] = [Strategy::ProcessMemory, Strategy::Protection];
}

/// A reserved range of addresses and the way to change its pages. Dropping it
/// unmaps everything.
pub(super) trait Platform: Sized + Send + Sync {
    /// Reserves a range that `plan` divides, by the first strategy that works.
    fn reserve(plan: &Plan, strategies: &[Strategy]) -> Result<Self, MemoryError>;

    /// The first byte of the range. Nothing but whole-page arithmetic is meant
    /// by it: bytes are accessible once committed, as the area says.
    fn base(&self) -> NonNull<u8>;

    /// The strategy in use.
    fn strategy(&self) -> Strategy;

    /// Backs pages that are not committed.
    fn commit(&self, access: Access, range: &Range<u32>) -> Result<(), MemoryError>;

    /// Gives committed pages back; committed again they are zero.
    fn release(&self, access: Access, range: &Range<u32>) -> Result<(), MemoryError>;

    /// Where the committed bytes from `offset` on are written in place, if they
    /// can be.
    fn writable(&self, access: Access, offset: u32) -> Option<NonNull<u8>>;

    /// Writes bytes that cannot be written in place. The pieces are committed
    /// and of one area, in the order of addresses; with
    /// [`Strategy::Protection`] no other allocation lives on the pages from
    /// the first to the last.
    fn install(&self, access: Access, pieces: &[(u32, &[u8])]) -> Result<(), MemoryError>;

    /// Makes written code visible to the instruction fetch of every thread.
    fn synchronise(&self, code: impl Iterator<Item = Range<usize>>) -> Result<(), MemoryError>;

    /// Whether this process is a forked child that has not adopted the range.
    fn in_forked_child(&self) -> bool;

    /// Makes the range the forked child's own.
    fn adopt(&self);
}
