//! `brolga targets`.

use std::fmt::Write;

use brolga_lowering::target::{Architecture, Cpu, Feature, System, TargetSpec};
use clap::Args;

use crate::failure::Failure;
use crate::output;

/// The widest line of a list.
const WIDTH: usize = 100;

const EXAMPLES: &str = "\
Examples:
  brolga targets
  brolga compile --target x86-64-v3,-fma examples/nbody.bir
  brolga compile --target aarch64-linux/apple-m1 examples/nbody.bir";

/// Lists the CPUs and features that a target can name
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {}

pub(crate) fn list() -> Result<(), Failure> {
    output::print(text().as_bytes())
}

fn text() -> String {
    let mut text = match TargetSpec::host() {
        Ok(host) => format!("host: {host}\n"),
        Err(error) => format!("host: {error}\n"),
    };
    text += "a target is a CPU of this machine's architecture, TRIPLE/CPU, or `host`, each with\n\
             `,+FEATURE` and `,-FEATURE` behind\n";
    for &architecture in Architecture::ALL {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{architecture}");
        let triples = System::ALL.iter().map(|system| system.triple(architecture));
        paragraph(&mut text, "triples", triples);
        paragraph(&mut text, "CPUs", Cpu::of(architecture).map(Cpu::name));
        let (useful, known): (Vec<Feature>, Vec<Feature>) =
            Feature::of(architecture).partition(|feature| changes_code(*feature));
        paragraph(&mut text, "features", useful.iter().map(|feature| feature.name()));
        let known = known.iter().map(|feature| feature.name());
        paragraph(&mut text, "features that change no code", known);
    }
    text
}

fn changes_code(feature: Feature) -> bool {
    [feature]
        .into_iter()
        .collect::<brolga_lowering::target::FeatureSet>()
        .in_code()
        .contains(feature)
}

/// A list under its name, broken into lines.
fn paragraph<'a>(text: &mut String, name: &str, words: impl Iterator<Item = &'a str>) {
    let mut line = format!("  {name}:");
    for word in words {
        if line.len() + 1 + word.len() > WIDTH {
            *text += &line;
            text.push('\n');
            line = " ".repeat(3);
        }
        line.push(' ');
        line += word;
    }
    *text += &line;
    text.push('\n');
}
