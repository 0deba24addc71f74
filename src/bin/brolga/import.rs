//! `brolga import`.

use std::path::PathBuf;

use brolga_ir::text::print_module;
use clap::Args;

use crate::failure::Failure;
use crate::input::{Input, TextForm};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  clang -O2 -S -emit-llvm kernel.c && brolga import kernel.ll
  brolga import kernel.ll -o kernel.bir
  rustc --emit llvm-ir -o - lib.rs | brolga import -";

/// Reads LLVM IR and prints it as a module of our own
///
/// What has no meaning here is an error with its place, never left out. Each file is read by
/// itself: what it declares and does not define, the process defines.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module as text of LLVM IR; `-` for standard input
    file: PathBuf,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn import(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.file.extension().is_some_and(|extension| extension == "bir") {
        let name = output::path_text(&arguments.file);
        let text = format!("{name} is a module of our own; `brolga export` makes LLVM IR of it");
        return Err(Failure::usage(text));
    }
    let module = Input::read(&arguments.file, TextForm::LLVM)?.verified()?;
    output::write(arguments.output.as_deref(), print_module(&module).as_bytes())
}
