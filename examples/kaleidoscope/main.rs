//! Kaleidoscope, the language of LLVM's tutorial, on Brolga:
//! `cargo run --release --example kaleidoscope -- examples/kaleidoscope/mandel.ks`, or without a
//! file for a prompt.

mod edited;
mod lexer;
mod lower;
mod parser;
mod prompt;
mod session;
mod syntax;
mod texts;

use std::error::Error;
use std::io::{self, IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use edited::Edited;
use prompt::{Lines, converse, shown};
use session::{Output, Session};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let output: Output = Arc::new(Mutex::new(stdout()));
    let mut session = Session::new(&output)?;
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        if let Err(problem) = session.run(&text, &mut |_| {}) {
            return Err(format!("{file}:{}", shown(&problem, &text)).into());
        }
    }
    if files.is_empty() {
        let mut lines: Box<dyn Lines> = match stdin().is_terminal() {
            true => Box::new(Edited::new()?),
            false => Box::new(Given),
        };
        converse(&mut session, &mut *lines, &mut stdout())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Lines of the standard input, for which nobody is asked.
struct Given;

impl Lines for Given {
    fn next(&mut self, _: &str) -> io::Result<Option<String>> {
        let mut line = String::new();
        let length = stdin().read_line(&mut line)?;
        Ok((length > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}
