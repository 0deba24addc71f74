//! Long runs of generated input, in processes that may die: what one seed is
//! fed to, the worker that runs a range of them, and the ledger of what has
//! been run.

mod command;
mod ledger;
mod subject;
mod supervise;
mod tally;
mod trees;
mod worker;

pub use command::{Request, Resume, Task, USAGE, parse};
pub use subject::{Finding, Subject, program_text, reduced, run_seed};
pub use supervise::soak;
pub use tally::Tally;
pub use worker::work;
