//! The way down: from verified IR through the staged passes to machine code,
//! as [`CompiledUnit`](unit::CompiledUnit)s.

pub mod buffer;
pub mod emit;
pub mod error;
pub mod options;
pub mod prelude;
pub mod runtime;
pub mod target;
pub mod unit;

/// How the names of the prelude's functions start, which no module may define.
pub const PRELUDE_PREFIX: &str = "brolga.";
