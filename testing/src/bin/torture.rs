//! `cargo xtask torture`: the torture tests of GCC, by way of clang's LLVM IR.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::path::Path;
use std::process::ExitCode;

use brolga_testing::process;
use brolga_testing::torture::{self, Report};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "help")) {
        print!("{}", torture::USAGE);
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(report) => {
            print!("{}", report.text());
            if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<Report, String> {
    let request = torture::parse(arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().map_err(|error| format!("the repository: {error}"))?;
    torture::torture(&request, &process::command()?, &root.join("target/torture"))
}
