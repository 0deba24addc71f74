//! Repository tasks: `cargo xtask tidy`, `docs`, `linear`.
//!
//! They know the repository, not the product: nothing here is published.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

mod docs;
mod julia;
mod linear;
mod markdown;
mod repository;
mod rust_text;
mod tidy;

use std::process::{Command, ExitCode};

use repository::Repository;

const USAGE: &str = "\
Tasks of the repository, run from anywhere inside it.

usage: cargo xtask tidy [CHECK…]   what the compiler cannot see; all checks if none is named
       cargo xtask tidy --list     the checks, one line each
       cargo xtask docs            write what the tables generate
       cargo xtask linear          count the work of compiling larger and larger programs
       cargo xtask soak …          long runs of generated input; says more by itself
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy", "--list"] => {
            tidy::list();
            Ok(())
        }
        ["tidy", names @ ..] => {
            Repository::load().and_then(|repository| tidy::run(&repository, names))
        }
        ["linear"] => linear::check(),
        ["docs"] => Repository::load().and_then(|repository| docs::write(&repository)),
        ["soak", options @ ..] => soak(options),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Hands over to the program that soaks, which is built as the product is when
/// it is published: it is several times as fast as a build for development.
fn soak(options: &[&str]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--release", "--quiet", "--package=brolga-testing", "--bin=soak", "--"])
        .args(options)
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}\n"))?;
    // What went wrong was said already.
    if status.success() { Ok(()) } else { Err(String::new()) }
}
