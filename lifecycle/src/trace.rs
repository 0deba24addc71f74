//! What was first compiled when: a line for each function and signature, so that a later process
//! can compile the same before anybody waits for it.
//!
//! ```text
//! # brolga trace 1
//! 1520  83  quick  main  f  fn(i64) -> i64
//! ```
//! The fields stand between tabs: when it was ready and how long it took, in microseconds, since
//! the engine was made; the tier; the library; the function; its signature. A tab, the end of a
//! line and a backslash in a name are written `\t`, `\n`, `\r` and `\\`. Lines that begin with
//! `#` are comments.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use thiserror::Error;

use crate::escape::{Escaped, unescaped};
use crate::sync::{Mutex, lock};
use crate::tiers::Tier;

/// The first line.
pub const HEAD: &str = "# brolga trace 1";

/// A function as it was first compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// When its code was there, since the engine was made; kept to the microsecond.
    pub at: Duration,
    /// How long it took to compile.
    pub took: Duration,
    /// How well it was compiled.
    pub tier: Tier,
    /// The library that it is of.
    pub library: Box<str>,
    /// Its name there.
    pub function: Box<str>,
    /// Its signature, as the text of the IR spells it: one that has changed since is told.
    pub signature: Box<str>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, took) = (self.at.as_micros(), self.took.as_micros());
        write!(f, "{at}\t{took}\t{}", self.tier.name())?;
        for text in [&self.library, &self.function, &self.signature] {
            write!(f, "\t{}", Escaped(text))?;
        }
        Ok(())
    }
}

/// Why a text is no trace.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadTrace {
    /// It is something else, or of another version.
    #[error("line 1: a trace begins with `{HEAD}`; record it anew with this version")]
    NoTrace,
    /// A line is none.
    #[error("line {line}: {wanted} belongs in field {field} of 6, which tabs divide")]
    BadField {
        /// The number of the line, from 1 on.
        line: usize,
        /// The number of the field, from 1 on.
        field: usize,
        /// What belongs there.
        wanted: &'static str,
    },
}

/// Reads a trace.
///
/// # Errors
/// The first line that is none.
pub fn read(text: &str) -> Result<Vec<Line>, BadTrace> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line != HEAD) {
        return Err(BadTrace::NoTrace);
    }
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| read_line(number, line)).collect()
}

fn read_line(line: usize, text: &str) -> Result<Line, BadTrace> {
    let mut fields = (1..).zip(text.split('\t'));
    let mut next = |wanted: &'static str| {
        let (field, text) = fields.next().unwrap_or((6, ""));
        (text, BadTrace::BadField { line, field, wanted })
    };
    let mut time = || {
        let (text, bad) = next("a number of microseconds");
        text.parse().map(Duration::from_micros).map_err(|_| bad)
    };
    let (at, took) = (time()?, time()?);
    let (tier, bad) = next("quick, warm or hot");
    let tier = Tier::from_name(tier).ok_or(bad)?;
    let mut name = |wanted| {
        let (text, bad) = next(wanted);
        unescaped(text).filter(|text| !text.is_empty()).ok_or(bad)
    };
    let [library, function, signature] =
        [name("a library")?, name("a function")?, name("a signature")?];
    match fields.next() {
        Some((field, _)) => Err(BadTrace::BadField { line, field, wanted: "nothing" }),
        None => Ok(Line { at, took, tier, library, function, signature }),
    }
}

/// Where lines go, from any thread.
pub struct Trace {
    out: Mutex<State>,
}

struct State {
    out: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl Trace {
    /// One that goes on there.
    ///
    /// # Errors
    /// If the first line cannot be written.
    pub fn new(mut out: Box<dyn Write + Send>) -> io::Result<Trace> {
        writeln!(out, "{HEAD}")?;
        Ok(Trace { out: Mutex::new(State { out, error: None }) })
    }

    /// Notes a function. What cannot be written stops no compile: [`finish`](Self::finish) tells.
    pub fn note(&self, line: &Line) {
        // One write for each line, so that none is torn where a process ends in between.
        let text = format!("{line}\n");
        let mut state = lock(&self.out);
        if state.error.is_none()
            && let Err(error) = state.out.write_all(text.as_bytes())
        {
            state.error = Some(error);
        }
    }

    /// Writes what is still on its way.
    ///
    /// # Errors
    /// The first failure since the last time; lines behind it are missing.
    pub fn finish(&self) -> io::Result<()> {
        let mut state = lock(&self.out);
        match state.error.take() {
            Some(error) => Err(error),
            None => state.out.flush(),
        }
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").finish_non_exhaustive()
    }
}
