//! `cargo xtask scenario`: functions that come, change and go while threads run them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::process::ExitCode;

use brolga_testing::scenario;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "help")) {
        print!("{}", scenario::USAGE);
        return ExitCode::SUCCESS;
    }
    match scenario::parse(&words).and_then(|scenario| scenario::run(&scenario)) {
        Ok(outcome) => {
            print!("{outcome}");
            if outcome.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}
