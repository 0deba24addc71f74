//! The command line of a race.

use std::collections::HashMap;
use std::path::Path;

use super::Course;
use crate::backend::{Backend, BackendError};
use crate::source::Source;

const USAGE: &str = "usage: race|race-llvm --backend NAME --file FILE --n N --warm W --reps R [--sym NAME] [--precompile K] [--ladder N,...]";

/// What no race takes.
const MOST_SECONDS: u32 = 300;

/// A race by the arguments of a command, with the back end that `named` has for its name:
/// one line of JSON, as `brolga bench` prints it.
///
/// # Errors
/// If the arguments are none, and whatever stops the race.
pub fn run(
    arguments: impl Iterator<Item = String>,
    named: impl Fn(&str) -> Result<Box<dyn Backend>, BackendError>,
) -> Result<String, BackendError> {
    limit_time();
    let options = options(arguments)?;
    let option = |name: &str| options.get(name).map(String::as_str);
    let needed = |name: &str| option(name).ok_or_else(|| format!("--{name} is missing\n{USAGE}"));
    let course = Course {
        n: needed("n")?.parse()?,
        warm: needed("warm")?.parse()?,
        repetitions: needed("reps")?.parse()?,
        precompile: option("precompile").map_or(Ok(0), str::parse)?,
        ladder: option("ladder").map_or(Ok(Vec::new()), numbers)?,
    };
    let backend = named(needed("backend")?)?;
    let source = Source::open(Path::new(needed("file")?), option("sym").unwrap_or("kernel"))?;
    Ok(serde_json::to_string(&super::run(&*backend, &source, &course)?)?)
}

/// Numbers with commas between them.
fn numbers(text: &str) -> Result<Vec<i64>, BackendError> {
    text.split(',').map(|number| Ok(number.parse()?)).collect()
}

/// Lets the system end the process when it has taken far too long: a report goes on with
/// the next.
fn limit_time() {
    // SAFETY: it asks for a signal, which nobody here catches.
    unsafe { libc::alarm(MOST_SECONDS) };
}

/// Options and their values.
fn options(
    mut arguments: impl Iterator<Item = String>,
) -> Result<HashMap<String, String>, BackendError> {
    let known = ["backend", "file", "n", "warm", "reps", "sym", "precompile", "ladder"];
    let mut options = HashMap::new();
    while let Some(argument) = arguments.next() {
        let name = argument.strip_prefix("--").filter(|name| known.contains(name));
        let name = name.ok_or_else(|| format!("`{argument}` is no option\n{USAGE}"))?;
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        options.insert(name.to_owned(), value);
    }
    Ok(options)
}
