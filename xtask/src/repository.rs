//! The repository as a list of files with their text.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the repository.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Path from the root of the repository, with `/` whatever the platform.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
}

/// What the checks look at: every file that git would see, sorted by path.
///
/// Read from the folder, not from git's index: a file is judged before it is
/// committed, and a source archive without history can be judged as well.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    /// All files that are UTF-8.
    pub(crate) files: Vec<TextFile>,
    /// Paths of all files and folders, text or not.
    pub(crate) paths: BTreeSet<String>,
}

impl Repository {
    /// Reads the repository that this crate stands in.
    pub(crate) fn load() -> Result<Self, String> {
        let root = root();
        let ignored = ignored_entries(&root)?;
        let mut repository = Self::default();
        repository.read_folder(&root, "", &ignored)?;
        Ok(repository)
    }

    /// The file at `path`, if there is one and it is text.
    pub(crate) fn file(&self, path: &str) -> Option<&TextFile> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// The files whose path ends in `.extension`.
    pub(crate) fn with_extension<'a>(
        &'a self,
        extension: &'a str,
    ) -> impl Iterator<Item = &'a TextFile> {
        self.files.iter().filter(move |file| {
            Path::new(&file.path).extension().is_some_and(|found| found == extension)
        })
    }

    fn read_folder(
        &mut self,
        folder: &Path,
        prefix: &str,
        ignored: &[String],
    ) -> Result<(), String> {
        let entries = fs::read_dir(folder).map_err(|error| reading(folder, &error))?;
        let mut names: Vec<(String, PathBuf)> = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| reading(folder, &error))?;
            names.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
        names.sort();
        for (name, full) in names {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            if name == ".git" || is_ignored(&path, ignored) {
                continue;
            }
            if full.is_dir() {
                self.read_folder(&full, &path, ignored)?;
            } else {
                let bytes = fs::read(&full).map_err(|error| reading(&full, &error))?;
                if let Ok(text) = String::from_utf8(bytes) {
                    self.files.push(TextFile { path: path.clone(), text });
                }
            }
            self.paths.insert(path);
        }
        // A folder and its files interleave differently by name than by path.
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }

    /// A repository in memory, for tests of the checks.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut repository = Self::default();
        for (path, text) in files {
            repository.files.push(TextFile { path: (*path).to_owned(), text: (*text).to_owned() });
            for (at, _) in path.match_indices('/') {
                repository.paths.insert(path[..at].to_owned());
            }
            repository.paths.insert((*path).to_owned());
        }
        repository.files.sort_by(|a, b| a.path.cmp(&b.path));
        repository
    }
}

/// The root of the repository: the parent of this crate's folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The Cargo that has started this, with a command for the repository. It is run from wherever
/// this was: paths among the options of a program are from there.
pub(crate) fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(command).arg("--manifest-path").arg(root().join("Cargo.toml"));
    cargo
}

fn reading(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}\n", path.display())
}

/// The lines of `.gitignore`, of the two forms that the repository uses.
fn ignored_entries(root: &Path) -> Result<Vec<String>, String> {
    let path = root.join(".gitignore");
    let text = fs::read_to_string(&path).map_err(|error| reading(&path, &error))?;
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            if line.starts_with('/') || line.starts_with("*.") {
                Ok(line.to_owned())
            } else {
                Err(format!(
                    ".gitignore: `{line}`: write `/path` or `*.extension`, which tidy can follow\n"
                ))
            }
        })
        .collect()
}

fn is_ignored(path: &str, ignored: &[String]) -> bool {
    ignored.iter().any(|entry| match entry.strip_prefix('*') {
        Some(suffix) => path.ends_with(suffix),
        None => entry.trim_matches('/') == path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_entries_match_from_the_root_or_by_extension() {
        let ignored = ["/target".to_owned(), "/fuzz/corpus".to_owned(), "*.profraw".to_owned()];
        assert!(is_ignored("target", &ignored));
        assert!(is_ignored("fuzz/corpus", &ignored));
        assert!(is_ignored("a/b.profraw", &ignored));
        assert!(!is_ignored("lowering/src/target", &ignored));
    }

    #[test]
    fn the_repository_of_this_crate_is_read_without_its_build_products() {
        let repository = Repository::load().expect("the repository can be read");
        assert!(repository.file("xtask/src/main.rs").is_some());
        assert!(repository.paths.contains("xtask/src"));
        assert!(!repository.paths.contains("target"));
        assert!(repository.files.is_sorted_by(|a, b| a.path < b.path));
    }
}
