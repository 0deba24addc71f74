//! A file of more than 600 lines holds more than one idea; one of more than 300
//! is worth a look. Tables are excepted when they say that they are tables.

use super::Finding;
use crate::repository::{Repository, TextFile};
use crate::rust_text::{code_of, words};

const MOST_LINES: usize = 600;
const MANY_LINES: usize = 300;
/// The words by which a file's module documentation claims a table.
const TABLE_MARK: &str = "pure data";
/// A table may bring the lookup that only its macro can write, and no more.
const MOST_TABLE_FUNCTIONS: usize = 1;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository.with_extension("rs").filter_map(judge).collect()
}

/// Files that are long but allowed, longest first.
pub(super) fn long_files(repository: &Repository) -> Vec<String> {
    let counted = repository.with_extension("rs").map(|file| (file.text.lines().count(), file));
    let mut long: Vec<_> = counted
        .filter(|(lines, file)| {
            (MANY_LINES + 1..=MOST_LINES).contains(lines) && !claims_table(file)
        })
        .collect();
    long.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
    long.into_iter().map(|(lines, file)| format!("{}: {lines} lines", file.path)).collect()
}

fn judge(file: &TextFile) -> Option<Finding> {
    let lines = file.text.lines().count();
    if claims_table(file) {
        let code = code_of(&file.text);
        let functions = words(&code).filter(|(_, word)| *word == "fn").count();
        return (functions > MOST_TABLE_FUNCTIONS).then(|| {
            let fault = format!("says that it is {TABLE_MARK} and has {functions} functions");
            Finding::new(&file.path, 0, fault, "move them to the file that reads the table")
        });
    }
    (lines > MOST_LINES).then(|| {
        let fault = format!("{lines} lines, of {MOST_LINES} at most");
        let mend = format!(
            "split it by idea, or say `{TABLE_MARK}` in its `//!` lines if it is only that"
        );
        Finding::new(&file.path, 0, fault, mend)
    })
}

fn claims_table(file: &TextFile) -> bool {
    let mut head = file.text.lines().take_while(|line| line.starts_with("//!"));
    head.any(|line| line.contains(TABLE_MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_over_the_limit_is_found_and_one_at_the_limit_is_not() {
        let over = "x\n".repeat(MOST_LINES + 1);
        let at = "x\n".repeat(MOST_LINES);
        let findings =
            check(&Repository::of(&[("src/a.rs", &over), ("src/b.rs", &at), ("c.md", &over)]));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "src/a.rs");
    }

    #[test]
    fn a_table_may_be_long_but_is_no_code() {
        let table = format!("//! Rows: {TABLE_MARK}.\n{}", "x,\n".repeat(MOST_LINES));
        assert_eq!(check(&Repository::of(&[("src/a.rs", &table)])), []);
        let lookup = format!("{table}fn f() {{}}\n");
        assert_eq!(check(&Repository::of(&[("src/a.rs", &lookup)])), []);
        let impostor = format!("{lookup}fn g() {{}}\n");
        assert_eq!(check(&Repository::of(&[("src/a.rs", &impostor)])).len(), 1);
    }

    #[test]
    fn long_files_are_listed_longest_first() {
        let some = "x\n".repeat(MANY_LINES + 1);
        let more = "x\n".repeat(MANY_LINES + 2);
        let repository = Repository::of(&[("a.rs", &some), ("b.rs", &more), ("c.rs", "x\n")]);
        assert_eq!(long_files(&repository), ["b.rs: 302 lines", "a.rs: 301 lines"]);
    }
}
