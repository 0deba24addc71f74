//! Functions of the host that call the engine again, and what they make of
//! what stops those calls.

use std::fmt;
use std::panic::panic_any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::trap::TrapCode;
use brolga::lowering::options::{Fuel, Polls};
use brolga::{CallError, CallOptions, Config, Engine, WeakEngine};

use super::engine;

/// `@outer` calls the host for ever, which runs `@inner`, which never ends.
const FOR_EVER: &str = "
import @host()
func @outer() {
entry:
    jump loop
loop:
    call @host()
    jump loop
}
func @inner() {
entry:
    jump loop
loop:
    jump loop
}
func @short() {
entry:
    return
}";

/// An engine whose host takes no notice of what stops its calls, and counts them.
fn counting(fuel: Fuel, inner: CallOptions) -> (Engine, Arc<AtomicU64>) {
    let config = Config { polls: Polls::LoopsAndEntries, fuel, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    let weak = engine.downgrade();
    let calls = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&calls);
    let host = move || {
        count.fetch_add(1, Ordering::Relaxed);
        let endless = weak.upgrade().unwrap().func::<(), ()>("inner").unwrap();
        assert!(endless.call_with(&inner, ()).is_err());
    };
    engine.define_host("host", host).unwrap();
    engine.load(FOR_EVER).unwrap();
    (engine, calls)
}

fn code_of(engine: &Engine, options: &CallOptions) -> TrapCode {
    let error = engine.func::<(), ()>("outer").unwrap().call_with(options, ()).unwrap_err();
    let code = error.trap().unwrap().code;
    engine.func::<(), ()>("short").unwrap().call(()).unwrap();
    code
}

#[test]
fn a_deadline_stops_every_call_that_it_was_set_for() {
    let (engine, calls) = counting(Fuel::Unlimited, CallOptions::default());
    let deadline = Some(Instant::now() + Duration::from_millis(30));
    let options = CallOptions { deadline, ..CallOptions::default() };
    assert_eq!(code_of(&engine, &options), TrapCode::DeadlineExceeded);
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn an_inner_deadline_stops_the_inner_call_alone() {
    let deadline = Some(Instant::now() + Duration::from_millis(5));
    let inner = CallOptions { deadline, ..CallOptions::default() };
    let (engine, calls) = counting(Fuel::Unlimited, inner);
    let outer = Some(Instant::now() + Duration::from_millis(60));
    let start = Instant::now();
    let options = CallOptions { deadline: outer, ..CallOptions::default() };
    assert_eq!(code_of(&engine, &options), TrapCode::DeadlineExceeded);
    assert!(start.elapsed() >= Duration::from_millis(50));
    assert!(calls.load(Ordering::Relaxed) > 1);
}

#[test]
fn nested_calls_use_the_fuel_of_the_call_around_them() {
    let inner = CallOptions { fuel: Some(1000), ..CallOptions::default() };
    let (engine, calls) = counting(Fuel::Counted, inner);
    let options = CallOptions { fuel: Some(100_000), ..CallOptions::default() };
    assert_eq!(code_of(&engine, &options), TrapCode::OutOfFuel);
    let calls = calls.load(Ordering::Relaxed);
    assert!((90..=100).contains(&calls), "{calls}");
}

#[test]
fn one_interrupt_stops_the_calls_around_the_one_that_it_meets() {
    let (engine, calls) = counting(Fuel::Unlimited, CallOptions::default());
    let other = engine.clone();
    // Ends the test if the interrupt does not.
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    let options = CallOptions { deadline, ..CallOptions::default() };
    let running = thread::spawn(move || code_of(&other, &options));
    while calls.load(Ordering::Relaxed) == 0 {
        thread::yield_now();
    }
    thread::sleep(Duration::from_millis(20));
    engine.interrupt();
    assert_eq!(running.join().unwrap(), TrapCode::Interrupted);
}

const CALLER: &str = "
import @host(i64) -> i64
func @caller(i64) -> i64 {
entry(%n: i64):
    %r = call @host(%n)
    return %r
}";

fn with_host(
    host: impl Fn(WeakEngine, i64) -> Result<i64, CallError> + Send + Sync + 'static,
) -> Engine {
    let engine = Engine::new(Config::default()).unwrap();
    let weak = engine.downgrade();
    engine.define_host("host", move |n: i64| host(weak.clone(), n)).unwrap();
    engine.load(CALLER).unwrap();
    engine
}

#[test]
fn a_function_of_the_host_may_load_and_call_what_it_loaded() {
    let engine = with_host(|weak, n| {
        let engine = weak.upgrade().unwrap();
        let text = format!("func @made{n}() -> i64 {{\nentry:\n    return {}\n}}", n * 2);
        engine.load(&text).unwrap();
        engine.func::<(), i64>(&format!("made{n}")).unwrap().call(())
    });
    let caller = engine.func::<(i64,), i64>("caller").unwrap();
    for n in 0..10 {
        assert_eq!(caller.call((n,)).unwrap(), 2 * n);
    }
    // The name is taken now: the panic of the host's `unwrap` comes back.
    assert!(matches!(caller.call((3,)), Err(CallError::Host { .. })));
}

/// Panics whenever anybody looks at it or drops it.
struct Mine;

impl Drop for Mine {
    fn drop(&mut self) {
        panic_any("dropped");
    }
}

/// An error that cannot be shown.
#[derive(Debug)]
struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic_any("shown")
    }
}

