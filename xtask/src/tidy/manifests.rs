//! The manifests keep what the README and CONTRIBUTING promise: the lints hold
//! for every crate, the library is small by default, rivals stay in `benches/`.

use super::Finding;
use crate::repository::{Repository, TextFile};

const ROOT: &str = "Cargo.toml";
const BENCHES: &str = "benches/Cargo.toml";
const README: &str = "README.md";

/// Crates that are not published.
const UNPUBLISHED: &[&str] =
    &[BENCHES, "testing/Cargo.toml", "xtask/Cargo.toml", "fuzz/Cargo.toml"];

/// Lints that the house rules rest on.
const LINTS: &[&str] = &[
    "missing_docs",
    "unreachable_pub",
    "unsafe_op_in_unsafe_fn",
    "undocumented_unsafe_blocks",
    "iter_over_hash_type",
    "print_stdout",
    "print_stderr",
    "too_many_lines",
];

/// Files that whoever comes to the repository looks for.
const PAGES: &[&str] = &[
    README,
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    ".ci/run",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let missing = PAGES.iter().filter(|page| repository.file(page).is_none());
    let mut findings: Vec<Finding> =
        missing.map(|page| Finding::new(page, 0, "is missing", "write it")).collect();
    let Some(root) = repository.file(ROOT) else {
        findings.push(Finding::new(ROOT, 0, "is missing", "write it"));
        return findings;
    };
    findings.extend(of_workspace(root, repository.file(README)));
    for file in repository.with_extension("toml").filter(|file| file.path.ends_with(ROOT)) {
        findings.extend(of_crate(file));
    }
    findings
}

/// What the manifest of the workspace must say.
fn of_workspace(root: &TextFile, readme: Option<&TextFile>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut demand = |holds: bool, fault: String, mend: &str| {
        if !holds {
            findings.push(Finding::new(ROOT, 0, fault, mend));
        }
    };
    for lint in LINTS {
        let is_set = ["rust", "clippy"]
            .iter()
            .any(|tool| value(&root.text, &format!("workspace.lints.{tool}"), lint).is_some());
        demand(is_set, format!("the lint `{lint}` is not set"), "set it in `[workspace.lints]`");
    }
    let default = value(&root.text, "features", "default");
    let mend = "what not every embedder needs stands behind a feature";
    demand(default == Some("[]"), "the default features are not `[]`".to_owned(), mend);
    let members = value(&root.text, "workspace", "default-members").unwrap_or_default();
    let mend = "list the members that `cargo test` means, `benches` not among them";
    let fault = "`benches` is a default member, or all are".to_owned();
    demand(!members.is_empty() && !members.contains("benches"), fault, mend);
    let version =
        value(&root.text, "workspace.package", "rust-version").map(|it| it.trim_matches('"'));
    let states = |version: &str| {
        readme.is_some_and(|readme| readme.text.contains(&format!(", {version}\n")))
    };
    let fault = format!("the README does not state the least Rust, {}", version.unwrap_or("?"));
    demand(version.is_some_and(states), fault, "spell it under \"Versions\", at the end of a line");
    findings
}

/// What the manifest of every crate must say.
fn of_crate(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let has_own_workspace = file.path.starts_with("fuzz/");
    if !has_own_workspace && value(&file.text, "lints", "workspace") != Some("true") {
        let mend = "write `[lints]` and `workspace = true`";
        findings.push(Finding::new(&file.path, 0, "does not take the workspace's lints", mend));
    }
    let is_private = value(&file.text, "package", "publish") == Some("false");
    if is_private != UNPUBLISHED.contains(&file.path.as_str()) {
        let mend = "six crates are published, with all that a release needs; no other";
        findings.push(Finding::new(&file.path, 0, "`publish` is not as it should be", mend));
    }
    if file.path != BENCHES && file.text.lines().any(|line| line.starts_with("criterion")) {
        let mend = "measure in `benches/`, where it is nobody's dependency";
        findings.push(Finding::new(&file.path, 0, "depends on `criterion`", mend));
    }
    findings
}

/// The value of a key of a section, as it is spelled on the key's line.
pub(super) fn value<'a>(text: &'a str, section: &str, key: &str) -> Option<&'a str> {
    let head = format!("[{section}]");
    let lines = text.lines().skip_while(|line| *line != head).skip(1);
    lines.take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (found, value) = line.split_once('=')?;
        (found.trim() == key).then_some(value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Vec<(&'static str, String)> {
        let lints: String = LINTS.iter().map(|lint| format!("{lint} = \"warn\"\n")).collect();
        let root = format!(
            "[workspace]\ndefault-members = [\".\"]\n[workspace.package]\nrust-version = \"1.9\"\n\
             [workspace.lints.clippy]\n{lints}[package]\n[features]\ndefault = []\n\
             [lints]\nworkspace = true\n"
        );
        let private = "[package]\npublish = false\n[dev-dependencies]\ncriterion = \"1\"\n[lints]\nworkspace = true\n";
        let mut files: Vec<(&str, String)> =
            PAGES.iter().map(|page| (*page, "at least Rust, 1.9\n".to_owned())).collect();
        files.push((ROOT, root));
        files.push((BENCHES, private.to_owned()));
        files.push(("fuzz/Cargo.toml", "[package]\npublish = false\n".to_owned()));
        files
    }

    /// The faults once `from` is replaced in the file at `path`.
    fn faults(path: &str, from: &str, to: &str) -> Vec<String> {
        let mut files = sound();
        for (_, text) in files.iter_mut().filter(|(found, _)| *found == path) {
            assert!(text.contains(from), "{path} has no {from}");
            *text = text.replace(from, to);
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        check(&Repository::of(&files)).into_iter().map(|finding| finding.fault).collect()
    }

    #[test]
    fn sound_manifests_have_no_findings() {
        assert_eq!(faults(ROOT, "[workspace]", "[workspace]"), [""; 0]);
    }

    #[test]
    fn each_promise_that_is_not_kept_is_found() {
        for (path, from, to, says) in [
            (ROOT, "iter_over_hash_type", "other", "`iter_over_hash_type` is not set"),
            (ROOT, "default = []", "default = [\"cli\"]", "default features"),
            (ROOT, "[\".\"]", "[\".\", \"benches\"]", "default member"),
            (ROOT, "default-members", "members", "default member"),
            (ROOT, "1.9", "1.8", "does not state the least Rust, 1.8"),
            (ROOT, "[lints]\nworkspace = true", "[lints]", "does not take the workspace's lints"),
            (ROOT, "[package]\n", "[package]\npublish = false\n", "`publish`"),
            (BENCHES, "workspace = true", "", "does not take the workspace's lints"),
            (BENCHES, "publish = false", "", "`publish`"),
            (
                "fuzz/Cargo.toml",
                "publish = false",
                "publish = false\ncriterion = \"1\"",
                "criterion",
            ),
        ] {
            let found = faults(path, from, to);
            assert!(found.len() == 1 && found[0].contains(says), "{path} {to}: {found:?}");
        }
    }

    #[test]
    fn a_page_that_is_missing_is_found() {
        let findings = check(&Repository::of(&[(ROOT, "")]));
        let paths: Vec<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
        assert!(PAGES.iter().all(|page| paths.contains(page)), "{paths:?}");
    }
}
