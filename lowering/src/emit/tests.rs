//! Tests of emission: that everything compiles for every target, that no trap
//! can be reached, and that the same input gives the same bytes.

mod compile;
mod guarded;
mod instance_texts;
#[cfg(all(target_arch = "x86_64", unix))]
mod instances;
mod invalid;
mod limits;
mod programs;
#[cfg(all(target_arch = "x86_64", unix))]
mod run;
#[cfg(all(target_arch = "x86_64", unix))]
mod session;
mod supported;
mod widths;

use brolga_ir::module::Module;
use brolga_ir::text::parse_module;

use super::*;
use crate::options::LowerOptions;
use crate::target::{Isa, IsaOptions, TargetSpec};

/// The targets that tests compile for.
const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-gnu/x86-64",
    "x86_64-unknown-linux-gnu/x86-64-v3",
    "aarch64-unknown-linux-gnu/generic",
];

fn isa(target: &str) -> Isa {
    Isa::new(TargetSpec::parse(target).unwrap(), IsaOptions::default()).unwrap()
}

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}
