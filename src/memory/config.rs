//! What an embedder chooses about code memory.

const MIB: usize = 1 << 20;

/// Size, budget and behaviour of a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryConfig {
    /// Bytes of address space to reserve: 1 MiB to 2 GiB, 256 MiB by default.
    /// Reserving costs no memory.
    pub reservation: usize,
    /// How the reservation is divided.
    pub shares: Shares,
    /// Most bytes that may be committed at once; no limit by default.
    pub budget: usize,
    /// Bytes of free pages that are kept for the next allocations; once there
    /// are more, all free pages are given back to the system. 1 MiB by default.
    pub retained: usize,
    /// What a forked child may do.
    pub forking: Forking,
    /// How it may be mapped.
    pub mappings: Mappings,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            reservation: 256 * MIB,
            shares: Shares::default(),
            budget: usize::MAX,
            retained: MIB,
            forking: Forking::default(),
            mappings: Mappings::default(),
        }
    }
}

/// How a reservation may be mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mappings {
    /// In whatever way is the fastest.
    #[default]
    Any,
    /// Once, and of no file: profilers look for names in the file, and debuggers cannot put
    /// breakpoints into memory that is shared.
    Private,
}

/// What a forked child may do with a reservation that it inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Forking {
    /// Parent and child share the pages of the code, so the child may not
    /// change them: allocating and publishing in it is
    /// [`MemoryError::Forked`](super::MemoryError::Forked). Code that the parent
    /// frees may change under a child that is inside it, so such a child should
    /// execute another program or exit. This allows the fastest way of writing
    /// code.
    #[default]
    Refused,
    /// The child gets a copy of its own and goes on. Publishing costs a few
    /// system calls more.
    Safe,
}

/// The parts of a reservation, in 64ths; the text gets what is left.
///
/// The default gives text 24, stubs 8, read-only data 4, slots 4, data 24. In
/// 256 MiB that is 96 MiB of text, a million stubs, two million slots and 96 MiB
/// of data, and text and stubs together span the 128 MiB that a call on AArch64
/// reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares {
    /// 64ths for stubs, at least 1.
    pub stubs: u8,
    /// 64ths for read-only data, at least 1.
    pub read_only: u8,
    /// 64ths for slots, at least 1.
    pub slots: u8,
    /// 64ths for writable data, at least 1.
    pub data: u8,
}

impl Shares {
    /// The number of parts that a reservation is divided into.
    pub(super) const WHOLE: usize = 64;
}

impl Default for Shares {
    fn default() -> Self {
        Self { stubs: 8, read_only: 4, slots: 4, data: 24 }
    }
}
