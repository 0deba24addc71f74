//! What we are measured with: programs, kernels, and every way to run them that a user
//! could have chosen instead.
//!
//! A [`Source`](source::Source) is a text with a function `i64 kernel(i64)`. A
//! [`Backend`](backend::Backend) reads it, compiles it as often as it is told, and hands out
//! something to call, with what each step cost. One [`race`] takes one source through one
//! back end in one process; a [`report`] is many of them, each in a process of its own.

pub mod agreement;
pub mod backend;
pub mod checks;
pub mod first_tier;
pub mod join;
pub mod kernel;
pub mod lifecycle;
pub mod programs;
pub mod race;
pub mod report;
pub mod shapes;
pub mod source;
pub mod toolchain;

pub use programs::{
    live_values, long_function, many_functions, many_loops, nested_branches, nested_loops,
    wide_switch,
};
