//! Writing private pages that are not writable, through the kernel.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;

use super::region::Region;
use crate::memory::MemoryError;
use crate::memory::error::OsError;

/// Writes the pieces. The file is opened anew each time: a descriptor that a
/// forked child inherits writes the memory of its parent.
pub(super) fn write(region: &Region, pieces: &[(u32, &[u8])]) -> Result<(), MemoryError> {
    let bytes = pieces.iter().map(|(_, bytes)| bytes.len()).sum();
    let refused = |cause: std::io::Error| MemoryError::Refused {
        action: "write",
        bytes,
        cause: OsError(cause.raw_os_error().unwrap_or_default()),
    };
    let memory = OpenOptions::new().write(true).open("/proc/self/mem");
    let memory = memory.map_err(refused)?;
    for &(offset, bytes) in pieces {
        let address = region.at(offset).addr().get() as u64;
        memory.write_all_at(bytes, address).map_err(refused)?;
    }
    Ok(())
}
