//! `check` and `error`: reading and printing.

use brolga_ir::text::{Code, parse_module, print_module};

use super::diff;
use super::file::{TestFile, listed};

/// The file is a module, and printing it is a fixed point.
pub(crate) fn check(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let printed = print_module(&module);
    let again = parse_module(&printed)
        .map_err(|errors| listed(&format!("{} as printed", file.path), &errors))?;
    let reprinted = print_module(&again);
    if printed == reprinted {
        return Ok(());
    }
    Err(format!("{}: printing is no fixed point, {}", file.path, diff::lines(&printed, &reprinted)))
}

/// Reading the file gives exactly the errors that it lists.
pub(crate) fn errors(file: &TestFile) -> Result<(), String> {
    let found = match file.parse() {
        Ok(_) => Vec::new(),
        Err(errors) => errors,
    };
    let shown = |(line, column, code): (u32, u32, Code)| format!("{line}:{column} {code}\n");
    let expected: String = file.errors().map(shown).collect();
    let places: String = found.iter().map(|e| shown((e.line, e.column, e.code))).collect();
    if expected == places {
        return Ok(());
    }
    let difference = diff::lines(&expected, &places);
    Err(format!(
        "{}: other errors than it lists, {difference}{}",
        file.path,
        listed(&file.path, &found)
    ))
}
