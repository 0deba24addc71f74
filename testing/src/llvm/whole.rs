//! Whole programs, as LLVM runs them before and after they were ours.

use std::path::Path;
use std::process::{Command, Stdio};

use brolga_ir::llvm::{ReadOptions, read_module, write_module};

use super::{Folder, RUNTIME, Tools};

/// Programs with constructors and destructors, beside those of the command's tests.
const FILES: [&str; 2] = ["life.ll", "order.ll"];

/// The programs whose lists LLVM must run in the same order, read and written again, each
/// with its name.
///
/// # Errors
/// If one cannot be read.
pub fn whole_programs() -> Result<Vec<(String, String)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/command/programs");
    let read = |name: &&str| {
        let text = std::fs::read_to_string(folder.join(name));
        let text = text.map_err(|error| format!("{name}: {error}"))?;
        Ok(((*name).to_owned(), text))
    };
    FILES.iter().map(read).collect()
}

/// Runs a program by LLVM's own tools as it is, and as what is written of what is read.
///
/// # Errors
/// If they do not print the same and end alike.
pub fn compare_whole(tools: &Tools, text: &str) -> Result<(), String> {
    let module = read_module(text, &ReadOptions::default());
    let module = module.map_err(|errors| format!("it cannot be read: {errors:?}"))?;
    let written = write_module(&module).map_err(|error| error.to_string())?;
    let (expected, found) = (run(tools, text)?, run(tools, &written)?);
    match expected == found {
        true => Ok(()),
        false => Err(format!("expected {expected:?}, found {found:?} in\n{written}")),
    }
}

/// What a program prints, and how it ends.
fn run(tools: &Tools, text: &str) -> Result<(Option<i32>, String), String> {
    let folder = Folder::new()?;
    let (file, runtime) = (folder.file("program.ll", text)?, folder.file("runtime.ll", RUNTIME)?);
    let output = Command::new(&tools.lli)
        .arg(format!("--extra-module={}", runtime.display()))
        .arg(&file)
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.stderr.is_empty() {
        true => Ok((output.status.code(), text(&output.stdout))),
        false => Err(text(&output.stderr)),
    }
}
