//! Modules as LLVM IR text, run by LLVM's own tools: the writer against the
//! interpreter.

mod answer;
mod program;
mod read_back;
pub(crate) mod tools;
mod whole;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use brolga_ir::module::Module;

use crate::compare::Observation;
use crate::generate::Call;
pub use tools::{Tools, VERSION, find_tool};
pub use whole::{compare_whole, whole_programs};

/// What LLVM does with a text before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimisation {
    /// Nothing: what the text says is selected instruction by instruction.
    None,
    /// All that `-O2` does: what the text leaves open shows.
    Full,
}

impl Optimisation {
    /// Both.
    pub const ALL: [Optimisation; 2] = [Optimisation::None, Optimisation::Full];

    /// The processor that code is selected for: the least there is, or this machine's.
    const fn cpu(self) -> &'static str {
        match self {
            Optimisation::None => "generic",
            Optimisation::Full => "native",
        }
    }

    /// What every processor has that our own code runs on, beside what LLVM takes for
    /// granted: without it, LLVM calls a library for atomic accesses of 128 bits.
    const fn features() -> &'static str {
        if cfg!(target_arch = "x86_64") { "-mattr=+cx16" } else { "-mattr=" }
    }

    /// What it is called in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Optimisation::None => "llvm unoptimised",
            Optimisation::Full => "llvm optimised",
        }
    }
}

/// When data objects are put back to what they hold at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reset {
    /// Calls see what the ones before have left.
    Never,
    /// Before each call.
    EachCall,
}

/// When two values agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// When their bits do, and the data objects are left alike.
    Exact,
    /// When their bits do, or both are NaN; data objects are not compared.
    AnyNan,
}

/// A module with calls, written.
#[derive(Debug)]
pub struct Written<'m> {
    module: &'m Module,
    calls: &'m [Call],
    reset: Reset,
    text: String,
}

impl<'m> Written<'m> {
    /// The module as LLVM IR, with a main function that makes the calls.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn new(module: &'m Module, calls: &'m [Call], reset: Reset) -> Result<Written<'m>, String> {
        Ok(Written { module, calls, reset, text: program::program(module, calls, reset)? })
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Runs the calls, each of which must end as `expected` says: the numbers of
    /// those that do not, and what is wrong. Data objects count as a call more.
    ///
    /// # Errors
    /// If LLVM refuses the text, or the run dies.
    pub fn disagreements(
        &self,
        tools: &Tools,
        optimisation: Optimisation,
        expected: &Observation,
        agreement: Agreement,
    ) -> Result<Vec<(usize, String)>, String> {
        let folder = Folder::new()?;
        let output = folder.run(tools, optimisation, &self.text)?;
        answer::disagreements(self.module, self.calls, expected, &output, agreement)
    }

    /// The same of what our own reader makes of the text, on the interpreter.
    ///
    /// # Errors
    /// If the text cannot be read, or a call ends in a way that none may.
    pub fn disagreements_when_read(
        &self,
        expected: &Observation,
        agreement: Agreement,
    ) -> Result<Vec<(usize, String)>, String> {
        let output = read_back::run(self.module, &self.text, self.calls.len(), self.reset)?;
        answer::disagreements(self.module, self.calls, expected, &output, agreement)
    }
}

/// The text of the functions that stand around each module.
const RUNTIME: &str = include_str!("llvm/runtime.ll");

/// A folder that goes when it is no longer used.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("brolga-llvm-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.0.join(name);
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        Ok(path)
    }

    /// What the program writes.
    fn run(
        &self,
        tools: &Tools,
        optimisation: Optimisation,
        text: &str,
    ) -> Result<Vec<u8>, String> {
        let (written, runtime) =
            (self.file("program.ll", text)?, self.file("runtime.ll", RUNTIME)?);
        let (module, output) = (self.0.join("program.bc"), self.0.join("output"));
        let (passes, level) = match optimisation {
            Optimisation::None => ("verify", "-O0"),
            Optimisation::Full => ("verify,default<O2>", "-O2"),
        };
        let cpu = format!("-mcpu={}", optimisation.cpu());
        let triple = format!("-mtriple={}-unknown-linux-gnu", std::env::consts::ARCH);
        tools::run(
            Command::new(&tools.opt)
                .args([&format!("-passes={passes}"), &cpu, Optimisation::features(), &triple])
                .arg(&written)
                .arg("-o")
                .arg(&module),
        )?;
        tools::run(
            Command::new(&tools.lli)
                .args([level, &cpu, Optimisation::features(), "--entry-function=brolga.test.main"])
                .arg(format!("--extra-module={}", runtime.display()))
                .arg(&module)
                .arg(&output),
        )?;
        read(&output)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("the run left no output: {error}"))
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
