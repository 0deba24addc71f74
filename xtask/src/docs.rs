//! The documentation that tables generate.

mod errors;
mod ir;
mod passes;
mod picture;

use std::fs;

use crate::repository::{Repository, root};

/// A generated file: where it stands and what makes it.
pub(crate) struct GeneratedFile {
    /// Path from the root of the repository.
    pub(crate) path: &'static str,
    /// Renders the whole text from the tables.
    pub(crate) render: fn() -> String,
}

/// Every generated file.
pub(crate) const GENERATED: &[GeneratedFile] = &[
    GeneratedFile { path: "baseline/src/stencil/x86_64.rs", render: crate::stencils::render },
    GeneratedFile { path: "docs/errors.md", render: errors::render },
    GeneratedFile { path: "docs/ir.md", render: ir::render },
    GeneratedFile { path: "docs/passes.md", render: passes::render },
    GeneratedFile { path: "docs/pipeline.svg", render: picture::render },
];

/// Writes the generated files that are not as they should be.
pub(crate) fn write(repository: &Repository) -> Result<(), String> {
    for GeneratedFile { path, render } in GENERATED {
        let text = render();
        if repository.file(path).is_some_and(|file| file.text == text) {
            continue;
        }
        let full = root().join(path);
        let folder = full.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| fs::write(&full, text))
            .map_err(|error| format!("cannot write {path}: {error}\n"))?;
        println!("wrote {path}");
    }
    Ok(())
}
