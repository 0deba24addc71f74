//! Code memory on Unix.

mod alias;
mod cache;
mod fork;
mod process_memory;
mod region;

use std::ops::Range;
use std::ptr::NonNull;

use rustix::mm::{MprotectFlags, mprotect};

use self::fork::ForkMark;
use self::region::Region;
use super::{Platform, Strategy};
use crate::memory::area::Access;
use crate::memory::plan::Plan;
use crate::memory::{Area, MemoryError};

/// A reserved range.
#[derive(Debug)]
pub(in crate::memory) struct Mapping {
    /// What machine code sees.
    region: Region,
    writer: Writer,
    mark: ForkMark,
    page: u32,
}

/// What [`Strategy`] needs at hand.
#[derive(Debug)]
enum Writer {
    /// The writable mapping of the published areas, at the same offsets.
    Alias(Region),
    ProcessMemory,
    Protection,
}

/// Bytes of a page.
pub(in crate::memory) fn page_size() -> usize {
    rustix::param::page_size()
}

impl Mapping {
    fn attempt(plan: &Plan, strategy: Strategy) -> Result<Self, MemoryError> {
        let region = Region::reserve(plan.len())?;
        let writer = match strategy {
            Strategy::Alias => Writer::Alias(alias::map(&region, plan)?),
            Strategy::ProcessMemory => Writer::ProcessMemory,
            Strategy::Protection => Writer::Protection,
        };
        let mapping = Self { region, writer, mark: ForkMark::new()?, page: plan.page() };
        if strategy == Strategy::ProcessMemory {
            mapping.probe(plan)?;
        }
        Ok(mapping)
    }

    /// Tries on one page whether the kernel writes what is not writable: it may
    /// be configured not to, and nothing but trying tells.
    fn probe(&self, plan: &Plan) -> Result<(), MemoryError> {
        let start = plan.range(Area::Text).start;
        let page = start..start + self.page;
        self.commit(Access::Execute, &page)?;
        self.install(Access::Execute, &[(start, &[0])])?;
        self.release(Access::Execute, &page)
    }

    fn protect(&self, range: &Range<u32>, flags: MprotectFlags) -> Result<(), MemoryError> {
        let start = self.region.at(range.start);
        // SAFETY: the pages belong to this mapping, and the callers own what
        // is on them: nobody accesses them in a way that `flags` takes away.
        let changed = unsafe { mprotect(start.as_ptr().cast(), range.len(), flags) };
        changed.map_err(|cause| region::refused("protect", range.len(), cause))
    }

    /// Copies the pieces to pages that nothing else lives on.
    fn install_by_protection(
        &self,
        access: Access,
        pieces: &[(u32, &[u8])],
    ) -> Result<(), MemoryError> {
        let starts = pieces.iter().map(|&(offset, _)| offset);
        let ends = pieces.iter().map(|&(offset, bytes)| offset + bytes.len() as u32);
        let (Some(start), Some(end)) = (starts.min(), ends.max()) else {
            return Ok(());
        };
        let pages = start / self.page * self.page..end.next_multiple_of(self.page);
        self.protect(&pages, MprotectFlags::READ | MprotectFlags::WRITE)?;
        for &(offset, bytes) in pieces {
            let to = self.region.at(offset);
            // SAFETY: the pages have just been made writable, hold the whole
            // piece, and nothing that is in use.
            unsafe { to.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
        }
        self.protect(&pages, flags(access))
    }
}

impl Platform for Mapping {
    fn reserve(plan: &Plan, strategies: &[Strategy]) -> Result<Self, MemoryError> {
        cache::prepare()?;
        let mut outcome = Err(region::unavailable("map"));
        for &strategy in strategies {
            outcome = Self::attempt(plan, strategy);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    fn base(&self) -> NonNull<u8> {
        self.region.at(0)
    }

    fn strategy(&self) -> Strategy {
        match self.writer {
            Writer::Alias(_) => Strategy::Alias,
            Writer::ProcessMemory => Strategy::ProcessMemory,
            Writer::Protection => Strategy::Protection,
        }
    }

    fn commit(&self, access: Access, range: &Range<u32>) -> Result<(), MemoryError> {
        match (&self.writer, access) {
            (_, Access::ReadWrite) | (Writer::ProcessMemory, _) => {
                self.protect(range, flags(access))
            }
            (Writer::Alias(alias), _) => alias::populate(alias, range),
            // Installing sets the protection.
            (Writer::Protection, _) => Ok(()),
        }
    }

    fn release(&self, access: Access, range: &Range<u32>) -> Result<(), MemoryError> {
        match (&self.writer, access) {
            (Writer::Alias(alias), Access::Execute | Access::Read) => {
                alias::punch_hole(alias, range)
            }
            _ => self.region.discard(range),
        }
    }

    fn writable(&self, access: Access, offset: u32) -> Option<NonNull<u8>> {
        match (&self.writer, access) {
            (_, Access::ReadWrite) => Some(self.region.at(offset)),
            (Writer::Alias(alias), _) => Some(alias.at(offset)),
            (Writer::ProcessMemory | Writer::Protection, _) => None,
        }
    }

    fn install(&self, access: Access, pieces: &[(u32, &[u8])]) -> Result<(), MemoryError> {
        match self.writer {
            // The bytes are written in place.
            Writer::Alias(_) => Ok(()),
            Writer::ProcessMemory => process_memory::write(&self.region, pieces),
            Writer::Protection => self.install_by_protection(access, pieces),
        }
    }

    fn synchronise(&self, code: impl Iterator<Item = Range<usize>>) -> Result<(), MemoryError> {
        cache::synchronise(code)
    }

    fn in_forked_child(&self) -> bool {
        self.mark.in_child()
    }

    fn adopt(&self) {
        self.mark.adopt();
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // A child does not inherit the writable mapping: its addresses may be
        // somebody else's by now.
        if self.mark.in_child()
            && let Writer::Alias(alias) = std::mem::replace(&mut self.writer, Writer::Protection)
        {
            std::mem::forget(alias);
        }
    }
}

fn flags(access: Access) -> MprotectFlags {
    match access {
        Access::Execute => MprotectFlags::READ | MprotectFlags::EXEC,
        Access::Read => MprotectFlags::READ,
        Access::ReadWrite => MprotectFlags::READ | MprotectFlags::WRITE,
    }
}
