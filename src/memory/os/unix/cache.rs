//! Making written code visible to instruction fetch.

#[cfg(target_arch = "aarch64")]
pub(super) use aarch64::{prepare, synchronise};
#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{prepare, synchronise};

/// Instruction fetch is coherent with stores through any mapping, and a
/// processor drops what it has prefetched when a line of it is written. So the
/// store that tells another thread of the code is all that is needed, also at
/// a recycled address: the branch that reaches it loads that store's value.
/// (A barrier across cores would cost 2 to 3 µs for each publication, and 20 ms
/// once.)
#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::ops::Range;

    use crate::memory::MemoryError;

    #[expect(clippy::unnecessary_wraps, reason = "other architectures can fail")]
    pub(in super::super) fn prepare() -> Result<(), MemoryError> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "other architectures can fail")]
    pub(in super::super) fn synchronise(
        _: impl Iterator<Item = Range<usize>>,
    ) -> Result<(), MemoryError> {
        Ok(())
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;
    use std::ops::Range;

    use rustix::thread::{MembarrierCommand, membarrier};

    use super::super::region::refused;
    use crate::memory::MemoryError;

    /// Announces that the process will synchronise cores.
    pub(in super::super) fn prepare() -> Result<(), MemoryError> {
        barrier(MembarrierCommand::RegisterPrivateExpeditedSyncCore)
    }

    /// Cleans the data cache and invalidates the instruction cache for the
    /// ranges, then makes every core that runs the process forget what it has
    /// fetched.
    pub(in super::super) fn synchronise(
        code: impl Iterator<Item = Range<usize>>,
    ) -> Result<(), MemoryError> {
        let mut any = false;
        for range in code {
            clean(range);
            any = true;
        }
        if any { barrier(MembarrierCommand::PrivateExpeditedSyncCore) } else { Ok(()) }
    }

    fn barrier(command: MembarrierCommand) -> Result<(), MemoryError> {
        membarrier(command).map_err(|cause| refused("synchronise the cores for", 0, cause))
    }

    /// The sequence of the architecture manual (B2.4.4): clean each data line
    /// to the point of unification, wait, invalidate each instruction line,
    /// wait, and drop what this core has prefetched.
    fn clean(range: Range<usize>) {
        let lines: u64;
        // SAFETY: the register is readable in user mode and tells line sizes.
        unsafe { asm!("mrs {}, ctr_el0", out(reg) lines, options(nomem, nostack)) };
        let data_line = 4usize << ((lines >> 16) & 15);
        let instruction_line = 4usize << (lines & 15);
        for line in (range.start / data_line * data_line..range.end).step_by(data_line) {
            // SAFETY: the line overlaps mapped, readable memory; cleaning it
            // changes no value.
            unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack)) };
        }
        // SAFETY: a barrier.
        unsafe { asm!("dsb ish", options(nostack)) };
        let first = range.start / instruction_line * instruction_line;
        for line in (first..range.end).step_by(instruction_line) {
            // SAFETY: as for cleaning.
            unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack)) };
        }
        // SAFETY: barriers.
        unsafe { asm!("dsb ish", "isb", options(nostack)) };
    }
}
