//! What the tests and soaks of this repository are fed with: generated
//! programs, mutated modules and texts, and the comparison of every way to run
//! a program with the reference interpreter.

pub mod allocation;
pub mod compare;
pub mod corpus;
pub mod emulated;
pub mod generate;
pub mod host;
pub mod llvm;
pub mod mutate;
pub mod parallel;
pub mod pass_list;
pub mod process;
pub mod programs;
pub mod random;
pub mod reduce;
pub mod reproducer;
pub mod scenario;
pub mod soak;
pub mod torture;
