//! Programs run in processes of their own, which take no more time and memory
//! than they are given.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The path of the command `brolga`, which the commands of the repository that run
/// programs build beside themselves.
///
/// # Errors
/// If it is not there.
pub fn command() -> Result<PathBuf, String> {
    let path = std::env::current_exe().map_err(|error| format!("{error}\n"))?;
    let path = path.with_file_name("brolga");
    match path.is_file() {
        true => Ok(path),
        false => Err(format!("{} is missing: run this by `cargo xtask`\n", path.display())),
    }
}

/// What a process may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How many addresses it may map, in MiB.
    pub memory: u64,
    /// How much it may write to one file, in MiB.
    pub output: u64,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With that status.
    Exited(i32),
    /// By that signal.
    Signalled(i32),
    /// It was killed, since its time was over.
    TimedOut,
}

/// What a process did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub errors: Vec<u8>,
}

/// A program and what it is called with.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Invocation {
    /// That program with these arguments.
    pub fn new<T: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = T>,
    ) -> Invocation {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Invocation { program: program.into(), arguments }
    }

    /// Runs it to its end in `folder`, which is left as the program leaves it, but
    /// for the files `.out` and `.err` with its output.
    ///
    /// # Errors
    /// If it cannot be run, or its output cannot be kept.
    pub fn run(&self, folder: &Path, limits: &Limits) -> io::Result<Ended> {
        let (out, err) = (folder.join(".out"), folder.join(".err"));
        let script = format!(
            "ulimit -c 0; ulimit -v {}; ulimit -f {}; exec \"$@\"",
            limits.memory * 1024,
            // In blocks of 512 bytes, as the standard has it.
            limits.output * 2048,
        );
        let mut child = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(&self.program)
            .args(&self.arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .spawn()?;
        let outcome = match wait(&mut child, limits.time)? {
            None => Outcome::TimedOut,
            Some(status) => outcome(status),
        };
        let ended = Ended { outcome, output: std::fs::read(&out)?, errors: std::fs::read(&err)? };
        std::fs::remove_file(out)?;
        std::fs::remove_file(err)?;
        Ok(ended)
    }
}

fn outcome(status: ExitStatus) -> Outcome {
    match (status.code(), status.signal()) {
        (Some(code), _) => Outcome::Exited(code),
        (None, signal) => Outcome::Signalled(signal.unwrap_or(0)),
    }
}

/// Waits for the end of a process, or ends it when its time is over: then there is
/// no status.
///
/// # Errors
/// If the system does not tell how it is.
pub fn wait(child: &mut Child, time: Duration) -> io::Result<Option<ExitStatus>> {
    let (start, mut pause) = (Instant::now(), Duration::from_millis(1));
    while start.elapsed() < time {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait().map(|_| None)
}
