//! `first-tier`: where each nanosecond of the first tier goes, as a page.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::first_tier::{CHILD, Plan, folder, report, run_child};
use brolga_benches::lifecycle::Failure;
use brolga_benches::report::Machine;

const USAGE: &str = "\
Measures what the first tier takes from IR in memory to code that can be called, and what that
consists of, and prints it as a page. On a busy machine that says nothing.

usage: first-tier [--functions N] [--processes N]

  --functions N  how many functions the module has; 20000 if nothing is said
  --processes N  how many processes load it, and as many under `perf`; 15 if nothing is said
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some(CHILD) => run_child(&words[1..]),
        Some("--help" | "-h") => Ok(USAGE.to_owned()),
        _ => plan(&words).and_then(|plan| {
            let folder = folder(plan.program.as_os_str());
            report(&plan, &folder)
        }),
    };
    match done {
        Ok(text) => {
            println!("{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn plan(words: &[String]) -> Result<Plan, Failure> {
    let (program, machine) = (std::env::current_exe()?, Machine::alone());
    let mut plan = Plan { program, functions: 20_000, processes: 15, machine };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let number = words.next().and_then(|number| number.parse::<usize>().ok());
        let number = number.ok_or_else(|| format!("`{word}` wants a number\n\n{USAGE}"))?.max(1);
        match word.as_str() {
            "--functions" => plan.functions = number,
            "--processes" => plan.processes = number,
            _ => return Err(format!("there is no option `{word}`\n\n{USAGE}").into()),
        }
    }
    Ok(plan)
}
