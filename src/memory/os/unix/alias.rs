//! One file in memory, mapped twice.

#[cfg(target_os = "linux")]
pub(super) use linux::{map, populate, punch_hole};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{map, populate, punch_hole};

#[cfg(target_os = "linux")]
mod linux {
    use std::ops::Range;
    use std::os::fd::OwnedFd;
    use std::ptr;

    use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
    use rustix::io::Errno;
    use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap, mprotect};

    use super::super::region::{Region, refused};
    use crate::memory::area::Access;
    use crate::memory::plan::Plan;
    use crate::memory::{Area, MemoryError};

    /// Maps the published areas over `region`, and once more, writable, for the
    /// region that is returned. The file's descriptor is closed at once: the
    /// mappings keep the file.
    pub(in super::super) fn map(region: &Region, plan: &Plan) -> Result<Region, MemoryError> {
        let len = published(plan);
        let file = file(len)?;
        let alias = writable(&file, len)?;
        for area in Area::ALL {
            let protection = match area.access() {
                Access::Execute => ProtFlags::READ | ProtFlags::EXEC,
                Access::Read => ProtFlags::READ,
                Access::ReadWrite => continue,
            };
            map_over(region, &plan.range(area), protection, &file)?;
        }
        Ok(alias)
    }

    /// Maps all of the file to be written, hidden from forks. Another thread may fork at any
    /// instant, so there is nothing to write through before the mapping is hidden.
    fn writable(file: &OwnedFd, len: usize) -> Result<Region, MemoryError> {
        let none = ProtFlags::empty();
        // SAFETY: the kernel picks the address, so nothing is replaced.
        let alias = unsafe { mmap(ptr::null_mut(), len, none, MapFlags::SHARED, file, 0) };
        // SAFETY: the mapping has just been made and belongs to nobody else.
        let alias = unsafe { Region::own(alias, len) }?;
        let start = alias.at(0).as_ptr().cast();
        // SAFETY: the mapping is the alias; a child lacks it and never uses it.
        unsafe { madvise(start, len, Advice::LinuxDontFork) }
            .map_err(|cause| refused("hide from forks", len, cause))?;
        let protection = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: the mapping is the alias, which nobody uses yet.
        unsafe { mprotect(start, len, protection) }
            .map_err(|cause| refused("make writable", len, cause))?;
        Ok(alias)
    }

    /// Backs pages of the file. A write that the kernel cannot back would end
    /// the process, so it is done here, where refusal is an answer.
    pub(in super::super) fn populate(
        alias: &Region,
        range: &Range<u32>,
    ) -> Result<(), MemoryError> {
        match advise(alias, range, Advice::LinuxPopulateWrite) {
            // Kernels before 5.14 have nothing but the write itself.
            Ok(()) | Err(Errno::INVAL) => Ok(()),
            Err(cause) => Err(refused("commit", range.len(), cause)),
        }
    }

    /// Gives pages of the file back; they are zero in both mappings then.
    pub(in super::super) fn punch_hole(
        alias: &Region,
        range: &Range<u32>,
    ) -> Result<(), MemoryError> {
        advise(alias, range, Advice::LinuxRemove)
            .map_err(|cause| refused("give back", range.len(), cause))
    }

    /// The published areas are the first ones.
    fn published(plan: &Plan) -> usize {
        let published = Area::ALL.into_iter().filter(|area| area.access() != Access::ReadWrite);
        published.map(|area| plan.range(area).len()).sum()
    }

    fn file(len: usize) -> Result<OwnedFd, MemoryError> {
        // Not being a program file, it may be made where the system forbids
        // those, and cannot be started. Kernels before 6.3 do not know the flag.
        let named = |flags| memfd_create("brolga-code", flags);
        let file = match named(MemfdFlags::CLOEXEC | MemfdFlags::NOEXEC_SEAL) {
            Err(Errno::INVAL) => named(MemfdFlags::CLOEXEC),
            made => made,
        };
        let file = file.map_err(|cause| refused("make a file of", len, cause))?;
        ftruncate(&file, len as u64).map_err(|cause| refused("make a file of", len, cause))?;
        Ok(file)
    }

    fn map_over(
        region: &Region,
        range: &Range<u32>,
        protection: ProtFlags,
        file: &OwnedFd,
    ) -> Result<(), MemoryError> {
        let start = region.at(range.start).as_ptr().cast();
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        let offset = u64::from(range.start);
        // SAFETY: the pages are part of a region that nobody uses yet.
        unsafe { mmap(start, range.len(), protection, flags, file, offset) }
            .map(drop)
            .map_err(|cause| refused("map", range.len(), cause))
    }

    fn advise(alias: &Region, range: &Range<u32>, advice: Advice) -> Result<(), Errno> {
        let start = alias.at(range.start).as_ptr().cast();
        // SAFETY: the pages are part of the alias and not in use: they are
        // about to be allocated, or free.
        unsafe { madvise(start, range.len(), advice) }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::ops::Range;

    use super::super::region::{Region, unavailable};
    use crate::memory::MemoryError;
    use crate::memory::plan::Plan;

    pub(in super::super) fn map(_: &Region, _: &Plan) -> Result<Region, MemoryError> {
        Err(unavailable("map twice"))
    }

    pub(in super::super) fn populate(_: &Region, _: &Range<u32>) -> Result<(), MemoryError> {
        Err(unavailable("commit"))
    }

    pub(in super::super) fn punch_hole(_: &Region, _: &Range<u32>) -> Result<(), MemoryError> {
        Err(unavailable("give back"))
    }
}
