//! `checks`: what bounds checks cost in loops that go through arrays, as a table.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::checks::measure;

const USAGE: &str = "\
Measures five loops through arrays with their bounds checks and without, in turns, and says
how many times as long they take with them. On a busy machine that says nothing.

usage: checks
";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => {}
        Some("--help" | "-h") => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(_) => {
            eprint!("{USAGE}");
            return ExitCode::FAILURE;
        }
    }
    let costs = match measure() {
        Ok(costs) => costs,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{:10} {:>10} {:>12} {:>7}", "loop", "checked ns", "unchecked ns", "ratio");
    for cost in costs {
        let [checked, unchecked] = [cost.checked, cost.unchecked].map(|it| it.as_nanos());
        println!("{:10} {checked:>10} {unchecked:>12} {:>7.3}", cost.name, cost.ratio());
    }
    ExitCode::SUCCESS
}
