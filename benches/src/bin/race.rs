//! `race --backend NAME --file FILE --n N --warm W --reps R [--sym NAME] [--precompile K]
//! [--ladder N,...]`: one source through one back end in a process of its own.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::backend::named;
use brolga_benches::race::command;

fn main() -> ExitCode {
    match command::run(std::env::args().skip(1), named) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
