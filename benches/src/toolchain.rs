//! The compilers that make the inputs, found by their version: another one would make
//! another input.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The LLVM whose text the kernels are read from.
pub const LLVM_VERSION: u32 = 22;

/// Why a tool gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not there, or of another version.
    #[error("there is no `{tool}` of version {LLVM_VERSION}: install what Debian calls {package}")]
    Missing {
        /// What it is called.
        tool: &'static str,
        /// Where to have it from.
        package: &'static str,
    },
    /// It is there but made with another LLVM.
    #[error("rustc must be built with LLVM {LLVM_VERSION} and says: {says}")]
    Rustc {
        /// What it says of itself.
        says: String,
    },
    /// It cannot be run.
    #[error("{tool} cannot be run: {error}")]
    Run {
        /// The tool.
        tool: String,
        /// Why.
        error: std::io::Error,
    },
    /// It failed.
    #[error("{tool} failed:\n{output}")]
    Failed {
        /// The tool.
        tool: String,
        /// What it said.
        output: String,
    },
}

/// A compiler and what it says of itself.
#[derive(Clone, Debug)]
pub struct Tool {
    path: PathBuf,
    /// The line in which it states its version.
    pub version: String,
}

impl Tool {
    /// A program at a place, which is not asked for its version.
    pub fn at(path: &Path) -> Tool {
        Tool { path: path.to_owned(), version: String::new() }
    }

    /// Runs it to the end; what it prints is of no use.
    ///
    /// # Errors
    /// If it cannot be run, or says that something is wrong.
    pub fn run<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Result<(), ToolError> {
        self.output(arguments).map(drop)
    }

    /// Runs it to the end; gives what it prints.
    ///
    /// # Errors
    /// If it cannot be run, or says that something is wrong.
    pub fn output<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Result<String, ToolError> {
        let tool = self.path.display().to_string();
        let output = Command::new(&self.path).args(arguments).output();
        let output = output.map_err(|error| ToolError::Run { tool: tool.clone(), error })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let output = if said.is_empty() { output.status.to_string() } else { said.into() };
        Err(ToolError::Failed { tool, output })
    }
}

/// The tools that inputs are made with.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The C compiler.
    pub clang: Tool,
    /// LLVM's passes alone.
    pub opt: Tool,
    /// The Rust compiler.
    pub rustc: Tool,
}

impl Toolchain {
    /// Those of this machine.
    ///
    /// # Errors
    /// If one is missing or of another version; the message says what to install.
    pub fn find() -> Result<Toolchain, ToolError> {
        Ok(Toolchain {
            clang: llvm_tool("clang", "clang-22")?,
            opt: llvm_tool("opt", "llvm-22")?,
            rustc: rustc()?,
        })
    }
}

/// LLVM's passes, and what runs its texts.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The passes.
    pub opt: Tool,
    /// What compiles a text in its own process, and runs it.
    pub lli: Tool,
}

impl Runner {
    /// Those of this machine.
    ///
    /// # Errors
    /// If one is missing or of another version; the message says what to install.
    pub fn find() -> Result<Runner, ToolError> {
        Ok(Runner { opt: llvm_tool("opt", "llvm-22")?, lli: llvm_tool("lli", "llvm-22")? })
    }
}

/// A tool of LLVM: by its name with the version, or by the bare name if that is of the version.
fn llvm_tool(tool: &'static str, package: &'static str) -> Result<Tool, ToolError> {
    let wanted = format!("version {LLVM_VERSION}.");
    let names = [format!("{tool}-{LLVM_VERSION}"), tool.to_owned()];
    let found = names.iter().find_map(|name| {
        let line = said(Path::new(name), "--version")?
            .lines()
            .find(|line| line.contains(&wanted))?
            .trim()
            .to_owned();
        Some(Tool { path: name.into(), version: line })
    });
    found.ok_or(ToolError::Missing { tool, package })
}

fn rustc() -> Result<Tool, ToolError> {
    let path = PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let says = said(&path, "-vV").unwrap_or_default();
    let llvm = says.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    match (says.lines().next(), llvm) {
        (Some(line), Some(llvm)) if llvm.starts_with(&format!("{LLVM_VERSION}.")) => {
            Ok(Tool { path, version: format!("{line}, LLVM {llvm}") })
        }
        _ => Err(ToolError::Rustc { says }),
    }
}

/// What a program prints when it is asked about itself.
fn said(path: &Path, question: &str) -> Option<String> {
    let output = Command::new(path).arg(question).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
