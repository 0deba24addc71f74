//! Every op is whole: what its row cannot hold by itself stands where it should.
//!
//! Its documentation is the check `generated`; that its example runs, and that
//! its meaning is right, are tests.

mod coverage;

use brolga_ir::op::{Op, OpInfo};

use super::Finding;
use crate::repository::{Repository, TextFile};

const FOLDER: &str = "tests/filetests/ops/";
const TABLE: &str = "ir/src/op/table.rs";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let ops: Vec<&OpInfo> = Op::ALL.iter().map(|op| op.info()).collect();
    let mnemonics: Vec<&str> = ops.iter().map(|info| info.mnemonic).collect();
    let mut findings = file_tests(repository, &mnemonics);
    findings.extend(ops.iter().filter_map(|info| judge_example(info.mnemonic, info.example)));
    for part in coverage::PARTS {
        findings.extend(coverage::check(repository, part, &ops));
    }
    findings
}

/// Each op has a filetest that is named after it and names it, and each
/// filetest there has an op.
fn file_tests(repository: &Repository, mnemonics: &[&str]) -> Vec<Finding> {
    let tests: Vec<(&str, &TextFile)> = repository
        .with_extension("bir")
        .filter_map(|file| Some((op_of(&file.path)?, file)))
        .collect();
    let is_tested = |mnemonic: &str| {
        tests.iter().any(|(op, file)| *op == mnemonic && names(&file.text, mnemonic))
    };
    let untested: Vec<&str> =
        mnemonics.iter().copied().filter(|mnemonic| !is_tested(mnemonic)).collect();
    let mut findings = Vec::new();
    if !untested.is_empty() {
        let fault = format!("no filetest is named after and names {}", untested.join(", "));
        let mend = "write `op.bir` for each, at the edges of its types";
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

fn judge_example(mnemonic: &str, example: &str) -> Option<Finding> {
    (!names(example, mnemonic)).then(|| {
        let fault = format!("the example of `{mnemonic}` does not use it");
        Finding::new(TABLE, 0, fault, "show the op itself")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_op_without_its_filetest_is_found_and_so_is_a_filetest_without_its_op() {
        let repository = Repository::of(&[
            ("tests/filetests/ops/add.bir", "%r = add.i8 1, 2"),
            ("tests/filetests/ops/sub-wide.bir", "%r = sub.i128 1, 2"),
            ("tests/filetests/ops/mul/edges.bir", "; mul is only named here\n%r = add.i8 1, 2"),
            ("tests/filetests/ops/gone.bir", ""),
            ("tests/filetests/text/free.bir", ""),
        ]);
        let findings = file_tests(&repository, &["add", "sub", "mul", "neg"]);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].fault.ends_with(" mul, neg"), "{findings:?}");
        assert_eq!(findings[1].path, "tests/filetests/ops/gone.bir");
    }

    #[test]
    fn an_example_that_does_not_use_its_op_is_found() {
        assert_eq!(judge_example("add", "i8: add.i8 1, 2"), None);
        assert!(judge_example("ptr_add", "i64: ptr_to_int null").is_some());
    }
}
