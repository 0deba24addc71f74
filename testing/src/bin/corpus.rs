//! `cargo xtask corpus`: C programs of others, against clang's build of them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::io::Write;
use std::process::ExitCode;

use brolga_testing::programs;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut print = |text: &str| {
        print!("{text}");
        // Rows are read as they come.
        let _ = std::io::stdout().flush();
    };
    match programs::answer(&words, &mut print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
