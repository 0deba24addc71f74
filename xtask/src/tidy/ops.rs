//! Every op is whole: what its row cannot hold by itself stands where it should.
//!
//! Documentation is the check `generated`, an interpreter's and an emitter's arms
//! are exhaustive matches that the compiler checks; here are the files.

use brolga_ir::op::Op;

use super::Finding;
use crate::repository::{Repository, TextFile};

const FOLDER: &str = "tests/filetests/ops/";
const TABLE: &str = "ir/src/op/table.rs";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mnemonics: Vec<&str> = Op::ALL.iter().map(|op| op.mnemonic()).collect();
    let mut findings = file_tests(repository, &mnemonics);
    let examples = Op::ALL.iter().map(|op| (op.mnemonic(), op.info().example));
    findings.extend(examples.filter_map(|(mnemonic, example)| judge_example(mnemonic, example)));
    findings
}

/// Each op has a filetest that is named after it and names it, and each
/// filetest there has an op.
fn file_tests(repository: &Repository, mnemonics: &[&str]) -> Vec<Finding> {
    let tests: Vec<(&str, &TextFile)> = repository
        .with_extension("bir")
        .filter_map(|file| Some((op_of(&file.path)?, file)))
        .collect();
    let mut findings = Vec::new();
    for mnemonic in mnemonics {
        let own = tests.iter().filter(|(op, _)| op == mnemonic);
        if !own.clone().any(|(_, file)| names(&file.text, mnemonic)) {
            let path = format!("{FOLDER}{mnemonic}.bir");
            let fault = format!("the op `{mnemonic}` has no filetest that names it");
            findings.push(Finding::new(&path, 0, fault, "write one, at the edges of its types"));
        }
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
        let paths: Vec<String> = file_tests(&repository, &["add", "sub", "mul", "neg"])
            .into_iter()
            .map(|finding| finding.path)
            .collect();
        let folder = |name: &str| format!("{FOLDER}{name}.bir");
        assert_eq!(paths, [folder("mul"), folder("neg"), folder("gone")]);
    }

    #[test]
    fn an_example_that_does_not_use_its_op_is_found() {
        assert_eq!(judge_example("add", "i8: add.i8 1, 2"), None);
        assert!(judge_example("ptr_add", "i64: ptr_to_int null").is_some());
    }
}
