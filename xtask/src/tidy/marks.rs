//! No mark of unfinished work: what is left over is an issue.

use super::Finding;
use crate::repository::{Repository, TextFile};

/// Marks, put together from halves so that this file holds none.
const WORDS: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX"), concat!("HA", "CK")];
const CALLS: &[&str] =
    &[concat!("to", "do!"), concat!("unimpl", "emented!"), concat!("#[ig", "nore")];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository.files.iter().filter(|file| !holds_foreign_text(file)).flat_map(marks_of).collect()
}

/// Checksums of a lock file can spell anything.
fn holds_foreign_text(file: &TextFile) -> bool {
    file.path.ends_with("Cargo.lock")
}

fn marks_of(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let words = WORDS.iter().filter(|word| has_word(line, word));
        let calls = CALLS.iter().filter(|call| line.contains(**call));
        for mark in words.chain(calls) {
            let fault = format!("`{mark}` marks unfinished work");
            findings.push(Finding::new(
                &file.path,
                number + 1,
                fault,
                "finish it, or open an issue and drop the mark",
            ));
        }
    }
    findings
}

fn has_word(line: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.split(|c: char| !is_word(c)).any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_is_found_with_its_line() {
        for mark in WORDS.iter().chain(CALLS) {
            let text = format!("fn a() {{}}\n// {mark} later\n");
            let findings = check(&Repository::of(&[("src/a.rs", &text)]));
            assert_eq!(findings.len(), 1, "{mark}");
            assert_eq!(findings[0].line, 2);
        }
    }

    #[test]
    fn marks_inside_words_and_in_lock_files_are_no_marks() {
        let inside = format!("let MAS{}S = 1;", WORDS[0]);
        let repository = Repository::of(&[("src/a.rs", &inside), ("Cargo.lock", WORDS[2])]);
        assert_eq!(check(&repository), []);
    }
}
