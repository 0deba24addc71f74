//! The reservation: the ways in, and the lock.

use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use super::block::Place;
use super::os::{self, Mapping, Platform as _};
use super::packing::Parcel;
use super::plan::Plan;
use super::state::State;
use super::{
    Area, Batch, Books, Draft, Forking, Mappings, MemoryConfig, MemoryError, Request, Slot,
    SlotPair, Strategy,
};

/// How often a forked child tries to take over the lock before it concludes
/// that the lock was held, by a thread that exists in the parent alone, at the
/// instant of the fork.
const ADOPTION_ATTEMPTS: u32 = 1000;

/// One contiguous range of code memory. Clones refer to the same range.
#[derive(Clone, Debug)]
pub(crate) struct Reservation {
    shared: Arc<Shared>,
}

impl Reservation {
    /// Reserves address space as `config` says. No page is committed.
    ///
    /// # Errors
    /// [`MemoryError::Config`], [`MemoryError::Refused`], and
    /// [`MemoryError::Unsupported`] where there is no code memory at all.
    pub(crate) fn new(config: &MemoryConfig) -> Result<Self, MemoryError> {
        let strategies: &[Strategy] = match (config.forking, config.mappings) {
            (Forking::Refused, Mappings::Any) => &Strategy::ALL,
            (Forking::Safe, _) | (_, Mappings::Private) => &Strategy::PRIVATE,
        };
        Self::with_strategies(config, strategies)
    }

