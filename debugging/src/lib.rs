//! What debuggers and profilers are told of compiled code.
//!
//! All of it is made of a [`CompiledUnit`](brolga_lowering::unit::CompiledUnit) and the address
//! that it stands at, a [`PlacedUnit`]. There is no engine here and no thread: whoever places
//! code says so, and withdraws what was said before the code is freed.
//!
//! | module | tells | by |
//! |---|---|---|
//! | [`lines`] | whoever asks | rows of address, file and line |
//! | [`gdb`] | gdb, and what else reads its JIT interface | an object in memory with DWARF, in a list of the process |
//! | [`jitdump`] | `perf inject --jit` | a file of records, with lines and the code itself |
//! | [`perf_map`] | `perf report` and `perf top` | a file of text, one line for each name |
//!
//! They do not share a trait: gdb's registrations end with the code, perf's records stay.

pub mod gdb;
pub mod jitdump;
pub mod lines;
mod names;
pub mod perf_map;
mod placed;

pub use placed::PlacedUnit;
