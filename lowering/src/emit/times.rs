//! Where the time of compiling goes.

use std::time::Duration;

/// The part that is no stage of the pipeline: making the back end's code, and its work.
pub(super) const EMIT: &str = "emit";

/// The parts of compiling and what each has taken: the stages of the pipeline by their
/// names, and `emit`. Copying a function before its passes is in none of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Times {
    parts: Vec<(&'static str, Duration)>,
}

impl Times {
    pub(super) fn add(&mut self, part: &'static str, took: Duration) {
        match self.parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, time)) => *time += took,
            None => self.parts.push((part, took)),
        }
    }

    /// Adds what other parts have taken, on another thread maybe.
    pub fn merge(&mut self, other: &Times) {
        other.iter().for_each(|(part, took)| self.add(part, took));
    }

    /// The parts, in the order in which each came first.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> + '_ {
        self.parts.iter().copied()
    }
}
