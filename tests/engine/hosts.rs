use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fmt, io};

use brolga::ir::observe::{LoadStep, Observer};
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{CallError, Config, Engine, LoadError};

const CALLER: &str = "
import @host(i64, f64) -> f64
func @caller(i64) -> f64 {
entry(%n: i64):
    %r = call @host(%n, 0.5)
    return %r
}";

#[test]
fn a_closure_with_state_is_called() {
    let engine = Engine::new(Config::default()).unwrap();
    let calls = Arc::new(AtomicI64::new(0));
    let counted = Arc::clone(&calls);
    engine
        .define_host("host", move |n: i64, x: f64| {
            counted.fetch_add(n, Ordering::Relaxed);
            n as f64 + x
        })
        .unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), f64>("caller").unwrap();
    assert_eq!(caller.call((2,)).unwrap(), 2.5);
    assert_eq!(caller.call((3,)).unwrap(), 3.5);
    assert_eq!(calls.load(Ordering::Relaxed), 5);
    drop((engine, caller));
    assert_eq!(Arc::strong_count(&calls), 1, "the closure is dropped with the engine");
}

#[test]
fn a_function_of_the_host_may_come_after_its_caller() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), f64>("caller").unwrap();
    let error = caller.call((2,)).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::MissingFunction);
    let wrong = engine.define_host("host", |n: i64| n).unwrap_err();
    assert!(matches!(wrong, LoadError::SignatureMismatch { .. }), "{wrong}");
    engine.define_host("host", |n: i64, x: f64| n as f64 * x).unwrap();
    assert_eq!(caller.call((2,)).unwrap(), 1.0);
    let twice = engine.define_host("host", |n: i64, x: f64| n as f64 * x).unwrap_err();
    assert!(matches!(twice, LoadError::Duplicate { .. }), "{twice}");
}

#[test]
fn an_error_of_the_host_comes_back_as_it_was() {
    let engine = Engine::new(Config::default()).unwrap();
    engine
        .define_host("host", |n: i64, x: f64| -> Result<f64, io::Error> {
            match n {
                0 => Err(io::Error::other("no zero here")),
                n => Ok(n as f64 + x),
            }
        })
        .unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), f64>("caller").unwrap();
    assert_eq!(caller.call((1,)).unwrap(), 1.5);
    let CallError::Host { trap, error } = caller.call((0,)).unwrap_err() else {
        panic!("an error of the host was expected");
    };
    assert_eq!(error.downcast_ref::<io::Error>().unwrap().to_string(), "no zero here");
    assert_eq!((trap.code, trap.function(), trap.line()), (TrapCode::HostError, "caller", 5));
    assert_eq!(caller.call((1,)).unwrap(), 1.5);
}

#[test]
fn a_panic_of_the_host_comes_back_as_an_error() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.define_host("host", |_: i64, _: f64| -> f64 { panic!("on purpose") }).unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), f64>("caller").unwrap();
    let CallError::Host { error, .. } = caller.call((0,)).unwrap_err() else {
        panic!("an error of the host was expected");
    };
    assert_eq!(error.panic_message(), Some("on purpose"));
}

#[test]
fn a_function_of_the_host_calls_back() {
    let engine = Engine::new(Config::default()).unwrap();
    let weak = engine.downgrade();
    engine
        .define_host(
            "again",
            move |n: i64| -> Result<i64, Box<dyn std::error::Error + Send + Sync>> {
                let engine = weak.upgrade().ok_or("the engine is gone")?;
                Ok(engine.func::<(i64,), i64>("down")?.call((n,))?)
            },
        )
        .unwrap();
    engine
        .load(
            "import @again(i64) -> i64
            func @down(i64) -> i64 {
            entry(%n: i64):
                %z = icmp.i64 eq %n, 0
                branch %z, bottom, more
            bottom:
                trap user(9)
            more:
                %m = sub.i64 %n, 1
                %r = call @again(%m)
                return %r
            }",
        )
        .unwrap();
    let error = engine.func::<(i64,), i64>("down").unwrap().call((5,)).unwrap_err();
    let mut depth = 0;
    let mut at: &dyn std::error::Error = &error;
    while let Some(CallError::Host { error, .. }) = at.downcast_ref::<CallError>() {
        depth += 1;
        at = error.downcast_ref::<CallError>().unwrap();
    }
    assert_eq!(depth, 5);
    let innermost = at.downcast_ref::<CallError>().unwrap();
    assert_eq!(innermost.trap().unwrap().code, TrapCode::User(9));
}

