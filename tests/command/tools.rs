//! What `run` tells debuggers, profilers and later runs; and texts that `compile` repeats.

use std::fs;
use std::process::{Command, Stdio};

use brolga::{Config, Engine, Tier, Tiering};

use crate::tool::{SAMPLE, Scratch, brolga, command};

#[test]
fn a_trace_of_a_run_has_what_was_called() {
    let trace = Scratch::new("run.trace", "");
    let run = ["run", "--trace-compile", trace.path(), "--entry", "gcd", "-", "--", "1071", "462"];
    let answer = brolga(&run, SAMPLE.as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (0, "21\n"), "{}", answer.err);
    let text = String::from_utf8(trace.read()).unwrap();
    let ends: Vec<_> = text.lines().map(|line| line.splitn(3, '\t').nth(2)).collect();
    assert_eq!(ends, [None, Some("hot\tmain\tgcd\tfn(i64, i64) -> i64")], "{text}");
}

#[test]
fn a_whole_program_is_traced_whatever_its_end() {
    let text = "define i32 @seven() noinline {\n  ret i32 7\n}\n\
                define i32 @main() {\n  %x = call i32 @seven()\n  ret i32 %x\n}\n";
    let (file, trace) = (Scratch::new("seven.ll", text), Scratch::new("seven.trace", ""));
    let run = ["run", "--unsafe", "--trace-compile", trace.path(), file.path()];
    assert_eq!(brolga(&run, b"").code, 7);
    let text = String::from_utf8(trace.read()).unwrap();
    assert!(text.contains("\tmain\tseven\tfn() -> i32\n"), "{text}");
}

#[test]
fn files_that_cannot_be_written_are_faults_of_the_command_line() {
    let cases = [("--trace-compile", "/no/such/folder/trace"), ("--jitdump", "/no/such/folder")];
    for (option, path) in cases {
        let answer = brolga(&["run", option, path, "-"], SAMPLE.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{option}");
        assert!(answer.err.contains("cannot ") && answer.err.contains(path), "{}", answer.err);
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_jitdump_and_a_perf_map_of_a_run_name_its_functions() {
    let (file, folder) = (Scratch::new("told.bir", SAMPLE), Scratch::folder("run_jitdump"));
    let mut run = command();
    run.args(["run", "--perf-map", "--entry", "gcd", "--jitdump"]).arg(&folder);
    run.arg(file.path()).args(["--", "9", "6"]).stdout(Stdio::piped());
    let child = run.spawn().unwrap();
    let process = child.id();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"3\n");
    let dump = fs::read(folder.join(format!("jit-{process}.dump"))).unwrap();
    let has = |text: &str| dump.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("gcd") && has(file.path()), "the name, and the file of its lines");
    let map = format!("/tmp/perf-{process}.map");
    let text = fs::read_to_string(&map).unwrap();
    fs::remove_file(map).unwrap();
    assert!(text.lines().any(|line| line.ends_with(" gcd")), "{text}");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn gdb_stops_in_a_function_that_is_run() {
    let file = Scratch::new("debugged.bir", SAMPLE);
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-iex", "set debuginfod enabled off"]);
    let commands = ["set breakpoint pending on", "set width 0", "set style enabled off"];
    for line in commands.iter().chain(&["break gcd", "run", "bt 1", "continue"]) {
        gdb.args(["-ex", line]);
    }
    gdb.args(["--args", env!("CARGO_BIN_EXE_brolga"), "run", "--gdb", "--entry", "gcd"]);
    let Ok(output) = gdb.arg(file.path()).args(["--", "9", "6"]).output() else {
        return crate::tool::skip("there is no gdb");
    };
    let (text, errors) = (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned());
    if errors.contains("ptrace: Operation not permitted") {
        return crate::tool::skip("gdb may not trace processes here");
    }
    let text = String::from_utf8_lossy(&text);
    let stop = format!("#0  gcd () at {}:", file.path());
    assert!(text.contains(&stop), "{text}\n{errors}");
    assert!(text.contains("\n3\n"), "it goes on to its end: {text}");
}

#[test]
fn the_head_of_a_dump_says_how_the_command_repeats_the_compile() {
    for tier in Tier::ALL {
        let tiering = Tiering::Fixed(tier);
        let engine = Engine::new(Config { tiering, ..Config::default() }).unwrap();
        engine.define(SAMPLE).unwrap();
        engine.compile("descend").unwrap();
        let dump = Scratch::new("descend.bir", "");
        engine.dump_repro("descend", dump.path().as_ref()).unwrap();
        let text = String::from_utf8(dump.read()).unwrap();
        let line = text.lines().find_map(|line| line.split_once("    brolga ")).unwrap().1;
        let line = line.replace("FILE", dump.path()).replace('\'', "");
        let answer = brolga(&line.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(answer.code, 0, "{line}: {}", answer.err);
        assert!(answer.out.contains("; @descend\n"), "{}", answer.out);
    }
}
