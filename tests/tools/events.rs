use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use brolga::{
    Budgets, CodeFreed, CompileFailed, Config, Engine, FunctionCompiled, Observer, Speculation,
    Tiering,
};

use crate::TEXT;

/// Who notes each event as a line, then does as it is told.
#[derive(Debug, Default)]
struct Listener {
    lines: Mutex<Vec<String>>,
    threads: Mutex<HashSet<ThreadId>>,
    panics: AtomicBool,
    engine: Mutex<Option<brolga::WeakEngine>>,
}

impl Listener {
    fn note(&self, line: String) {
        self.lines.lock().unwrap().push(line);
        self.threads.lock().unwrap().insert(thread::current().id());
        let engine = self.engine.lock().unwrap().clone();
        if let Some(engine) = engine.and_then(|engine| engine.upgrade()) {
            // Each takes the lock of the names; the second waits for compiles.
            engine.define("export func @asked() {\nb:\n    return\n}").unwrap();
            engine.ledger();
        }
        assert!(!self.panics.load(Ordering::Relaxed), "an observer that panics");
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }
}

impl Observer for Listener {
    fn function_compiled(&self, event: &FunctionCompiled<'_>) {
        assert!(event.code_bytes > 0 && !event.took.is_zero());
        let FunctionCompiled { function, tier, reason, .. } = event;
        self.note(format!("{function} {tier} {}", reason.name()));
    }

    fn compile_failed(&self, event: &CompileFailed<'_>) {
        let CompileFailed { function, reason, error } = event;
        self.note(format!("{function} {}: {error}", reason.name()));
    }

    fn code_freed(&self, event: &CodeFreed<'_>) {
        assert!(event.code_bytes > 0);
        self.note(format!("{} freed", event.function));
    }
}

fn told() -> (Arc<Listener>, Engine) {
    let listener = Arc::new(Listener::default());
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 100, ..Budgets::default() });
    let observer = Some(Arc::clone(&listener) as Arc<dyn Observer>);
    let config = Config { tiering, background_threads: 0, observer, ..Config::default() };
    (listener, Engine::new(config).unwrap())
}

#[test]
fn an_observer_is_told_of_each_compile_with_its_tier_and_what_it_was_for() {
    let (listener, engine) = told();
    engine.define(TEXT).unwrap();
    let climb = engine.func::<(i64,), i64>("climb").unwrap();
    assert!(listener.take().is_empty(), "nothing is compiled yet");
    climb.call((10,)).unwrap();
    assert_eq!(listener.take(), ["climb quick first", "step quick first"]);
    assert_eq!(climb.call((1_000,)).unwrap(), 3_000);
    let mut lines = listener.take();
    lines.sort();
    assert_eq!(lines, ["climb hot continuation", "climb hot upgrade", "step warm upgrade"]);
    engine.load("export func @loaded() {\nb:\n    return\n}").unwrap();
    engine.func::<(), ()>("loaded").unwrap().call(()).unwrap();
    assert!(listener.take().is_empty(), "modules that are loaded are told as such");
}

#[test]
fn an_engine_without_threads_of_its_own_does_the_same_each_time_on_those_that_call() {
    let run = || {
        let (listener, engine) = told();
        for round in 0..3 {
            engine.define(TEXT).unwrap();
            let climb = engine.func::<(i64,), i64>("climb").unwrap();
            assert_eq!(climb.call((1_000 + round,)).unwrap(), 3 * (1_000 + round));
            engine.collect();
        }
        let threads = std::mem::take(&mut *listener.threads.lock().unwrap());
        assert_eq!(threads, HashSet::from([thread::current().id()]));
        (listener.take(), engine.decisions())
    };
    let first = run();
    assert!(first.0.len() > 9, "{first:?}");
    for _ in 0..5 {
        assert_eq!(run(), first);
    }
}

#[test]
fn an_observer_is_told_why_a_function_is_not_compiled() {
    let (listener, engine) = told();
    engine
        .define("export func @f(ptr) -> i64 {\nb(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}")
        .unwrap();
    engine.compile("f").unwrap_err();
    let lines = listener.take();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert!(line.starts_with("f first: the module is not safe"), "{line}");
}

