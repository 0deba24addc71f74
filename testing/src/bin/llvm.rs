//! `cargo xtask llvm files`: every run of every test file that LLVM IR has a
//! place for, as LLVM's own tools run it, against the interpreter; and whole
//! programs with constructors, as they are against as they are written.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::process::ExitCode;

use brolga_testing::corpus::{Runs, texts};
use brolga_testing::llvm::{
    Agreement, Optimisation, Reset, Tools, Written, compare_whole, whole_programs,
};
use brolga_testing::parallel;

/// Runs that agree at least, where all is as it should be.
const LEAST: usize = 4000;

fn main() -> ExitCode {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::FAILURE;
        }
    };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word));
    let texts: Vec<_> = texts().into_iter().filter(|(name, _)| is_wanted(name)).collect();
    let check = |_, (name, text): &(String, String)| check_file(&tools, name, text);
    let found = parallel::map(parallel::threads(), &texts, check);
    let mut totals = Totals::default();
    for ((name, _), found) in texts.iter().zip(found) {
        totals.add(name, found);
    }
    match whole_programs() {
        Err(reason) => totals.failures.push(reason),
        Ok(programs) => {
            for (name, text) in programs.iter().filter(|(name, _)| is_wanted(name)) {
                totals.add(name, check_whole(&tools, text));
            }
        }
    }
    totals.report(if wanted.is_empty() { LEAST } else { 1 })
}

#[derive(Default)]
struct Totals {
    agreed: usize,
    left_out: usize,
    failures: Vec<String>,
}

impl Totals {
    fn add(&mut self, name: &str, found: Result<Totals, String>) {
        match found {
            Ok(found) => {
                self.agreed += found.agreed;
                self.left_out += found.left_out;
                self.failures.extend(found.failures.iter().map(|text| format!("{name}: {text}")));
            }
            Err(reason) => self.failures.push(format!("{name}: {reason}")),
        }
    }

    fn report(self, least: usize) -> ExitCode {
        println!("{} runs agree, {} need what there is not", self.agreed, self.left_out);
        for failure in &self.failures {
            eprintln!("{failure}");
        }
        match self.failures.is_empty() && self.agreed >= least {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        }
    }
}

/// A whole program that was read and written runs as before.
fn check_whole(tools: &Tools, text: &str) -> Result<Totals, String> {
    compare_whole(tools, text).map(|()| Totals { agreed: 1, ..Totals::default() })
}

fn check_file(tools: &Tools, name: &str, text: &str) -> Result<Totals, String> {
    let mut totals = Totals::default();
    let Some(runs) = Runs::of(name, text)? else { return Ok(totals) };
    totals.left_out = runs.left_out;
    if runs.skips.iter().any(|engine| engine == "llvm") {
        totals.left_out += runs.calls.len();
        return Ok(totals);
    }
    if runs.calls.is_empty() {
        return Ok(totals);
    }
    let Ok(written) = Written::new(&runs.module, &runs.calls, Reset::EachCall) else {
        totals.left_out += runs.calls.len();
        return Ok(totals);
    };
    for optimisation in Optimisation::ALL {
        let found = written.disagreements(tools, optimisation, &runs.expected, Agreement::AnyNan);
        let found = found.map_err(|reason| format!("{}: {reason}", optimisation.name()))?;
        totals.agreed += runs.calls.len() - found.len();
        for (index, text) in found {
            let line = runs.lines.get(index).copied().unwrap_or(0);
            totals.failures.push(format!("{line}: {}: {text}", optimisation.name()));
        }
    }
    Ok(totals)
}
