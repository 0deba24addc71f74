//! The compilers that make the inputs, found by their version: another one would make
//! another input.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use brolga_testing::llvm::{VERSION, find_tool};

/// Why a tool gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not there, or of another version.
    #[error("{0}")]
    Missing(String),
    /// It is there but made with another LLVM.
    #[error("rustc must be built with LLVM {VERSION} and says: {says}")]
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
        Ok(Toolchain { clang: llvm_tool("clang")?, opt: llvm_tool("opt")?, rustc: rustc()? })
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
        Ok(Runner { opt: llvm_tool("opt")?, lli: llvm_tool("lli")? })
    }
}

/// A tool of LLVM, with the line in which it states its version.
fn llvm_tool(tool: &str) -> Result<Tool, ToolError> {
    let path = find_tool(tool).map_err(ToolError::Missing)?;
    let says = said(&path, "--version").unwrap_or_default();
    let version = says.lines().find(|line| line.contains("version ")).unwrap_or_default();
    Ok(Tool { version: version.trim().to_owned(), path })
}

fn rustc() -> Result<Tool, ToolError> {
    let path = PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let says = said(&path, "-vV").unwrap_or_default();
    let llvm = says.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    match (says.lines().next(), llvm) {
        (Some(line), Some(llvm)) if llvm.starts_with(&format!("{VERSION}.")) => {
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
