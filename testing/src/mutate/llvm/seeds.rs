//! The texts that inputs are made of.

use std::path::Path;
use std::sync::OnceLock;

/// Where they stand in the repository: what the reader's own tests read, and what clang and
/// rustc make of some kernels of the benches.
const FOLDERS: [&str; 3] = ["ir/tests/llvm", "ir/src/llvm/parse/tests", "testing/seeds"];

/// Larger texts are left out: their like is in the others.
const MOST_BYTES: usize = 12_000;

/// All of them, in the order of their paths; at least one.
pub(super) fn all() -> &'static [&'static str] {
    static TEXTS: OnceLock<Vec<&'static str>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Vec::new();
        for folder in FOLDERS {
            collect(&root.join(folder), &mut files);
        }
        files.sort();
        let texts = files.into_iter().map(|(_, text)| &*text.leak());
        let texts: Vec<&str> = texts.filter(|text| text.len() <= MOST_BYTES).collect();
        if texts.is_empty() { vec!["define void @f() {\n  ret void\n}\n"] } else { texts }
    })
}

/// What cannot be read is left out.
fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "ll")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            files.push((path.display().to_string(), text));
        }
    }
}
