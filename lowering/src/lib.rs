//! The way down: from verified IR through the staged passes to machine code,
//! as [`CompiledUnit`](unit::CompiledUnit)s.

pub mod analysis;
pub mod buffer;
pub mod clean_up;
pub mod continuation;
pub mod dependencies;
pub mod early_optimisation;
pub mod early_simplification;
pub mod emit;
pub mod error;
pub mod legal_form;
pub mod level;
pub mod loops;
pub mod object;
pub mod options;
pub mod pass;
pub mod pipeline;
pub mod prelude;
pub mod runtime;
pub mod scalars;
pub mod target;
pub mod unit;
pub mod vectorisation;

pub use prelude::PRELUDE_PREFIX;
