//! `cargo xtask soak`: long runs of generated input.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::process::ExitCode;

use brolga_testing::allocation::Counting;
use brolga_testing::soak::{self, Task};

/// Some subjects have a bound of memory.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "help")) {
        print!("{}", soak::USAGE);
        return ExitCode::SUCCESS;
    }
    let outcome = soak::parse(&arguments).and_then(|request| match &request.task {
        Task::Work(current) => {
            let mut out = std::io::stdout().lock();
            soak::work(request.subject, request.seed, request.count, current, &mut out)
                .map_err(|error| format!("{error}\n"))
        }
        Task::Soak => soak::soak(&request).map(|report| print!("{report}")),
        Task::Reduce => soak::reduced(request.subject, request.seed, usize::MAX)
            .map(|finding| println!("{}\n; {}", finding.reproducer, finding.message)),
        Task::Print => {
            soak::program_text(request.subject, request.seed).map(|text| print!("{text}"))
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
