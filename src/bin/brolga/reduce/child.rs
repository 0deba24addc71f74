//! Trying a case in a process of its own.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{self, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::Arguments;
use super::check::Check;
use super::search::Case;
use crate::failure::Failure;

/// How often it is looked whether a process has ended.
const GLANCE: Duration = Duration::from_millis(2);

/// What a process of Rust's exits with when it panics.
const PANICKED: i32 = 101;

/// Who tries cases, in a folder that is removed in the end.
#[derive(Debug)]
pub(super) struct Child {
    words: Vec<String>,
    check: Option<Check>,
    target: String,
    patience: Duration,
    folder: PathBuf,
    /// Why a case could not be tried.
    failure: Option<Failure>,
}

impl Child {
    pub(super) fn new(arguments: &Arguments, patience: Duration) -> Result<Child, Failure> {
        let folder = std::env::temp_dir().join(format!("brolga-reduce-{}", process::id()));
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
        let words = arguments.command.iter().flat_map(|words| words.split_whitespace());
        let (check, target) = (arguments.check, arguments.target.clone());
        let words = words.map(str::to_owned).collect();
        Ok(Child { words, check, target, patience, folder, failure: None })
    }

    /// How a case fails, if it does.
    pub(super) fn judge(&mut self, case: &Case) -> Option<String> {
        if self.failure.is_some() {
            return None;
        }
        match self.outcome(case) {
            Ok(found) => found,
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }

    /// Why a case could not be tried, if one could not.
    pub(super) fn into_failure(mut self) -> Option<Failure> {
        self.failure.take()
    }

    fn outcome(&self, case: &Case) -> Result<Option<String>, Failure> {
        let file = self.folder.join("module.bir");
        fs::write(&file, case.text()).map_err(|error| Failure::file(&file, &error))?;
        let name = file.to_string_lossy();
        let mut command = match self.words.split_first() {
            Some((program, rest)) => {
                let mut command = Command::new(program);
                command.args(rest.iter().map(|word| word.replace("{}", &name)));
                command
            }
            None => self.probe(case, &name)?,
        };
        let status = self.run(&mut command)?;
        let Some(check) = self.check else {
            let is_shown = status.is_some_and(|status| status.success());
            return Ok(is_shown.then(|| "the program exits with 0".to_owned()));
        };
        let told = |name: &str| {
            let bytes = fs::read(self.folder.join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Ok(match status {
            Some(status) if status.success() => Some(told("out").trim_end().to_owned()),
            _ if check != Check::Crash => None,
            None => Some("it hangs".to_owned()),
            Some(status) if status.code() == Some(PANICKED) => Some(panic_of(&told("err"))),
            Some(status) if status.code().is_none() => Some(format!("it ends by {status}")),
            Some(_) => None,
        })
    }

    /// This program, which says how the file fails.
    fn probe(&self, case: &Case, file: &str) -> Result<Command, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::usage(format_args!("this program is not found: {error}")))?;
        let mut command = Command::new(program);
        let check = self.check.map_or("", Check::name);
        command.args(["reduce", "--once", "--check", check, "--target", &self.target]);
        command.arg(format!("--passes={}", case.spelled())).arg(file);
        command.env("RUST_BACKTRACE", "0");
        Ok(command)
    }

    /// How a program ends; nothing if it does not in time, and is stopped.
    fn run(&self, command: &mut Command) -> Result<Option<ExitStatus>, Failure> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |error: io::Error| Failure::usage(format_args!("`{program}`: {error}"));
        let sink = |name: &str| File::create(self.folder.join(name)).map_err(failed);
        command.stdin(Stdio::null()).stdout(sink("out")?).stderr(sink("err")?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(Some(status));
            }
            if start.elapsed() > self.patience {
                stop(&mut child);
                child.wait().map_err(failed)?;
                return Ok(None);
            }
            std::thread::sleep(GLANCE);
        }
    }
}

/// Stops a program, and what it has started: a script that is stopped alone leaves a module behind
/// that runs for ever.
fn stop(child: &mut process::Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // They may have ended since.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

impl Drop for Child {
    fn drop(&mut self) {
        // A folder that is left behind is a temporary one.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What a panic said, and in which file.
fn panic_of(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.contains("panicked at "));
    let place = lines.next().and_then(|line| line.split_once("panicked at "));
    let file = place.and_then(|(_, place)| place.split(':').next()).unwrap_or_default();
    format!("panicked: {} in {file}", lines.next().unwrap_or("with no message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_by_what_it_said() {
        let text =
            "noise\n\nthread 'main' (7) panicked at src/a.rs:3:5:\nindex out of bounds\nnote: x";
        assert_eq!(panic_of(text), "panicked: index out of bounds in src/a.rs");
        assert_eq!(panic_of(""), "panicked: with no message in ");
    }
}
