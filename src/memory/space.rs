//! The allocator of one area.

use std::collections::BTreeMap;
use std::ops::Range;

use super::area::Growth;
use super::commitment::Commitment;
use super::holes::Holes;
use super::packing::{self, Parcel, Sharing};
use super::plan::Plan;
use super::{Area, MemoryError};

/// Free list, pages and account of one area.
#[derive(Debug)]
pub(super) struct Space {
    area: Area,
    range: Range<u32>,
    /// By offsets that ascend from where the area is filled.
    holes: Holes,
    /// The state of the area's pages.
    pub commitment: Commitment,
    /// Sealed parcels by their start.
    sealed: BTreeMap<u32, Sealed>,
    live: usize,
    allocations: usize,
}

/// A parcel that is given back only as a whole.
#[derive(Debug)]
struct Sealed {
    end: u32,
    /// Members not freed yet.
    members: usize,
}

impl Space {
    /// An area with nothing in it.
    pub(super) fn new(area: Area, plan: &Plan) -> Self {
        let range = plan.range(area);
        Self {
            area,
            commitment: Commitment::new(range.clone(), area.growth(), plan.unit()),
            holes: Holes::new(range.clone()),
            range,
            sealed: BTreeMap::new(),
            live: 0,
            allocations: 0,
        }
    }

    /// Bytes asked for and not freed yet.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Bytes that can be allocated.
    pub(super) fn free(&self) -> usize {
        self.holes.free() as usize
    }

    /// Bytes that are neither live nor free.
    pub(super) fn padding(&self) -> usize {
        self.range.len() - self.free() - self.live
    }

    /// Number of allocations.
    pub(super) fn allocations(&self) -> usize {
        self.allocations
    }

    /// Takes a range for a parcel. It is to be followed by [`Space::settle`] or
    /// [`Space::give_up`].
    pub(super) fn place(&mut self, parcel: &Parcel) -> Result<Range<u32>, MemoryError> {
        let size = u32::try_from(parcel.size).ok();
        size.and_then(|size| {
            // Down from the end, it is what follows that is at a multiple.
            let whole = match self.area.growth() {
                Growth::Up => size,
                Growth::Down => size.checked_next_multiple_of(parcel.align)?,
            };
            let near = self.holes.take(whole, parcel.align)?;
            let taken = self.turned(&(near..near + whole));
            let (range, rest) = (taken.start..taken.start + size, taken.start + size..taken.end);
            if !rest.is_empty() {
                self.give_up(rest);
            }
            Some(range)
        })
        .ok_or(MemoryError::Full {
            area: self.area,
            requested: parcel.size,
            largest: self.holes.largest() as usize,
            free: self.free(),
            capacity: self.range.len(),
        })
    }

    /// Gives back a range that could not be committed.
    pub(super) fn give_up(&mut self, range: Range<u32>) {
        self.holes.give(self.turned(&range));
    }

    /// Offsets as those that ascend from where the area is filled, and back.
    fn turned(&self, range: &Range<u32>) -> Range<u32> {
        let Range { start, end } = self.range;
        match self.area.growth() {
            Growth::Up => range.clone(),
            Growth::Down => start + (end - range.end)..start + (end - range.start),
        }
    }

    /// Enters a parcel whose range is committed.
    pub(super) fn settle(&mut self, range: &Range<u32>, parcel: &Parcel) {
        self.commitment.occupy(range);
        self.live += parcel.members.iter().map(|member| member.size as usize).sum::<usize>();
        self.allocations += parcel.members.len();
        match parcel.sharing {
            Sharing::Free => {
                for gap in parcel.gaps(range.start) {
                    self.commitment.vacate(&gap);
                    self.give_up(gap);
                }
            }
            Sharing::Sealed => {
                let sealed = Sealed { end: range.end, members: parcel.members.len() };
                self.sealed.insert(range.start, sealed);
            }
        }
    }

    /// Frees one allocation.
    pub(super) fn free_one(&mut self, offset: u32, size: usize) {
        self.live -= size;
        self.allocations -= 1;
        let range = match self.sealed.range_mut(..=offset).next_back() {
            Some((&start, sealed)) if offset < sealed.end => {
                sealed.members -= 1;
                if sealed.members > 0 {
                    return;
                }
                let range = start..sealed.end;
                self.sealed.remove(&start);
                range
            }
            _ => offset..offset + packing::rounded(self.area, size) as u32,
        };
        self.commitment.vacate(&range);
        self.give_up(range);
    }
}
