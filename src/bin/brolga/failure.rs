//! Why the command did not do what it was asked for, and its exit code.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::output;
use crate::render::{Problem, render};

/// Why the command did not do what it was asked for. Texts are as they go to
/// standard error.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The module is wrong, or cannot be had as asked for.
    Module(String),
    /// The command line is wrong, or a file cannot be read or written.
    Usage(String),
    /// The program was stopped.
    Stopped(String),
    /// The program ended itself with that status.
    Exited(i32),
    /// Something failed that was reported already, with that exit code.
    Reported(u8),
    /// Whoever read the output went away: nobody is left to be told of anything.
    Closed,
}

impl Failure {
    /// What is wrong with the module as a whole.
    pub(crate) fn module(error: impl Display) -> Failure {
        Failure::Module(render(None, &Problem::new(error)))
    }

    /// What is wrong with the command line.
    pub(crate) fn usage(error: impl Display) -> Failure {
        Failure::Usage(render(None, &Problem::new(error)))
    }

    /// The file could not be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Failure {
        Failure::usage(format_args!("{}: {error}", output::path_text(path)))
    }

    /// Says why, and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        let (text, code) = match self {
            Failure::Module(text) => (text, 1),
            Failure::Usage(text) => (text, 2),
            Failure::Stopped(text) => (text, 3),
            // The system keeps as much of a status.
            Failure::Exited(status) => return status as u8,
            Failure::Reported(code) => return code,
            Failure::Closed => return 0,
        };
        output::print_error(&text);
        code
    }
}

/// Does a task with each file; one that fails is reported and does not keep it
/// from the others, but from success.
pub(crate) fn for_each_file(
    files: &[PathBuf],
    mut task: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut worst = 0;
    for file in files {
        match task(file) {
            Ok(()) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => worst = worst.max(failure.report()),
        }
    }
    if worst == 0 { Ok(()) } else { Err(Failure::Reported(worst)) }
}

/// Errors of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::usage(format_args!("standard output: {error}")),
        }
    }
}
