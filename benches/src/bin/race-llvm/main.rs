//! As `race`, with the levels of LLVM as back ends. Nothing else links LLVM: its start and
//! its memory would be in every number.
//!
//! `race-llvm object LEVEL FILE TO` writes the object file of a source, to be compared with
//! a compiler's; `race-llvm assembly LEVEL FILE TO` writes it as a text.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

mod llvm;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use brolga_benches::backend::{Backend, BackendError, LLVM, unknown};
use brolga_benches::race::command;
use brolga_benches::source::Source;

use llvm::{Code, Llvm};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["object", level, file, to] => write_code(Code::Object, level, file, to),
        ["assembly", level, file, to] => write_code(Code::Assembly, level, file, to),
        _ => command::run(arguments.into_iter(), named).map(|line| println!("{line}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn named(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    match name.strip_prefix(LLVM).and_then(|level| Llvm::new(level).transpose()) {
        Some(backend) => Ok(Box::new(backend?)),
        None => Err(unknown(name, |known| known.starts_with(LLVM)).into()),
    }
}

fn write_code(code: Code, level: &str, file: &str, to: &str) -> Result<(), BackendError> {
    let level = Llvm::new(level)?.ok_or_else(|| unknown(level, |name| name.starts_with(LLVM)))?;
    let source = Source::open(Path::new(file), "kernel")?;
    Ok(fs::write(to, level.compiled(&source, code)?)?)
}

#[cfg(test)]
mod tests {
    use brolga_benches::backend::NAMES;
    use brolga_benches::programs::sample;
    use brolga_benches::race::{Course, run};

    use super::*;

    #[test]
    fn every_level_gives_the_same() {
        let course = Course { n: 100, warm: 1, repetitions: 2, precompile: 1, ladder: Vec::new() };
        for name in NAMES.iter().filter(|name| name.starts_with(LLVM)) {
            let lap = run(&*named(name).unwrap(), &sample(), &course).unwrap();
            assert_eq!((lap.checksum.as_str(), lap.run_ns.len()), ("150", 2), "{name}");
        }
    }

    #[test]
    fn a_level_that_does_not_exist_is_told_with_those_that_do() {
        let error = named("llvm-O4").err().unwrap().to_string();
        let those = "llvm-O0, llvm-O1, llvm-O2, llvm-O2-128, llvm-O2-scalar, llvm-O3, and";
        assert!(error.contains(those), "{error}");
    }
}
