//! LLVM's own tools, found by their version.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::wait;

/// The version that texts are made and checked with.
pub const VERSION: u32 = 22;

/// How long a tool may run: far longer than it does.
const PATIENCE: Duration = Duration::from_secs(300);

/// The tools.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The optimiser, which verifies, too.
    pub opt: PathBuf,
    /// What runs a text.
    pub lli: PathBuf,
}

impl Tools {
    /// Those in the folder that `BROLGA_LLVM` names, or on the path.
    ///
    /// # Errors
    /// If one is missing, or of another version.
    pub fn find() -> Result<Tools, String> {
        Ok(Tools { opt: find_tool("opt")?, lli: find_tool("lli")? })
    }
}

/// A tool of the version that texts are checked with, in the folder that `BROLGA_LLVM`
/// names, or on the path.
///
/// # Errors
/// If it is missing; says what to install.
pub fn find_tool(tool: &str) -> Result<PathBuf, String> {
    let names = [format!("{tool}-{VERSION}"), tool.to_owned()];
    let folders: Vec<PathBuf> = match std::env::var_os("BROLGA_LLVM") {
        Some(folder) => vec![folder.into()],
        None => std::env::var_os("PATH")
            .map(|path| std::env::split_paths(&path).collect())
            .unwrap_or_default(),
    };
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let package = if tool == "clang" { "clang" } else { "llvm" };
    files.into_iter().find(|file| is_wanted(file)).ok_or_else(|| {
        format!(
            "no {tool} of LLVM {VERSION}: install the package `{package}-{VERSION}`, or name the folder of its tools in BROLGA_LLVM"
        )
    })
}

fn is_wanted(file: &Path) -> bool {
    let output = file.is_file().then(|| Command::new(file).arg("--version").output());
    let Some(Ok(output)) = output else { return false };
    String::from_utf8_lossy(&output.stdout).contains(&format!("version {VERSION}."))
}

/// Runs a tool to its end.
///
/// # Errors
/// If it fails, or takes too long; with what it says.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let said = |error: std::io::Error| format!("{name}: {error}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(said)?;
    let mut errors = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        // What cannot be read is not said.
        let _ = errors.as_mut().map(|errors| errors.read_to_string(&mut text));
        text
    });
    let status = wait(&mut child, PATIENCE);
    let text = reader.join().unwrap_or_default();
    let start: String = text.lines().take(12).map(|line| format!("\n  {line:.200}")).collect();
    match status.map_err(said)? {
        None => Err(format!("{name} does not come to an end{start}")),
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("{name}: {status}{start}")),
    }
}
