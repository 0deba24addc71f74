//! Published packages, which cargo fetches into its own folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::root;
use super::table::{Package, Program};

/// Where packages are, and what is of ours beside them.
#[derive(Debug)]
pub(super) struct Packages {
    folders: BTreeMap<String, PathBuf>,
}

/// What paths of this repository begin with.
const OURS: &str = "corpus";

impl Packages {
    /// Fetches what programs need: packages that a manifest in `folder` depends on, which
    /// nobody builds.
    pub(super) fn fetch(folder: &Path, programs: &[&Program]) -> Result<Packages, String> {
        let packages: BTreeMap<&str, &Package> = programs
            .iter()
            .flat_map(|program| program.packages)
            .map(|package| (package.name, package))
            .collect();
        let folder = folder.join("packages");
        let manifest = folder.join("Cargo.toml");
        let said = |error: std::io::Error| format!("{}: {error}\n", folder.display());
        fs::create_dir_all(folder.join("src")).map_err(said)?;
        fs::write(folder.join("src/lib.rs"), "").map_err(said)?;
        fs::write(&manifest, manifest_of(packages.values().copied())).map_err(said)?;
        let metadata = metadata(&manifest)?;
        let manifests: BTreeSet<&str> = manifests(&metadata).collect();
        let mut folders = BTreeMap::from([(OURS.to_owned(), root().join("testing/corpus"))]);
        for package in packages.values() {
            let wanted = format!("{}-{}", package.name, package.version);
            let mut found = manifests.iter().filter_map(|path| Path::new(path).parent());
            let found = found.find(|folder| folder.file_name() == Some(wanted.as_ref()));
            let found = found.ok_or_else(|| format!("cargo fetched no {wanted}\n"))?;
            folders.insert(package.name.to_owned(), found.to_owned());
        }
        Ok(Packages { folders })
    }

    /// Where a file or folder is.
    pub(super) fn path(&self, path: &str) -> Result<PathBuf, String> {
        let (package, rest) = path.split_once('/').unwrap_or((path, ""));
        let folder = self.folders.get(package);
        Ok(folder.ok_or_else(|| format!("`{path}` is in no package\n"))?.join(rest))
    }

    /// An option or argument, with the path in it if it has one.
    pub(super) fn word(&self, word: &str) -> Result<String, String> {
        match word.strip_prefix('@') {
            Some(path) => Ok(self.path(path)?.display().to_string()),
            None => Ok(word.to_owned()),
        }
    }

    /// The files that a pattern stands for, by name; `*` stands in its last part alone.
    pub(super) fn files(&self, pattern: &str) -> Result<Vec<PathBuf>, String> {
        let path = self.path(pattern)?;
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(format!("`{pattern}` names no file\n"));
        };
        let name = name.to_string_lossy();
        let Some((start, end)) = name.split_once('*') else { return Ok(vec![path]) };
        let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}\n", folder.display()))?;
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|file| {
                let name = file.file_name().map(|name| name.to_string_lossy());
                let is_long = |name: &str| name.len() >= start.len() + end.len();
                name.is_some_and(|n| is_long(&n) && n.starts_with(start) && n.ends_with(end))
            })
            .collect();
        files.sort();
        match files.is_empty() {
            true => Err(format!("`{pattern}` stands for no file\n")),
            false => Ok(files),
        }
    }
}

/// A manifest that depends on exactly these packages, in a workspace of its own.
fn manifest_of<'a>(packages: impl Iterator<Item = &'a Package>) -> String {
    let mut text = "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                    [workspace]\n\n[dependencies]\n"
        .to_owned();
    for Package { name, version } in packages {
        // What stands behind `+` tells people something; cargo does not compare it.
        let version = version.split('+').next().unwrap_or(version);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name} = {{ version = \"={version}\", default-features = false }}");
    }
    text
}

/// What cargo says of the packages that a manifest needs, when it has fetched them.
fn metadata(manifest: &Path) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--quiet", "--format-version=1"])
        .arg("--filter-platform=x86_64-unknown-linux-gnu")
        .arg("--manifest-path")
        .arg(manifest)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}\n"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err("the packages cannot be fetched\n".to_owned()),
    }
}

/// The paths of the manifests in what cargo says.
fn manifests(metadata: &str) -> impl Iterator<Item = &str> {
    let behind = metadata.split("\"manifest_path\":\"").skip(1);
    behind.filter_map(|text| text.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_patterns_are_found_in_the_folders_of_their_packages() {
        let folders = BTreeMap::from([(OURS.to_owned(), root().join("testing/corpus"))]);
        let packages = Packages { folders };
        let files = packages.files("corpus/lua/*.lua").expect("there are scripts");
        let names: Vec<_> = files.iter().filter_map(|file| file.file_name()).collect();
        assert_eq!(names, ["control.lua", "values.lua"]);
        assert!(packages.files("corpus/lua/*.none").is_err());
        assert!(packages.path("elsewhere/x.c").is_err());
        assert_eq!(packages.word("-O2").as_deref(), Ok("-O2"));
        assert!(packages.word("@corpus/zlib").is_ok_and(|word| word.ends_with("corpus/zlib")));
    }

    #[test]
    fn a_manifest_takes_one_version() {
        let package = Package { name: "zstd-sys", version: "2.1.2+zstd.1.5.7" };
        let text = manifest_of([&package].into_iter());
        assert!(text.ends_with("zstd-sys = { version = \"=2.1.2\", default-features = false }\n"));
    }

    #[test]
    fn manifests_are_read_from_what_cargo_says() {
        let said = r#"{"manifest_path":"/a/b-1/Cargo.toml","x":{"manifest_path":"/c/Cargo.toml"}}"#;
        assert_eq!(manifests(said).collect::<Vec<_>>(), ["/a/b-1/Cargo.toml", "/c/Cargo.toml"]);
    }
}