/// Hands the address of a function that traps below zero to the host.
const HANDING_OVER: &str = "
import @host(ptr, i64) -> i64
func @root(i64) -> i64 {
entry(%n: i64):
    %bad = icmp.i64 slt %n, 0
    branch %bad, stop, go
stop:
    trap user(5)
go:
    return %n
}
func @outer(i64) -> i64 {
entry(%n: i64):
    %f = function_addr.fn(i64) -> i64 @root
    %p = function_to_ptr.fn(i64) -> i64 %f
    %r = call @host(%p, %n)
    return %r
}";

#[test]
fn a_trap_under_an_address_that_the_host_calls_stops_the_caller_of_the_host() {
    let engine = Engine::new(Config::default()).unwrap();
    let calls = Arc::new(AtomicI64::new(0));
    let counted = Arc::clone(&calls);
    engine
        .define_host("host", move |function: *const u8, n: i64| -> Result<i64, io::Error> {
            // SAFETY: the module hands over a function of that signature.
            let function: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(function) };
            let results = [function(n), function(1)];
            counted.fetch_add(results[1], Ordering::Relaxed);
            match n {
                -2 => Err(io::Error::other("what the callback stopped with comes first")),
                _ => Ok(results[0]),
            }
        })
        .unwrap();
    // SAFETY: the address that the host calls is that of a function.
    unsafe { engine.load_unsafe(HANDING_OVER) }.unwrap();
    let outer = engine.func::<(i64,), i64>("outer").unwrap();
    for bad in [-1, -2] {
        let CallError::Trap(trap) = outer.call((bad,)).unwrap_err() else {
            panic!("a trap was expected");
        };
        assert_eq!(trap.code, TrapCode::User(5));
        let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!(frames, ["root", "outer"]);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0, "once it has stopped, nothing else runs");
    assert_eq!(outer.call((3,)).unwrap(), 3);
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn modules_that_import_the_same_function_of_the_host_share_the_way_to_it() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.define_host("host", |n: i64, x: f64| n as f64 + x).unwrap();
    let caller = |name: &str| CALLER.replace("@caller", &format!("@{name}"));
    let grown = |texts: &[String]| {
        let modules = texts.iter().map(|text| parse_module(text).unwrap());
        let before = engine.books().allocations;
        engine.load_modules(&modules.collect::<Vec<_>>()).unwrap();
        engine.books().allocations - before
    };
    let plain = "func @plain(i64) -> f64 {\nentry(%n: i64):\n    return 0.5\n}";
    let plain = grown(&[plain.to_owned()]);
    let first = grown(&[caller("a"), caller("b")]);
    assert!(first > 2 * plain, "{first} of {plain} each: the way to the host is there");
    assert_eq!(grown(&[caller("c"), caller("d")]), 2 * plain);
    assert_eq!(grown(&[caller("e")]), plain);
    for name in ["a", "b", "c", "d", "e"] {
        assert_eq!(engine.func::<(i64,), f64>(name).unwrap().call((2,)).unwrap(), 2.5, "{name}");
    }
}

/// Runs something once, when a module has been compiled and is not yet linked.
struct Between(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl fmt::Debug for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Between")
    }
}

impl Observer for Between {
    fn loaded(&self, step: LoadStep, _: Duration) {
        let run = if step == LoadStep::Compile { self.0.lock().unwrap().take() } else { None };
        if let Some(run) = run {
            run();
        }
    }
}

/// An engine in which a caller waits for the host, which is defined while
/// `other` runs between the compiling and the linking.
fn define_around(other: impl FnOnce(&Engine) + Send + 'static) -> (Engine, Result<(), LoadError>) {
    let between = Arc::new(Between(Mutex::new(None)));
    let observer = Some(Arc::clone(&between) as Arc<dyn Observer>);
    let engine = Engine::new(Config { observer, ..Config::default() }).unwrap();
    engine.load(CALLER).unwrap();
    let weak = engine.downgrade();
    let run = move || other(&weak.upgrade().unwrap());
    *between.0.lock().unwrap() = Some(Box::new(run));
    let defined = engine.define_host("host", |n: i64, x: f64| n as f64 + x);
    assert!(between.0.lock().unwrap().is_none(), "nothing was linked");
    (engine, defined)
}

