//! Nothing in the repository names one machine: no folder of somebody's, no
//! registry but the public one.

use super::Finding;
use crate::repository::{Repository, TextFile};

/// Absolute paths that exist on somebody's machine only, put together from
/// halves so that this file names none.
const FOLDERS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/m", "nt/"),
    concat!("C:\\Us", "ers"),
    concat!("../sh", "ared"),
];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let folders = repository.files.iter().flat_map(folders_of);
    let lock = repository.files.iter().filter(|file| file.path.ends_with("Cargo.lock"));
    let configuration = repository.files.iter().filter(|file| file.path.contains(".cargo/"));
    folders.chain(lock.flat_map(registries_of)).chain(configuration.flat_map(sources_of)).collect()
}

fn folders_of(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for folder in FOLDERS.iter().filter(|folder| names_folder(line, folder)) {
            let fault = format!("`{folder}` is a folder of one machine");
            findings.push(Finding::new(
                &file.path,
                number + 1,
                fault,
                "name it relative to the repository",
            ));
        }
    }
    findings
}

/// Whether `line` holds `folder` as the start of a path: `net/work/` is none.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '*'))
    })
}

fn registries_of(file: &TextFile) -> Vec<Finding> {
    let sources = file.text.lines().enumerate().filter(|(_, line)| line.starts_with("source = "));
    let foreign = sources.filter(|(_, line)| !line.contains(REGISTRY));
    foreign
        .map(|(number, line)| {
            let fault = format!("`{line}` is not the public registry");
            Finding::new(&file.path, number + 1, fault, "depend on a published version")
        })
        .collect()
}

fn sources_of(file: &TextFile) -> Vec<Finding> {
    let lines = file.text.lines().enumerate();
    let replaced =
        lines.filter(|(_, line)| line.starts_with("[source") || line.starts_with("[registr"));
    replaced
        .map(|(number, line)| {
            let fault = format!("`{line}` sets a registry for everybody");
            Finding::new(
                &file.path,
                number + 1,
                fault,
                "set it in the configuration of the machine",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_found_with_its_line() {
        for folder in FOLDERS {
            let text = format!("a\nsee `{folder}x`\n");
            let findings = check(&Repository::of(&[("a.md", &text)]));
            assert_eq!(findings.len(), 1, "{folder}");
            assert_eq!(findings[0].line, 2);
        }
    }

    #[test]
    fn a_path_within_a_path_is_no_folder_of_a_machine() {
        let text = format!("net{} and https://x.org/a{}", FOLDERS[3], FOLDERS[0]);
        assert_eq!(check(&Repository::of(&[("a.md", &text)])), []);
    }

    #[test]
    fn a_lock_file_with_a_foreign_registry_is_found() {
        let good = format!("source = \"{REGISTRY}\"\n");
        let repository =
            Repository::of(&[("Cargo.lock", &format!("{good}source = \"git+https://x\"\n"))]);
        assert_eq!(check(&repository)[0].line, 2);
        assert_eq!(check(&Repository::of(&[("Cargo.lock", &good)])), []);
    }

    #[test]
    fn a_registry_in_the_cargo_configuration_is_found() {
        let text = "[alias]\n[source.crates-io]\n";
        assert_eq!(check(&Repository::of(&[(".cargo/config.toml", text)]))[0].line, 2);
    }
}
