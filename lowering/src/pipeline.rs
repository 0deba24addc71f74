//! The pipeline: one table of passes, and the runner of any list of its rows.

mod runner;
mod table;

pub use runner::{Legal, PassRun, Report, RunOptions, Timing, legal_function, run_passes};
pub use table::{Level, PASSES, Pass, Stage, ordering_faults, passes_at, passes_named};

#[cfg(test)]
mod tests;
