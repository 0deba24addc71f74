use brolga::ir::trap::TrapCode;
use brolga::{CallError, Config, Engine};

use super::engine;

const NESTED: &str = "
func @divide(i64, i64) -> i64 {
entry(%a: i64, %b: i64):
    %q = sdiv.i64 %a, %b
    return %q
}
func @nest(i64, i64) -> i64 {
entry(%depth: i64, %b: i64):
    %leaf = icmp.i64 eq %depth, 0
    branch %leaf, bottom, deeper
bottom:
    %q = call @divide(100, %b)
    return %q
deeper:
    %d = sub.i64 %depth, 1
    %r = call @nest(%d, %b)
    %s = add.i64 %r, 1
    return %s
}";

#[test]
fn a_trap_is_an_error_with_its_place_and_its_calls() {
    let engine = engine(NESTED);
    let nest = engine.func::<(i64, i64), i64>("nest").unwrap();
    assert_eq!(nest.call((3, 7)).unwrap(), 17);
    let error = nest.call((3, 0)).unwrap_err();
    let trap = error.trap().unwrap();
    assert_eq!(trap.code, TrapCode::DivisionByZero);
    let frames: Vec<_> = trap.frames.iter().map(|f| (&*f.function, f.line)).collect();
    assert_eq!(frames, [("divide", 4), ("nest", 12), ("nest", 16), ("nest", 16), ("nest", 16)]);
    assert_eq!(nest.call((3, 1)).unwrap(), 103);
}

#[test]
fn deep_recursion_is_a_stack_overflow() {
    let engine = engine(
        "func @down(i64) -> i64 {
        entry(%n: i64):
            %m = sub.i64 %n, 1
            %done = icmp.i64 eq %m, 0
            branch %done, bottom, more
        bottom:
            return 0
        more:
            %r = call @down(%m)
            %s = add.i64 %r, 1
            return %s
        }",
    );
    let down = engine.func::<(i64,), i64>("down").unwrap();
    for _ in 0..3 {
        let error = down.call((1_000_000_000,)).unwrap_err();
        let trap = error.trap().unwrap();
        assert_eq!(trap.code, TrapCode::StackOverflow);
        assert_eq!(trap.function(), "down");
        assert!(trap.omitted > 1000);
        assert_eq!(down.call((1000,)).unwrap(), 999);
    }
}

#[test]
fn tail_calls_take_no_stack() {
    let engine = engine(
        "func @even(i64) -> i1 {
        entry(%n: i64):
            %z = icmp.i64 eq %n, 0
            branch %z, yes, more
        yes:
            return 1
        more:
            %m = sub.i64 %n, 1
            return_call @odd(%m)
        }
        func @odd(i64) -> i1 {
        entry(%n: i64):
            %z = icmp.i64 eq %n, 0
            branch %z, no, more
        no:
            return 0
        more:
            %m = sub.i64 %n, 1
            return_call @even(%m)
        }",
    );
    let even = engine.func::<(i64,), bool>("even").unwrap();
    assert!(even.call((10_000_000,)).unwrap());
    assert!(!even.call((10_000_001,)).unwrap());
}

#[test]
fn a_side_exit_brings_its_values() {
    let engine = engine(
        "func @leave(i64, f64) -> i64 {
            exit0 = side 7 (i64, f64)
        entry(%a: i64, %x: f64):
            %ok = icmp.i64 slt %a, 10
            check %ok, exit0(%a, %x)
            return %a
        }",
    );
    let leave = engine.func::<(i64, f64), i64>("leave").unwrap();
    assert_eq!(leave.call((9, 0.5)).unwrap(), 9);
    let error = leave.call((10, 0.5)).unwrap_err();
    let trap = error.trap().unwrap();
    assert_eq!((trap.code, trap.side_exit), (TrapCode::SideExit, Some(7)));
    assert_eq!(trap.values, [10i64.into(), 0.5f64.into()]);
}

#[test]
fn an_exit_brings_values_of_which_nothing_is_stored() {
    let engine = engine(
        "func @leave(i1) -> i32 {
            exit0 = trap user(3) ({}, [4 x {}])
        entry(%c: i1):
            check %c, exit0(zero, zero)
            return 7
        }",
    );
    let leave = engine.func::<(bool,), i32>("leave").unwrap();
    assert_eq!(leave.call((true,)).unwrap(), 7);
    let error = leave.call((false,)).unwrap_err();
    let trap = error.trap().unwrap();
    assert_eq!(trap.code, TrapCode::User(3));
    assert_eq!(trap.values.len(), 2);
}

#[test]
fn an_exception_goes_to_the_innermost_handler() {
    let engine = engine(
        "func @thrower(i64) -> i64 {
        entry(%n: i64):
            %z = icmp.i64 eq %n, 0
            branch %z, bad, good
        bad:
            throw null
        good:
            return %n
        }
        func @catcher(i64) -> i64 {
        entry(%n: i64):
            %r = try_call @thrower(%n) normal fine(%r), unwind caught
        fine(%x: i64):
            return %x
        caught:
            %m = sub.i64 %n, 1
            return %m
        }",
    );
    let catcher = engine.func::<(i64,), i64>("catcher").unwrap();
    assert_eq!(catcher.call((5,)).unwrap(), 5);
    assert_eq!(catcher.call((0,)).unwrap(), -1);
    let thrower = engine.func::<(i64,), i64>("thrower").unwrap();
    let error = thrower.call((0,)).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::UncaughtException);
    assert_eq!(catcher.call((0,)).unwrap(), -1);
}

#[test]
fn a_missing_function_is_named() {
    let engine = Engine::new(Config::default()).unwrap();
    let caller = "import @later(i64) -> i64
        func @caller(i64) -> i64 {
        entry(%n: i64):
            %r = call @later(%n)
            return %r
        }";
    engine.load(caller).unwrap();
    let call = engine.func::<(i64,), i64>("caller").unwrap();
    let error = call.call((1,)).unwrap_err();
    assert!(matches!(&error, CallError::Trap(trap) if trap.code == TrapCode::MissingFunction));
    assert!(error.to_string().contains("`@later` is declared and not defined"), "{error}");
    assert_eq!(error.trap().unwrap().function(), "caller");
    let later = "func @later(i64) -> i64 {
        entry(%n: i64):
            %r = mul.i64 %n, 3
            return %r
        }";
    engine.load(later).unwrap();
    assert_eq!(call.call((5,)).unwrap(), 15);
}
