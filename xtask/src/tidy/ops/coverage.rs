//! Each op stands by name where ops are given their meaning, their code and
//! their share of generated programs.
//!
//! The compiler makes a `match` exhaustive, but not against a wildcard arm, and a
//! list it does not make exhaustive at all; so the code has to spell `Op::Name`.

use std::collections::BTreeSet;

use brolga_ir::op::{Dialect, OpInfo};

use super::Finding;
use crate::repository::Repository;
use crate::rust_text::{code_of, without_tests, words};

/// A part of the library that must know every op, or every op of some kind.
pub(super) struct Part {
    /// What it is, for the finding.
    pub(super) name: &'static str,
    /// How the paths of its files begin.
    pub(super) files: &'static str,
    /// The ops that it must know.
    pub(super) covers: fn(&OpInfo) -> bool,
}

pub(super) const PARTS: &[Part] = &[
    Part { name: "generator", files: "testing/src/generate", covers: |_| true },
    Part { name: "interpreter", files: "ir/src/interpret", covers: |_| true },
    Part {
        name: "emission",
        files: "lowering/src/emit",
        covers: |info| info.dialect == Dialect::Machine,
    },
];

pub(super) fn check(repository: &Repository, part: &Part, ops: &[&OpInfo]) -> Vec<Finding> {
    let known = named_ops(repository, part.files);
    let missing = ops.iter().filter(|info| (part.covers)(info));
    let missing: Vec<String> =
        missing.map(|info| format!("{:?}", info.op)).filter(|op| !known.contains(op)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let fault = format!("the {} does not name {}", part.name, missing.join(", "));
    vec![Finding::new(part.files, 0, fault, "give each an arm that spells `Op::…`")]
}

/// The names that follow `Op::` in the code of the files.
fn named_ops(repository: &Repository, files: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for file in repository.with_extension("rs").filter(|file| file.path.starts_with(files)) {
        let code = code_of(&file.text);
        let code = without_tests(&code);
        for (at, _) in words(code).filter(|(_, word)| *word == "Op") {
            let name = code[at + 2..].strip_prefix("::").and_then(|rest| words(rest).next());
            known.extend(name.map(|(_, name)| name.to_owned()));
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use brolga_ir::op::Op;

    use super::*;

    const PART: Part = Part { name: "interpreter", files: "ir/src/interpret", covers: |_| true };

    fn missing(text: &str) -> Option<String> {
        let repository = Repository::of(&[("ir/src/interpret/run.rs", text)]);
        let ops = [Op::Add.info(), Op::Sub.info()];
        check(&repository, &PART, &ops).into_iter().next().map(|finding| finding.fault)
    }

    #[test]
    fn an_op_that_is_named_by_no_arm_is_found() {
        assert_eq!(missing("match op { Op::Add => 1, Op::Sub => 2 }"), None);
        let fault = missing("match op { Op::Add => 1, _ => 2 } // Op::Sub").expect("a finding");
        assert!(fault.ends_with("does not name Sub"), "{fault}");
        assert!(missing("RmwOp::Add; Op::Sub").is_some());
        assert!(missing("Op::Sub;\n#[cfg(test)]\nmod tests { const A: Op = Op::Add; }").is_some());
    }

    #[test]
    fn an_op_that_the_part_need_not_know_is_not_missed() {
        let part = Part { covers: |info| info.op == Op::Add, ..PART };
        let repository = Repository::of(&[("ir/src/interpret.rs", "Op::Add")]);
        assert_eq!(check(&repository, &part, &[Op::Add.info(), Op::Sub.info()]), []);
    }
}
