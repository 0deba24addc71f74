//! `cargo xtask soak`: long runs of generated input.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::process::ExitCode;

use brolga_testing::soak;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = soak::parse(&arguments).and_then(|request| match &request.current {
        Some(current) => {
            let mut out = std::io::stdout().lock();
            soak::work(request.subject, request.seed, request.count, current, &mut out)
                .map_err(|error| format!("{error}\n"))
        }
        None => soak::soak(&request).map(|report| print!("{report}")),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
