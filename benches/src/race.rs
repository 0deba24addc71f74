//! One source through one back end in this process, measured.

pub mod command;
mod ladder;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use self::ladder::{BUDGET, climb};
use crate::backend::{Backend, BackendError, Compiled, Phases};
use crate::source::Source;

pub use self::ladder::Rung;

/// How a race is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Course {
    /// The argument of the calls that are measured.
    pub n: i64,
    /// The argument of the call before them.
    pub warm: i64,
    /// How many calls are measured.
    pub repetitions: usize,
    /// How many times the same is compiled before the time that counts: with none it is the
    /// first of the process, and the compiler itself has to be paged in.
    pub precompile: usize,
    /// Arguments of calls each of which is the only one after compiling anew.
    pub ladder: Vec<i64>,
}

/// What was measured. The names are those of `brolga bench`, so that one reader reads both.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lap {
    /// Nanoseconds from the module in memory to code that can be called.
    pub compile_ns: u64,
    /// The steps and their nanoseconds; `parse` comes before the time above.
    pub phases: BTreeMap<String, u64>,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// The most memory that the process had needed when the code was there, in KiB.
    pub rss_compile_kb: u64,
    /// The monotonic clock after the first call.
    pub first_abs_ns: u64,
    /// Nanoseconds of the first call; 0 in what does not say.
    #[serde(default)]
    pub first_ns: u64,
    /// Nanoseconds of each measured call.
    pub run_ns: Vec<u64>,
    /// What the last call gave.
    pub checksum: String,
    /// What was compiled anew for one call each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rungs: Vec<Rung>,
}

impl Lap {
    /// The fastest measured call, if there was any: whatever else ran at the time can only
    /// have made it slower.
    pub fn best_run(&self) -> Option<u64> {
        self.run_ns.iter().copied().min()
    }
}

/// What a process that runs a race has measured; or what it said, and how it ended.
///
/// # Errors
/// If it cannot be run, fails, or prints no lap.
pub fn lap(command: &mut Command) -> Result<Lap, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default();
        return Err(format!("{}: {said}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// Runs a race.
///
/// # Errors
/// If the source cannot be read or compiled, and whatever stops the kernel.
pub fn run(backend: &dyn Backend, source: &Source, course: &Course) -> Result<Lap, BackendError> {
    let threads = ladder::threads();
    let start = Instant::now();
    let input = backend.read(source)?;
    let parse = start.elapsed();
    for _ in 0..course.precompile {
        input.compile()?;
    }
    let mut compiled = input.compile()?;
    let rss_compile_kb = most_memory();
    let start = Instant::now();
    let mut result = compiled.kernel.call(course.warm)?;
    let (first_ns, first_abs_ns) = (nanoseconds(start.elapsed()), monotonic_now());
    let mut run_ns = Vec::with_capacity(course.repetitions);
    for _ in 0..course.repetitions {
        let start = Instant::now();
        result = compiled.kernel.call(course.n)?;
        run_ns.push(nanoseconds(start.elapsed()));
    }
    let Compiled { phases, code_bytes, kernel } = compiled;
    // With it goes what it may have running in the background.
    drop(kernel);
    Ok(Lap {
        compile_ns: nanoseconds(phases.total()),
        phases: steps(parse, &phases),
        code_bytes,
        rss_compile_kb,
        first_abs_ns,
        first_ns,
        run_ns,
        checksum: result.to_string(),
        rungs: climb(&*input, &course.ladder, threads, BUDGET)?,
    })
}

fn steps(parse: Duration, phases: &Phases) -> BTreeMap<String, u64> {
    let steps = phases.iter().chain([("parse", parse)]);
    steps.map(|(name, took)| (name.to_owned(), nanoseconds(took))).collect()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The clock that processes have in common, in nanoseconds.
pub fn monotonic_now() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` can be written.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// The most resident memory that the process has had, in KiB. What `getrusage` says is no
/// less than its parent had when it started it.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    most.and_then(|most| most.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{LLVM, NAMES, named};
    use crate::programs::sample;

    #[test]
    fn every_back_end_that_reads_the_text_gives_the_same() {
        let course =
            Course { n: 100, warm: 1, repetitions: 2, precompile: 1, ladder: vec![0, 100] };
        let here = NAMES.iter().filter(|name| !name.starts_with(LLVM) && **name != "native");
        for name in here {
            let lap = run(&*named(name).unwrap(), &sample(), &course).unwrap();
            assert_eq!(lap.checksum, "150", "{name}");
            assert_eq!(lap.run_ns.len(), 2, "{name}");
            let sum: u64 =
                lap.phases.iter().filter(|(step, _)| *step != "parse").map(|(_, ns)| ns).sum();
            assert!(sum <= lap.compile_ns, "{name}: {lap:?}");
            let mut rungs = lap.rungs.iter().map(|rung| (rung.n, rung.checksum.as_str()));
            assert_eq!(rungs.next_back(), Some((100, "150")), "{name}");
            assert!(lap.rungs.iter().all(|rung| rung.took_ns > 0), "{name}: {lap:?}");
        }
    }

    #[test]
    fn polls_and_guards_are_in_the_code_that_is_said_to_have_them() {
        let course = Course { n: 5, warm: 1, repetitions: 1, precompile: 0, ladder: Vec::new() };
        let text = "func @kernel(i64) -> i64 {
            entry(%n: i64):
                %less = icmp.i64 slt %n, 2
                branch %less, small, large
            small:
                return %n
            large:
                %a = sub.i64 %n, 1
                %b = sub.i64 %n, 2
                %x = call @kernel(%a)
                %y = call @kernel(%b)
                %z = add.i64 %x, %y
                return %z
            }";
        let source = Source { text: text.to_owned(), ..sample() };
        let bytes = |name| run(&*named(name).unwrap(), &source, &course).unwrap().code_bytes;
        let sizes = ["brolga-O2-bare", "brolga-O2", "brolga-O2-polls"].map(bytes);
        assert!(sizes.is_sorted_by(|less, more| less < more), "{sizes:?}");
    }

    #[test]
    fn a_back_end_that_does_not_exist_is_told_with_those_that_do() {
        for name in ["brolga-O7", "brolga-O1-bare"] {
            let error = named(name).err().unwrap().to_string();
            assert!(error.contains("brolga-O2-bare") && error.contains("interpreter"), "{error}");
        }
    }
}
