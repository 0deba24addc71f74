//! Perf maps: names of code for `perf report` and `perf top`, without a second step.
//!
//! A file `perf-PID.map` has a line `START SIZE NAME` for each unit, both numbers in hexadecimal.
//! perf looks for it in `/tmp` alone, and only for code in memory that no file is mapped to: code
//! that is written through a second mapping stands in such a file, and needs
//! [`jitdump`](crate::jitdump). Source: `tools/perf/Documentation/jit-interface.txt` of Linux.
//!
//! The format has no way to say that code is gone: where other code takes its place, perf takes
//! the line that comes last.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use crate::PlacedUnit;
use crate::names::one_word;

/// Where perf looks for maps.
const DIRECTORY: &str = "/tmp";

/// Why a map was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PerfMapError {
    /// The file was not made.
    #[error("cannot make the perf map {}: {source}; see that its folder may be written to", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line was not written.
    #[error("cannot write @{name} to the perf map {}: {source}; make room, or go on without", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The unit.
        name: Box<str>,
        /// What the system says.
        source: io::Error,
    },
}

/// The map of this process. Threads share it. The file stays when it is dropped: perf reads it
/// after the process has ended. A forked child adds nothing to it: it makes one of its own.
#[derive(Debug)]
pub struct PerfMap {
    path: PathBuf,
    process: u32,
    file: Mutex<File>,
}

impl PerfMap {
    /// Makes the map where perf looks for it, in place of what a process of the same number left.
    ///
    /// # Errors
    /// [`PerfMapError::Create`].
    pub fn create() -> Result<PerfMap, PerfMapError> {
        PerfMap::create_in(Path::new(DIRECTORY))
    }

    /// Makes the map in another folder, from where it is to be brought to `/tmp`.
    ///
    /// # Errors
    /// [`PerfMapError::Create`].
    pub fn create_in(directory: &Path) -> Result<PerfMap, PerfMapError> {
        let process = std::process::id();
        let path = directory.join(format!("perf-{process}.map"));
        match create_anew(&path) {
            Ok(file) => Ok(PerfMap { path, process, file: Mutex::new(file) }),
            Err(source) => Err(PerfMapError::Create { path, source }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the line of a unit. White space and control characters in its name become `_`.
    ///
    /// # Errors
    /// [`PerfMapError::Write`].
    pub fn add(&self, placed: &PlacedUnit<'_>) -> Result<(), PerfMapError> {
        if self.process != std::process::id() {
            return Ok(());
        }
        let name = one_word(&placed.unit.name);
        let line = format!("{:x} {:x} {name}\n", placed.address, placed.size());
        // One write for each line: a reader finds no half of one, nor does a poisoned lock.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|source| PerfMapError::Write {
            path: self.path.clone(),
            name: (*placed.unit.name).into(),
            source,
        })
    }
}

/// Makes a file that was not there. Its name can be foretold and its folder may be everybody's:
/// a link that stands in its place is removed, never followed.
pub(crate) fn create_anew(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options().read(true).write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use brolga_lowering::unit::CompiledUnit;

    use super::*;

    #[test]
    fn a_write_that_fails_is_an_error_that_names_the_unit() {
        let path = std::env::temp_dir().join(format!("brolga-map-{}", std::process::id()));
        drop(create_anew(&path).unwrap());
        let file = Mutex::new(File::open(&path).unwrap());
        let map = PerfMap { path: path.clone(), process: std::process::id(), file };
        let unit = CompiledUnit { name: "f".into(), ..CompiledUnit::default() };
        let error = map.add(&PlacedUnit::new(&unit, 1, "text")).unwrap_err();
        std::fs::remove_file(path).unwrap();
        let PerfMapError::Write { name, .. } = &error else { panic!("{error}") };
        assert_eq!(&**name, "f");
    }
}
