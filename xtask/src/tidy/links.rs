//! Relative links in Markdown lead to a file that exists, inside the repository,
//! and to a heading that it has.

use super::Finding;
use crate::markdown::{Link, anchors, links};
use crate::repository::{Repository, TextFile};

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let files = repository.with_extension("md");
    files
        .flat_map(|file| {
            links(&file.text).into_iter().filter_map(|link| judge(repository, file, &link))
        })
        .collect()
}

fn judge(repository: &Repository, file: &TextFile, link: &Link) -> Option<Finding> {
    let target = link.target.as_str();
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let found = |fault: &str, mend: &str| {
        Some(Finding::new(&file.path, link.line, format!("the link to `{target}` {fault}"), mend))
    };
    let Some(path) = resolve(&file.path, path) else {
        return found("leaves the repository", "say here what the reader needs of it");
    };
    if !path.is_empty() && !repository.paths.contains(&path) {
        return found("leads nowhere", "correct it, or add the file");
    }
    if heading.is_empty() {
        return None;
    }
    let text = repository.file(&path).map_or("", |target| target.text.as_str());
    if anchors(text).iter().any(|anchor| anchor == heading) {
        return None;
    }
    found("names a heading that is not there", "correct the part after `#`")
}

/// The path from the root that `target` means in the file at `from`; the file
/// itself for an empty one, nothing when it leads out.
fn resolve(from: &str, target: &str) -> Option<String> {
    if target.is_empty() {
        return Some(from.to_owned());
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let repository =
            Repository::of(&[("docs/a.md", text), ("b.md", "# One two\n"), ("src/lib.rs", "")]);
        check(&repository).into_iter().map(|finding| finding.fault).collect()
    }

    #[test]
    fn links_that_resolve_are_not_found() {
        let text = "# Here\n[1](../b.md) [2](../b.md#one-two) [3](../src) [4](../src/) [5](#here) [6](https://x.org/y)\n";
        assert_eq!(faults(text), [""; 0]);
    }

    #[test]
    fn a_missing_file_a_missing_heading_and_a_way_out_are_found() {
        let found =
            faults("[1](c.md)\n[2](../b.md#three)\n[3](../../elsewhere.md)\n[4]: nothing.md\n");
        let says = ["leads nowhere", "names a heading", "leaves the repository", "leads nowhere"];
        assert_eq!(found.len(), says.len(), "{found:?}");
        for (fault, says) in found.iter().zip(says) {
            assert!(fault.contains(says), "{fault}");
        }
    }
}
