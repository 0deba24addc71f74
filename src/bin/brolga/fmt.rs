//! `brolga fmt`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::{Failure, for_each_file};
use crate::input::{Form, Input, TextForm};
use crate::output;
use crate::render::{Problem, render};

const EXAMPLES: &str = "\
Examples:
  brolga fmt module.bir
  brolga fmt --check *.bir
  brolga fmt --write generated.bir
  generate-code | brolga fmt -";

/// Prints the canonical text
///
/// The text need not verify, but it must parse. Comments stay: on lines of
/// their own before what they stand before, or behind it on its line.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The modules, as text; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the text back instead of printing it
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print nothing, and fail if the text is not canonical
    #[arg(long)]
    check: bool,
}

pub(crate) fn format(arguments: &Arguments) -> Result<(), Failure> {
    for_each_file(&arguments.files, |file| format_file(file, arguments))
}

fn format_file(file: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(file, TextForm::BY_NAME)?;
    if input.form() == Form::Ll {
        let mut problem =
            Problem::new(format_args!("{} is LLVM IR, not our own text", input.name()));
        problem.help = Some("`brolga import` prints the module of ours that it is".to_owned());
        return Err(Failure::Usage(render(None, &problem)));
    }
    let canonical = input.formatted()?;
    let is_canonical = canonical.as_bytes() == input.bytes();
    if arguments.check {
        return if is_canonical { Ok(()) } else { Err(not_canonical(&input)) };
    }
    match arguments.write && file != Path::new("-") {
        true if is_canonical => Ok(()),
        true => output::write(Some(file), canonical.as_bytes()),
        false => output::print(canonical.as_bytes()),
    }
}

fn not_canonical(input: &Input) -> Failure {
    let mut problem = Problem::new(format_args!("{}: the text is not canonical", input.name()));
    problem.help = Some("`brolga fmt` prints it as it should be".to_owned());
    Failure::Module(render(None, &problem))
}
