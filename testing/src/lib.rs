//! What the tests and soaks of this repository are fed with: generated
//! programs, mutated modules and texts, and the comparison of every way to run
//! a program with the reference interpreter.

pub mod generate;
pub mod random;
