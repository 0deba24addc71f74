//! The file of each pass opens with an example; running the pass on what
//! stands before gives what stands behind.

use std::path::{Path, PathBuf};

use brolga_ir::text::{parse_module, print_module};
use brolga_lowering::pipeline::{PASSES, Pass, Report, RunOptions, distinct_passes, run_passes};
use brolga_lowering::target::TargetSpec;

const BASELINE: &str = "x86_64-unknown-linux-gnu/x86-64";

fn source(pass: &Pass) -> PathBuf {
    let file = format!("src/{}/{}.rs", pass.stage.name(), pass.name);
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// The blocks of text in the documentation at the head of a file.
fn examples(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let blocks = lines.split(|line| line.starts_with("```"));
    blocks.skip(1).step_by(2).map(|block| block.join("\n")).collect()
}

/// What the example is compiled for: its first line may say.
fn target_of(before: &str) -> &str {
    let line = before.lines().next().and_then(|line| line.strip_prefix("; target: "));
    line.unwrap_or(BASELINE)
}

#[test]
fn each_pass_does_what_its_example_shows() {
    let mut faults = String::new();
    for pass in distinct_passes() {
        let blocks = examples(&source(pass));
        let [before, after] = blocks.as_slice() else {
            panic!("{}: a before and an after, not {} blocks", pass.name, blocks.len())
        };
        let target = TargetSpec::parse(target_of(before)).unwrap();
        let mut module = parse_module(before).unwrap_or_else(|e| panic!("{}: {e:?}", pass.name));
        let plain = PASSES.iter().find(|row| row.name == pass.name && row.option.is_empty());
        let row = plain.unwrap_or(pass);
        run_passes(&mut module, &[row], &RunOptions::new(&target), &mut Report::default()).unwrap();
        let printed = print_module(&module);
        let lines = |text: &str| text.trim().lines().map(str::to_owned).collect::<Vec<_>>();
        if lines(&printed) != lines(after) {
            faults.push_str(&format!("{} gives\n{printed}\n", pass.name));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
