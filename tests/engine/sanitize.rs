//! Sanitized code traps where the interpreter does.

use brolga::ir::text::{parse_module, print_module};
use brolga::ir::trap::TrapCode;
use brolga::lowering::options::Sanitizing;
use brolga::lowering::pipeline::{Report, RunOptions, parse_pipeline, run_passes};
use brolga::lowering::target::TargetSpec;
use brolga::{Config, Engine, Level};

use super::raw_engine;

const ACCESSES: &str = "
data @words = { i32 [1, 2, 3, 4] }
func @slot(i64) -> i32 {
    ss0 = slot 16
entry(%i: i64):
    %p = slot_addr ss0
    %q = ptr_add %p, %i
    store.i32 5, %q
    %x = load.i32 %q
    return %x
}
func @words_at(i64) -> i32 {
entry(%i: i64):
    %p = data_addr @words
    %q = ptr_add %p, %i
    %x = load.i32 %q+4
    return %x
}
func @room(i64) -> i32 {
entry(%n: i64):
    %p = stack_alloc %n, 16
    mem_fill %p, 1, 8
    %x = load.i32 %p+4
    return %x
}
func @copied(i64) -> i32 {
    ss0 = slot 16
entry(%n: i64):
    %p = slot_addr ss0
    %w = data_addr @words
    mem_copy %p, %w, %n
    %x = load.i32 %p+12
    return %x
}
func @gone(i64) -> i32 {
entry(%i: i64):
    %mark = stack_save
    %p = stack_alloc 16, 16
    store.i32 5, %p
    stack_restore %mark
    %x = load.i32 %p
    return %x
}";

/// Calls that stay inside, and what they give; nothing where they do not.
const CALLS: &[(&str, i64, Option<i32>)] = &[
    ("slot", 0, Some(5)),
    ("slot", 12, Some(5)),
    ("slot", 13, None),
    ("slot", -1, None),
    ("slot", i64::MIN, None),
    ("words_at", -4, Some(1)),
    ("words_at", 8, Some(4)),
    ("words_at", 9, None),
    ("words_at", -5, None),
    ("room", 8, Some(0x0101_0101)),
    ("room", 7, None),
    ("room", 0, None),
    ("copied", 16, Some(4)),
    ("copied", 0, Some(0)),
    ("copied", 17, None),
    ("copied", -1, None),
    ("gone", 0, None),
];

/// Those whose accesses no level can do without.
const NEEDED: &[&str] = &["words_at", "copied"];

#[test]
fn sanitized_code_traps_where_an_access_leaves_its_object() {
    let mut module = parse_module(ACCESSES).unwrap();
    let target = TargetSpec::host().unwrap();
    let passes = parse_pipeline("flatten_aggregates,sanitize").unwrap();
    let mut report = Report::default();
    run_passes(&mut module, &passes, &RunOptions::new(&target), &mut report).unwrap();
    let engine = raw_engine(&print_module(&module));
    CALLS.iter().for_each(|call| assert_call(&engine, call, "sanitized text"));
}

fn assert_call(engine: &Engine, &(name, argument, expected): &(&str, i64, Option<i32>), of: &str) {
    let given = engine.func::<(i64,), i32>(name).unwrap().call((argument,));
    match expected {
        Some(number) => assert_eq!(given.unwrap(), number, "@{name}({argument}) of {of}"),
        None => {
            let error = given.expect_err(name);
            let code = error.trap().map(|trap| trap.code);
            assert_eq!(code, Some(TrapCode::InvalidAccess), "@{name}({argument}) of {of}");
        }
    }
}

/// An engine with the accesses, and how many bytes of code they took.
fn loaded(level: Level, sanitize: Sanitizing) -> (Engine, usize) {
    let engine = Engine::new(Config { level, sanitize, ..Config::default() }).unwrap();
    let before = engine.books().live_code;
    // SAFETY: calls that leave an object are made where they are checked alone.
    unsafe { engine.load_unsafe(ACCESSES) }.unwrap();
    let bytes = engine.books().live_code - before;
    (engine, bytes)
}

#[test]
fn an_engine_sanitizes_at_every_level_if_it_is_told_to_and_else_at_none() {
    for &level in Level::ALL {
        let (sanitized, checked_bytes) = loaded(level, Sanitizing::Check);
        let (plain, bytes) = loaded(level, Sanitizing::default());
        assert!(bytes < checked_bytes, "{level:?}: {bytes} {checked_bytes}");
        for call @ &(name, _, expected) in CALLS {
            let is_there = level == Level::O0 || NEEDED.contains(&name);
            if expected.is_some() || is_there {
                assert_call(&sanitized, call, level.name());
            }
            if expected.is_some() {
                assert_call(&plain, call, level.name());
            }
        }
    }
}
