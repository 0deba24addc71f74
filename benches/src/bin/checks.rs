//! `checks`: what bounds checks cost in loops that go through arrays, as a table.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::checks::measure;

fn main() -> ExitCode {
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
