//! Every op is whole: what its row cannot hold by itself stands where it should.
//!
//! Its documentation is the check `generated`; that its meaning is right, on
//! every engine, the filetests show.

mod coverage;
mod examples;
mod lowering;

use brolga_ir::op::{Op, OpInfo};
use brolga_ir::text::example_module;

use super::Finding;
use crate::repository::{Repository, TextFile};

const FOLDER: &str = "tests/filetests/ops/";
const TABLE: &str = "ir/src/op/table.rs";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let ops: Vec<&OpInfo> = Op::ALL.iter().map(|op| op.info()).collect();
    let mnemonics: Vec<&str> = ops.iter().map(|info| info.mnemonic).collect();
    let mut findings = file_tests(repository, &mnemonics);
    let examples: Vec<(Op, String)> = Op::ALL.iter().map(|&op| (op, example_module(op))).collect();
    findings.extend(examples::check(&examples));
    findings.extend(lowering::check(&examples));
    for part in coverage::PARTS {
        findings.extend(coverage::check(repository, part, &ops));
    }
    findings
}

/// Each op has a filetest that is named after it, uses it and runs, and each
/// filetest there has an op.
fn file_tests(repository: &Repository, mnemonics: &[&str]) -> Vec<Finding> {
    let tests: Vec<(&str, &TextFile)> = repository
        .with_extension("bir")
        .filter_map(|file| Some((op_of(&file.path)?, file)))
        .collect();
    let is_tested = |mnemonic: &str| {
        tests.iter().any(|(op, file)| {
            *op == mnemonic && names(&file.text, mnemonic) && file.text.contains("; run: ")
        })
    };
    let untested: Vec<&str> =
        mnemonics.iter().copied().filter(|mnemonic| !is_tested(mnemonic)).collect();
    let mut findings = Vec::new();
    if !untested.is_empty() {
        let fault = format!("no filetest is named after, uses and runs {}", untested.join(", "));
        let mend = "write `op.bir` for each, with `run` at the edges of its types";
        findings.push(Finding::new(FOLDER, 0, fault, mend));
    }
    for (op, file) in tests.iter().filter(|(op, _)| !mnemonics.contains(op)) {
        let fault = format!("there is no op `{op}`");
        findings.push(Finding::new(
            &file.path,
            0,
            fault,
            "name the file after the op that it tests: `op.bir`, `op-more.bir`",
        ));
    }
    findings
}

/// The op that a filetest is named after: the folder or the file below
/// `FOLDER`, up to the first `-` or `.`.
fn op_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix(FOLDER)?;
    name.split(['/', '-', '.']).next()
}

/// Whether `text` holds `mnemonic` as a word outside comments.
fn names(text: &str, mnemonic: &str) -> bool {
    let code = text.lines().map(|line| line.split(';').next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .any(|word| word == mnemonic)
}

/// How many of many faults are spelled out.
const MOST_LISTED: usize = 5;

/// The faults behind a heading; nothing if there are none.
fn listed(heading: &str, mut faults: impl Iterator<Item = String>) -> Option<String> {
    let shown: Vec<String> = faults.by_ref().take(MOST_LISTED).collect();
    let more = faults.count();
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| format!("{heading}: {}{rest}", shown.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_op_without_its_filetest_is_found_and_so_is_a_filetest_without_its_op() {
        let repository = Repository::of(&[
            ("tests/filetests/ops/add.bir", "%r = add.i8 1, 2\n; run: @f() == 3"),
            ("tests/filetests/ops/sub-wide.bir", "%r = sub.i128 1, 2\n; run: @f() == -1"),
            ("tests/filetests/ops/mul/edges.bir", "; mul is only named here\n; run: @f() == 3"),
            ("tests/filetests/ops/not.bir", "%r = not.i8 1 ; and never run"),
            ("tests/filetests/ops/gone.bir", ""),
            ("tests/filetests/text/free.bir", ""),
        ]);
        let findings = file_tests(&repository, &["add", "sub", "mul", "neg", "not"]);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].fault.ends_with(" mul, neg, not"), "{findings:?}");
        assert_eq!(findings[1].path, "tests/filetests/ops/gone.bir");
    }

    #[test]
    fn of_many_faults_some_are_listed_and_the_rest_counted() {
        assert_eq!(listed("bad", std::iter::empty()), None);
        let many = (0..MOST_LISTED + 2).map(|number| number.to_string());
        assert_eq!(listed("bad", many).as_deref(), Some("bad: 0; 1; 2; 3; 4; and 2 more"));
    }
}
