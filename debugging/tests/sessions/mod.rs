//! What gdb and perf are asked, and what they are to say.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Trial};
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol, SymbolScope};

/// The argument by which this program is the example.
pub(crate) const EXAMPLE: &str = "--debugged";

macro_rules! trials {
    ($($name:ident,)*) => {
        vec![$(Trial::test(stringify!($name), || {
            $name();
            Ok(())
        }),)*]
    };
}

pub(crate) fn run() -> ExitCode {
    let trials = trials![
        gdb_breaks_by_name_shows_the_line_and_finds_the_caller,
        gdb_tells_inlined_calls_from_their_callers,
        gdb_finds_the_caller_from_every_instruction,
        gdb_knows_no_withdrawn_function,
        later_debuggers_find_both_symbols_and_another_jit_can_have_them_too,
        perf_names_the_function_and_its_lines,
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn this_program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// What the program says; nothing if it is not there.
fn output(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => panic!("{command:?}: {error}"),
    }
}

fn skip(reason: &str) {
    use std::io::Write;
    std::io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes()).unwrap();
}

/// What gdb says to those commands; nothing if there is no gdb, or it may not trace.
fn gdb(commands: &[&str]) -> Option<String> {
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-iex", "set debuginfod enabled off"]);
    let settings = ["set breakpoint pending on", "set width 0", "set style enabled off"];
    for line in settings.iter().chain(commands) {
        command.args(["-ex", line]);
    }
    command.arg("--args").arg(this_program()).args([EXAMPLE, "3"]);
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

/// The number of the line of the example's text that has that in it.
fn line_of(part: &str) -> usize {
    let text = include_str!("../../examples/debugged.bir");
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

fn gdb_breaks_by_name_shows_the_line_and_finds_the_caller() {
    let Some(text) = gdb(&["break churn", "run", "bt", "continue", "info symbol $pc"]) else {
        return;
    };
    let line = line_of("%next = call");
    let stop = text.lines().find(|line| line.starts_with("Breakpoint 1, ")).unwrap_or_default();
    assert!(stop.ends_with(&format!("debugged.bir:{line}")), "{text}");
    assert!(stop.contains(" churn () at "), "{text}");
    assert!(text.contains(&format!("\n{line}\t    %next = call @scramble(%state)\n")), "{text}");
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert!(frames[0].starts_with("#0  churn () at "), "{text}");
    assert!(frames[1].contains(" in entry(i64, i64) -> i64 ()"), "{text}");
    let caller = frames.iter().position(|line| line.contains("call_compiled"));
    let main = frames.iter().position(|line| line.contains("in main () at "));
    assert!(caller.is_some() && caller < main, "{text}");
}

fn gdb_tells_inlined_calls_from_their_callers() {
    let breakpoint = format!("break debugged.bir:{}", line_of("%wide = mul"));
    let Some(text) = gdb(&[&breakpoint, "run", "bt 2", "info frame"]) else { return };
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let [inner, outer, ..] = frames[..] else { panic!("{text}") };
    let (written, called) = (line_of("%wide = mul"), line_of("%next = call"));
    assert!(inner.contains("scramble () at "), "{text}");
    assert!(inner.ends_with(&format!("debugged.bir:{written}")), "{text}");
    assert!(outer.starts_with("#1  churn () at "), "{text}");
    assert!(outer.ends_with(&format!("debugged.bir:{called}")), "{text}");
    assert!(text.contains("inlined into frame 1"), "{text}");
}

fn gdb_finds_the_caller_from_every_instruction() {
    // From the call in the host through the thunk, the function and back: at each step the
    // caller is to be found, or stood in.
    let mut commands =
        vec!["break call_compiled", "run", "set language c", "break *churn", "continue"];
    commands.push("delete");
    for _ in 0..60 {
        commands.extend(["bt 4", "stepi"]);
    }
    let Some(text) = gdb(&commands) else { return };
    let (_, steps) = text.split_once("Breakpoint 2,").unwrap_or_else(|| panic!("{text}"));
    let traces: Vec<&str> = steps.split("\n#0 ").skip(1).collect();
    let mut inside = [0, 0];
    for trace in &traces {
        let frames: Vec<&str> = trace.lines().collect();
        let (is_function, is_thunk) = (
            frames[0].contains("churn ()") || frames[0].contains("scramble ()"),
            frames[0].contains("entry("),
        );
        inside[0] += usize::from(is_function);
        inside[1] += usize::from(is_thunk);
        if is_function || is_thunk {
            let caller = frames.iter().take(5).any(|frame| frame.contains("debugged.rs:"));
            assert!(caller, "{trace}\nof\n{text}");
        }
    }
    assert_eq!(traces.len(), 60, "{text}");
    // Three rounds of at least six instructions, and what restores the registers of the host.
    assert!(inside[0] > 20 && inside[1] > 5, "{inside:?}: {text}");
}

fn gdb_knows_no_withdrawn_function() {
    // When the process ends, all of them are withdrawn.
    let end = ["catch syscall exit_group", "continue", "set language c", "info symbol churn"];
    let commands = [&["break churn", "run", "info symbol churn", "delete"][..], &end].concat();
    let Some(text) = gdb(&commands) else { return };
    assert!(text.contains("call to syscall exit_group"), "{text}");
    assert!(text.contains("churn in section .text"), "{text}");
    assert!(text.contains("No symbol \"churn\" in current context"), "{text}");
}

fn later_debuggers_find_both_symbols_and_another_jit_can_have_them_too() {
    let bytes = std::fs::read(this_program()).unwrap();
    let file = ElfFile64::<Endianness>::parse(&*bytes).unwrap();
    for name in ["__jit_debug_descriptor", "__jit_debug_register_code"] {
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
        // gdb 13 finds local symbols as well, later versions do not.
        assert!(symbol.is_weak() && !symbol.is_local() && symbol.is_definition(), "{symbol:?}");
        assert_eq!(symbol.scope(), SymbolScope::Dynamic, "{name} is hidden");
    }
}

/// Runs a step of perf's in a folder; nothing if there is no perf.
fn perf(folder: &Path, arguments: &[&str]) -> Option<Output> {
    // perf keeps copies of objects in the home folder.
    output(Command::new("perf").args(arguments).current_dir(folder).env("HOME", folder))
}

fn perf_names_the_function_and_its_lines() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perf");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = this_program();
    let record = ["record", "-k", "1", "-e", "cpu-clock:u", "-F", "999", "-o", "perf.data"];
    let record =
        [&record[..], &["--", program.to_str().unwrap(), EXAMPLE, "60000000", "."]].concat();
    let Some(recorded) = perf(&folder, &record) else { return skip("there is no perf") };
    if !recorded.status.success() {
        let errors = String::from_utf8_lossy(&recorded.stderr);
        return skip(&format!("perf may not record here: {}", errors.trim()));
    }
    let inject = ["inject", "--jit", "-i", "perf.data", "-o", "perf.jit.data"];
    let injected = perf(&folder, &inject).unwrap();
    assert!(injected.status.success(), "{injected:?}");
    let report = ["report", "--stdio", "-i", "perf.jit.data", "--sort", "symbol"];
    let report = String::from_utf8(perf(&folder, &report).unwrap().stdout).unwrap();
    let is_ours = |line: &&str| line.split_whitespace().nth(2) == Some("churn");
    let share = report.lines().find(is_ours).unwrap_or_default();
    let share = share.split('%').next().and_then(|share| share.trim().parse::<f64>().ok());
    assert!(share.is_some_and(|share| share > 50.0), "{report}");
    let objects: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "so"))
        .collect();
    // The function and the thunk that enters it, of which the first has lines.
    assert_eq!(objects.len(), 2, "{objects:?}");
    let has_lines = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(12).any(|part| part == b"debugged.bir")
    };
    assert_eq!(objects.iter().filter(|path| has_lines(path)).count(), 1);
}
