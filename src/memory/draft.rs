//! Allocations that are written: nobody else can reach their bytes yet.

use std::fmt;
use std::mem;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use super::block::Place;
use super::os::Platform as _;
use super::packing::Parcel;
use super::reservation::Shared;
use super::state::Home;
use super::{Area, Block, MemoryError};

/// An allocation that is not published: nobody else can reach its bytes. They
/// are zero at first. Dropping it frees them.
#[derive(Debug)]
pub(crate) struct Draft {
    block: Block,
    staged: Staged,
}

/// The bytes of an allocation whose pages are never writable, until they are installed; none of
/// one that is written in its pages. Rounding is included, so that no byte of an earlier
/// allocation stays behind.
type Staged = Box<[u8]>;

impl Draft {
    /// The draft of an allocation at a place that has just been taken.
    pub(super) fn new(shared: &Arc<Shared>, area: Area, home: &Home, size: usize) -> Self {
        let place = Place { offset: home.range.start, size: size as u32 };
        let staged = clear(shared, area, &home.range, &home.stale);
        Self { block: Block { shared: Arc::clone(shared), place }, staged }
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
        let Self { block: Block { shared, place }, staged } = self;
        // SAFETY: the place is the draft's, which is borrowed and not published.
        unsafe { write(shared, *place, staged, fill) }
    }

    /// Makes the bytes what every thread executes and reads at the draft's
    /// addresses. Other threads may be told of an address after this, by a
    /// store with release ordering (such as to [`Slot::cell`](super::Slot::cell)).
    ///
    /// # Errors
    /// [`MemoryError::Refused`] where the system does not let the pages be
    /// written, and [`MemoryError::Forked`]; the draft is freed.
    pub(crate) fn publish(self) -> Result<Block, MemoryError> {
        let Self { block, staged } = self;
        publish(&block.shared, &[block.place], std::slice::from_ref(&staged))?;
        Ok(block)
    }
}

/// Allocations that were made together and are published together, in the order
/// of their requests. Dropping it frees them.
///
/// A large module has tens of thousands: what is kept of each is its place.
#[must_use = "a batch that is not published is freed"]
pub(crate) struct Batch {
    shared: Arc<Shared>,
    places: Vec<Place>,
    /// Of each place, if any is not written in its pages.
    staged: Vec<Staged>,
}

impl Batch {
    /// The batch of so many allocations, whose parcels have just been placed.
    pub(super) fn new(shared: &Arc<Shared>, count: usize, placed: &[(Parcel, Home)]) -> Self {
        let (places, shared) = (vec![Place { offset: 0, size: 0 }; count], Arc::clone(shared));
        let mut batch = Self { shared, places, staged: Vec::new() };
        for (parcel, home) in placed {
            for member in &parcel.members {
                let range = parcel.range_of(member, home.range.start);
                let index = member.index as usize;
                batch.places[index] = Place { offset: range.start, size: member.size };
                let staged = clear(&batch.shared, parcel.area, &range, &home.stale);
                if !staged.is_empty() {
                    batch.staged.resize_with(count, Staged::default);
                    batch.staged[index] = staged;
                }
            }
        }
        batch
    }

    /// The address that the first byte of an allocation has for machine code, now and once it is
    /// published.
    pub(crate) fn address(&self, index: usize) -> Option<usize> {
        Some(self.places.get(index)?.address(&self.shared))
    }

    /// Like [`Draft::write`], of one of them.
    ///
    /// # Errors
    /// [`MemoryError::Forked`].
    ///
    /// # Panics
    /// If there are not so many.
    pub(crate) fn write<R>(
        &mut self,
        index: usize,
        fill: impl FnOnce(&mut [u8], usize) -> R,
    ) -> Result<R, MemoryError> {
        let staged = self.staged.get_mut(index).map(|staged| &mut **staged).unwrap_or_default();
        // SAFETY: the place is the batch's, which is borrowed and not published; no two of its
        // places overlap.
        unsafe { write(&self.shared, self.places[index], staged, fill) }
    }

