//! What Brolga makes of a build, beside what clang makes of it.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use brolga_lowering::pipeline::Level;

use super::reference::{Build, Reference};
use crate::process::{Ended, Invocation, Limits, Outcome};

/// How a build is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runner {
    /// Where the command `brolga` is.
    pub command: PathBuf,
    /// The level that it optimises at, if not its usual one.
    pub level: Option<Level>,
}

/// Far more than any of the programs needs; what code stands in counts as output.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory: 8192, output: 1024 };

/// What clang links a program to; the last divides complex numbers.
const LIBRARIES: &[&str] = &["libc", "libm", "libgcc_s"];

/// What a build comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Clang refuses the program.
    NotC,
    /// Clang's build does not exit with 0.
    NotSound,
    /// The same output and status.
    Agrees,
    /// Something else.
    Misses(Reason),
}

/// Why a build does not do what clang's does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The text is refused, or the program is stopped: what is said of it.
    Said(String),
    /// A signal ends it.
    Signal(i32),
    /// It exits with another status.
    Status(i32),
    /// Its output is another from that line on.
    Output(usize),
    /// It does not come to an end.
    Endless,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Said(text) => f.write_str(text),
            // What `abort` raises: these programs check themselves.
            Reason::Signal(6) => f.write_str("aborts: its own check fails"),
            Reason::Signal(number) => write!(f, "signal {number}"),
            Reason::Status(status) => write!(f, "exits with {status}"),
            Reason::Output(line) => write!(f, "other output from line {line} on"),
            Reason::Endless => f.write_str("does not come to an end"),
        }
    }
}

impl Runner {
    /// Runs a build, if it is one that tells something.
    ///
    /// # Errors
    /// If the command cannot be run.
    pub fn judge(&self, build: &Build) -> std::io::Result<Verdict> {
        let expected = match &build.reference {
            Reference::Refused => return Ok(Verdict::NotC),
            Reference::Fails => return Ok(Verdict::NotSound),
            Reference::Answers(output) => output,
        };
        let level = self.level.map(|level| format!("-{}", level.name()));
        let libraries = LIBRARIES.iter().flat_map(|&name| ["--link", name]);
        let options = std::iter::once("run").chain(libraries).chain(level.as_deref());
        let arguments = options.chain(build.texts.iter().map(String::as_str)).map(OsString::from);
        let ended = Invocation::new(&self.command, arguments).run(&build.folder, &LIMITS)?;
        Ok(reason(&ended, expected).map_or(Verdict::Agrees, Verdict::Misses))
    }
}

fn reason(ended: &Ended, expected: &[u8]) -> Option<Reason> {
    match ended.outcome {
        Outcome::Exited(0) if ended.output == expected => None,
        Outcome::Exited(0) => Some(Reason::Output(first_difference(&ended.output, expected))),
        Outcome::Exited(status) => {
            Some(said(&ended.errors).map_or(Reason::Status(status), Reason::Said))
        }
        Outcome::Signalled(signal) => {
            Some(said(&ended.errors).map_or(Reason::Signal(signal), Reason::Said))
        }
        Outcome::TimedOut => Some(Reason::Endless),
    }
}

/// What the command says of the first thing that is wrong, and where that is.
fn said(errors: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(errors);
    let mut lines = text.lines().skip_while(|line| !is_complaint(line));
    let what = lines.next()?.trim();
    let place = lines.take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    Some(match place {
        Some(place) => format!("{what} ({place})"),
        None => what.to_owned(),
    })
}

fn is_complaint(line: &str) -> bool {
    line.starts_with("error") || line.contains("panicked at")
}

/// The line, from 1, that the first difference is in.
fn first_difference(found: &[u8], expected: &[u8]) -> usize {
    let same = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
    1 + found.iter().take(same).filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(outcome: Outcome, output: &str, errors: &str) -> Ended {
        Ended { outcome, output: output.into(), errors: errors.into() }
    }

    #[test]
    fn a_miss_says_what_was_wrong_and_where() {
        let errors = "error[llvm-assembly]: no\n  --> 0.ll:3:5\n   |\n";
        let found = reason(&ended(Outcome::Exited(1), "", errors), b"");
        assert_eq!(found, Some(Reason::Said("error[llvm-assembly]: no (0.ll:3:5)".to_owned())));
    }

    #[test]
    fn another_output_is_a_miss_from_its_line_on() {
        let found = reason(&ended(Outcome::Exited(0), "a\nb\n", ""), b"a\nc\n");
        assert_eq!(found, Some(Reason::Output(2)));
        assert_eq!(reason(&ended(Outcome::Exited(0), "a\n", ""), b"a\n"), None);
    }
}
