//! Targets: what code is made for, and what the back end can do there.
//!
//! [`TargetSpec`] names an architecture, a system, a CPU and its features, in
//! code or in text; [`TargetList`] names several, as an image wants them;
//! [`Isa`] is the back end set up for one; [`support`] says what the back end
//! does by itself there, and what must be expanded; [`TargetFacts`] what that costs.

mod cpu;
mod error;
mod facts;
mod feature;
mod host;
mod isa;
mod legality;
mod list;
mod machine_type;
mod order;
mod primitive;
mod requirement;
mod spec;

pub use cpu::Cpu;
pub use error::TargetError;
pub use facts::{Bank, Cache, TargetFacts};
pub use feature::{Feature, FeatureSet};
pub use isa::{BackEndVerifier, Isa, IsaOptions, UnwindTables};
pub use legality::{Expansion, Support, missing_features, support};
pub use list::{Cloning, ImageTarget, SizeGoal, TargetList};
pub use machine_type::{MachineType, TypeSet};
pub(crate) use order::{Order, is_plain};
pub use primitive::{Primitive, Shape};
pub use spec::{Architecture, System, TargetSpec};

#[cfg(test)]
mod tests;
