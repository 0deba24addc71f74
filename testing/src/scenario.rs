//! What an engine does to functions while threads run them, against a record of what was allowed.
//!
//! Threads define, redefine, remove, compile and call functions of a thousand names as chance
//! has it. Every definition has a *stamp*, a number of its own, which its function gives with
//! those of the functions that it calls. A count that every thread takes part in says what came
//! before what: each change notes when it began and when the engine came back from it, and each
//! call likewise. An answer is allowed if each stamp in it is of a definition that
//!
//! - had begun to be made when the call ended, and
//! - was not followed, for sure, by another change that was through before the call began:
//!   of two changes at once nobody knows which came last.
//!
//! A body that was taken over by another function belongs to the activation of that one, and may
//! be as old as that. Loops say after each round what they were given, so that more is asked of
//! it: what is called in a round must have been allowed since the round before, and what may
//! have been taken over, since the activation began that it would belong to.
//!
//! In the end everything is removed, and the engine's books must be what they were at first.

mod function;
mod history;
mod notes;
mod run;

use std::time::Duration;

pub use notes::Answers;
pub use run::{Outcome, run};

/// What to do.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Where chance begins.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// How many names.
    pub names: usize,
    /// For how long.
    pub time: Duration,
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario { seed: 1, threads: 8, names: 1_000, time: Duration::from_secs(600) }
    }
}

/// What the command takes.
pub const USAGE: &str = "\
Runs threads that define, remove, compile and call functions, and checks every answer
against a record of what was allowed

Usage: cargo xtask scenario [--seed N] [--threads N] [--names N] [--seconds N]

  --seed N     where chance begins; 1 if nothing is said
  --threads N  how many threads; 8 if nothing is said
  --names N    how many names; 1000 if nothing is said
  --seconds N  for how long; 600 if nothing is said
";

/// The scenario that words ask for.
///
/// # Errors
/// The word that is none of the command's.
pub fn parse(words: &[String]) -> Result<Scenario, String> {
    let mut scenario = Scenario::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let number = words.next().and_then(|number| number.parse::<u64>().ok());
        let number = number.ok_or_else(|| format!("`{word}` wants a number\n\n{USAGE}"))?;
        let count = || usize::try_from(number).unwrap_or(usize::MAX).max(1);
        match word.as_str() {
            "--seed" => scenario.seed = number,
            "--threads" => scenario.threads = count(),
            "--names" => scenario.names = count(),
            "--seconds" => scenario.time = Duration::from_secs(number),
            _ => return Err(format!("there is no option `{word}`\n\n{USAGE}")),
        }
    }
    Ok(scenario)
}
