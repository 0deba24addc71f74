//! What was soaked: a hash of the sources, whatever git knows of them.

use std::path::{Path, PathBuf};

/// The folders whose change makes earlier results say nothing: the product,
/// and what makes the input.
const FOLDERS: &[&str] =
    &["ir/src", "lowering/src", "baseline/src", "lifecycle/src", "src", "testing/src"];

/// The folder of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A hash over names and contents of all sources, in hexadecimal (FNV-1a: no
/// secret, but no two states of the sources are likely to share it).
pub(super) fn tree_hash(root: &Path) -> std::io::Result<String> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut absorb = |name: &str, bytes: &[u8]| {
        let length = bytes.len().to_le_bytes();
        for &byte in name.as_bytes().iter().chain(&length).chain(bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        absorb(&name, &std::fs::read(&file)?);
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    absorb("Cargo.lock", foreign_packages(&lock).as_bytes());
    Ok(format!("{hash:016x}"))
}

/// What a lock file says of packages from elsewhere: another package of the workspace beside
/// those whose sources are hashed changes nothing of them.
fn foreign_packages(lock: &str) -> String {
    let packages = lock.split("[[package]]");
    packages.filter(|package| package.contains("\nsource = ")).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The commit that the sources started from; `-` without git.
pub(super) fn commit(root: &Path) -> String {
    let output = std::process::Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .current_dir(root)
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::foreign_packages;

    #[test]
    fn only_packages_from_elsewhere_are_hashed_by_their_lock() {
        let ours = "\nname = \"brolga-more\"\nversion = \"0.1.0\"\n\n";
        let theirs = "\nname = \"memchr\"\nversion = \"2.7.0\"\nsource = \"registry\"\n";
        let with = format!("version = 4\n[[package]]{ours}[[package]]{theirs}");
        let without = format!("version = 4\n[[package]]{theirs}");
        assert_eq!(foreign_packages(&with), foreign_packages(&without));
        assert_ne!(foreign_packages(&with), foreign_packages(&with.replace("2.7.0", "2.7.1")));
    }
}
