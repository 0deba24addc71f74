//! A published crate is an archive of its folder: the licence texts must be in it.

use super::Finding;
use crate::repository::Repository;

const TEXTS: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];
const FOLDERS: &[&str] = &["ir", "lowering", "baseline", "lifecycle", "debugging"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in TEXTS {
        let Some(original) = repository.file(name) else {
            findings.push(Finding::new(name, 0, "is missing", "add the full standard text"));
            continue;
        };
        for folder in FOLDERS {
            let path = format!("{folder}/{name}");
            if repository.file(&path).is_none_or(|copy| copy.text != original.text) {
                let mend = format!("make it a symbolic link to `../{name}`");
                findings.push(Finding::new(&path, 0, format!("is not the text of `{name}`"), mend));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_and_differing_texts_are_found() {
        let repository = Repository::of(&[
            ("LICENSE-MIT", "a"),
            ("ir/LICENSE-MIT", "a"),
            ("lowering/LICENSE-MIT", "b"),
            ("baseline/LICENSE-MIT", "a"),
            ("lifecycle/LICENSE-MIT", "a"),
            ("debugging/LICENSE-MIT", "a"),
        ]);
        let paths: Vec<String> =
            check(&repository).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["LICENSE-APACHE", "lowering/LICENSE-MIT"]);
    }
}
