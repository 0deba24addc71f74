//! `cargo xtask sanitize`: the tests of the engine under programs that watch what they do with
//! memory.
//!
//! What a machine does not have is left out, with the reason.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::repository;

/// The tests of the engine: those that run code, replace it and free it.
const TESTS: [&str; 5] = ["engine", "lifecycles", "tools", "kaleidoscope", "server"];

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Who watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Watcher {
    /// Every access of every instruction, of compiled code, too, which changes.
    Valgrind,
    /// Every access of what rustc has compiled.
    Address,
    /// The rules of Rust, where nothing of the system is asked for.
    Miri,
    /// Accesses of several threads.
    Thread,
}

impl Watcher {
    const ALL: [Watcher; 4] = [Watcher::Valgrind, Watcher::Address, Watcher::Miri, Watcher::Thread];

    const fn name(self) -> &'static str {
        match self {
            Watcher::Valgrind => "valgrind",
            Watcher::Address => "address",
            Watcher::Miri => "miri",
            Watcher::Thread => "thread",
        }
    }

    /// Why it cannot be asked here.
    fn absence(self) -> Option<&'static str> {
        match self {
            Watcher::Valgrind if !answers("valgrind", &["--version"]) => {
                Some("valgrind is not installed")
            }
            Watcher::Miri if !answers("cargo", &["+nightly", "miri", "--version"]) => {
                Some("the nightly toolchain has no component `miri`")
            }
            Watcher::Thread if !has_sources() => Some(
                "the toolchain has no sources of the standard library (component `rust-src`), \
                 which must be built anew for it",
            ),
            _ => None,
        }
    }

    fn command(self) -> Command {
        if self == Watcher::Miri {
            // The one on the path chooses among toolchains.
            let mut command = Command::new("cargo");
            command.current_dir(repository::root());
            command.args(["+nightly", "miri", "test", "--package=brolga-lifecycle", "--lib"]);
            return command;
        }
        let mut command = repository::cargo("test");
        command.current_dir(repository::root());
        command.args(["--package=brolga", "--features=cli", "--lib"]);
        command.args(TESTS.iter().map(|test| format!("--test={test}")));
        match self {
            Watcher::Valgrind => {
                let runner = "valgrind --quiet --smc-check=all --error-exitcode=9";
                command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner);
            }
            Watcher::Address => {
                sanitized(&mut command, "address");
                // Memory that is refused is an error of ours. What the engine keeps is checked by
                // its books; tests themselves leak what C code may still point to.
                command.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0");
            }
            Watcher::Thread => {
                sanitized(&mut command, "thread");
                command.arg("-Zbuild-std");
            }
            Watcher::Miri => {}
        }
        // Who is watched is slow: what is to be stopped in time is no matter here.
        command.args(["--", "--test-threads=2"]);
        for word in TIMED.iter().chain(&OF_PROCESS) {
            command.args(["--skip", word]);
        }
        command
    }
}

/// Tests that stop what takes too long, or that would take hours.
const TIMED: [&str; 5] = ["deadline", "forking", "small_stack", "everything_back", "every_budget"];

/// Tests that look at all pages and limits of the process, where who watches has some of its own.
const OF_PROCESS: [&str; 2] = ["writable_and_executable", "refused_pages"];

/// Sanitizers are options of rustc that are not for everybody yet; the stable one has them, too.
fn sanitized(command: &mut Command, name: &str) {
    command.args(["--target", TARGET, &format!("--target-dir=target/sanitize/{name}")]);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("-Zsanitizer={name}"));
}

fn answers(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn has_sources() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    output.is_ok_and(|output| {
        let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        root.join("lib/rustlib/src/rust/library").is_dir()
    })
}

/// Asks those that are named, or all.
pub(crate) fn check(names: &[&str]) -> Result<(), String> {
    for name in names {
        if !Watcher::ALL.iter().any(|watcher| watcher.name() == *name) {
            let all = Watcher::ALL.map(Watcher::name).join(", ");
            return Err(format!("nothing is called `{name}`; there are {all}\n"));
        }
    }
    let is_named = |watcher: &Watcher| names.is_empty() || names.contains(&watcher.name());
    for watcher in Watcher::ALL.into_iter().filter(is_named) {
        let name = watcher.name();
        if let Some(reason) = watcher.absence() {
            println!("{name}: LEFT OUT, since {reason}");
            continue;
        }
        let status = watcher.command().status();
        let status = status.map_err(|error| format!("cargo cannot be run: {error}\n"))?;
        if !status.success() {
            return Err(format!("{name}: something was found, or a test failed\n"));
        }
        println!("{name}: nothing was found");
    }
    Ok(())
}
