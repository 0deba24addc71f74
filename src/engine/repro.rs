//! Texts by which the compile of a function can be repeated elsewhere.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use brolga_ir::entity::{Block, FuncId};
use brolga_ir::module::{Extract, Module};
use brolga_ir::text::print_module;
use brolga_lifecycle::resolve::Functions;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::error::CompileError;
use brolga_lowering::pipeline::open_callees;

use super::shared::{Full, Shared};
use crate::error::{LoadError, ReproError};
use crate::link::{Definition, Lazy, Making, Source};

/// So many texts of functions of one name are kept in a folder.
const MOST_OF_ONE_NAME: u32 = 100;

/// Writes the text of a function to a file.
pub(super) fn dump(
    shared: &Shared,
    (library, name): Full<'_>,
    path: &Path,
) -> Result<(), ReproError> {
    let missing = || ReproError::Missing { name: name.into() };
    let number = shared.symbols().defined_function(library, name).ok_or_else(missing)?;
    let life = shared.life(number);
    let (source, _) = life.source().ok_or_else(missing)?;
    let (definition, id) = match &source {
        Source::Loaded => return Err(ReproError::Loaded { name: name.into() }),
        Source::Callback(_) => return Err(ReproError::NotMade { name: name.into() }),
        _ => source.definition().ok_or_else(missing)?,
    };
    let making = life.code().and_then(|code| Making::of(&code));
    let tier = making.map_or_else(|| shared.config.tiering.first(name), |making| making.tier);
    let subject = shared.subject_of(&definition, id, None, tier);
    let text = subject.and_then(|subject| subject.repro(shared)).ok_or_else(missing)?;
    std::fs::write(path, text).map_err(|source| ReproError::Write { path: path.to_owned(), source })
}

/// What is compiled: a function in a module of its own, with those whose code it may take over.
struct Subject {
    extract: Extract,
    block: Option<Block>,
    tier: Tier,
}

impl Subject {
    /// What it takes to repeat the compile: the functions in a module of their own, and how to
    /// run it.
    fn repro(&self, shared: &Shared) -> Option<String> {
        let Extract { module, function } = &self.extract;
        let name = &module.function(*function)?.name;
        Some(self.head(shared, name) + "\n" + &print_module(module))
    }

    /// How the function of that name is compiled, as comments.
    fn head(&self, shared: &Shared, name: &str) -> String {
        let (name, options) = (name.escape_debug(), shared.options_of(self.tier));
        let (target, level) = (shared.isa.spec(), options.level.name());
        let list = shared.config.inspection.passes.as_ref();
        let list = list.map_or_else(String::new, |list| format!("--passes='{list}' "));
        let mut lines = vec![
            format!("How @{name} is compiled at the tier `{}`:", self.tier.name()),
            String::new(),
            format!(
                "    brolga compile -{level} {list}--target '{target}' --function '{name}' FILE"
            ),
            String::new(),
            format!("by brolga {}, which has had these options:", env!("CARGO_PKG_VERSION")),
            format!("{options:?}"),
        ];
        if self.tier == Tier::Quick {
            lines.push("Where there are stencils, this tier does without the pipeline.".to_owned());
        }
        if let Some(block) = self.block {
            lines.push(format!("Only what is left of it from {block} on was compiled."));
        }
        let comment = |line: String| format!("; {line}").trim_end().to_owned() + "\n";
        lines.into_iter().map(comment).collect()
    }
}

impl Shared {
    /// A function that is compiled by itself.
    fn subject_of(
        &self,
        definition: &Arc<Definition>,
        id: FuncId,
        block: Option<Block>,
        tier: Tier,
    ) -> Option<Subject> {
        let gathered = self.gather(definition, id, self.passes_of(tier));
        let extract = match gathered {
            Some(gathered) => gathered.extract,
            None => definition.module.extract(id)?,
        };
        Some(Subject { extract, block, tier })
    }

    /// Why a function was not compiled; if that is a panic, its text is written, where there is a
    /// folder for such, and the error says where.
    pub(super) fn with_repro(&self, lazy: &Lazy<'_>, error: Arc<LoadError>) -> Arc<LoadError> {
        let LoadError::Compile(compile_error) = &*error else { return error };
        let subject = || self.subject_of(lazy.definition, lazy.id, lazy.block, lazy.tier);
        self.noted(compile_error, subject).map_or(error, |noted| Arc::new(noted.into()))
    }

    /// The same of modules that are loaded.
    pub(super) fn with_load_repro(&self, modules: &[&Module], error: LoadError) -> LoadError {
        let LoadError::Compile(panic @ CompileError::Panicked { function, .. }) = &error else {
            return error;
        };
        let found = modules.iter().find_map(|&module| {
            let id = module.function_named(function)?;
            module.function(id)?.body.as_ref().map(|_| (module, id))
        });
        let Some((module, id)) = found else { return error };
        let tier = self.config.load_tier();
        let subject = || {
            let others = open_callees(module, id, self.passes_of(tier), |_| true);
            Some(Subject { extract: module.extract_with(id, &others)?, block: None, tier })
        };
        self.noted(panic, subject).map_or(error, LoadError::Compile)
    }

    /// A panic that says where its text is; nothing of other errors, or if there is no folder.
    fn noted(
        &self,
        error: &CompileError,
        subject: impl FnOnce() -> Option<Subject>,
    ) -> Option<CompileError> {
        let CompileError::Panicked { function, reason } = error else { return None };
        let directory = self.config.repro_directory.as_ref()?;
        let text = subject()?.repro(self)?;
        let reason = match write_anew(directory, function, &text) {
            Ok(path) => format!("{reason}; its text is in {}", path.display()),
            Err(error) => {
                format!("{reason}; its text is not in {}: {error}", directory.display())
            }
        };
        Some(CompileError::Panicked { function: function.clone(), reason: reason.into() })
    }
}

/// Writes a text to a file that was not there, whose name begins with that of the function.
fn write_anew(directory: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let plain = |sign: char| if sign.is_ascii_alphanumeric() || sign == '_' { sign } else { '-' };
    let name: String = name.chars().map(plain).take(100).collect();
    for number in 0..MOST_OF_ONE_NAME {
        let path = directory.join(format!("{name}-{number}.bir"));
        match File::create_new(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("there are {MOST_OF_ONE_NAME} texts of that name already")))
}
