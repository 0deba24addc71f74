//! What debuggers, profilers and later runs are told of a program that runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use brolga::debugging::jitdump::Jitdump;
use brolga::debugging::perf_map::PerfMap;
use brolga::{Config, Debugging, Engine, EngineError, Gdb};
use clap::Args;

use crate::failure::Failure;
use crate::sources::Sources;

#[derive(Args, Debug)]
#[command(next_help_heading = "Debuggers and profilers")]
pub(crate) struct ToolOptions {
    /// Tell gdb of the code, by its JIT interface: names, lines and calls
    #[arg(long)]
    gdb: bool,
    /// Write the code with its names and lines to a file in this folder, for
    /// `perf inject --jit`
    #[arg(long, value_name = "DIR")]
    jitdump: Option<PathBuf>,
    /// Write the names of the code where `perf report` and `perf top` look for them,
    /// to `/tmp/perf-PID.map`
    #[arg(long)]
    perf_map: bool,
    /// Compile each function when it is first called, and write to this file which were, when,
    /// and how long that took
    #[arg(long, value_name = "FILE")]
    trace_compile: Option<PathBuf>,
}

impl ToolOptions {
    /// Whether functions are compiled at their first calls.
    pub(crate) fn are_lazy(&self) -> bool {
        self.trace_compile.is_some()
    }

    /// Asks an engine for it.
    pub(crate) fn configure(&self, config: &mut Config) -> Result<(), Failure> {
        let jitdump = self.jitdump.as_deref().map(Jitdump::create).transpose();
        let perf_map = self.perf_map.then(PerfMap::create).transpose();
        config.debugging = Debugging {
            gdb: if self.gdb { Gdb::Register } else { Gdb::Omit },
            jitdump: jitdump.map_err(Failure::usage)?.map(Arc::new),
            perf_map: perf_map.map_err(Failure::usage)?.map(Arc::new),
        };
        config.trace_compile.clone_from(&self.trace_compile);
        Ok(())
    }

    /// Has modules say where their texts are, for whoever shows lines.
    pub(crate) fn name_texts(&self, sources: &mut Sources) {
        if !self.gdb && self.jitdump.is_none() {
            return;
        }
        for (input, module) in sources.inputs.iter().zip(&mut sources.modules) {
            let path = Path::new(input.name());
            let path = if path.is_file() { std::path::absolute(path).ok() } else { None };
            module.name = path.map_or_else(
                || input.name().to_owned(),
                |path| path.to_string_lossy().into_owned(),
            );
        }
    }
}

/// Makes an engine; a file of the command line that cannot be written is a fault of that.
pub(crate) fn engine(config: Config) -> Result<Engine, Failure> {
    Engine::new(config).map_err(|error| match error {
        EngineError::Trace { .. } | EngineError::Debugging(_) => Failure::usage(error),
        other => Failure::module(other),
    })
}
