use std::fs;

use brolga::{
    BadTrace, Budgets, Config, Engine, EngineError, FunctionRecord, Precompiled, RecordError, Tier,
    Tiering,
};

use crate::{TEXT, folder};

fn adaptive(trace: Option<&std::path::Path>) -> Engine {
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 100, ..Budgets::default() });
    let trace_compile = trace.map(Into::into);
    let config = Config { tiering, background_threads: 0, trace_compile, ..Config::default() };
    Engine::new(config).unwrap()
}

/// What came of a trace of these lines.
fn precompiled(engine: &Engine, lines: &[&str]) -> [usize; 4] {
    let trace = format!("# brolga trace 1\n{}", lines.join("\n"));
    let Precompiled { compiled, absent, changed, refused, .. } = engine.precompile(&trace).unwrap();
    [compiled, absent, changed, refused]
}

fn tier_of(engine: &Engine, name: &str) -> Option<Tier> {
    let records = engine.ledger();
    records.iter().find(|record| &*record.name == name).map(|record: &FunctionRecord| record.tier)
}

const STEP: &str = "1\t1\tquick\tmain\tstep\tfn(i64) -> i64";

#[test]
fn a_trace_has_a_line_for_each_function_as_it_is_first_compiled() {
    let path = folder("trace").join("compiled.trace");
    fs::write(&path, "what was there before").unwrap();
    let engine = adaptive(Some(&path));
    engine.define(TEXT).unwrap();
    let climb = engine.func::<(i64,), i64>("climb").unwrap();
    climb.call((1_000,)).unwrap();
    engine.define(TEXT).unwrap();
    climb.call((10,)).unwrap();
    engine.finish_records().unwrap();
    // It is whole while the engine lives: a process may end at any time.
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 3, "neither better code nor the same defined anew: {text}");
    assert_eq!(lines[0], ["# brolga trace 1"]);
    assert_eq!(lines[1][2..], ["quick", "main", "climb", "fn(i64) -> i64"]);
    assert_eq!(lines[2][2..], ["quick", "main", "step", "fn(i64) -> i64"]);
    let times =
        |line: &[&str]| line[..2].iter().map(|it| it.parse().unwrap()).collect::<Vec<u64>>();
    let (first, second) = (times(&lines[1]), times(&lines[2]));
    assert!(first[0] >= first[1] && second[0] >= first[0], "{text}");
}