    /// Like [`Draft::publish`], for all of them at once.
    ///
    /// # Errors
    /// Those of [`Draft::publish`]; all are freed.
    pub(crate) fn publish(self) -> Result<Blocks, MemoryError> {
        publish(&self.shared, &self.places, &self.staged)?;
        Ok(Blocks(self))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let places = mem::take(&mut self.places);
        places.into_iter().filter(|&place| place != TAKEN).for_each(|it| self.shared.free(it));
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({:?})", self.places)
    }
}

/// A batch that is published. Those that nobody takes are freed.
#[derive(Debug)]
pub(crate) struct Blocks(Batch);

/// Where what was taken stood: no place is behind the end of all.
const TAKEN: Place = Place { offset: u32::MAX, size: 0 };

impl Blocks {
    /// One of them, if it is still there.
    pub(crate) fn take(&mut self, index: usize) -> Option<Block> {
        let place = mem::replace(self.0.places.get_mut(index)?, TAKEN);
        (place != TAKEN).then(|| Block { shared: Arc::clone(&self.0.shared), place })
    }

    /// All that are still there, in the order of their requests.
    pub(crate) fn take_all(&mut self) -> impl Iterator<Item = Block> {
        (0..self.0.places.len()).filter_map(|index| self.take(index))
    }
}

/// Makes the bytes of an allocation zero, of which those in `stale`, which are in order, may be
/// left from earlier ones.
fn clear(shared: &Shared, area: Area, range: &Range<u32>, stale: &[Range<u32>]) -> Staged {
    let Some(start) = shared.mapping.writable(area.access(), range.start) else {
        return vec![0; range.len()].into();
    };
    let first = stale.partition_point(|stale| stale.end <= range.start);
    for stale in stale[first..].iter().take_while(|stale| stale.start < range.end) {
        let from = stale.start.max(range.start) - range.start;
        let to = stale.end.min(range.end) - range.start;
        // SAFETY: the bytes are committed, writable, and part of a range that has just been
        // taken, which nobody else refers to.
        unsafe { start.add(from as usize).write_bytes(0, (to - from) as usize) };
    }
    Staged::default()
}

/// Lets `fill` write the bytes of an allocation.
///
/// # Safety
/// It is not published, and the caller has it for itself.
unsafe fn write<R>(
    shared: &Shared,
    place: Place,
    staged: &mut [u8],
    fill: impl FnOnce(&mut [u8], usize) -> R,
) -> Result<R, MemoryError> {
    shared.ensure_usable()?;
    let size = place.size as usize;
    let bytes = match shared.mapping.writable(place.area(shared).access(), place.offset) {
        // SAFETY: the range is committed, writable and initialised, and no other reference to it
        // exists: that is the caller's promise.
        Some(start) => unsafe { NonNull::slice_from_raw_parts(start, size).as_mut() },
        None => &mut staged[..size],
    };
    Ok(fill(bytes, place.address(shared)))
}

/// Publishes allocations, some of which may be staged.
fn publish(shared: &Shared, places: &[Place], staged: &[Staged]) -> Result<(), MemoryError> {
    shared.ensure_usable()?;
    for area in Area::ALL {
        let pieces = places
            .iter()
            .zip(staged)
            .filter(|(place, bytes)| !bytes.is_empty() && place.area(shared) == area);
        let pieces: Vec<_> = pieces.map(|(place, bytes)| (place.offset, &**bytes)).collect();
        if !pieces.is_empty() {
            shared.mapping.install(area.access(), &pieces)?;
        }
    }
    let code = places.iter().filter(|place| place.area(shared).is_code());
    shared.mapping.synchronise(code.map(|place| {
        let start = place.address(shared);
        start..start + place.size as usize
    }))
}
