//! What the lock guards: the allocators of all areas and the budget.

use std::ops::Range;

use super::os::{Mapping, Platform as _};
use super::packing::Parcel;
use super::plan::Plan;
use super::space::Space;
use super::{Area, Books, MemoryConfig, MemoryError};

/// The state of a reservation.
#[derive(Debug)]
pub(super) struct State {
    spaces: [Space; Area::ALL.len()],
    committed: usize,
    budget: usize,
    retained: usize,
}

/// Where a parcel has been placed.
#[derive(Debug)]
pub(super) struct Home {
    /// Its bytes.
    pub range: Range<u32>,
    /// The parts that may hold the bytes of earlier allocations.
    pub stale: Vec<Range<u32>>,
}

impl State {
    /// An empty reservation.
    pub(super) fn new(plan: &Plan, config: &MemoryConfig) -> Self {
        Self {
            spaces: Area::ALL.map(|area| Space::new(area, plan)),
            committed: 0,
            budget: config.budget,
            retained: config.retained,
        }
    }

    /// Places one parcel on committed pages.
    pub(super) fn place(
        &mut self,
        mapping: &Mapping,
        parcel: &Parcel,
    ) -> Result<Home, MemoryError> {
        let space = &mut self.spaces[parcel.area.index()];
        let range = space.place(parcel)?;
        let stale = space.commitment.stale(&range);
        if let Err(error) = self.commit(mapping, parcel.area, &range) {
            self.spaces[parcel.area.index()].give_up(range);
            return Err(error);
        }
        self.spaces[parcel.area.index()].settle(&range, parcel);
        Ok(Home { range, stale })
    }

    /// Places all parcels or none.
    pub(super) fn place_all(
        &mut self,
        mapping: &Mapping,
        parcels: &[Parcel],
    ) -> Result<Vec<Home>, MemoryError> {
        let mut homes: Vec<Home> = Vec::with_capacity(parcels.len());
        for parcel in parcels {
            match self.place(mapping, parcel) {
                Ok(home) => homes.push(home),
                Err(error) => {
                    self.take_back(mapping, parcels, &homes);
                    return Err(error);
                }
            }
        }
        Ok(homes)
    }

    fn take_back(&mut self, mapping: &Mapping, parcels: &[Parcel], homes: &[Home]) {
        for (parcel, home) in parcels.iter().zip(homes) {
            for member in &parcel.members {
                let offset = home.range.start + member.offset as u32;
                self.free(mapping, parcel.area, offset, member.size);
            }
        }
    }

    /// Frees one allocation, and gives pages back once more of them are free
    /// than are to be retained.
    pub(super) fn free(&mut self, mapping: &Mapping, area: Area, offset: u32, size: usize) {
        let hole = self.spaces[area.index()].free_one(offset, size);
        if let Some(hole) = hole
            && self.idle() > self.retained
        {
            // A page that the system does not take stays committed, and is
            // accounted as such.
            let _ = self.release(mapping, area, &hole);
        }
    }

    /// Gives every free page back.
    pub(super) fn trim(&mut self, mapping: &Mapping) -> Result<(), MemoryError> {
        for area in Area::ALL {
            for hole in self.spaces[area.index()].holes() {
                self.release(mapping, area, &hole)?;
            }
        }
        Ok(())
    }

    /// The account of a reservation of `reserved` bytes.
    pub(super) fn books(&self, reserved: usize) -> Books {
        let mut books = Books { reserved, committed: self.committed, ..Books::default() };
        for (area, space) in Area::ALL.into_iter().zip(&self.spaces) {
            if area.is_code() {
                books.live_code += space.live();
            } else {
                books.live_data += space.live();
            }
            books.padding += space.padding();
            books.free += space.free();
            books.allocations += space.allocations();
        }
        books
    }

    fn idle(&self) -> usize {
        self.spaces.iter().map(|space| space.commitment.idle()).sum()
    }

    /// Backs the pages of a range within the budget. What could be committed
    /// before an error stays so, and is accounted as such.
    fn commit(
        &mut self,
        mapping: &Mapping,
        area: Area,
        range: &Range<u32>,
    ) -> Result<(), MemoryError> {
        let absent = self.spaces[area.index()].commitment.absent(range);
        let requested = absent.iter().map(Range::len).sum::<usize>();
        if requested > self.budget.saturating_sub(self.committed) && self.idle() > 0 {
            // Free pages count. One that the system does not take is none.
            let _ = self.trim(mapping);
        }
        if requested > self.budget.saturating_sub(self.committed) {
            return Err(MemoryError::Budget {
                requested,
                committed: self.committed,
                budget: self.budget,
            });
        }
        for run in absent {
            mapping.commit(area.access(), &run)?;
            self.spaces[area.index()].commitment.set_committed(&run);
            self.committed += run.len();
        }
        Ok(())
    }

    fn release(
        &mut self,
        mapping: &Mapping,
        area: Area,
        hole: &Range<u32>,
    ) -> Result<(), MemoryError> {
        for run in self.spaces[area.index()].commitment.idle_in(hole) {
            mapping.release(area.access(), &run)?;
            self.spaces[area.index()].commitment.set_absent(&run);
            self.committed -= run.len();
        }
        Ok(())
    }
}
