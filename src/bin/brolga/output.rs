//! Where answers and messages go.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    Ok(stdout.flush()?)
}

/// Writes a text to standard error, ending its line.
pub(crate) fn print_error(text: &str) {
    // If standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes to the file, or to standard output if there is none or it is `-`.
pub(crate) fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) if path != Path::new("-") => {
            fs::write(path, bytes).map_err(|error| Failure::file(path, &error))
        }
        _ => print(bytes),
    }
}

/// A path with its control characters spelled out: they could break the line,
/// or steer the terminal.
pub(crate) fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for character in path.display().to_string().chars() {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

/// Whether messages on standard error are coloured.
pub(crate) fn has_coloured_errors() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}
