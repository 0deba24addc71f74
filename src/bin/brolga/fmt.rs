//! `brolga fmt`.

use std::path::{Path, PathBuf};

use brolga_ir::text::print_module;
use clap::Args;

use crate::failure::{Failure, for_each_file};
use crate::input::Input;
use crate::output;
use crate::render::{Problem, comment_start, render};

const EXAMPLES: &str = "\
Examples:
  brolga fmt module.bir
  brolga fmt --check *.bir
  brolga fmt --write generated.bir
  generate-code | brolga fmt -";

/// Prints the canonical text
///
/// The text need not verify, but it must parse. Comments are no part of a
/// module: they are left out, and a file with comments is only written over
/// when told so.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The modules, as text; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the text back instead of printing it
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print nothing, and fail if the text is not canonical but for its comments
    #[arg(long)]
    check: bool,
    /// Write over files whose comments are lost by it
    #[arg(long, requires = "write")]
    drop_comments: bool,
}

pub(crate) fn format(arguments: &Arguments) -> Result<(), Failure> {
    for_each_file(&arguments.files, |file| format_file(file, arguments))
}

fn format_file(file: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(file)?;
    let canonical = print_module(&input.parse()?).to_string();
    if arguments.check {
        return check(&input, &canonical);
    }
    if !arguments.write {
        return output::print(canonical.as_bytes());
    }
    if canonical.as_bytes() == input.bytes() {
        return Ok(());
    }
    if !arguments.drop_comments && input.text().lines().any(|line| comment_start(line).is_some()) {
        let message = format!("{}: the comments would be lost", input.name());
        let mut problem = Problem::new(message);
        problem.help = Some("say `--drop-comments` if they may be".to_owned());
        return Err(Failure::Usage(render(None, &problem)));
    }
    output::write(Some(file), canonical.as_bytes())
}

/// Whether the text without comments and lines that hold nothing else is canonical.
fn check(input: &Input, canonical: &str) -> Result<(), Failure> {
    let text = input.text();
    let code = |line: &'_ str| comment_start(line).map(|at| line[..at].trim_end().len());
    let lines = text.lines().filter_map(|line| match code(line) {
        Some(0) => None,
        Some(end) => Some(&line[..end]),
        None => Some(line),
    });
    let filled = |line: &&str| !line.trim().is_empty();
    if lines.filter(filled).eq(canonical.lines().filter(filled)) {
        return Ok(());
    }
    let mut problem = Problem::new(format_args!("{}: the text is not canonical", input.name()));
    problem.help = Some("`brolga fmt` prints it as it should be".to_owned());
    Err(Failure::Module(render(None, &problem)))
}
