//! What it costs that functions come late, change and go, against the bounds that the engine is
//! held to.
//!
//! Everything is measured in one run, so that what is compared comes of one machine at one time:
//! the calls against the same loop in machine code with a direct call, and the threads of one
//! engine against as many processes.

mod call;
mod change;
mod define;
mod process;
mod replacement;

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::{Config, Engine};

pub use process::{CHILD, run_child};

/// What stands in the way of measuring.
pub type Failure = Box<dyn Error + Send + Sync>;

/// One number and what it is held to.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is measured.
    pub what: &'static str,
    /// The number, with its unit.
    pub found: String,
    /// What it should be, with its unit.
    pub bound: &'static str,
    /// Whether it is.
    pub is_met: bool,
}

impl Row {
    fn at_most(what: &'static str, found: f64, bound: f64, shown: &'static str) -> Row {
        let unit = shown.split_once(' ').map_or("", |(_, unit)| unit);
        let unit = unit.split_once(' ').map_or(unit, |(_, unit)| unit);
        Row { what, found: format!("{found:.2} {unit}"), bound: shown, is_met: found <= bound }
    }

    fn at_least(what: &'static str, found: f64, bound: f64, shown: &'static str) -> Row {
        Row { is_met: found >= bound, ..Row::at_most(what, found, bound, shown) }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_met { "met" } else { "MISSED" };
        write!(f, "{:56} {:>16}   {:18} {sign}", self.what, self.found, self.bound)
    }
}

/// How much of it all is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What the bounds speak of.
    Whole,
    /// Little of each: whether it can be measured at all.
    Little,
}

impl Extent {
    /// So many, or a few.
    fn count(self, whole: usize) -> usize {
        match self {
            Extent::Whole => whole,
            Extent::Little => whole.div_ceil(500),
        }
    }
}

/// What measures some rows.
type Part = fn(Extent) -> Result<Vec<Row>, Failure>;

/// Every part, by its name.
pub const PARTS: [(&str, Part); 9] = [
    ("define", define::never_called),
    ("call", call::through_a_slot),
    ("first-tier", define::first_tier),
    ("first-results", process::first_results),
    ("define-anew", change::running),
    ("a-million", change::a_million),
    ("replacement", replacement::of_running_loops),
    ("workers", process::many_workers),
    ("padding", define::padding),
];

/// Measures the rows of those parts, or of all, if none is named.
///
/// # Errors
/// What the engine or the system says.
pub fn measure(
    extent: Extent,
    names: &[String],
    mut tell: impl FnMut(&Row),
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let is_named = |name: &str| names.is_empty() || names.iter().any(|it| it == name);
    for (_, part) in PARTS.into_iter().filter(|(name, _)| is_named(name)) {
        let new = part(extent)?;
        new.iter().for_each(&mut tell);
        rows.extend(new);
    }
    Ok(rows)
}

fn engine(config: Config) -> Result<Engine, Failure> {
    Ok(Engine::new(config)?)
}

fn module(text: &str) -> Result<Module, Failure> {
    Ok(parse_module(text).map_err(|errors| format!("{errors:?}"))?)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The middle one.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_measured() {
        let rows = measure(Extent::Little, &[], |_| ()).unwrap();
        assert_eq!(rows.len(), 19);
        // These are no matter of how fast the machine is.
        for what in ["compiled of them", "that were not allowed"] {
            let row = rows.iter().find(|row| row.what.contains(what)).unwrap();
            assert!(row.is_met, "{row}");
        }
    }
}
