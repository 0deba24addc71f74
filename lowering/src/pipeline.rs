//! The pipeline: one table of passes, and the runner of any list of its rows.

mod call_order;
mod demand;
mod flattened;
mod inspection;
mod inspector;
mod list;
mod part;
mod planned;
mod prepared;
mod report;
mod row;
mod runner;
mod stream;
mod table;
mod text;

pub use crate::level::Level;
pub(crate) use call_order::needed;
pub use demand::{Demand, GivenUp};
pub use flattened::{Flattened, flattened_function};
pub use inspection::{
    Inspection, InspectionError, InspectionWord, Remarks, Selection, Switch,
    WORDS as INSPECTION_WORDS,
};
pub use inspector::{Inspector, Step, Watcher};
pub use list::{PassList, passes_wanted};
pub use part::{Part, is_open, legal_part, open_callees, opens_callees};
pub use planned::{PLANNED, PlannedPass};
pub use prepared::{Finishing, Legal, Prepared, Unfinished, legal_function};
pub use row::{
    Duty, Open, Order, Pass, Place, Stage, border_behind, distinct_passes, ordering_faults,
    passes_at, passes_for,
};
pub use runner::{PassRun, Report, RunOptions, Timing, run_passes};
pub use stream::Stream;
pub use table::PASSES;
pub use text::{PipelineError, PipelineFault, parse_pipeline, passes_named};

#[cfg(test)]
mod tests;
