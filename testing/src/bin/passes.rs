//! `cargo run -p brolga-testing --bin passes`: passes over generated programs, against the
//! interpreter.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::path::Path;
use std::process::ExitCode;

use brolga_testing::pass_list::{USAGE, answer, parse};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "help")) {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/passes");
    match parse(&arguments).and_then(|request| answer(&request, &folder)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
