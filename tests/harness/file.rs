//! Test files: their text, their directives, and where they are.

use std::path::Path;

use brolga_ir::llvm::{ReadOptions, read_module};
use brolga_ir::module::Module;
use brolga_ir::text::{
    Alone, Assembly, Code, Diagnostic, Directive, DirectiveKind, Passes, Run, ToldRemark,
    directives, parse_module,
};
use brolga_lowering::target::{Feature, TargetSpec};

/// A file with directives.
pub(crate) struct TestFile {
    /// Its path from the root of the package.
    pub(crate) path: String,
    /// Its path without the root of all test files and the extension.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
    directives: Vec<Directive>,
}

impl TestFile {
    /// Reads the file at `path`, from the root of the package.
    pub(crate) fn read(path: &str) -> Result<TestFile, String> {
        let absolute = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = std::fs::read_to_string(absolute).map_err(|error| format!("{path}: {error}"))?;
        let directives = directives(&text).map_err(|errors| listed(path, &errors))?;
        let name = path.strip_prefix("tests/filetests/").unwrap_or(path);
        let name = name.strip_prefix("ir/tests/").unwrap_or(name);
        let name = Path::new(name).with_extension("").display().to_string();
        // That it reads and prints is all that a file about text needs to show; the
        // tests of the command run programs.
        let is_program = path.starts_with("examples/") && path.ends_with(".ll");
        if directives.is_empty() && !name.starts_with("text/") && !is_program {
            return Err(format!("{path}: no directive; say what the file shows"));
        }
        let file = TestFile { path: path.to_owned(), name, text, directives };
        let is_known = |name: &str| Feature::ALL.iter().any(|feature| feature.name() == name);
        if let Some(name) = file.needs().find(|name| !is_known(name)) {
            return Err(format!("{path}: no CPU has a feature `{name}`"));
        }
        Ok(file)
    }

    /// Puts another text in its place.
    pub(crate) fn rewrite(&self, text: &str) -> Result<(), String> {
        let absolute = Path::new(env!("CARGO_MANIFEST_DIR")).join(&self.path);
        std::fs::write(absolute, text).map_err(|error| format!("{}: {error}", self.path))
    }

    /// Its module; an error lists what is wrong with its text.
    pub(crate) fn module(&self) -> Result<Module, String> {
        self.parse().map_err(|errors| listed(&self.path, &errors))
    }

    /// Its module, or what is wrong with its text, which is LLVM's or ours.
    pub(crate) fn parse(&self) -> Result<Module, Vec<Diagnostic>> {
        match self.path.ends_with(".ll") {
            true => read_module(&self.text, &ReadOptions::default()),
            false => parse_module(&self.text),
        }
    }

    /// The calls of its `run` directives, with their lines.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u32, &Run)> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Run(run) => Some((directive.line, run)),
            _ => None,
        })
    }

    /// Line, column and code of its `error` directives.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (u32, u32, Code)> {
        self.directives.iter().filter_map(|directive| match directive.kind {
            DirectiveKind::Error { line, column, code } => Some((line, column, code)),
            _ => None,
        })
    }

    /// Line and code of its `verify` directives.
    pub(crate) fn breaches(&self) -> impl Iterator<Item = (u32, &str)> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Verify { line, code } => Some((*line, code.as_str())),
            _ => None,
        })
    }

    /// The targets of its `compile` directives.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &str> {
        let targets = self.directives.iter().flat_map(|directive| match &directive.kind {
            DirectiveKind::Compile { targets } => targets.as_slice(),
            _ => &[],
        });
        targets.map(String::as_str)
    }

    /// The features of its `needs` directives.
    fn needs(&self) -> impl Iterator<Item = &str> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Needs { feature } => Some(feature.as_str()),
            _ => None,
        })
    }

    /// Whether CPUs of the target have all features that it needs.
    pub(crate) fn fits(&self, target: &TargetSpec) -> bool {
        let has = |name| target.features().iter().any(|feature| feature.name() == name);
        self.needs().all(has)
    }

    /// Its `passes` directives, with their lines.
    pub(crate) fn passes(&self) -> impl Iterator<Item = (u32, &Passes)> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Passes(passes) => Some((directive.line, passes)),
            _ => None,
        })
    }

    /// Its `changes` and `keeps` directives, with their lines.
    pub(crate) fn alone(&self) -> impl Iterator<Item = (u32, &Alone)> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Alone(alone) => Some((directive.line, alone)),
            _ => None,
        })
    }

    /// Its `remark` directives.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = &ToldRemark> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Remark(told) => Some(told),
            _ => None,
        })
    }

    /// Its `asm` directives, with their lines.
    pub(crate) fn assembly(&self) -> impl Iterator<Item = (u32, &Assembly)> {
        self.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Assembly(assembly) => Some((directive.line, assembly)),
            _ => None,
        })
    }

    /// Whether the file is not for that engine, or not for its kind: `lowered`
    /// stands for every engine whose name starts with `lowered-`.
    pub(crate) fn skips(&self, engine: &str) -> bool {
        self.directives.iter().any(|directive| {
            matches!(&directive.kind, DirectiveKind::Skip { engine: skipped, .. } if skipped == engine
                || engine.strip_prefix(skipped.as_str()).is_some_and(|rest| rest.starts_with('-')))
        })
    }
}

/// The errors of a text, each with its place in the file at `path`.
pub(crate) fn listed(path: &str, errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{path}:{error}\n")).collect()
}

/// The `.bir` and `.ll` files below `root`, a path from the root of the package, in
/// order of their paths; none if there is no such folder.
pub(crate) fn files_below(root: &str) -> Vec<String> {
    let absolute = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let Ok(entries) = std::fs::read_dir(absolute) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some((format!("{root}/{name}"), entry.file_type().ok()?.is_dir()))
    });
    let mut files = Vec::new();
    for (path, is_folder) in names {
        if is_folder {
            files.extend(files_below(&path));
        } else if path.ends_with(".bir") || path.ends_with(".ll") {
            files.push(path);
        }
    }
    files.sort();
    files
}