impl std::error::Error for Unspeakable {}

#[test]
fn an_error_that_panics_when_it_is_shown_is_an_error() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.define_host("host", |_: i64| -> Result<i64, Unspeakable> { Err(Unspeakable) }).unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), i64>("caller").unwrap();
    let CallError::Host { trap, error } = caller.call((0,)).unwrap_err() else { panic!() };
    assert!(error.downcast_ref::<Unspeakable>().is_some());
    assert!(trap.to_string().contains("an error whose text panicked: shown"), "{trap}");
}

#[test]
fn a_panic_whose_payload_panics_when_dropped_is_an_error() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.define_host("host", |_: i64| -> i64 { panic_any(Mine) }).unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), i64>("caller").unwrap();
    let CallError::Host { error, .. } = caller.call((0,)).unwrap_err() else { panic!() };
    assert_eq!(error.panic_message(), Some("a value that is no text"));
}

#[test]
fn host_and_compiled_code_that_call_each_other_for_ever_overflow_the_stack() {
    let engine = with_host(|weak, n| {
        weak.upgrade().unwrap().func::<(i64,), i64>("caller").unwrap().call((n,))
    });
    for _ in 0..2 {
        let mut error = engine.func::<(i64,), i64>("caller").unwrap().call((1,)).unwrap_err();
        let mut depth = 0;
        while let CallError::Host { error: inner, .. } = error {
            error = inner.downcast_ref::<CallError>().unwrap().clone();
            depth += 1;
        }
        assert!(depth > 10, "{depth}");
        assert_eq!(error.trap().unwrap().code, TrapCode::StackOverflow);
    }
}

#[test]
fn the_last_handle_may_go_inside_a_call() {
    let engine = engine("func @f() -> i64 {\nentry:\n    return 1\n}");
    let held = Mutex::new(Some(engine.clone()));
    engine
        .define_host("host", move |n: i64| -> i64 {
            drop(held.lock().unwrap().take());
            n + 1
        })
        .unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), i64>("caller").unwrap();
    let weak = engine.downgrade();
    drop(engine);
    assert_eq!(caller.call((1,)).unwrap(), 2);
    drop(caller);
    assert!(weak.upgrade().is_none());
}

#[test]
fn engines_nest_in_each_other() {
    let inner = engine(
        "func @divide(i64) -> i64 {
        entry(%n: i64):
            %q = sdiv.i64 100, %n
            return %q
        }
        func @thrower() {
        entry:
            throw null
        }
        func @catcher() -> i64 {
        entry:
            try_call @thrower() normal fine, unwind caught
        fine:
            return 0
        caught:
            return 1
        }",
    );
    let divide = inner.func::<(i64,), i64>("divide").unwrap();
    let catcher = inner.func::<(), i64>("catcher").unwrap();
    let outer = with_host(move |_, n| {
        assert_eq!(catcher.call(()).unwrap(), 1);
        divide.call((n,))
    });
    let caller = outer.func::<(i64,), i64>("caller").unwrap();
    for _ in 0..100 {
        assert_eq!(caller.call((5,)).unwrap(), 20);
        let CallError::Host { trap, error } = caller.call((0,)).unwrap_err() else { panic!() };
        let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!(frames, ["caller"], "no frame of the other engine");
        let error = error.downcast_ref::<CallError>().unwrap();
        assert_eq!(error.trap().unwrap().code, TrapCode::DivisionByZero);
        assert_eq!(error.trap().unwrap().function(), "divide");
    }
}
