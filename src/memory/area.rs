//! The areas that a reservation is cut into.

use std::fmt;

/// Bytes of a block that holds a stub, and its alignment.
pub(crate) const STUB_BLOCK: usize = 32;

/// One part of a reservation: what it holds decides its protection, its
/// granule and the way it is written.
///
/// The order is the order of addresses: stubs and text are neighbours, so that
/// on AArch64 a call (reach 128 MiB either way) gets from any function to any
/// stub of a reservation of the default size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Area {
    /// Stubs, in blocks of 32 bytes.
    Stubs,
    /// Function bodies.
    Text,
    /// Data that does not change once it is published.
    ReadOnly,
    /// 8-byte words that machine code reads, stored atomically.
    Slots,
    /// Data that compiled code may write.
    Data,
}

/// What may be done at the addresses of an area once it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Read and execute.
    Execute,
    /// Read.
    Read,
    /// Read and write.
    ReadWrite,
}

/// From where an area is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// From its lowest address.
    Up,
    /// From its highest.
    Down,
}

impl Area {
    /// Every area, in the order of addresses.
    pub(crate) const ALL: [Area; 5] =
        [Area::Stubs, Area::Text, Area::ReadOnly, Area::Slots, Area::Data];

    /// The protection of the area's published bytes.
    pub(super) const fn access(self) -> Access {
        match self {
            Area::Text | Area::Stubs => Access::Execute,
            Area::ReadOnly => Access::Read,
            Area::Slots | Area::Data => Access::ReadWrite,
        }
    }

    /// From which end the area is filled. Stubs come down to where the text begins: AMD's Zen 5
    /// takes longer for branches that lead further than some megabytes, as far as can be measured.
    /// Virtual calls took a tenth longer while the areas began 96 MiB from each other. To Intel's
    /// Golden Cove addresses that differ by a multiple of 16 MiB are one: a stub and the branch in
    /// the text that it coincides with miss each time, 13 ns for a call. So only text coincides
    /// that is 16 MiB away.
    pub(super) const fn growth(self) -> Growth {
        match self {
            Area::Stubs => Growth::Down,
            Area::Text | Area::ReadOnly | Area::Slots | Area::Data => Growth::Up,
        }
    }

    /// The bytes that sizes are rounded up to and addresses are aligned to.
    pub(crate) const fn granule(self) -> u32 {
        match self {
            Area::Stubs => STUB_BLOCK as u32,
            Area::Text | Area::ReadOnly | Area::Data => 16,
            Area::Slots => 8,
        }
    }

    /// Whether the area holds machine code, for the books.
    pub(super) const fn is_code(self) -> bool {
        matches!(self.access(), Access::Execute)
    }

    /// The area's place in [`Area::ALL`].
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Area::Text => "text",
            Area::Stubs => "stubs",
            Area::ReadOnly => "read-only data",
            Area::Slots => "slots",
            Area::Data => "data",
        })
    }
}
