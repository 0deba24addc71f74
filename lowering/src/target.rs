//! Targets: what code is made for, and what the back end can do there.
//!
//! [`TargetSpec`] names an architecture, a system, a CPU and its features, in
//! code or in text; [`TargetList`] names several, as an image wants them;
//! [`Isa`] is the back end set up for one.

mod cpu;
mod error;
mod feature;
mod host;
mod isa;
mod list;
mod spec;

pub use cpu::Cpu;
pub use error::TargetError;
pub use feature::{Feature, FeatureSet};
pub use isa::{Allocator, BackEndOptimisation, BackEndVerifier, Isa, IsaOptions, UnwindTables};
pub use list::{Cloning, ImageTarget, SizeGoal, TargetList};
pub use spec::{Architecture, System, TargetSpec};

#[cfg(test)]
mod tests;
