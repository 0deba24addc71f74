//! `changes` and `keeps`: which passes, each alone, change a function.

use brolga_ir::module::Module;
use brolga_ir::text::{Alone, AloneOutcome, print_function};
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::pipeline::{Report, RunOptions, passes_named, run_passes};
use brolga_lowering::target::TargetSpec;

use super::diff;
use super::file::TestFile;
use super::passes::TARGET;

/// Each pass that the file names changes the function, or keeps it, as the file says.
pub(crate) fn alone(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let mut failures = String::new();
    for (line, alone) in file.alone() {
        for name in &alone.names {
            if let Err(fault) = agrees(&module, alone, name) {
                failures.push_str(&format!("{}:{line}: `{name}` {fault}\n", file.path));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn agrees(module: &Module, alone: &Alone, name: &str) -> Result<(), String> {
    let before = text_of(module, &alone.function)?;
    let after = text_of(&behind(module, name)?, &alone.function);
    match (alone.outcome, after) {
        (AloneOutcome::Keeps, Ok(after)) if after != before => {
            Err(format!("changes `@{}`, {}", alone.function, diff::lines(&before, &after)))
        }
        (AloneOutcome::Keeps, Err(fault)) => Err(fault),
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

/// The module behind that pass, which the verifier finds sound.
fn behind(module: &Module, name: &str) -> Result<Module, String> {
    let target = TargetSpec::parse(TARGET).map_err(|error| error.to_string())?;
    let passes = passes_named([name]).map_err(|error| error.to_string())?;
    let mut module = module.clone();
    run_passes(&mut module, &passes, &RunOptions::new(&target), &mut Report::default())
        .map_err(|error| format!("fails: {error}"))?;
    verify_module(&module, &Options::default())
        .map_err(|errors| format!("gives no sound module: {errors}\n{module}"))?;
    Ok(module)
}