#[test]
fn a_function_with_another_signature_has_a_line_of_its_own() {
    let path = folder("trace_changed").join("trace");
    let engine = adaptive(Some(&path));
    for results in ["i64", "i32"] {
        engine.define(&format!("export func @f() -> {results} {{\nb:\n    return 1\n}}")).unwrap();
        engine.compile("f").unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\tf\tfn() -> i64\n") && text.contains("\tf\tfn() -> i32\n"), "{text}");
}

#[test]
fn what_one_engine_has_compiled_another_has_ready() {
    let path = folder("trace_again").join("trace");
    let engine = adaptive(Some(&path));
    engine.define(TEXT).unwrap();
    engine.func::<(i64,), i64>("climb").unwrap().call((10,)).unwrap();
    let trace = fs::read_to_string(&path).unwrap();
    let next = adaptive(None);
    next.define(TEXT).unwrap();
    let precompiled = next.precompile(&trace).unwrap();
    assert_eq!((precompiled.compiled, precompiled.absent), (2, 0));
    let copied = next.stats().copied;
    assert_eq!(next.func::<(i64,), i64>("climb").unwrap().call((10,)).unwrap(), 30);
    assert_eq!((copied, next.stats().copied), (2, 2), "nothing was left to the call");
}

#[test]
fn what_has_come_of_each_line_is_counted() {
    let engine = adaptive(None);
    engine.define(TEXT).unwrap();
    engine.define("export func @unsafe(ptr) -> i64 {\nb(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}").unwrap();
    let line = |name: &str, signature: &str| format!("1\t1\tquick\tmain\t{name}\t{signature}");
    let counted = |lines: &[&str]| precompiled(&engine, lines);
    assert_eq!(counted(&[STEP, STEP]), [1, 0, 0, 0], "one function, however often it is named");
    assert_eq!(counted(&[STEP]), [1, 0, 0, 0], "it has code already");
    assert_eq!(counted(&[&line("missing", "fn() -> i64")]), [0, 1, 0, 0]);
    assert_eq!(counted(&["1\t1\tquick\tother\tstep\tfn(i64) -> i64"]), [0, 1, 0, 0]);
    assert_eq!(counted(&[&line("climb", "fn(i32) -> i64")]), [0, 0, 1, 0]);
    assert_eq!(counted(&[&line("unsafe", "fn(ptr) -> i64")]), [0, 0, 0, 1]);
    assert_eq!(tier_of(&engine, "climb"), None, "none of these lines is its");
}

#[test]
fn local_functions_are_compiled_ahead_as_well() {
    let engine = adaptive(None);
    engine.define(&TEXT.replacen("export func @step", "local func @step", 1)).unwrap();
    assert_eq!(precompiled(&engine, &[STEP]), [1, 0, 0, 0]);
    assert_eq!(tier_of(&engine, "step"), Some(Tier::Quick));
}

#[test]
fn the_tier_is_that_of_the_trace_where_tiers_depend_on_what_runs() {
    let hot = STEP.replace("quick", "hot");
    let engine = adaptive(None);
    engine.define(TEXT).unwrap();
    assert_eq!(precompiled(&engine, &[&hot]), [1, 0, 0, 0]);
    assert_eq!(tier_of(&engine, "step"), Some(Tier::Hot));
    for tiering in [Tiering::Fixed(Tier::Warm), Tiering::replay("warm step\n").unwrap()] {
        let engine = Engine::new(Config { tiering, ..Config::default() }).unwrap();
        engine.define(TEXT).unwrap();
        assert_eq!(precompiled(&engine, &[&hot]), [1, 0, 0, 0]);
        assert_eq!(tier_of(&engine, "step"), Some(Tier::Warm));
    }
}

#[test]
fn a_text_that_is_no_trace_is_an_error() {
    let engine = adaptive(None);
    assert_eq!(engine.precompile("").unwrap_err(), BadTrace::NoTrace.into());
    let error = engine.precompile("# brolga trace 1\nnonsense").unwrap_err().to_string();
    assert!(error.starts_with("line 2: "), "{error}");
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error_that_names_it() {
    let path = folder("trace_nowhere").join("missing/trace");
    let config = Config { trace_compile: Some(path.clone()), ..Config::default() };
    let error = Engine::new(config).unwrap_err();
    assert!(matches!(&error, EngineError::Trace { path: named, .. } if *named == path));
    assert!(error.to_string().contains("missing/trace"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_for_which_there_is_no_room_stops_no_compile_and_is_told() {
    let engine = Engine::new(Config::default()).unwrap();
    drop(engine);
    // Its first line finds no room either.
    let config = Config { trace_compile: Some("/dev/full".into()), ..Config::default() };
    assert!(matches!(Engine::new(config), Err(EngineError::Trace { .. })));
    let path = folder("trace_full").join("trace");
    let engine = adaptive(Some(&path));
    replace_open_file(&path);
    engine.define(TEXT).unwrap();
    assert_eq!(engine.func::<(i64,), i64>("climb").unwrap().call((10,)).unwrap(), 30);
    let error = engine.finish_records().unwrap_err();
    assert!(matches!(&error, RecordError::Trace { path: named, .. } if *named == path));
    assert!(error.to_string().contains("trace_full/trace"), "{error}");
    engine.finish_records().unwrap();
}

/// Puts a file without room in the place of one that this process has open.
#[cfg(target_os = "linux")]
fn replace_open_file(path: &std::path::Path) {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    for entry in fs::read_dir("/proc/self/fd").unwrap() {
        let entry = entry.unwrap();
        if fs::read_link(entry.path()).is_ok_and(|target| target == path) {
            let number = entry.file_name().to_str().unwrap().parse().unwrap();
            // SAFETY: the number is that of the open file, which goes on under it as another.
            unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&full), number) };
        }
    }
}
