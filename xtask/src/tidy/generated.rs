//! Generated documentation is what its tables say.

use super::Finding;
use crate::docs::{GENERATED, GeneratedFile};
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    GENERATED.iter().filter_map(|generated| judge(repository, generated)).collect()
}

fn judge(repository: &Repository, generated: &GeneratedFile) -> Option<Finding> {
    let GeneratedFile { path, render } = generated;
    let found = repository.file(path).map_or("", |file| file.text.as_str());
    let wanted = render();
    if found == wanted {
        return None;
    }
    let equal =
        found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted).count();
    Some(Finding::new(path, equal + 1, "is not what the tables say", "run `cargo xtask docs`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: GeneratedFile =
        GeneratedFile { path: "docs/a.md", render: || "one\ntwo\n".to_owned() };

    #[test]
    fn a_stale_or_missing_file_is_found_at_its_first_difference() {
        let line = |text| {
            judge(&Repository::of(&[("docs/a.md", text)]), &FILE).map(|finding| finding.line)
        };
        assert_eq!(line("one\ntwo\n"), None);
        assert_eq!(line("one\nthree\n"), Some(2));
        assert_eq!(line("one\ntwo\nthree\n"), Some(3));
        assert_eq!(judge(&Repository::default(), &FILE).map(|finding| finding.line), Some(1));
    }
}
