//! Allocations that are used: blocks and slots.

use std::alloc::Layout;
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::os::Platform as _;
use super::reservation::Shared;
use super::{Area, Request};

/// A published allocation, and the ownership of its bytes: dropping it frees
/// them at once.
///
/// Nothing here knows who is running the bytes: code is kept until no thread
/// can be inside and nothing leads to it.
pub(crate) struct Block {
    pub(super) shared: Arc<Shared>,
    pub(super) place: Place,
}

/// Where the bytes of an allocation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// From the start of the reservation.
    pub offset: u32,
    /// Bytes asked for.
    pub size: u32,
}

impl Place {
    /// The address of the first byte, as machine code sees it.
    pub(super) fn address(self, shared: &Shared) -> usize {
        shared.mapping.base().addr().get() + self.offset as usize
    }

    pub(super) fn area(self, shared: &Shared) -> Area {
        shared.plan.area_of(self.offset)
    }
}

impl Block {
    /// The address of the first byte, as machine code sees it.
    pub(crate) fn address(&self) -> usize {
        self.place.address(&self.shared)
    }

    /// The first byte. It can be read; it can be written in [`Area::Data`] and
    /// [`Area::Slots`] alone.
    pub(crate) fn pointer(&self) -> NonNull<u8> {
        // SAFETY: the offset of an allocation is inside the reservation.
        unsafe { self.shared.mapping.base().add(self.place.offset as usize) }
    }

    /// Bytes asked for.
    pub(crate) fn size(&self) -> usize {
        self.place.size as usize
    }

    /// The addresses of the bytes.
    pub(crate) fn addresses(&self) -> Range<usize> {
        self.address()..self.address() + self.size()
    }

    /// Where the bytes are.
    pub(crate) fn area(&self) -> Area {
        self.place.area(&self.shared)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.shared.free(self.place);
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({} at {:#x?})", self.area(), self.addresses())
    }
}

/// One 8-byte word that machine code reads. Dropping it gives the word to the
/// next slot.
#[derive(Debug)]
pub(crate) struct Slot(Block);

impl Slot {
    /// What [`Reservation::slot`](super::Reservation::slot) allocates.
    pub(super) const REQUEST: Request = Request::new(Area::Slots, Layout::new::<AtomicU64>());

    /// Makes a block of [`Slot::REQUEST`] a slot that holds `initial`.
    pub(super) fn new(block: Block, initial: u64) -> Self {
        let slot = Self(block);
        slot.cell().store(initial, Ordering::Release);
        slot
    }

    /// The address of the word.
    pub(crate) fn address(&self) -> usize {
        self.0.address()
    }

    /// The word. Machine code reads it with a plain load, so what it leads to
    /// must be published by a store with release ordering.
    pub(crate) fn cell(&self) -> &AtomicU64 {
        // SAFETY: a slot is 8 committed bytes aligned to 8, initialised, mapped
        // as long as the block lives, and accessed atomically only.
        unsafe { self.0.pointer().cast::<AtomicU64>().as_ref() }
    }
}

/// Two [slots](Slot), one behind the other.
#[derive(Debug)]
pub(crate) struct SlotPair(Block);

impl SlotPair {
    /// What [`Reservation::slot_pairs`](super::Reservation::slot_pairs) allocates for each.
    pub(super) const REQUEST: Request = Request::new(Area::Slots, Layout::new::<[AtomicU64; 2]>());

    /// Makes a block of [`SlotPair::REQUEST`] two slots, which hold zero.
    pub(super) fn new(block: Block) -> Self {
        let pair = Self(block);
        pair.cells().iter().for_each(|cell| cell.store(0, Ordering::Release));
        pair
    }

    /// The addresses of the words.
    pub(crate) fn addresses(&self) -> [usize; 2] {
        let first = self.0.address();
        [first, first + size_of::<AtomicU64>()]
    }

    /// The words, which machine code reads as that of a [`Slot`].
    pub(crate) fn cells(&self) -> &[AtomicU64; 2] {
        // SAFETY: a pair is 16 committed bytes aligned to 8, initialised, mapped as long as the
        // block lives, and accessed atomically only.
        unsafe { self.0.pointer().cast::<[AtomicU64; 2]>().as_ref() }
    }
}
