//! The account of a reservation.

/// Where every byte of a reservation is, at one instant.
///
/// `live_code + live_data + padding + free == reserved` always holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Books {
    /// Bytes of address space in the reservation.
    pub reserved: usize,
    /// Bytes of it that are backed, or will be backed at their first use.
    pub committed: usize,
    /// Bytes asked for and not freed yet in text and stubs.
    pub live_code: usize,
    /// Bytes asked for and not freed yet in read-only data, slots and data.
    pub live_data: usize,
    /// Bytes lost to rounding: neither asked for nor allocatable.
    pub padding: usize,
    /// Bytes that can be allocated.
    pub free: usize,
    /// Number of allocations that are not freed yet, drafts included.
    pub allocations: usize,
}
