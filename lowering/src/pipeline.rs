//! The pipeline: one table of passes, and the runner of any list of its rows.

mod inspection;
mod inspector;
mod report;
mod runner;
mod table;
mod text;

pub use inspection::{
    Inspection, InspectionError, InspectionWord, Remarks, Selection, Switch,
    WORDS as INSPECTION_WORDS,
};
pub use inspector::Inspector;
pub use runner::{Legal, PassRun, Report, RunOptions, Timing, legal_function, run_passes};
pub use table::{
    Duty, Level, PASSES, Pass, Stage, border_behind, distinct_passes, ordering_faults, passes_at,
};
pub use text::{PipelineError, PipelineFault, parse_pipeline, passes_named};

#[cfg(test)]
mod tests;