#[test]
fn nobody_sees_a_function_of_the_host_before_its_definition_is_over() {
    let (engine, defined) = define_around(|engine| {
        engine.load(&CALLER.replace("@caller", "@other")).unwrap();
        let other = engine.func::<(i64,), f64>("other").unwrap();
        let error = other.call((2,)).unwrap_err();
        assert_eq!(error.trap().unwrap().code, TrapCode::MissingFunction);
    });
    defined.unwrap();
    for name in ["caller", "other"] {
        assert_eq!(engine.func::<(i64,), f64>(name).unwrap().call((2,)).unwrap(), 2.5, "{name}");
    }
}

#[test]
fn a_definition_that_a_module_overtakes_fails_and_leaves_the_module_as_it_is() {
    let (engine, defined) = define_around(|engine| {
        let text = "func @host(i64, f64) -> f64 {\nentry(%n: i64, %x: f64):\n    return %x\n}";
        engine.load(text).unwrap();
    });
    assert!(matches!(defined, Err(LoadError::Duplicate { .. })), "{defined:?}");
    let other = CALLER.replace("@caller", "@other");
    engine.load(&other).unwrap();
    for name in ["caller", "other"] {
        assert_eq!(engine.func::<(i64,), f64>(name).unwrap().call((2,)).unwrap(), 0.5, "{name}");
    }
}

/// Names of the library's own functions are refused wherever they would be defined or called,
/// also by the signature that they have, and the engine stays as it was.
#[test]
fn a_name_of_the_librarys_own_is_refused() {
    let engine = Engine::new(Config::default()).unwrap();
    let error = engine.define_host("brolga.mine", |n: i64| n).unwrap_err();
    assert!(matches!(error, LoadError::ReservedName { .. }), "{error}");
    assert!(error.to_string().contains("`@brolga.mine` begins with `brolga.`"), "{error}");
    let called = |signature: &str| {
        format!(
            "import func @brolga.umulhi.i128{signature}\n\
             func @f() {{\nb:\n    return\n}}"
        )
    };
    for text in [
        "func @brolga.mine() {\nentry:\n    return\n}",
        &called("(i64) -> (i64, i64, i64)"),
        &called("(i128, i128) -> i128"),
    ] {
        for error in [engine.load(text).unwrap_err(), engine.define(text).unwrap_err()] {
            assert!(matches!(error, LoadError::ReservedName { .. }), "{error}");
        }
    }
    engine.define_host("brolga", |n: i64| n).unwrap();
}

/// A function whose code grows with `additions`.
fn chain(name: &str, additions: usize) -> String {
    let mut text = format!("func @{name}(i64) -> i64 {{\nentry(%v0: i64):\n");
    for index in 0..additions {
        let _ = writeln!(text, "    %v{} = add.i64 %v{index}, %v0", index + 1);
    }
    text + &format!("    return %v{additions}\n}}")
}

#[test]
fn a_definition_that_there_is_no_room_for_leaves_the_name_free() {
    let config = Config { memory_budget: 256 << 10, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.load(CALLER).unwrap();
    let caller = engine.func::<(i64,), f64>("caller").unwrap();
    let mut additions = 4096;
    let mut count = 0;
    // Functions are less code than the way to the host at the end.
    loop {
        match engine.load(&chain(&format!("f{count}"), additions)) {
            Ok(()) => count += 1,
            Err(LoadError::Memory(_)) if additions == 0 => break,
            Err(LoadError::Memory(_)) => additions /= 2,
            Err(error) => panic!("{error}"),
        }
    }
    let before = engine.books();
    for _ in 0..2 {
        let error = engine.define_host("host", |n: i64, x: f64| n as f64 + x).unwrap_err();
        assert!(matches!(error, LoadError::Memory(_)), "{error}");
        assert_eq!(engine.books(), before);
    }
    let error = caller.call((2,)).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::MissingFunction);
}
