#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use brolga::ir::trap::TrapCode;
use brolga::lowering::options::Polls;
use brolga::{Budgets, CallError, CallOptions, Config, Engine, Forking, LoadError, Tiering};

use super::in_child;

const ANSWER: &str = "func @answer() -> i64 {\nentry:\n    return 42\n}";

#[test]
fn a_forked_child_is_refused_or_goes_on_as_configured() {
    for (forking, expected) in [(Forking::Refused, 7), (Forking::Safe, 42)] {
        let engine = Engine::new(Config { forking, ..Config::default() }).unwrap();
        engine.load(ANSWER).unwrap();
        let answer = engine.func::<(), i64>("answer").unwrap();
        let code = in_child(|| match answer.call(()) {
            Ok(number) => number as i32,
            Err(CallError::CannotEnter { .. }) => 7,
            Err(_) => 1,
        });
        assert_eq!(code, expected, "{forking:?}");
        assert_eq!(answer.call(()).unwrap(), 42);
    }
}

#[test]
fn a_refused_child_gets_errors_everywhere_and_its_parent_keeps_everything() {
    let engine = Engine::new(Config::default()).unwrap();
    let text = format!("{ANSWER}\ndata @d = {{ i64 7 }}\ndata @t thread_local = {{ i64 8 }}");
    engine.load(&text).unwrap();
    let answer = engine.func::<(), i64>("answer").unwrap();
    let before = engine.books();
    let doomed = super::engine(ANSWER);
    let code = in_child(|| {
        assert!(matches!(answer.call(()), Err(CallError::CannotEnter { .. })));
        assert!(engine.call("answer", &[]).is_err());
        assert!(matches!(engine.load(&ANSWER.replace("answer", "b")), Err(LoadError::Memory(_))));
        let defined = engine.define(&ANSWER.replace("func @answer", "export func @c"));
        assert!(matches!(defined, Err(LoadError::Memory(_))), "{defined:?}");
        let mut number = [0i64];
        for (name, value) in [("d", 7), ("t", 8)] {
            engine.read_data(name, 0, &mut number).unwrap();
            assert_eq!(number, [value]);
            engine.write_data(name, 0, &[100i64]).unwrap();
        }
        engine.interrupt();
        drop(doomed);
        // An engine of its own works.
        let own = Engine::new(Config::default()).unwrap();
        own.load(ANSWER).unwrap();
        own.func::<(), i64>("answer").unwrap().call(()).unwrap() as i32
    });
    assert_eq!(code, 42);
    assert_eq!(engine.books(), before);
    let mut number = [0i64];
    engine.read_data("d", 0, &mut number).unwrap();
    assert_eq!((number, answer.call(()).unwrap()), ([7], 42));
    engine.load(&ANSWER.replace("answer", "b")).unwrap();
}

#[test]
fn a_safe_child_goes_on_with_everything() {
    let config =
        Config { forking: Forking::Safe, polls: Polls::LoopsAndEntries, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.load(ANSWER).unwrap();
    engine.load("func @endless() {\nentry:\n    jump loop\nloop:\n    jump loop\n}").unwrap();
    let endless = engine.func::<(), ()>("endless").unwrap();
    let stop = move || {
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let options = CallOptions { deadline, ..CallOptions::default() };
        endless.call_with(&options, ()).unwrap_err().trap().unwrap().code
    };
    // The child is made while the thread that watches deadlines is waiting, as
    // a host function makes it.
    let inside = stop.clone();
    let forked = Arc::new(AtomicI32::new(0));
    let told = Arc::clone(&forked);
    engine
        .define_host("fork", move || {
            told.store(
                in_child(|| i32::from(inside() != TrapCode::DeadlineExceeded)),
                Ordering::Relaxed,
            );
        })
        .unwrap();
    engine.load("import @fork()\nfunc @f() {\nentry:\n    call @fork()\n    return\n}").unwrap();
    let f = engine.func::<(), ()>("f").unwrap();
    let deadline = Some(Instant::now() + Duration::from_secs(3600));
    f.call_with(&CallOptions { deadline, ..CallOptions::default() }, ()).unwrap();
    assert_eq!(forked.load(Ordering::Relaxed), 0);
    assert_eq!(stop(), TrapCode::DeadlineExceeded);
    let code = in_child(|| {
        engine.load(&ANSWER.replace("answer", "other").replace("42", "43")).unwrap();
        engine.func::<(), i64>("other").unwrap().call(()).unwrap() as i32
    });
    assert_eq!(code, 43);
    assert!(engine.func::<(), i64>("other").is_err());
}

/// The thread that the parent has for it is not the child's.
#[test]
fn a_safe_child_compiles_better_what_runs_often_by_a_thread_of_its_own() {
    let budgets = Budgets { quick: 10, warm: 10, ..Budgets::default() };
    let config = Config {
        forking: Forking::Safe,
        tiering: Tiering::Adaptive(budgets),
        background_threads: 1,
        ..Config::default()
    };
    let engine = Engine::new(config).unwrap();
    engine.define(&ANSWER.replace("func", "export func")).unwrap();
    let code = in_child(|| {
        let answer = engine.func::<(), i64>("answer").unwrap();
        while engine.stats().upgraded == 0 {
            assert_eq!(answer.call(()).unwrap(), 42);
        }
        42
    });
    assert_eq!(code, 42);
    assert_eq!(engine.stats().upgraded, 0);
}
