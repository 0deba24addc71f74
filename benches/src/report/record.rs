//! What a run has measured, as it lies on disk: one line of JSON for each race.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
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
    /// The round that it was in, from 0.
    pub round: usize,
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
    /// Reads what a [`Journal`] wrote. A last line without an end was broken off, and is not
    /// counted.
    ///
    /// # Errors
    /// If the file cannot be read or is none of that kind.
    pub fn load(path: &Path) -> io::Result<Records> {
        let text = fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let machine = serde_json::from_str(lines.next().unwrap_or_default())?;
        let races = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(Records { machine, races })
    }
}

/// What makes a race one of a kind in its run.
type Key = (Input, String, Temperature, usize);

fn key(race: &Record) -> Key {
    (race.input.clone(), race.backend.clone(), race.temperature, race.round)
}

/// Records that go to disk one by one, so that a run that is broken off can go on later.
#[derive(Debug)]
pub struct Journal {
    file: File,
    records: Records,
    done: HashSet<Key>,
}

impl Journal {
    /// A new one, over whatever was there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(path: &Path, machine: Machine) -> io::Result<Journal> {
        let mut file = File::create(path)?;
        writeln!(file, "{}", serde_json::to_string(&machine)?)?;
        let records = Records { machine, races: Vec::new() };
        Ok(Journal { file, records, done: HashSet::new() })
    }

    /// The one that is there, if it is of the same machine with the same programs.
    ///
    /// # Errors
    /// If the file cannot be read, or is of another run.
    pub fn resume(path: &Path, machine: &Machine) -> io::Result<Journal> {
        let records = Records::load(path)?;
        if !records.machine.matches(machine) {
            let text = "the records there are of another machine, or other versions, or rounds; \
                        start anew";
            return Err(io::Error::other(text));
        }
        let done = records.races.iter().map(key).collect();
        // A line that was broken off is gone from the records, and goes from the file.
        let mut journal = Journal::begin(path, records.machine.clone())?;
        for race in records.races {
            journal.add(race)?;
        }
        journal.done = done;
        Ok(journal)
    }

    /// Whether a race has been run.
    pub fn has(
        &self,
        input: &Input,
        backend: &str,
        temperature: Temperature,
        round: usize,
    ) -> bool {
        self.done.contains(&(input.clone(), backend.to_owned(), temperature, round))
    }

    /// Adds a race.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, race: Record) -> io::Result<()> {
        writeln!(self.file, "{}", serde_json::to_string(&race)?)?;
        self.done.insert(key(&race));
        self.records.races.push(race);
        Ok(())
    }

    /// All of it.
    pub fn into_records(self) -> Records {
        self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(round: usize) -> Record {
        Record {
            input: Input::Example("sieve".to_owned()),
            backend: "native".to_owned(),
            temperature: Temperature::Cold,
            round,
            n: 1,
            first_result_ns: 2,
            outcome: Err("it fell".to_owned()),
        }
    }

    #[test]
    fn a_run_that_is_broken_off_goes_on_where_it_was() {
        let path = std::env::temp_dir().join(format!("brolga-journal-{}", std::process::id()));
        let machine = Machine::default();
        let mut journal = Journal::begin(&path, machine.clone()).unwrap();
        journal.add(race(0)).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, whole.clone() + &whole[whole.len() / 2..whole.len() - 9]).unwrap();
        let mut journal = Journal::resume(&path, &machine).unwrap();
        let has = |journal: &Journal, round| {
            journal.has(&race(0).input, "native", Temperature::Cold, round)
        };
        assert!(has(&journal, 0) && !has(&journal, 1));
        journal.add(race(1)).unwrap();
        assert_eq!(Records::load(&path).unwrap().races, [race(0), race(1)]);
        let other = Machine { rounds: 7, ..machine };
        assert!(Journal::resume(&path, &other).is_err());
        fs::remove_file(&path).unwrap();
    }
}
