//! Allocations: drafts that are written, blocks that are used, slots.

use std::alloc::Layout;
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::os::Platform as _;
use super::reservation::Shared;
use super::{Area, MemoryError, Request};

/// A published allocation, and the ownership of its bytes: dropping it frees
/// them at once.
///
/// Nothing here knows who is running the bytes: code is kept until no thread
/// can be inside and nothing leads to it.
pub(crate) struct Block {
    shared: Arc<Shared>,
    offset: u32,
    size: u32,
}

impl Block {
    /// The address of the first byte, as machine code sees it.
    pub(crate) fn address(&self) -> usize {
        self.pointer().addr().get()
    }

    /// The first byte. It can be read; it can be written in [`Area::Data`] and
    /// [`Area::Slots`] alone.
    pub(crate) fn pointer(&self) -> NonNull<u8> {
        // SAFETY: the offset of an allocation is inside the reservation.
        unsafe { self.shared.mapping.base().add(self.offset as usize) }
    }

    /// Bytes asked for.
    pub(crate) fn size(&self) -> usize {
        self.size as usize
    }

    /// The addresses of the bytes.
    pub(crate) fn addresses(&self) -> Range<usize> {
        self.address()..self.address() + self.size()
    }

    /// Where the bytes are.
    pub(crate) fn area(&self) -> Area {
        self.shared.plan.area_of(self.offset)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.shared.free(self.area(), self.offset, self.size());
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({} at {:#x?})", self.area(), self.addresses())
    }
}

/// An allocation that is not published: nobody else can reach its bytes. They
/// are zero at first. Dropping it frees them.
pub(crate) struct Draft {
    block: Block,
    bytes: Bytes,
}

/// Where the bytes of a draft are.
enum Bytes {
    /// In their pages.
    InPlace(NonNull<u8>),
    /// In a buffer, since the pages are never writable. Rounding is included,
    /// so that no byte of an earlier allocation stays behind.
    Staged(Box<[u8]>),
}

// SAFETY: the pointer of bytes in place is an address in pages that the draft
// owns; only the draft's methods use it, under Rust's rules of borrowing.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Draft {
    /// The draft of `size` bytes at a range that has just been placed. Of the
    /// ranges in `stale`, which are in order, those bytes that are the draft's
    /// may be left from earlier allocations.
    pub(super) fn new(
        shared: &Arc<Shared>,
        range: &Range<u32>,
        size: usize,
        stale: &[Range<u32>],
    ) -> Self {
        let block = Block { shared: Arc::clone(shared), offset: range.start, size: size as u32 };
        let Some(start) = shared.mapping.writable(block.area().access(), range.start) else {
            return Self { block, bytes: Bytes::Staged(vec![0; range.len()].into()) };
        };
        let first = stale.partition_point(|stale| stale.end <= range.start);
        for stale in stale[first..].iter().take_while(|stale| stale.start < range.end) {
            let from = stale.start.max(range.start) - range.start;
            let to = stale.end.min(range.end) - range.start;
            // SAFETY: the bytes are committed, writable, and the draft's: they
            // are part of its range, which nobody else refers to.
            unsafe { start.add(from as usize).write_bytes(0, (to - from) as usize) };
        }
        Self { block, bytes: Bytes::InPlace(start) }
    }

    /// The address that the first byte has for machine code, now and once it
    /// is published.
    pub(crate) fn address(&self) -> usize {
        self.block.address()
    }

    /// Bytes asked for.
    #[cfg(test)]
    pub(crate) fn size(&self) -> usize {
        self.block.size()
    }

    /// Lets `fill` write the bytes, given the address that the first one will
    /// have. It may be done several times; the bytes stay.
    ///
    /// # Errors
    /// [`MemoryError::Forked`].
    pub(crate) fn write<R>(
        &mut self,
        fill: impl FnOnce(&mut [u8], usize) -> R,
    ) -> Result<R, MemoryError> {
        self.block.shared.ensure_usable()?;
        let size = self.block.size();
        let bytes = match &mut self.bytes {
            // SAFETY: the range is committed, writable and initialised, and no
            // other reference to it exists: the draft is borrowed mutably and
            // its bytes have not been published.
            Bytes::InPlace(start) => unsafe {
                NonNull::slice_from_raw_parts(*start, size).as_mut()
            },
            Bytes::Staged(bytes) => &mut bytes[..size],
        };
        Ok(fill(bytes, self.block.address()))
    }

    fn staged(&self) -> Option<(u32, &[u8])> {
        match &self.bytes {
            Bytes::InPlace(_) => None,
            Bytes::Staged(bytes) => Some((self.block.offset, bytes)),
        }
    }

    /// Makes the bytes what every thread executes and reads at the draft's
    /// addresses. Other threads may be told of an address after this, by a
    /// store with release ordering (such as to [`Slot::cell`]).
    ///
    /// # Errors
    /// [`MemoryError::Refused`] where the system does not let the pages be
    /// written, and [`MemoryError::Forked`]; the draft is freed.
    pub(crate) fn publish(self) -> Result<Block, MemoryError> {
        publish(&self.block.shared, std::slice::from_ref(&self))?;
        Ok(self.block)
    }
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draft({:?})", self.block)
    }
}

/// Drafts that were allocated together and are published together, in the order
/// of their requests. Dropping it frees them.
#[derive(Debug)]
#[must_use = "a batch that is not published is freed"]
pub(crate) struct Batch {
    shared: Arc<Shared>,
    drafts: Vec<Draft>,
}

impl Batch {
    pub(super) fn new(shared: Arc<Shared>, drafts: Vec<Draft>) -> Self {
        Self { shared, drafts }
    }

    /// The drafts.
    pub(crate) fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The drafts, to be written.
    pub(crate) fn drafts_mut(&mut self) -> &mut [Draft] {
        &mut self.drafts
    }

    /// Like [`Draft::publish`], for all of them at once.
    ///
    /// # Errors
    /// Those of [`Draft::publish`]; the drafts are freed.
    pub(crate) fn publish(self) -> Result<Vec<Block>, MemoryError> {
        publish(&self.shared, &self.drafts)?;
        Ok(self.drafts.into_iter().map(|draft| draft.block).collect())
    }
}

fn publish(shared: &Shared, drafts: &[Draft]) -> Result<(), MemoryError> {
    shared.ensure_usable()?;
    if drafts.iter().any(|draft| draft.staged().is_some()) {
        install(shared, drafts)?;
    }
    let code = drafts.iter().filter(|draft| draft.block.area().is_code());
    shared.mapping.synchronise(code.map(|draft| draft.block.addresses()))
}

fn install(shared: &Shared, drafts: &[Draft]) -> Result<(), MemoryError> {
    for area in Area::ALL {
        let drafts = drafts.iter().filter(|draft| draft.block.area() == area);
        let staged: Vec<_> = drafts.filter_map(Draft::staged).collect();
        if !staged.is_empty() {
            shared.mapping.install(area.access(), &staged)?;
        }
    }
    Ok(())
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
