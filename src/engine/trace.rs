//! Writing down which functions are compiled, for later processes.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use brolga_lifecycle::trace::{Line, Trace};
use rustc_hash::FxHashSet;

use crate::error::{EngineError, RecordError};
use crate::link::Making;

/// The trace of an engine.
#[derive(Debug)]
pub(crate) struct CompileTrace {
    path: PathBuf,
    start: Instant,
    trace: Trace,
    /// Libraries, names and signatures that have a line: what is defined anew is not first
    /// compiled then.
    noted: Mutex<FxHashSet<[Box<str>; 3]>>,
}

impl CompileTrace {
    /// One that begins now.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn create(path: &Path) -> Result<CompileTrace, EngineError> {
        let failed = |source| EngineError::Trace { path: path.to_owned(), source };
        // Without a buffer: each line stands in the file when its function is first called.
        let file = File::create(path).map_err(failed)?;
        let trace = Trace::new(Box::new(file)).map_err(failed)?;
        let (path, noted) = (path.to_owned(), Mutex::default());
        Ok(CompileTrace { path, start: Instant::now(), trace, noted })
    }

    /// Notes a function of which there is code by now, by its library, name and signature, unless
    /// it is noted already.
    pub(super) fn note(&self, function: [&str; 3], making: Making) {
        let function: [Box<str>; 3] = function.map(Box::from);
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.insert(function.clone()) {
            return;
        }
        let [library, function, signature] = function;
        // Under the lock, so that times ascend through the file.
        let (at, Making { tier, took }) = (self.start.elapsed(), making);
        self.trace.note(&Line { at, took, tier, library, function, signature });
    }

    /// Whether all of it was written.
    pub(super) fn finish(&self) -> Result<(), RecordError> {
        let failed = |source| RecordError::Trace { path: self.path.clone(), source };
        self.trace.finish().map_err(failed)
    }
}
