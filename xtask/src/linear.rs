//! `cargo xtask linear`: whether compiling, and reading LLVM IR, take work in proportion to
//! size, counted in instructions of the processor by Valgrind, not in seconds.

use std::process::{Command, Stdio};
use std::thread::{self, ScopedJoinHandle};

use crate::repository;

/// Twice the size may take this many times the work: 2, and logarithms.
const MOST_GROWTH: f64 = 2.3;

/// What is compiled or read, and how much of it: this and half of it are counted. Of values
/// that are live at once, and of what stands in one block, a half of a tenth is large enough for
/// registers to be assigned in one pass: below that size, what does it better takes more than its
/// share, and never much.
const SHAPES: [(&str, u64); 24] = [
    ("function", 100_000),
    ("module", 10_000),
    ("nested", 20_000),
    ("switch", 20_000),
    ("loops", 10_000),
    ("nested-loops", 50_000),
    ("live", 100_000),
    ("dispatch", 50_000),
    ("counters", 80_000),
    ("compares", 100_000),
    ("meetings", 100_000),
    ("exits", 40_000),
    ("states", 100_000),
    ("stores", 40_000),
    ("unused", 40_000),
    ("refusals", 20_000),
    ("answers", 100_000),
    ("ends", 20_000),
    ("wrappers", 20_000),
    ("choices", 100_000),
    ("products", 80_000),
    ("alike", 80_000),
    ("llvm-function", 100_000),
    ("llvm-module", 10_000),
];

/// How much of each shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    /// All of it.
    Whole,
    /// A tenth: what grows faster mostly shows there, too.
    Tenth,
}

/// Counts every shape at every size, each by a thread of its own: what is
/// counted does not depend on what else runs.
pub(crate) fn check(share: Share) -> Result<(), String> {
    let program = build()?;
    let shapes = SHAPES.map(|(shape, size)| {
        let size = if share == Share::Tenth { size / 10 } else { size };
        (shape, [size / 2, size])
    });
    let counts: Vec<[Result<u64, String>; 2]> = thread::scope(|scope| {
        let program = program.as_str();
        let runs = shapes.map(|(shape, sizes)| {
            sizes.map(|size| scope.spawn(move || count(program, shape, size)))
        });
        let finished = |run: ScopedJoinHandle<'_, _>| {
            run.join().unwrap_or_else(|_| Err("the thread that counts panicked\n".to_owned()))
        };
        runs.into_iter().map(|runs| runs.map(finished)).collect()
    });
    let mut faults = String::new();
    for ((shape, sizes), [half, whole]) in shapes.into_iter().zip(counts) {
        let (half, whole) = (half?, whole?);
        let growth = whole as f64 / half as f64;
        println!("{shape} of {}: {half} instructions", sizes[0]);
        println!("{shape} of {}: {whole} instructions, {growth:.2} times", sizes[1]);
        if growth > MOST_GROWTH {
            faults += &format!("{shape} of {}: more than {MOST_GROWTH} times the half\n", sizes[1]);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Builds the program whose work is counted, and gives its path.
fn build() -> Result<String, String> {
    let built = repository::cargo("build")
        .args(["--release", "--package=brolga-benches", "--example=compile_work"])
        .arg("--message-format=json")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not start: {error}\n"))?;
    let messages = String::from_utf8_lossy(&built.stdout);
    let line = messages.lines().find(|line| {
        line.contains("\"name\":\"compile_work\"") && line.contains("\"executable\":\"")
    });
    let path = line.and_then(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
    path.map(str::to_owned).ok_or_else(|| "the program to count was not built\n".to_owned())
}

/// How many instructions the processor executes.
fn count(program: &str, shape: &str, size: u64) -> Result<u64, String> {
    let run = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .args([program, shape])
        .arg(size.to_string())
        .output()
        .map_err(|error| format!("valgrind does not start, install it: {error}\n"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    match counted(&said) {
        Some(work) if run.status.success() => Ok(work),
        _ => Err(format!("{shape} of {size} was not counted:\n{said}")),
    }
}

/// The number in Valgrind's words, which has commas in it.
fn counted(said: &str) -> Option<u64> {
    let number = said
        .lines()
        .find_map(|line| line.split("I refs:").nth(1).or(line.split("I   refs:").nth(1)))?;
    number.replace(',', "").trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_either_spelling_is_read() {
        assert_eq!(counted("==7== \n==7== I   refs:      515,032,077\n"), Some(515_032_077));
        assert_eq!(counted("==7== I refs:        1,234\n"), Some(1234));
        assert_eq!(counted("==7== nothing\n"), None);
    }
}
