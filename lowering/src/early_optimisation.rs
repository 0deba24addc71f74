//! Stage 2: cheap passes that cut the number of instructions.

mod alloc_opt;
mod constraint_elimination;
mod correlated_values;
mod cpu_features;
mod expand_accesses;
mod jump_threading;
mod reassociate;

pub use alloc_opt::alloc_opt;
pub use constraint_elimination::constraint_elimination;
pub use correlated_values::correlated_values;
pub use cpu_features::cpu_features;
pub use expand_accesses::expand_accesses;
pub use jump_threading::jump_threading;
pub use reassociate::reassociate;
