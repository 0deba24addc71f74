//! gdb itself.

use std::process::Command;

use super::debuggee::{ARGUMENT, TEXT};
use super::sessions::{output, skip};

trials![
    gdb_breaks_by_name_in_every_tier_and_shows_the_line,
    gdb_finds_callers_through_compiled_code_into_the_host,
    gdb_tells_calls_that_were_inlined_from_their_callers,
    gdb_steps_into_a_function_that_has_code,
];

/// What gdb says to those commands; nothing if there is no gdb, or it may not trace.
fn gdb(commands: &[&str]) -> Option<String> {
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-iex", "set debuginfod enabled off"]);
    let settings = ["set breakpoint pending on", "set width 0", "set style enabled off"];
    for line in settings.iter().chain(commands) {
        command.args(["-ex", line]);
    }
    command.arg("--args").arg(std::env::current_exe().unwrap()).args([ARGUMENT, "500", "gdb"]);
    let Some(output) = output(&mut command) else {
        skip("there is no gdb");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("ptrace: Operation not permitted") {
        skip("gdb may not trace processes here");
        return None;
    }
    Some(format!("{text}\n{errors}"))
}

/// The number of the line of the text that has that in it.
fn line_of(part: &str) -> usize {
    TEXT.lines().position(|line| line.contains(part)).unwrap() + 1
}

fn gdb_breaks_by_name_in_every_tier_and_shows_the_line() {
    let Some(text) = gdb(&["break churn", "run", "continue", "continue"]) else { return };
    let stops = text.lines().filter(|line| line.starts_with("Breakpoint 1"));
    let stops: Vec<&str> = stops.filter(|line| line.contains(", churn () at ")).collect();
    let (entry, call) = (line_of("jump loop"), line_of("%next = call"));
    // The first call, what its loop goes on in, and the second call, of better code.
    let ends = [entry, call, entry].map(|line| format!("debugged.bir:{line}"));
    assert_eq!(stops.len(), 3, "{text}");
    assert!(stops.iter().zip(&ends).all(|(stop, end)| stop.ends_with(end)), "{text}");
    let shown = format!("\n{entry}\t{}\n", TEXT.lines().nth(entry - 1).unwrap());
    assert!(text.contains(&shown), "{text}");
}

fn gdb_finds_callers_through_compiled_code_into_the_host() {
    let Some(text) = gdb(&["break quadruple_and_one", "run", "bt"]) else { return };
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert!(frames[0].starts_with("#0  quadruple_and_one () at "), "{text}");
    assert!(frames[0].ends_with(&format!("debugged.bir:{}", line_of("%wide = shl"))), "{text}");
    assert!(frames[1].contains(" in churn () at "), "{text}");
    assert!(frames[1].ends_with(&format!("debugged.bir:{}", line_of("%next = call"))), "{text}");
    assert!(frames[2].contains(" in entry(i64) -> i64 ()"), "{text}");
    let host = frames.iter().position(|line| line.contains("call_compiled"));
    let main = frames.iter().position(|line| line.contains(" in main () at "));
    assert!(host.is_some() && host < main, "{text}");
}

fn gdb_tells_calls_that_were_inlined_from_their_callers() {
    // By the second call the function is in its caller.
    let breakpoint = format!("break debugged.bir:{}", line_of("%odd = add"));
    let commands = ["break churn", "run", "ignore 1 1000", &breakpoint, "ignore 2 600"];
    let commands = [&commands[..], &["continue", "bt 2", "info frame"]].concat();
    let Some(text) = gdb(&commands) else { return };
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let [inner, outer, ..] = frames[..] else { panic!("{text}") };
    assert!(
        inner.contains("quadruple_and_one () at ") && outer.starts_with("#1  churn () at "),
        "{text}"
    );
    assert!(text.contains("inlined into frame 1"), "{text}");
}

fn gdb_steps_into_a_function_that_has_code() {
    // In the first round the call has the function compiled, which is no function's line.
    let breakpoint = format!("break debugged.bir:{}", line_of("%next = call"));
    let commands = ["break churn", "run", &breakpoint, "continue", "continue", "step", "bt 2"];
    let Some(text) = gdb(&commands) else { return };
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let [inner, outer, ..] = frames[..] else { panic!("{text}") };
    assert!(inner.starts_with("#0  quadruple_and_one () at "), "{text}");
    assert!(outer.contains(" in churn () at "), "{text}");
}
