//! The fuzz targets are a workspace of their own, whose lock file no build of this one
//! looks at: their dependencies are those of the manifests, or the next build of them
//! by whoever wants to fuzz fails.

use std::collections::BTreeSet;

use super::Finding;
use super::manifests::value;
use crate::repository::{Repository, TextFile};

const LOCK: &str = "fuzz/Cargo.lock";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let manifests: Vec<&TextFile> = repository
        .with_extension("toml")
        .filter(|file| file.path.ends_with("Cargo.toml"))
        .collect();
    let Some(lock) = repository.file(LOCK) else {
        return Vec::new();
    };
    let packages = lock.text.split("[[package]]").skip(1);
    packages.filter_map(|package| of_package(package, &manifests)).collect()
}

/// What is wrong with a package of the lock file, if it is one of ours.
fn of_package(package: &str, manifests: &[&TextFile]) -> Option<Finding> {
    let name = quoted(package.lines().find_map(|line| line.strip_prefix("name = "))?);
    let is_of_it =
        |file: &&&TextFile| value(&file.text, "package", "name").map(quoted) == Some(name);
    let manifest = manifests.iter().find(is_of_it)?;
    // Beside a name stands the version, where the lock file has several.
    let locked: BTreeSet<&str> = package
        .lines()
        .filter(|line| line.starts_with(" \""))
        .filter_map(|line| quoted(line.trim()).split(' ').next())
        .collect();
    let wanted = dependencies(&manifest.text);
    let differs: Vec<&str> = locked.symmetric_difference(&wanted).copied().collect();
    if differs.is_empty() {
        return None;
    }
    let fault = format!(
        "`{name}` has other dependencies than in {}: {}",
        manifest.path,
        differs.join(", ")
    );
    let mend = "run `cargo metadata --manifest-path fuzz/Cargo.toml`";
    Some(Finding::new(LOCK, 0, fault, mend))
}

/// What a package that another one depends on brings by itself: neither what its tests
/// want nor what stands behind a feature.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let wanted = lines_of(manifest).filter(|(section, line)| {
        let is_wanted = *section == "dependencies" || section.ends_with(".dependencies");
        is_wanted && *section != "workspace.dependencies" && !line.contains("optional = true")
    });
    wanted.filter_map(|(_, line)| line.split(['.', ' ', '=']).next()).collect()
}

/// The entries of a manifest, each with its section.
fn lines_of(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    manifest.lines().filter_map(move |line| {
        if let Some(head) = line.strip_prefix('[') {
            section = head.trim_end_matches(']');
            return None;
        }
        let is_entry = line.starts_with(|first: char| first.is_ascii_alphanumeric());
        is_entry.then_some((section, line))
    })
}

fn quoted(text: &str) -> &str {
    text.trim_end_matches(',').trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"brolga-ir\"\n[dependencies]\nhalf.workspace = true\n\
        clap = { workspace = true, optional = true }\n\
        [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n[dev-dependencies]\nloom = \"0.7\"\n";

    fn faults(dependencies: &str) -> Vec<String> {
        let lock = format!(
            "[[package]]\nname = \"half\"\nsource = \"registry\"\ndependencies = [\n \"zerocopy\",\n]\n\n\
             [[package]]\nname = \"brolga-ir\"\ndependencies = [\n{dependencies}]\n"
        );
        let files = [("ir/Cargo.toml", MANIFEST), (LOCK, &lock)];
        check(&Repository::of(&files)).into_iter().map(|finding| finding.fault).collect()
    }

    #[test]
    fn a_lock_file_that_follows_the_manifests_has_no_findings() {
        assert_eq!(faults(" \"half\",\n \"libc 0.2.1\",\n"), [""; 0]);
    }

    #[test]
    fn what_one_of_them_has_alone_is_found() {
        for (dependencies, alone) in
            [(" \"half\",\n", "libc"), (" \"arc-swap\",\n \"half\",\n \"libc\",\n", "arc-swap")]
        {
            let found = faults(dependencies);
            let says = format!("`brolga-ir` has other dependencies than in ir/Cargo.toml: {alone}");
            assert_eq!(found, [says]);
        }
    }
}