#[test]
fn an_observer_is_told_of_code_that_is_freed() {
    let (listener, engine) = told();
    engine.define(TEXT).unwrap();
    engine.func::<(i64,), i64>("climb").unwrap().call((10,)).unwrap();
    listener.take();
    engine.define(TEXT).unwrap();
    engine.collect();
    let mut lines = listener.take();
    lines.sort();
    assert_eq!(lines, ["climb freed", "step freed"]);
}

#[test]
fn an_observer_that_panics_breaks_nothing() {
    let (listener, engine) = told();
    listener.panics.store(true, Ordering::Relaxed);
    engine.define(TEXT).unwrap();
    let climb = engine.func::<(i64,), i64>("climb").unwrap();
    assert_eq!(climb.call((1_000,)).unwrap(), 3_000);
    engine
        .define("export func @f(ptr) -> i64 {\nb(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}")
        .unwrap();
    let error = engine.compile("f").unwrap_err().to_string();
    assert!(error.contains("the module is not safe"), "{error}");
    engine.define(TEXT).unwrap();
    engine.collect();
    assert_eq!(climb.call((1_000,)).unwrap(), 3_000);
    let lines = listener.take();
    assert!(lines.iter().any(|line| line == "climb freed"), "{lines:?}");
}

#[test]
fn an_observer_may_call_the_engine_as_nothing_is_locked() {
    let (listener, engine) = told();
    *listener.engine.lock().unwrap() = Some(engine.downgrade());
    engine.define(TEXT).unwrap();
    let climb = engine.func::<(i64,), i64>("climb").unwrap();
    assert_eq!(climb.call((1_000,)).unwrap(), 3_000);
    engine.define(TEXT).unwrap();
    engine.collect();
    assert!(listener.take().iter().any(|line| line == "step freed"));
    engine.compile("asked").unwrap();
    *listener.engine.lock().unwrap() = None;
}

/// Who holds the thread that has compiled `@held`, and notes what is compiled.
#[derive(Debug, Default)]
struct Holder {
    lines: Mutex<Vec<String>>,
    holds: AtomicBool,
    may_go: AtomicBool,
}

impl Observer for Holder {
    fn function_compiled(&self, event: &FunctionCompiled<'_>) {
        let FunctionCompiled { function, reason, .. } = event;
        self.lines.lock().unwrap().push(format!("{function} {}", reason.name()));
        if &**function == "held" {
            self.holds.store(true, Ordering::Release);
            wait_for(|| self.may_go.load(Ordering::Acquire));
        }
    }
}

fn wait_for(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing comes of it");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_runs_is_compiled_better_before_what_nobody_has_called() {
    let number = |name: &str| format!("export func @{name}() -> i64 {{\nb:\n    return 7\n}}\n");
    let calls = |name: &str, callee: &str| {
        format!(
            "export func @{name}() -> i64 {{\nb:\n    %x = call @{callee}()\n    return %x\n}}\n"
        )
    };
    let holder = Arc::new(Holder::default());
    let config = Config {
        tiering: Tiering::Adaptive(Budgets { quick: 10, ..Budgets::default() }),
        speculation: Speculation::Callees,
        background_threads: 1,
        observer: Some(Arc::clone(&holder) as Arc<dyn Observer>),
        ..Config::default()
    };
    let engine = Engine::new(config).unwrap();
    let all = [number("held"), number("early"), number("often")].concat();
    engine.define(&(all + &calls("first", "held") + &calls("second", "early"))).unwrap();
    engine.compile("first").unwrap();
    wait_for(|| holder.holds.load(Ordering::Acquire));
    engine.compile("second").unwrap();
    let often = engine.func::<(), i64>("often").unwrap();
    for _ in 0..12 {
        assert_eq!(often.call(()).unwrap(), 7);
    }
    holder.may_go.store(true, Ordering::Release);
    let place = |line: &str| holder.lines.lock().unwrap().iter().position(|it| it == line);
    wait_for(|| place("often upgrade").is_some() && place("early first").is_some());
    assert!(place("often upgrade") < place("early first"), "{:?}", holder.lines);
}
