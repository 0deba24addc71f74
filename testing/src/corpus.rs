//! The texts that say what calls must give: examples of ops, and test files.

use std::collections::BTreeSet;
use std::path::Path;

use brolga_ir::op::Op;
use brolga_ir::text::example_module;

/// The op table's examples and the test files, each with its name.
pub fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<_> =
        Op::ALL.iter().map(|&op| (op.mnemonic().to_owned(), example_module(op))).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests");
    let (mut folders, mut files) = (vec![root], BTreeSet::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(files.insert(path)),
            }
        }
    }
    for path in files {
        // Some are no text at all, for the parser to say so.
        if let Ok(text) = std::fs::read_to_string(&path) {
            texts.push((path.display().to_string(), text));
        }
    }
    texts
}
