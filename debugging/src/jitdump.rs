//! jitdump: what `perf inject --jit` makes objects of, with names, lines and the code itself.
//!
//! ```text
//! perf record -k 1 PROGRAM                         the program writes jit-PID.dump
//! perf inject --jit -i perf.data -o perf.jit.data  an object for each function of it
//! perf report -i perf.jit.data
//! ```
//!
//! `-k 1` has perf take its times from `CLOCK_MONOTONIC`, as the records do: by time it finds
//! which function stood at an address. `perf record` learns of the file from a mapping of it that
//! is executable; so the first page is mapped thus, once, for as long as the writer lives.
//!
//! Each unit is two records, written as one: `JIT_CODE_DEBUG_INFO` with its lines, if any are
//! known, then `JIT_CODE_LOAD`. `JIT_CODE_CLOSE` ends the file. There is no record of code that is
//! freed: what is loaded later at an address stands there from then on. Inlined code belongs to
//! the line that it was written at, since the format has no calls that were inlined.
//!
//! Source: `tools/perf/Documentation/jitdump-specification.txt` of Linux, version 1 of the format.

mod record;
mod system;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::PlacedUnit;
use record::{Header, Origin};
use system::DumpFile;

/// Why a dump was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JitdumpError {
    /// The system has no perf.
    #[error("there is no perf here to read a jitdump; leave it out")]
    Unsupported,
    /// The file was not made, or its first page not mapped.
    #[error(
        "cannot make the jitdump {}: {source}; choose a folder that may be written to, on a file system that is not mounted `noexec`",
        path.display()
    )]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A record was not written. What was written before it stands.
    #[error("cannot write to the jitdump {}: {source}; make room, or go on without", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The records of a unit take 4 GiB or more.
    #[error("@{name} is too large for a record of a jitdump; split it")]
    TooLarge {
        /// The unit.
        name: Box<str>,
    },
}

/// The dump of this process. Threads share it, one for each process and folder; dropping it ends
/// the file. A forked child adds nothing to it, since a dump is that of the process whose number
/// it has: it makes one of its own.
#[derive(Debug)]
pub struct Jitdump {
    path: PathBuf,
    process: u32,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: DumpFile,
    /// Units so far.
    count: u64,
}

impl Jitdump {
    /// Makes the file `jit-PID.dump` in a folder, in place of what a process of the same number
    /// left, and maps its first page.
    ///
    /// # Errors
    /// [`JitdumpError::Create`], and [`JitdumpError::Unsupported`] anywhere but on Linux.
    pub fn create(directory: &Path) -> Result<Jitdump, JitdumpError> {
        let machine = system::elf_machine().ok_or(JitdumpError::Unsupported)?;
        let process = std::process::id();
        // The name is perf's: it asks of a mapping whether its file is called so.
        let path = directory.join(format!("jit-{process}.dump"));
        let header = Header { machine, process, time: system::now() };
        match DumpFile::create(&path, &header.bytes()) {
            Ok(file) => {
                let state = Mutex::new(State { file, count: 0 });
                Ok(Jitdump { path, process, state })
            }
            Err(source) => Err(JitdumpError::Create { path, source }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the records of a unit, which runs from now on. Zeros in names become `?`.
    ///
    /// # Errors
    /// [`JitdumpError::Write`] and [`JitdumpError::TooLarge`]. The dump can be used again after
    /// each.
    pub fn add(&self, placed: &PlacedUnit<'_>) -> Result<(), JitdumpError> {
        if !self.is_own() {
            return Ok(());
        }
        let mut state = self.lock();
        // Under the lock, so that times ascend through the file.
        let origin = Origin {
            process: self.process,
            thread: system::thread(),
            time: system::now(),
            index: state.count,
        };
        let records = record::of_unit(placed, &origin)
            .ok_or_else(|| JitdumpError::TooLarge { name: (*placed.unit.name).into() })?;
        state.file.append(&records).map_err(|source| self.write_error(source))?;
        state.count += 1;
        Ok(())
    }

    /// Ends the file. Dropping does so, too, but has nowhere to say that it failed.
    ///
    /// # Errors
    /// [`JitdumpError::Write`].
    pub fn close(self) -> Result<(), JitdumpError> {
        self.end().map_err(|source| self.write_error(source))
    }

    /// Whether this is the process that made it.
    fn is_own(&self) -> bool {
        self.process == std::process::id()
    }

    fn end(&self) -> io::Result<()> {
        if !self.is_own() {
            return Ok(());
        }
        self.lock().file.end(&record::close(system::now()))
    }

    fn write_error(&self, source: io::Error) -> JitdumpError {
        JitdumpError::Write { path: self.path.clone(), source }
    }

    /// Whoever panics under the lock has not changed the state, or all of it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Jitdump {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
