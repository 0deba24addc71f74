//! What debuggers and profilers are told of the code of an engine, as they read it, and gdb and
//! perf themselves. Where one is missing or refused, its test says so and passes.
//!
//! This program is what they look at, too: it has its own `main` for that.
#![cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), allow(unused))]

/// A test and its name.
type NamedTrial = (&'static str, fn());

/// A list of tests with their names.
macro_rules! trials {
    ($($name:ident,)*) => {
        pub(crate) fn trials() -> Vec<$crate::NamedTrial> {
            vec![$((stringify!($name), $name as fn()),)*]
        }
    };
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod debugging {
    pub(crate) mod debuggee;
    pub(crate) mod gdb;
    pub(crate) mod list;
    pub(crate) mod records;
    pub(crate) mod sessions;
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    use debugging::{debuggee, gdb, list, records, sessions};
    use libtest_mimic::{Arguments, Trial, run};

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|argument| argument == debuggee::ARGUMENT) {
        debuggee::run(&arguments[1..]);
        return std::process::ExitCode::SUCCESS;
    }
    let trials = [list::trials(), records::trials(), gdb::trials(), sessions::trials()].concat();
    let trials = trials.into_iter().map(|(name, trial)| {
        Trial::test(name, move || {
            trial();
            Ok(())
        })
    });
    run(&Arguments::from_args(), trials.collect()).exit_code()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {}
