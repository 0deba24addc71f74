//! The account of the memory for code and data.

/// Where every byte of an engine's memory for code and data is, at one instant.
///
/// `live_code + live_data + padding + free == reserved` always holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Bytes of address space.
    pub reserved: usize,
    /// Bytes of it that are backed, or will be backed at their first use.
    pub committed: usize,
    /// Bytes of code and stubs that are asked for and not freed yet.
    pub live_code: usize,
    /// Bytes of data and slots that are asked for and not freed yet.
    pub live_data: usize,
    /// Bytes lost to rounding: neither asked for nor allocatable.
    pub padding: usize,
    /// Bytes that can be allocated.
    pub free: usize,
    /// How many pieces of code and data are not freed yet, unpublished ones included.
    pub allocations: usize,
}
