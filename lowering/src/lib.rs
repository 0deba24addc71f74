//! The way down: from verified IR through the staged passes to machine code,
//! as [`CompiledUnit`](unit::CompiledUnit)s.

pub mod runtime;
pub mod target;
pub mod unit;
