//! What the compiler cannot see: each check is one function from the repository
//! to findings, and has a test that shows it firing.

mod generated;
mod imports;
mod intrinsics;
mod licences;
mod links;
mod locks;
mod machines;
mod manifests;
mod marks;
mod ops;
mod readme;
mod sizes;
mod texts;

use std::fmt;

use crate::repository::Repository;

/// Something that is not as it should be, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Path from the root of the repository.
    pub(crate) path: String,
    /// Line from 1; 0 when the file as a whole is meant.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) fault: String,
    /// The way out.
    pub(crate) mend: String,
}

impl Finding {
    fn new(path: &str, line: usize, fault: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, fault: fault.into(), mend: mend.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, fault, mend } = self;
        if *line == 0 {
            write!(f, "{path}: {fault}; {mend}")
        } else {
            write!(f, "{path}:{line}: {fault}; {mend}")
        }
    }
}

struct Check {
    name: &'static str,
    claim: &'static str,
    run: fn(&Repository) -> Vec<Finding>,
}

impl Check {
    const fn new(
        name: &'static str,
        claim: &'static str,
        run: fn(&Repository) -> Vec<Finding>,
    ) -> Self {
        Self { name, claim, run }
    }
}

const CHECKS: &[Check] = &[
    Check::new("generated", "generated docs are what the tables say", generated::check),
    Check::new("imports", "imports follow the data flow", imports::check),
    Check::new("intrinsics", "each Julia intrinsic has an op or an expansion", intrinsics::check),
    Check::new("licences", "each published crate carries both licence texts", licences::check),
    Check::new("links", "relative links in Markdown lead somewhere", links::check),
    Check::new("locks", "the fuzz targets' lock file follows the manifests", locks::check),
    Check::new("machines", "no path or registry of one machine is named", machines::check),
    Check::new("manifests", "manifests keep what the docs promise", manifests::check),
    Check::new("marks", "no mark of unfinished work is left", marks::check),
    Check::new("ops", "each op has meaning, code, generator, example and filetest", ops::check),
    Check::new("readme", "the README's commands and snippet are the real ones", readme::check),
    Check::new("sizes", "a file holds one idea", sizes::check),
    Check::new("texts", "modules in the documentation parse", texts::check),
];

/// Prints the checks.
pub(crate) fn list() {
    for Check { name, claim, .. } in CHECKS {
        println!("{name:10} {claim}");
    }
}

/// Runs the checks that are named, or all; an error lists what they found.
pub(crate) fn run(repository: &Repository, names: &[&str]) -> Result<(), String> {
    if let Some(unknown) =
        names.iter().find(|name| !CHECKS.iter().any(|check| check.name == **name))
    {
        return Err(format!("no check is named `{unknown}`; `cargo xtask tidy --list` has them\n"));
    }
    let chosen = CHECKS.iter().filter(|check| names.is_empty() || names.contains(&check.name));
    let mut report = String::new();
    let mut count = 0;
    for check in chosen {
        for finding in (check.run)(repository) {
            count += 1;
            report.push_str(&format!("{}: {finding}\n", check.name));
        }
    }
    for long in sizes::long_files(repository) {
        println!("note: {long}");
    }
    if count == 0 {
        println!("tidy: {} files, nothing found", repository.files.len());
        return Ok(());
    }
    Err(format!("{report}tidy: findings: {count}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_check_is_an_error_that_names_it() {
        let error = run(&Repository::default(), &["nonsense"]).unwrap_err();
        assert!(error.contains("nonsense"), "{error}");
    }

    #[test]
    fn findings_fail_the_run_and_name_check_place_and_mend() {
        let repository = Repository::of(&[("a.md", "[x](missing.md)\n")]);
        let error = run(&repository, &["links"]).unwrap_err();
        assert!(error.starts_with("links: a.md:1: "), "{error}");
        assert!(error.ends_with("tidy: findings: 1\n"), "{error}");
    }

    #[test]
    fn checks_stand_in_order_of_name() {
        assert!(CHECKS.is_sorted_by(|a, b| a.name < b.name));
    }
}
