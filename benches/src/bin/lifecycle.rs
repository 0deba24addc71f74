//! `lifecycle`: what it costs that functions come late, change and go, as a table.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::lifecycle::{CHILD, Extent, PARTS, measure, run_child};

const USAGE: &str = "\
Measures what it costs that functions are compiled at their first call, defined anew and freed,
and what loops take that get better code while they run, and says which bounds are met. On a
busy machine that says nothing.

usage: lifecycle [PART...]

PART is define, call, first-tier, first-results, define-anew, a-million, replacement, workers or
padding; all of them, if none is named.
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some(CHILD) => run_child(&words[1..]).map(|answer| {
            println!("{answer}");
            true
        }),
        Some("--help" | "-h") => {
            print!("{USAGE}");
            Ok(true)
        }
        _ if words.iter().all(|word| PARTS.iter().any(|(name, _)| name == word)) => {
            let rows = measure(Extent::Whole, &words, |row| println!("{row}"));
            rows.map(|rows| rows.iter().all(|row| row.is_met))
        }
        _ => {
            eprint!("{USAGE}");
            Ok(false)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