    /// Like [`Reservation::new`], with the first of `strategies` that the
    /// system allows.
    pub(super) fn with_strategies(
        config: &MemoryConfig,
        strategies: &[Strategy],
    ) -> Result<Self, MemoryError> {
        let plan = Plan::new(config, os::page_size())?;
        let shared = Shared {
            plan,
            mapping: Mapping::reserve(&plan, strategies)?,
            forking: config.forking,
            state: Mutex::new(State::new(&plan, config)),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Allocates one range, to be written and published.
    ///
    /// # Errors
    /// [`MemoryError::Full`], [`MemoryError::Budget`],
    /// [`MemoryError::Alignment`], [`MemoryError::Refused`],
    /// [`MemoryError::Forked`].
    pub(crate) fn allocate(&self, request: &Request) -> Result<Draft, MemoryError> {
        let shared = &self.shared;
        let parcel = Parcel::single(request, &shared.plan, shared.mapping.strategy())?;
        let home = shared.lock()?.place(&shared.mapping, &parcel)?;
        Ok(Draft::new(shared, request.area, &home, request.layout.size()))
    }

    /// Allocates every request or none, to be written and published together.
    /// Requests of an area are neighbours, in their order, if there is room.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`].
    pub(crate) fn allocate_batch(
        &self,
        requests: impl IntoIterator<Item = Request, IntoIter: Clone>,
    ) -> Result<Batch, MemoryError> {
        let (shared, requests) = (&self.shared, requests.into_iter());
        let (parcels, count) = Parcel::of_batch(requests, &shared.plan, shared.mapping.strategy())?;
        let placed = shared.lock()?.place_all(&shared.mapping, parcels)?;
        Ok(Batch::new(shared, count, &placed))
    }

    /// Allocates, writes and publishes one range: `fill` gets its bytes and the
    /// address that they will have.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`] and [`Draft::publish`].
    #[cfg(test)]
    pub(crate) fn place(
        &self,
        area: Area,
        layout: std::alloc::Layout,
        fill: impl FnOnce(&mut [u8], usize),
    ) -> Result<super::Block, MemoryError> {
        let mut draft = self.allocate(&Request::new(area, layout))?;
        draft.write(fill)?;
        draft.publish()
    }

    /// Allocates a slot that holds `initial`.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`].
    pub(crate) fn slot(&self, initial: u64) -> Result<Slot, MemoryError> {
        let block = self.allocate(&Slot::REQUEST)?.publish()?;
        Ok(Slot::new(block, initial))
    }

    /// Allocates a slot for each value, or none.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`].
    pub(crate) fn slots(&self, initial: &[u64]) -> Result<Vec<Slot>, MemoryError> {
        let requests = iter::repeat_n(Slot::REQUEST, initial.len());
        let mut blocks = self.allocate_batch(requests)?.publish()?;
        let slots = blocks.take_all().zip(initial);
        Ok(slots.map(|(block, &initial)| Slot::new(block, initial)).collect())
    }

    /// Allocates so many pairs of slots, or none.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`].
    pub(crate) fn slot_pairs(&self, count: usize) -> Result<Vec<SlotPair>, MemoryError> {
        let requests = iter::repeat_n(SlotPair::REQUEST, count);
        let mut blocks = self.allocate_batch(requests)?.publish()?;
        Ok(blocks.take_all().map(SlotPair::new).collect())
    }

    /// Allocates a pair of slots.
    ///
    /// # Errors
    /// Those of [`Reservation::allocate`].
    pub(crate) fn slot_pair(&self) -> Result<SlotPair, MemoryError> {
        Ok(SlotPair::new(self.allocate(&SlotPair::REQUEST)?.publish()?))
    }

    /// The most bytes that it could ever hold: its own, or the budget.
    ///
    /// # Errors
    /// [`MemoryError::Forked`].
    pub(crate) fn largest(&self) -> Result<usize, MemoryError> {
        Ok(self.shared.lock()?.budget().min(self.shared.plan.len()))
    }

    /// The account, as it was at one instant. A forked child that may not use
    /// the reservation sees only what is reserved.
    pub(crate) fn books(&self) -> Books {
        let reserved = self.shared.plan.len();
        match self.shared.lock() {
            Ok(state) => state.books(reserved),
            Err(_) => Books { reserved, ..Books::default() },
        }
    }

    /// Gives every free page back to the system, whatever the configuration
    /// retains.
    ///
    /// # Errors
    /// [`MemoryError::Forked`], and [`MemoryError::Refused`] where the system
    /// does not take a page.
    #[cfg(test)]
    pub(crate) fn trim(&self) -> Result<(), MemoryError> {
        self.shared.lock()?.trim(&self.shared.mapping)
    }

    /// The addresses of an area.
    pub(crate) fn addresses(&self, area: Area) -> Range<usize> {
        let base = self.shared.mapping.base().addr().get();
        let range = self.shared.plan.range(area);
        base + range.start as usize..base + range.end as usize
    }

    /// How the pages are mapped and written.
    #[cfg(test)]
    pub(crate) fn strategy(&self) -> Strategy {
        self.shared.mapping.strategy()
    }

    /// Whether this process may use the reservation: one load, for the way
    /// into compiled code.
    ///
    /// # Errors
    /// [`MemoryError::Forked`].
    pub(crate) fn ensure_usable(&self) -> Result<(), MemoryError> {
        self.shared.ensure_usable()
    }
}

/// What all handles of a reservation refer to.
#[derive(Debug)]
pub(super) struct Shared {
    pub plan: Plan,
    pub mapping: Mapping,
    forking: Forking,
    state: Mutex<State>,
}

impl Shared {
    pub(super) fn ensure_usable(&self) -> Result<(), MemoryError> {
        match self.forking {
            Forking::Refused if self.mapping.in_forked_child() => Err(MemoryError::Forked),
            _ => Ok(()),
        }
    }

    /// Frees one allocation; in a child that may not use the reservation there
    /// is nothing to free.
    pub(super) fn free(&self, place: Place) {
        if let Ok(mut state) = self.lock() {
            state.free(&self.mapping, place.area(self), place);
        }
    }

    fn lock(&self) -> Result<MutexGuard<'_, State>, MemoryError> {
        match self.forking {
            _ if !self.mapping.in_forked_child() => {
                Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner))
            }
            Forking::Refused => Err(MemoryError::Forked),
            Forking::Safe => self.adopt(),
        }
    }

    /// Takes the lock for the first time in a forked child.
    fn adopt(&self) -> Result<MutexGuard<'_, State>, MemoryError> {
        for _ in 0..ADOPTION_ATTEMPTS {
            let guard = match self.state.try_lock() {
                Ok(guard) => Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                // Another thread of the child adopts it, or nobody ever will.
                Err(TryLockError::WouldBlock) if !self.mapping.in_forked_child() => {
                    Some(self.state.lock().unwrap_or_else(PoisonError::into_inner))
                }
                Err(TryLockError::WouldBlock) => None,
            };
            if let Some(guard) = guard {
                self.mapping.adopt();
                return Ok(guard);
            }
            thread::yield_now();
        }
        Err(MemoryError::Forked)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::memory::tests::in_child;

    #[test]
    fn a_safe_child_adopts_the_reservation_at_its_first_use() {
        let config = MemoryConfig { forking: Forking::Safe, ..MemoryConfig::default() };
        let reservation = Reservation::new(&config).unwrap();
        in_child(|| {
            assert!(reservation.shared.mapping.in_forked_child());
            let _slot = reservation.slot(1).unwrap();
            assert!(!reservation.shared.mapping.in_forked_child());
        });
    }

    #[test]
    fn a_safe_child_of_a_fork_under_the_lock_gets_an_error() {
        let config = MemoryConfig { forking: Forking::Safe, ..MemoryConfig::default() };
        let reservation = Reservation::new(&config).unwrap();
        let mut slot = Some(reservation.slot(1).unwrap());
        let guard = reservation.shared.lock().unwrap();
        in_child(|| {
            assert_eq!(reservation.slot(2).unwrap_err(), MemoryError::Forked);
            assert_eq!(reservation.books().allocations, 0);
            slot.take();
        });
        drop(guard);
        assert_eq!(reservation.books().allocations, 1);
        slot.take();
        assert_eq!(reservation.books().allocations, 0);
    }
}
