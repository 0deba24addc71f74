//! `brolga check`.

use std::path::{Path, PathBuf};

use brolga_ir::verify::require_safe;
use clap::Args;

use crate::failure::{Failure, for_each_file};
use crate::input::{Input, TextForm};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  brolga check examples/nbody.bir
  generate-code | brolga check -
  brolga check --safe *.bir";

/// Parses and verifies, and lists every error with its line
///
/// Says of each module what is in it, and whether it is in the safe dialect or
/// trusts addresses, foreign functions or promises.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The modules: .ll is LLVM IR, anything else our own text; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: TextForm,
    /// What a module trusts is an error
    #[arg(long)]
    safe: bool,
}

pub(crate) fn check(arguments: &Arguments) -> Result<(), Failure> {
    for_each_file(&arguments.files, |file| check_file(file, arguments))
}

fn check_file(file: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(file, arguments.form)?;
    let module = input.verified()?;
    let safety = require_safe(&module);
    if let (true, Err(errors)) = (arguments.safe, &safety) {
        return Err(input.breaches(errors, None));
    }
    let count = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let functions = count(module.functions().len(), "function");
    let data = count(module.data_objects().len(), "data object");
    let dialect = if safety.is_ok() { "safe" } else { "raw" };
    output::print(format!("{}: {functions}, {data}, {dialect}\n", input.name()).as_bytes())
}
