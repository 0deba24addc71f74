//! Many races, and the page that is made of them.
//!
//! Every race runs in a process of its own, so that no back end warms another's caches,
//! crashes another, or shares its memory; and they run in turns, so that whatever the
//! machine does to one it does to all. A page compares only what came of one such run.

mod bars;
mod climb;
mod drive;
mod format;
mod gates;
mod kernels;
mod loops;
mod machine;
mod page;
mod plot;
mod record;
#[cfg(test)]
mod samples;
mod summary;
mod svg;
mod time;

pub use drive::{Plan, Start, measure};
pub use loops::loops;
pub use machine::Machine;
pub use page::{PICTURES, page};
pub use record::{Input, Journal, Record, Records, Temperature};
pub use summary::Summary;
