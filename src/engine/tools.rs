//! What an engine offers to tools.

use std::path::Path;

use super::precompile::Precompiled;
use super::{Engine, Library, precompile, repro};
use crate::error::{PrecompileError, RecordError, ReproError};

impl Engine {
    /// Compiles the functions that a trace names, which
    /// [`Config::trace_compile`](super::Config::trace_compile) has written, as far as they are
    /// defined with the signatures that they had then: their first calls find them ready. Where
    /// tiers depend on what runs, they are compiled in the tier that the trace tells; otherwise as
    /// [`Config::tiering`](super::Config::tiering) says.
    ///
    /// # Errors
    /// If the text is no trace, or the thread is being torn down. That single functions are not
    /// there, or cannot be compiled, is in the counts.
    pub fn precompile(&self, trace: &str) -> Result<Precompiled, PrecompileError> {
        precompile::precompile(&self.shared, trace)
    }

    /// Writes a text to a file by which the compile of the function `name` can be repeated: the
    /// function, those whose code it may take over, and at its head, as comments, the tier, the
    /// target, the options and how the command `brolga` compiles it. The tier is that of the code
    /// that it has, or the one of its first call.
    ///
    /// # Errors
    /// If the function is not defined, was loaded with its module, which is not kept, or is yet to
    /// be made by whoever does so later, or the file cannot be written.
    pub fn dump_repro(&self, name: &str, path: &Path) -> Result<(), ReproError> {
        repro::dump(&self.shared, self.full(name), path)
    }

    /// Shows the times and counts of passes that [`Config::inspection`](super::Config::inspection)
    /// asks for and that were not shown yet, and says whether all was written that [`Config::debugging`](super::Config::debugging) and
    /// [`Config::trace_compile`](super::Config::trace_compile) ask for: what cannot be, stops no
    /// code.
    ///
    /// # Errors
    /// The first failure since this was last asked, of each.
    pub fn finish_records(&self) -> Result<(), RecordError> {
        if let Some(inspected) = &self.shared.inspected {
            inspected.conclude();
        }
        if let Some(error) = self.shared.environment.debuggers.take_failure() {
            return Err(error.into());
        }
        self.shared.trace.as_ref().map_or(Ok(()), |trace| trace.finish())
    }
}

impl Library {
    /// Writes a text to a file by which the compile of a function that the library sees can be
    /// repeated, as [`Engine::dump_repro`] does.
    ///
    /// # Errors
    /// As there.
    pub fn dump_repro(&self, name: &str, path: &Path) -> Result<(), ReproError> {
        repro::dump(&self.shared, (self.id, name), path)
    }
}
