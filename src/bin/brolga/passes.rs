//! `brolga passes`.

use std::fmt::Write;

use brolga_lowering::pipeline::{Duty, Level, PASSES, Pass, Stage};
use clap::Args;

use crate::failure::Failure;
use crate::output;

/// The widest line.
const WIDTH: usize = 100;

/// How far the lines below a pass stand in.
const INDENT: &str = "      ";

const EXAMPLES: &str = "\
Examples:
  brolga passes
  brolga opt --passes=flatten_aggregates,legalize module.bir";

/// Lists the passes, in the order in which they run
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {}

pub(crate) fn list() -> Result<(), Failure> {
    output::print(text().as_bytes())
}

fn text() -> String {
    let levels: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
    let mut text = format!(
        "the passes in their order, each with the lowest level that runs it, of {}\n",
        levels.join(", ")
    );
    let mut stage: Option<Stage> = None;
    for pass in PASSES {
        if stage != Some(pass.stage) {
            stage = Some(pass.stage);
            // Writing to a string does not fail.
            let _ = writeln!(text, "\n{}:", pass.stage.name());
        }
        describe(&mut text, pass);
    }
    text
}

fn describe(text: &mut String, pass: &Pass) {
    let duty = match pass.duty {
        Duty::Required => ", required",
        Duty::Optional => "",
        Duty::OnRequest => ", on request",
    };
    let _ = writeln!(text, "  {}  {}{duty}", pass.spelling(), pass.from.name());
    paragraph(text, pass.reason);
    if !pass.after.is_empty() {
        paragraph(text, &format!("behind {}", pass.after.join(", ")));
    }
}

/// Words, indented and broken into lines.
fn paragraph(text: &mut String, words: &str) {
    let mut line = String::new();
    for word in words.split_whitespace() {
        if INDENT.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{INDENT}{}", line.trim_start());
            line.clear();
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(text, "{INDENT}{}", line.trim_start());
}
