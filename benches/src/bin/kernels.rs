//! `cargo xtask kernels [WORD…]`: every kernel of the suite from clang's and rustc's text,
//! unoptimised and optimised, in every way that there is to run it, ends in a table of what
//! they gave; and fails if they do not all give the same.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::process::ExitCode;

use brolga_benches::agreement::{Plan, Table, compare};
use brolga_benches::backend::BackendError;

const USAGE: &str = "\
Runs every kernel of the suite, or those with a WORD in their names, in every way there is,
and compares what they give.

usage: cargo xtask kernels [--llvm] [WORD…]
       --llvm   with the levels of LLVM's libraries, too

It takes clang 22, rustc and LLVM 22's lli and opt; fails where two ways disagree.
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| matches!(word.as_str(), "--help" | "-h")) {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match run(words) {
        Ok(table) => {
            print!("{}", table.text());
            if table.agrees() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: Vec<String>) -> Result<Table, BackendError> {
    let own = std::env::current_exe()?;
    let beside = |name: &str| Some(own.with_file_name(name)).filter(|program| program.exists());
    let race = beside("race").ok_or("the program `race` is not built beside this one")?;
    // One that an earlier build has left is of other sources.
    let race_llvm = beside("race-llvm").filter(|_| cfg!(feature = "llvm"));
    compare(&Plan { words, race, race_llvm })
}
