//! The compiler, called only for what is not there yet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::llvm::tools;

/// The compiler of C.
#[derive(Debug)]
pub(super) struct Clang {
    path: PathBuf,
}

/// A file that a command makes of others.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) output: PathBuf,
    pub(super) inputs: Vec<PathBuf>,
}

impl Clang {
    pub(super) fn find() -> Result<Clang, String> {
        let path = tools::find_tool("clang").map_err(|reason| format!("{reason}\n"))?;
        Ok(Clang { path })
    }

    /// A call of the compiler, for those who give it its arguments.
    pub(super) fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// Runs a command, unless it has made its output already and nothing has changed since;
    /// gives how long it took, then or now.
    pub(super) fn run(&self, mut command: Command, step: &Step) -> Result<Duration, String> {
        let words = format!("{command:?}");
        let note = step.output.with_added_extension("made");
        if let Some(took) = made_before(step, &note, &words) {
            return Ok(took);
        }
        let start = Instant::now();
        tools::run(&mut command).map_err(|reason| format!("{reason}\n"))?;
        let took = start.elapsed();
        fs::write(&note, format!("{}\n{words}", took.as_millis()))
            .map_err(|error| format!("{}: {error}\n", note.display()))?;
        Ok(took)
    }
}

/// How long it took to make the output, if that was done by the same command when the inputs
/// were what they are.
fn made_before(step: &Step, note: &Path, words: &str) -> Option<Duration> {
    let text = fs::read_to_string(note).ok()?;
    let (took, before) = text.split_once('\n')?;
    let made = changed(note)?;
    let is_older = |file: &PathBuf| changed(file).is_some_and(|time| time <= made);
    let is_there = step.output.is_file() && before == words && step.inputs.iter().all(is_older);
    is_there.then(|| took.parse().ok().map(Duration::from_millis)).flatten()
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}
