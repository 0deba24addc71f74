//! Stage 2: cheap passes that cut the number of instructions.

mod cpu_features;

pub use cpu_features::cpu_features;
