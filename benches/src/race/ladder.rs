//! A result out of nothing, for one amount of work after the other.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::nanoseconds;
use crate::backend::{BackendError, Input};

/// How long it is waited for what compiles in the background.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// What a climb may have taken before another rung: who is far slower than others would need
/// minutes for the last ones.
pub(super) const BUDGET: Duration = Duration::from_secs(2);

/// What one amount of work took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rung {
    /// The argument of the call.
    pub n: i64,
    /// Nanoseconds of compiling and of the only call.
    pub took_ns: u64,
    /// What the call gave.
    pub checksum: String,
}

/// Compiles anew for each argument, and calls once, as long as what that took is within the
/// budget. `threads` is how many the process had before anything was compiled.
pub(super) fn climb(
    input: &dyn Input,
    ladder: &[i64],
    threads: usize,
    budget: Duration,
) -> Result<Vec<Rung>, BackendError> {
    let mut rungs: Vec<Rung> = Vec::new();
    let mut taken = Duration::ZERO;
    for &n in ladder {
        if taken > budget {
            break;
        }
        let rung = rung(input, n, threads)?;
        taken += Duration::from_nanos(rung.took_ns);
        rungs.push(rung);
    }
    Ok(rungs)
}

fn rung(input: &dyn Input, n: i64, threads: usize) -> Result<Rung, BackendError> {
    settle(threads);
    let mut compiled = input.compile()?;
    let start = Instant::now();
    let result = compiled.kernel.call(n)?;
    let took = compiled.phases.total() + start.elapsed();
    Ok(Rung { n, took_ns: nanoseconds(took), checksum: result.to_string() })
}

/// How many threads the process has; 0 if the system does not tell.
pub(super) fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Lets threads end that compile for the one before: they would be in the way of the next.
fn settle(before: usize) {
    let start = Instant::now();
    while threads() > before && start.elapsed() < MOST_WAIT {
        thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::named;
    use crate::programs::sample;

    #[test]
    fn a_climb_ends_with_the_rung_that_takes_more_than_is_left() {
        let (backend, source) = (named("brolga-tiered").unwrap(), sample());
        let input = backend.read(&source).unwrap();
        let rungs = |budget| climb(&*input, &[0, 100, 100], threads(), budget).unwrap();
        assert_eq!(rungs(Duration::ZERO).len(), 1);
        let all = rungs(Duration::MAX);
        assert_eq!(all.iter().map(|rung| rung.n).collect::<Vec<_>>(), [0, 100, 100]);
        assert_eq!(all[1].checksum, "150");
    }
}
