//! What a run has measured, as it lies on disk: one line of JSON for each race.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::race::Lap;

/// What was raced.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// A kernel of the suite, by its name, in a form.
    Kernel {
        /// The kernel.
        name: String,
        /// The form.
        form: String,
    },
    /// An example in our own text.
    Example(String),
    /// A generated program that is compiled and hardly run.
    Generated {
        /// What it is.
        name: String,
        /// How many instructions of our IR it has.
        instructions: u64,
    },
}

/// Whether the compiler had compiled the same in the process before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temperature {
    /// No: it was the first thing that the process did.
    Cold,
    /// Yes, three times.
    Warm,
}

/// One race.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// What was raced.
    pub input: Input,
    /// By which back end.
    pub backend: String,
    /// With what behind it.
    pub temperature: Temperature,
    /// The argument of the measured calls.
    pub n: i64,
    /// From the start of the process to the first result, in nanoseconds.
    pub first_result_ns: u64,
    /// What was measured, or why nothing was.
    pub outcome: Result<Lap, String>,
}

/// A whole run.
#[derive(Clone, PartialEq, Debug)]
pub struct Records {
    /// Where it ran.
    pub machine: Machine,
    /// The races, in order.
    pub races: Vec<Record>,
}

impl Records {
    /// Reads what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// If the file cannot be read or is none of that kind.
    pub fn load(path: &Path) -> io::Result<Records> {
        let text = fs::read_to_string(path)?;
        let mut lines = text.lines();
        let machine = serde_json::from_str(lines.next().unwrap_or_default())?;
        let races = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(Records { machine, races })
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string(&self.machine)? + "\n";
        for race in &self.races {
            text += &serde_json::to_string(race)?;
            text.push('\n');
        }
        fs::write(path, text)
    }
}
