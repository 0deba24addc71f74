//! Where a run took place, and with what.

use std::fmt;
use std::fs;
use std::process::Command;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::toolchain::Toolchain;

/// A machine and the programs on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// What the processor calls itself.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// MiB of memory.
    pub memory: u64,
    /// The operating system.
    pub system: String,
    /// How many programs wanted to run on average, in the minute before; it should be none.
    pub load: String,
    /// How the system lets the races run: a run on a busy machine is worth more with a
    /// priority that nothing else has.
    pub scheduling: String,
    /// The day.
    pub date: String,
    /// Names and versions of what was raced and of what made the inputs.
    pub versions: Vec<(String, String)>,
    /// How many times each race was run.
    pub rounds: usize,
    /// Whether LLVM in the process made the same code as clang, in words.
    pub same_code: String,
}

impl Machine {
    /// This one, with what races need.
    pub fn here(tools: &Toolchain, rounds: usize, same_code: String) -> Machine {
        let mut machine = Machine { rounds, same_code, ..Machine::alone() };
        let tools = [("clang", &tools.clang), ("opt", &tools.opt), ("rustc", &tools.rustc)];
        machine.versions.extend(tools.map(|(name, tool)| (name.to_owned(), tool.version.clone())));
        machine
    }

    /// This one, with nothing but Brolga.
    pub fn alone() -> Machine {
        let processor = first_value("/proc/cpuinfo", "model name");
        let memory = first_value("/proc/meminfo", "MemTotal");
        let memory = memory.split(' ').next().and_then(|kib| kib.parse::<u64>().ok());
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let version = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        Machine {
            processor,
            threads: thread::available_parallelism().map_or(1, usize::from),
            memory: memory.unwrap_or_default() / 1024,
            system: said("uname", &["-sr"]),
            load: load.split(' ').next().unwrap_or_default().to_owned(),
            scheduling: scheduling().to_owned(),
            date: said("date", &["+%Y-%m-%d"]),
            versions: vec![
                version(
                    "Brolga",
                    &format!("commit {}", said("git", &["rev-parse", "--short", "HEAD"])),
                ),
                version("Cranelift", cranelift_codegen::VERSION),
            ],
            rounds: 0,
            same_code: String::new(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} with {} threads and {} MiB, {}; load before the run {}, {}",
            self.processor, self.threads, self.memory, self.system, self.load, self.scheduling
        )
    }
}

impl Machine {
    /// Whether races there and here are of one run: what differs by the hour is not asked.
    pub(super) fn matches(&self, other: &Machine) -> bool {
        let lasting = |machine: &Machine| Machine {
            load: String::new(),
            date: String::new(),
            ..machine.clone()
        };
        lasting(self) == lasting(other)
    }
}

/// The policy that this process has, and those that it starts.
fn scheduling() -> &'static str {
    // SAFETY: it asks about this process.
    match unsafe { libc::sched_getscheduler(0) } {
        libc::SCHED_OTHER => "ordinary scheduling",
        libc::SCHED_FIFO | libc::SCHED_RR => "real-time priority",
        _ => "unusual scheduling",
    }
}

/// The value of the first line of a file that starts with the key.
fn first_value(path: &str, key: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.split_once(':'));
    line.map_or_else(|| "unknown".to_owned(), |(_, value)| value.trim().to_owned())
}

/// The first line that a program prints.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.ok().and_then(|text| text.lines().next().map(str::to_owned)).unwrap_or_default()
}
