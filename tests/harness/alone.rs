//! `changes` and `keeps`: which passes, each alone, change a function.

use brolga_ir::module::Module;
use brolga_ir::text::{Alone, AloneOutcome, print_function};

use super::diff;
use super::file::TestFile;
use super::passes::{behind, means_the_same};

/// Each pass that the file names changes the function, or keeps it, as the file says.
pub(crate) fn alone(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let mut failures = String::new();
    for (line, alone) in file.alone() {
        for name in &alone.names {
            if let Err(fault) = agrees(file, &module, alone, name) {
                failures.push_str(&format!("{}:{line}: `{name}` {fault}\n", file.path));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn agrees(file: &TestFile, module: &Module, alone: &Alone, name: &String) -> Result<(), String> {
    let names = std::slice::from_ref(name);
    let before = text_of(module, &alone.function)?;
    let made = behind(module, names, None)?;
    let after = text_of(&made, &alone.function);
    means_the_same(file, module, made, names)?;
    match (alone.outcome, after) {
        (AloneOutcome::Keeps, Ok(after)) if after != before => {
            Err(format!("changes `@{}`, {}", alone.function, diff::lines(&before, &after)))
        }
        (_, Err(fault)) => Err(fault),
        (AloneOutcome::Changes, Ok(after)) if after == before => {
            Err(format!("keeps `@{}`:\n{before}", alone.function))
        }
        _ => Ok(()),
    }
}

fn text_of(module: &Module, function: &str) -> Result<String, String> {
    let id = module.function_named(function);
    id.map(|id| print_function(module, id)).ok_or_else(|| format!("leaves no `@{function}`"))
}
