//! Code memory: where compiled units live.
//!
//! A [`Reservation`] is one contiguous range of addresses, at most 2 GiB, so
//! that a 32-bit displacement reaches everything in it from everywhere in it.
//! The range is cut into [`Area`]s (stubs, text, read-only data, slots, data),
//! each with its own free list, and its pages are committed as they are needed
//! and given back when they have become free.
//!
//! The life of an allocation is told by types, so that it cannot go wrong:
//!
//! ```text
//! Reservation::allocate ──► Draft, Batch ──► publish ──────► Block ──► drop
//!                           address known,   never writable  frees the bytes
//!                           bytes written    again
//! ```
//!
//! * No page is ever writable and executable at once. Where the system lets
//!   one file be mapped twice, drafts are written through a second mapping;
//!   elsewhere they are staged and installed ([`Strategy`] has the choices).
//! * A [`Block`] is the ownership of its bytes: it cannot be copied, so it
//!   cannot be freed twice; dropping it frees it at once. Whoever retires
//!   code keeps the block until no thread can be inside.
//! * A [`Slot`] is one 8-byte word that machine code reads and that is
//!   published with one atomic store.
//! * The range stays mapped until the last reservation handle, draft, block
//!   and slot are gone.
//!
//! Everything is `Send + Sync`. One lock is taken to allocate, free and
//! account; no caller's code runs under it.

mod area;
mod block;
mod books;
mod commitment;
mod config;
mod draft;
mod error;
mod holes;
mod os;
mod packing;
mod plan;
mod reservation;
mod space;
mod state;

#[cfg(all(test, target_os = "linux"))]
mod tests;

pub(crate) use area::{Area, STUB_BLOCK};
pub(crate) use block::{Block, Slot, SlotPair};
pub use books::Books;
pub(crate) use config::{Forking, Mappings, MemoryConfig, Shares};
pub(crate) use draft::{Batch, Blocks, Draft};
pub(crate) use error::MemoryError;
pub(crate) use os::Strategy;
pub(crate) use packing::Request;
pub(crate) use reservation::Reservation;
