//! What the lock guards: the allocators of all areas and the budget.

use std::ops::Range;

use super::block::Place;
use super::commitment::Runs;
use super::os::{Mapping, Platform as _};
use super::packing::Parcel;
use super::plan::Plan;
use super::space::Space;
use super::{Area, Books, MemoryConfig, MemoryError};

/// The state of a reservation.
#[derive(Debug)]
pub(super) struct State {
    spaces: [Space; Area::ALL.len()],
    /// Bytes that are committed at once.
    unit: usize,
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
    pub stale: Runs,
}

impl State {
    /// An empty reservation.
    pub(super) fn new(plan: &Plan, config: &MemoryConfig) -> Self {
        Self {
            spaces: Area::ALL.map(|area| Space::new(area, plan)),
            unit: plan.unit() as usize,
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
        let most = parcel.size.saturating_add(2 * self.unit);
        if most > self.unspent() && self.idle() > 0 {
            // Free pages elsewhere count, as far as the system takes them.
            let _ = self.trim(mapping);
        }
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

    /// Places all parcels or none. Members that do not fit together are placed
    /// one by one, if they may be.
    pub(super) fn place_all(
        &mut self,
        mapping: &Mapping,
        parcels: Vec<Parcel>,
    ) -> Result<Vec<(Parcel, Home)>, MemoryError> {
        let mut placed = Vec::with_capacity(parcels.len());
        for parcel in parcels {
            if let Err(error) = self.place_somehow(mapping, parcel, &mut placed) {
                for (parcel, home) in &placed {
                    self.take_back(mapping, parcel, home);
                }
                return Err(error);
            }
        }
        Ok(placed)
    }

    fn place_somehow(
        &mut self,
        mapping: &Mapping,
        parcel: Parcel,
        placed: &mut Vec<(Parcel, Home)>,
    ) -> Result<(), MemoryError> {
        match self.place(mapping, &parcel) {
            Ok(home) => placed.push((parcel, home)),
            Err(error) => {
                for member in parcel.divided().ok_or(error)? {
                    let home = self.place(mapping, &member)?;
                    placed.push((member, home));
                }
            }
        }
        Ok(())
    }

    fn take_back(&mut self, mapping: &Mapping, parcel: &Parcel, home: &Home) {
        for member in &parcel.members {
            let offset = parcel.range_of(member, home.range.start).start;
            self.free(mapping, parcel.area, Place { offset, size: member.size });
        }
    }

    /// Frees one allocation. Once more pages are free than are to be retained,
    /// all of them are given back: so the next time is not soon.
    pub(super) fn free(&mut self, mapping: &Mapping, area: Area, place: Place) {
        self.spaces[area.index()].free_one(place.offset, place.size as usize);
        if self.idle() > self.retained {
            // A page that the system does not take stays committed, and is
            // accounted as such.
            let _ = self.trim(mapping);
        }
    }

    /// Gives every free page back.
    pub(super) fn trim(&mut self, mapping: &Mapping) -> Result<(), MemoryError> {
        for area in Area::ALL {
            let commitment = &mut self.spaces[area.index()].commitment;
            for run in commitment.idle_runs() {
                mapping.release(area.access(), &run)?;
                commitment.set_absent(&run);
                self.committed -= run.len();
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

    /// The most bytes that may be committed.
    pub(super) fn budget(&self) -> usize {
        self.budget
    }

    fn unspent(&self) -> usize {
        self.budget.saturating_sub(self.committed)
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
        if requested > self.unspent() {
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
}
