//! Calling the command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A module with a loop, a recursion that traps at its end, and an access that
/// only an unsafe run takes.
pub(crate) const SAMPLE: &str = "\
; A sample.
func @gcd(i64, i64) -> i64 {
entry(%a: i64, %b: i64):
    jump loop(%a, %b)
loop(%x: i64, %y: i64):
    %done = icmp.i64 eq %y, 0
    branch %done, out, next
next:
    %r = srem.i64 %x, %y
    jump loop(%y, %r)
out:
    return %x
}

func @descend(i64) -> i64 {
entry(%n: i64):
    %end = icmp.i64 eq %n, 0
    branch %end, bottom, more
more:
    %m = sub.i64 %n, 1
    %r = call @descend(%m)
    %s = add.i64 %r, 1
    return %s
bottom:
    %q = sdiv.i64 1, %n ; by zero
    return %q
}

func @both(f64) -> (f64, i1) {
entry(%x: f64):
    %twice = fadd.f64 %x, %x
    return %twice, 1
}

func @main() {
entry:
    return
}
";

/// What the command answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    /// Everything, for comparison as a whole.
    pub(crate) fn text(&self) -> String {
        format!("exit code {}\n--- out\n{}--- err\n{}", self.code, self.out, self.err)
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brolga"));
    command.env_remove("NO_COLOR").env_remove("COLUMNS").env_remove("RUST_BACKTRACE");
    command
}

/// Calls the command with that on standard input.
pub(crate) fn brolga(arguments: &[&str], input: &[u8]) -> Answer {
    let output = call(arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let answer = Answer {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
    };
    assert!(!answer.err.contains("panicked"), "{arguments:?}: {}", answer.err);
    assert!(!answer.err.contains('\u{1b}'), "{arguments:?}: coloured without a terminal");
    answer
}

/// Calls the command, and gives its output as bytes.
pub(crate) fn call(arguments: &[&str], input: &[u8]) -> Output {
    let pipes = |command: &mut Command| {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    let mut child = pipes(command().args(arguments)).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may not read all of it, or nothing.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Says that a test is left out, and why.
pub(crate) fn skip(reason: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes()).unwrap();
}

/// A file for one test, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, text: &str) -> Scratch {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        Scratch(path)
    }

    /// A folder for one test; it stays, in the target folder.
    pub(crate) fn folder(name: &str) -> PathBuf {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub(crate) fn read(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that is left behind stands in the target folder.
        let _ = fs::remove_file(&self.0);
    }
}
