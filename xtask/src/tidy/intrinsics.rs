//! Each intrinsic of Julia has an op or an expansion, never both, and the op
//! table names no other.

use super::Finding;
use crate::julia::{EXPANSIONS, INTRINSICS, RELATED, ops_by_intrinsic};
use crate::repository::Repository;

const TABLE: &str = "ir/src/op/table.rs";

pub(super) fn check(_: &Repository) -> Vec<Finding> {
    let named: Vec<&str> = ops_by_intrinsic().into_keys().collect();
    let expanded: Vec<&str> = EXPANSIONS.iter().map(|(intrinsic, _)| *intrinsic).collect();
    findings(&named, &expanded)
}

/// What is wrong with ops that name those intrinsics and with those expansions.
fn findings(named: &[&str], expanded: &[&str]) -> Vec<Finding> {
    let intrinsics: Vec<&str> = INTRINSICS.split_whitespace().collect();
    let is_known =
        |name: &str| intrinsics.contains(&name) || RELATED.split(' ').any(|it| it == name);
    let mut findings = Vec::new();
    let mut find = |fault: &str, names: Vec<&str>, mend: &str| {
        if !names.is_empty() {
            findings.push(Finding::new(TABLE, 0, format!("{fault} {}", names.join(", ")), mend));
        }
    };
    find(
        "no op and no expansion is there for",
        intrinsics
            .iter()
            .copied()
            .filter(|it| !named.contains(it) && !expanded.contains(it))
            .collect(),
        "name each in the row of an op, or add its expansion to `xtask/src/julia.rs`",
    );
    find(
        "Julia has no intrinsics",
        named.iter().chain(expanded).copied().filter(|name| !is_known(name)).collect(),
        "spell each as `Core.Intrinsics` does",
    );
    find(
        "both an op and an expansion are there for",
        expanded.iter().copied().filter(|name| named.contains(name)).collect(),
        "keep one of them",
    );
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_without_op_unknown_ones_and_those_given_twice_are_found() {
        let mut named: Vec<&str> =
            INTRINSICS.split_whitespace().filter(|name| *name != "add_int").collect();
        named.extend(["rem_float", "add_integer"]);
        let found = findings(&named, &["fpiseq"]);
        let faults: Vec<&str> = found.iter().map(|finding| finding.fault.as_str()).collect();
        assert_eq!(
            faults,
            [
                "no op and no expansion is there for add_int",
                "Julia has no intrinsics add_integer",
                "both an op and an expansion are there for fpiseq",
            ]
        );
    }
}
