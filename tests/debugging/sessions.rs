//! perf itself, and what all sessions need.

use std::path::Path;
use std::process::{Command, Output};

use super::debuggee::{ARGUMENT, TEXT};
use super::records::folder;

trials![perf_names_what_is_compiled_with_its_lines, perf_names_what_is_compiled_by_a_map,];

/// What the program says; nothing if it is not there.
pub(crate) fn output(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => panic!("{command:?}: {error}"),
    }
}

pub(crate) fn skip(reason: &str) {
    use std::io::Write;
    std::io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes()).unwrap();
}

/// Runs a step of perf's in a folder; nothing if there is no perf.
fn perf(folder: &Path, arguments: &[&str]) -> Option<Output> {
    // perf keeps copies of objects in the home folder.
    output(Command::new("perf").args(arguments).current_dir(folder).env("HOME", folder))
}

/// Has perf look at the debuggee, which tells of its code by `told`; whether it did.
fn record(folder: &Path, told: &str) -> bool {
    let program = std::env::current_exe().unwrap();
    let record = ["record", "-k", "1", "-e", "cpu-clock:u", "-F", "999", "-o", "perf.data", "--"];
    let debuggee = [program.to_str().unwrap(), ARGUMENT, "60000000", told];
    match perf(folder, &[&record[..], &debuggee].concat()) {
        None => skip("there is no perf"),
        Some(recorded) if !recorded.status.success() => {
            let errors = String::from_utf8_lossy(&recorded.stderr);
            skip(&format!("perf may not record here: {}", errors.trim()));
        }
        Some(_) => return true,
    }
    false
}

/// What perf reports for the loop: shares of the samples, in per cent, each with what else it is
/// sorted by.
fn shares_of_loop(folder: &Path, data: &str, sort: &str) -> Vec<(f64, String)> {
    let report = ["report", "--stdio", "-i", data, "--sort", sort];
    let report = String::from_utf8(perf(folder, &report).unwrap().stdout).unwrap();
    let share = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [share, _, "churn", rest @ ..] = &words[..] else { return None };
        Some((share.strip_suffix('%')?.parse().ok()?, rest.first().copied().unwrap_or("").into()))
    };
    let shares: Vec<(f64, String)> = report.lines().filter_map(share).collect();
    assert!(!shares.is_empty(), "{report}");
    shares
}

/// The share of the samples that perf reports for the loop, in per cent.
fn share_of_loop(folder: &Path, data: &str) -> f64 {
    shares_of_loop(folder, data, "symbol").iter().map(|(share, _)| share).sum()
}

/// perf finds lines by a program of binutils, or has that inside; where it has neither, it says so
/// by no line at all.
fn check_lines_of_loop(folder: &Path, data: &str) {
    let shares = shares_of_loop(folder, data, "symbol,srcline");
    let line = |place: &str| place.strip_prefix("debugged.bir:")?.parse::<usize>().ok();
    let told: Vec<(f64, usize)> =
        shares.iter().filter_map(|(share, place)| Some((*share, line(place)?))).collect();
    if told.is_empty() {
        return skip("perf tells no lines here");
    }
    let line_of = |part: &str| TEXT.lines().position(|line| line.contains(part)).unwrap() + 1;
    let inside = [line_of("%next = call"), line_of("branch %more")];
    let callee = [line_of("%wide = shl"), line_of("%odd = add")];
    let is_of_loop =
        |line: usize| (inside[0]..=inside[1]).contains(&line) || callee.contains(&line);
    let right: f64 = told.iter().filter(|(_, line)| is_of_loop(*line)).map(|it| it.0).sum();
    let all: f64 = told.iter().map(|it| it.0).sum();
    assert!(right > all / 2.0, "{told:?}");
}

fn perf_names_what_is_compiled_with_its_lines() {
    let folder = folder("perf_jitdump");
    if !record(&folder, ".") {
        return;
    }
    let inject = ["inject", "--jit", "-i", "perf.data", "-o", "perf.jit.data"];
    let injected = perf(&folder, &inject).unwrap();
    assert!(injected.status.success(), "{injected:?}");
    assert!(share_of_loop(&folder, "perf.jit.data") > 50.0);
    check_lines_of_loop(&folder, "perf.jit.data");
    let has_lines = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(12).any(|part| part == b"debugged.bir")
    };
    let objects = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let objects = objects.filter(|path| path.extension().is_some_and(|it| it == "so"));
    assert!(objects.filter(|path| has_lines(path)).count() >= 4, "the functions of two tiers");
}

fn perf_names_what_is_compiled_by_a_map() {
    let folder = folder("perf_map");
    if record(&folder, "perf-map") {
        assert!(share_of_loop(&folder, "perf.data") > 50.0);
    }
}
