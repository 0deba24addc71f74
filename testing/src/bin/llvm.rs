//! `cargo xtask llvm files`: every run of every test file that LLVM IR has a
//! place for, as LLVM's own tools run it, against the interpreter.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use brolga_ir::module::{Linkage, Module};
use brolga_ir::text::{DirectiveKind, directives, parse_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::verify::{Options, verify_module};
use brolga_testing::compare::{Answer, Observation, interpret};
use brolga_testing::corpus::texts;
use brolga_testing::generate::Call;
use brolga_testing::llvm::{Agreement, Optimisation, Reset, Tools, Written};

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
    let (next, totals) = (AtomicUsize::new(0), Mutex::new(Totals::default()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, text)) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check_file(&tools, text);
                    if let Ok(mut totals) = totals.lock() {
                        totals.add(name, found);
                    }
                }
            });
        }
    });
    let Ok(totals) = totals.into_inner() else { return ExitCode::FAILURE };
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

    fn report(mut self, least: usize) -> ExitCode {
        self.failures.sort();
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

fn check_file(tools: &Tools, text: &str) -> Result<Totals, String> {
    let mut totals = Totals::default();
    let (Ok(module), Ok(directives)) = (parse_module(text), directives(text)) else {
        return Ok(totals);
    };
    if verify_module(&module, &Options::default()).is_err() {
        return Ok(totals);
    }
    let (mut calls, mut lines, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for directive in directives {
        let DirectiveKind::Run(run) = directive.kind else { continue };
        let args = run.argument_data(&module, directive.line);
        let args = args.map_err(|error| format!("{error:?}"))?;
        let call = Call { function: run.function.into(), args };
        let (expected, _) = interpret(&[&module], &module, std::slice::from_ref(&call))?;
        match expected.answers.into_iter().next() {
            Some(answer) if !answer.is_astray() && !is_failure_of_host(&answer) => {
                answers.push(answer);
                lines.push(directive.line);
                calls.push(call);
            }
            _ => totals.left_out += 1,
        }
    }
    if calls.is_empty() {
        return Ok(totals);
    }
    if has_no_place(&module) {
        totals.left_out += calls.len();
        return Ok(totals);
    }
    let Ok(written) = Written::new(&module, &calls, Reset::EachCall) else {
        totals.left_out += calls.len();
        return Ok(totals);
    };
    let expected = Observation { answers, data: Vec::new(), host: 0 };
    for optimisation in Optimisation::ALL {
        let found = written.disagreements(tools, optimisation, &expected, Agreement::AnyNan);
        let found = found.map_err(|reason| format!("{}: {reason}", optimisation.name()))?;
        totals.agreed += calls.len() - found.len();
        for (index, text) in found {
            let line = lines.get(index).copied().unwrap_or(0);
            totals.failures.push(format!("{line}: {}: {text}", optimisation.name()));
        }
    }
    Ok(totals)
}

/// Whether a model of the interpreter has seen what C leaves open.
fn is_failure_of_host(answer: &Answer) -> bool {
    matches!(answer, Answer::Trapped { code: TrapCode::HostError, .. })
}

/// Whether nobody here defines what a module imports.
fn has_no_place(module: &Module) -> bool {
    module.functions().any(|(_, function)| function.linkage == Linkage::Import)
        || module.data_objects().any(|(_, object)| object.linkage == Linkage::Import)
}
