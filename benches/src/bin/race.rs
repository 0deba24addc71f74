//! `race --backend NAME --file FILE --n N --warm W --reps R [--sym NAME] [--precompile K]`:
//! one source through one back end in a process of its own. Prints one line of JSON, as
//! `brolga bench` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

use brolga_benches::backend::{self, BackendError};
use brolga_benches::race::{self, Course};
use brolga_benches::source::Source;

const USAGE: &str =
    "usage: race --backend NAME --file FILE --n N --warm W --reps R [--sym NAME] [--precompile K]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> Result<String, BackendError> {
    let options = options(arguments)?;
    let option = |name: &str| options.get(name).map(String::as_str);
    let needed = |name: &str| option(name).ok_or_else(|| format!("--{name} is missing\n{USAGE}"));
    let course = Course {
        n: needed("n")?.parse()?,
        warm: needed("warm")?.parse()?,
        repetitions: needed("reps")?.parse()?,
        precompile: option("precompile").map_or(Ok(0), str::parse)?,
    };
    let backend = backend::named(needed("backend")?)?;
    let source = Source::open(Path::new(needed("file")?), option("sym").unwrap_or("kernel"))?;
    Ok(serde_json::to_string(&race::run(&*backend, &source, &course)?)?)
}

/// Options and their values.
fn options(
    mut arguments: impl Iterator<Item = String>,
) -> Result<HashMap<String, String>, BackendError> {
    let known = ["backend", "file", "n", "warm", "reps", "sym", "precompile"];
    let mut options = HashMap::new();
    while let Some(argument) = arguments.next() {
        let name = argument.strip_prefix("--").filter(|name| known.contains(name));
        let name = name.ok_or_else(|| format!("`{argument}` is no option\n{USAGE}"))?;
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        options.insert(name.to_owned(), value);
    }
    Ok(options)
}
