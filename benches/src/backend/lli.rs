//! LLVM's own `lli`, a process for each call. Nobody races it: it says what LLVM makes of a
//! text, and of what our writer makes of that text.

use std::fs;
use std::path::{Path, PathBuf};

use brolga::ir::llvm::write_module;

use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::source::{Format, Source};
use crate::toolchain::Runner;

/// What `lli` gets of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The text itself.
    Text,
    /// What our writer makes of the module that our reader makes of it.
    Written,
    /// The same, after all of LLVM's passes at `-O2`: what it leaves open shows.
    WrittenOptimised,
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 3] = [Way::Text, Way::Written, Way::WrittenOptimised];

    /// The way as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Way::Text => "lli",
            Way::Written => "lli-written",
            Way::WrittenOptimised => "lli-written-O2",
        }
    }

    const fn passes(self) -> &'static str {
        match self {
            Way::Text | Way::Written => "-passes=verify",
            Way::WrittenOptimised => "-passes=verify,default<O2>",
        }
    }
}

/// The main function.
const AROUND: &str = include_str!("lli.ll");

/// `lli`, found by its version.
#[derive(Debug)]
pub struct Lli {
    way: Way,
    runner: Runner,
}

impl Lli {
    /// The tools of this machine.
    ///
    /// # Errors
    /// If one is missing.
    pub fn new(way: Way) -> Result<Lli, BackendError> {
        Ok(Lli { way, runner: Runner::find()? })
    }
}

impl Backend for Lli {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        let text = match (self.way, source.format) {
            (Way::Text, Format::Llvm) => source.text.clone(),
            (Way::Text, Format::Brolga) => return Err("LLVM does not read `.bir`".into()),
            _ => write_module(&source.module()?)?,
        };
        let place = source.path.with_extension(self.way.name());
        Ok(Box::new(Text { lli: self, text, place, symbol: &source.symbol }))
    }
}

struct Text<'a> {
    lli: &'a Lli,
    text: String,
    /// Where files of this text go, without their endings.
    place: PathBuf,
    symbol: &'a str,
}

impl Text<'_> {
    fn file(&self, ending: &str) -> PathBuf {
        let mut path = self.place.clone().into_os_string();
        path.push(ending);
        path.into()
    }
}

impl Input for Text<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let [text, around, module] = [".ll", ".main.ll", ".bc"].map(|ending| self.file(ending));
        fs::write(&text, &self.text)?;
        fs::write(&around, AROUND.replace("@kernel(", &format!("@\"{}\"(", self.symbol)))?;
        let arguments = [self.lli.way.passes(), "-mcpu=native", "-o"].map(Path::new);
        let mut phases = Phases::default();
        let run = || self.lli.runner.opt.run(arguments.into_iter().chain([&*module, &*text]));
        phases.time("passes", run)?;
        let kernel = Box::new(Process { lli: self.lli, module, around });
        Ok(Compiled { phases, code_bytes: 0, kernel })
    }
}

struct Process<'a> {
    lli: &'a Lli,
    module: PathBuf,
    around: PathBuf,
}

impl Callable for Process<'_> {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        let printed = self.lli.runner.lli.output([
            "-mcpu=native",
            "--entry-function=brolga.kernel.main",
            &format!("--extra-module={}", self.around.display()),
            &self.module.display().to_string(),
            &n.to_string(),
        ])?;
        Ok(printed.trim().parse()?)
    }
}
