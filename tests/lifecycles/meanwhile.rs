//! What changes while code is being made, or is run: who waits for it, who is inside of it, and
//! who has its address.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::lowering::pipeline::Inspection;
use brolga::{CallError, Config, Engine, Level, Library, LoadError, Observer, Speculation};

use super::tiers::wait_for;
use crate::{call, constant, engine, in_use, stopped_by, successor};

type Act = Box<dyn FnOnce() + Send>;

/// Does something, once, in the middle of compiling a function.
#[derive(Default)]
struct Interloper {
    /// What, by the name of the function.
    acts: Mutex<Vec<(&'static str, Act)>>,
    /// How many passes were behind them.
    shown: AtomicU64,
}

impl fmt::Debug for Interloper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interloper").finish_non_exhaustive()
    }
}

impl Observer for Interloper {
    fn shown(&self, text: &str) {
        self.shown.fetch_add(text.matches("; behind ").count() as u64, Ordering::Relaxed);
        let of_this = |(name, _): &(&str, Act)| text.contains(&format!("func @{name}("));
        let found = {
            let mut acts = self.acts.lock().unwrap();
            acts.iter().position(of_this).map(|place| acts.remove(place))
        };
        if let Some((_, act)) = found {
            act();
        }
    }
}

/// An engine with such a one, who comes between the passes of any function.
fn with_interloper() -> (Engine, Arc<Interloper>) {
    with_interloper_in(Config::default())
}

fn with_interloper_in(config: Config) -> (Engine, Arc<Interloper>) {
    let interloper = Arc::new(Interloper::default());
    let inspection = Inspection::from_words(["print-after=all"]).unwrap();
    let observer = Some(Arc::clone(&interloper) as Arc<dyn Observer>);
    let config = Config { observer, inspection, ..config };
    (Engine::new(config).unwrap(), interloper)
}

impl Interloper {
    fn once(&self, name: &'static str, act: impl FnOnce() + Send + 'static) {
        self.acts.lock().unwrap().push((name, Box::new(act)));
    }
}

/// What several threads get that call `@slow` of a library while it is compiled, in the middle of
/// which all of them wait and something is done.
fn answers(
    engine: &Engine,
    interloper: &Interloper,
    library: &Library,
    act: impl FnOnce() + Send + 'static,
) -> Vec<Result<u64, CallError>> {
    const THREADS: u64 = 4;
    let slow = library.func::<(), u64>("slow").unwrap();
    let calling = Arc::new(AtomicU64::new(0));
    let all = Arc::clone(&calling);
    interloper.once("slow", move || {
        wait_for(|| all.load(Ordering::Acquire) == THREADS);
        act();
    });
    let answers = thread::scope(|scope| {
        let run = || {
            calling.fetch_add(1, Ordering::AcqRel);
            slow.call(())
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    engine.collect();
    answers
}

#[test]
fn who_waits_for_what_is_removed_meanwhile_is_told_that_it_is_gone() {
    let removals: [fn(&Library, &Arc<brolga::Tracker>); 4] = [
        |library, _| library.remove("slow").unwrap(),
        |_, tracker| tracker.remove().unwrap(),
        |library, _| library.clear().unwrap(),
        |library, _| library.delete().unwrap(),
    ];
    for (index, remove) in removals.into_iter().enumerate() {
        let (engine, interloper) = with_interloper();
        let library = engine.add_library("library").unwrap();
        let tracker = Arc::new(library.add_tracker().unwrap());
        tracker.define(&constant("slow", 1)).unwrap();
        let (of, key) = (library.clone(), Arc::clone(&tracker));
        for answer in answers(&engine, &interloper, &library, move || remove(&of, &key)) {
            assert_eq!(stopped_by(answer).0, TrapCode::MissingFunction, "removal {index}");
        }
        assert!(library.func::<(), u64>("slow").is_err());
    }
}

#[test]
fn who_waits_for_what_is_defined_anew_meanwhile_gets_what_is_new() {
    let (engine, interloper) = with_interloper();
    let main = engine.library("main").unwrap();
    main.define(&constant("slow", 1)).unwrap();
    let of = main.clone();
    let anew = move || of.define(&constant("slow", 2)).unwrap();
    let answers = answers(&engine, &interloper, &main, anew);
    assert!(answers.into_iter().all(|answer| answer.unwrap() == 2));
}

#[test]
fn who_waits_for_what_another_key_takes_over_meanwhile_gets_it() {
    let (engine, interloper) = with_interloper();
    let library = engine.add_library("library").unwrap();
    let [first, second] = [(); 2].map(|()| Arc::new(library.add_tracker().unwrap()));
    first.define(&constant("slow", 1)).unwrap();
    let (from, to) = (Arc::clone(&first), Arc::clone(&second));
    let hand_over = move || from.transfer_to(&to).unwrap();
    let answers = answers(&engine, &interloper, &library, hand_over);
    assert!(answers.into_iter().all(|answer| answer.unwrap() == 1));
    second.remove().unwrap();
    assert!(library.func::<(), u64>("slow").is_err());
}

#[test]
fn what_nobody_wants_any_more_is_not_compiled_to_the_end() {
    let passes_of = |removes: Option<fn(&Library)>| {
        let (engine, interloper) = with_interloper();
        let main = engine.library("main").unwrap();
        main.define(&constant("slow", 1)).unwrap();
        let slow = engine.func::<(), u64>("slow").unwrap();
        if let Some(remove) = removes {
            interloper.once("slow", move || remove(&main));
        }
        assert_eq!(slow.call(()).is_err(), removes.is_some());
        interloper.shown.load(Ordering::Relaxed)
    };
    let all = passes_of(None);
    let some = passes_of(Some(|main| main.remove("slow").unwrap()));
    assert!(some * 2 < all, "{some} of {all}");
}

#[test]
fn while_one_function_is_compiled_others_are_defined_called_compiled_and_freed() {
    let (engine, interloper) = with_interloper();
    engine.define(&constant("slow", 1)).unwrap();
    let (weak, done) = (engine.downgrade(), Arc::new(AtomicU64::new(0)));
    let count = Arc::clone(&done);
    // On a thread of its own: none that holds a lock could go in again.
    interloper.once("slow", move || {
        let other = move || {
            let engine = weak.upgrade().unwrap();
            for number in 0..20 {
                engine.define(&constant("f", number)).unwrap();
                engine.define(&successor("g", "f")).unwrap();
                assert_eq!(call(&engine, "g").unwrap(), number + 1);
                engine.remove("g").unwrap();
                engine.collect();
                count.fetch_add(1, Ordering::Relaxed);
            }
        };
        thread::spawn(other).join().unwrap();
    });
    assert_eq!(call(&engine, "slow").unwrap(), 1);
    assert_eq!(done.load(Ordering::Relaxed), 20);
}

/// Whether an engine has code of a function.
fn has_code(engine: &Engine, name: &str) -> bool {
    engine.ledger().iter().any(|record| &*record.name == name)
}

#[test]
fn who_waits_for_a_function_compiles_others_meanwhile() {
    let speculation = Speculation::Callees;
    let config =
        Config { speculation, background_threads: 1, level: Level::O0, ..Config::default() };
    let (engine, interloper) = with_interloper_in(config);
    for name in ["busy", "callee", "slow"] {
        engine.define(&constant(name, 1)).unwrap();
    }
    for (name, of) in [("starter", "busy"), ("parent", "callee")] {
        engine.define(&successor(name, of)).unwrap();
    }
    let (busy, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (is_busy, is_over) = (Arc::clone(&busy), Arc::clone(&over));
    interloper.once("busy", move || {
        is_busy.store(1, Ordering::Release);
        wait_for(|| is_over.load(Ordering::Acquire) > 0);
    });
    engine.compile("starter").unwrap();
    wait_for(|| busy.load(Ordering::Acquire) > 0);
    // The one thread of the engine is busy, and this one stays in the middle of `@slow`.
    let (weak, is_over) = (engine.downgrade(), Arc::clone(&over));
    let (answer, answers) = mpsc::channel();
    interloper.once("slow", move || {
        let engine = weak.upgrade().unwrap();
        engine.compile("parent").unwrap();
        assert!(!has_code(&engine, "callee"), "nobody has time");
        let waiting = engine.clone();
        thread::spawn(move || answer.send(call(&waiting, "slow").unwrap()));
        wait_for(|| has_code(&engine, "callee"));
        is_over.store(1, Ordering::Release);
    });
    assert_eq!(call(&engine, "slow").unwrap(), 1);
    assert_eq!(over.load(Ordering::Acquire), 1);
    assert_eq!(answers.recv(), Ok(1), "who has waited is answered, too");
}

/// Two functions: `@outer` calls the host in each round, and then `@inner`, whose body it has
/// taken over.
const ROUNDS: &str = "
import @pause(i64) -> ()
import func @inner() -> i64
export func @outer(i64) -> i64 {
b(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    call @pause(%i)
    %x = call @inner()
    %t = add.i64 %s, %x
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %t), end
end:
    return %t
}
";

#[test]
fn who_is_inside_keeps_the_bodies_that_it_has_and_who_comes_in_gets_the_new_ones() {
    let engine = engine();
    let weak = engine.downgrade();
    engine
        .define_host("pause", move |round: i64| {
            if round == 3 {
                let engine = weak.upgrade().unwrap();
                engine.define(&constant("inner", 100)).unwrap();
                engine.collect();
                let anew = engine.func::<(i64,), u64>("outer").unwrap();
                assert_eq!(anew.call((2,)).unwrap(), 200, "this activation is a new one");
            }
        })
        .unwrap();
    engine.define(&constant("inner", 1)).unwrap();
    engine.define(ROUNDS).unwrap();
    let outer = engine.func::<(i64,), u64>("outer").unwrap();
    assert_eq!(outer.call((8,)).unwrap(), 8, "it has the old body in it until it ends");
    assert_eq!(outer.call((2,)).unwrap(), 200);
}

#[test]
fn who_is_inside_and_has_no_body_of_another_calls_what_is_there() {
    let engine = engine();
    let weak = engine.downgrade();
    engine
        .define_host("pause", move |round: i64| {
            if round == 3 {
                weak.upgrade().unwrap().define(&apart(100)).unwrap();
            }
        })
        .unwrap();
    engine.define(&apart(1)).unwrap();
    engine.define(ROUNDS).unwrap();
    let outer = engine.func::<(i64,), u64>("outer").unwrap();
    assert_eq!(outer.call((8,)).unwrap(), 503, "three rounds, and five");
}

/// `@inner` as nobody takes it over.
fn apart(number: u64) -> String {
    constant("inner", number).replace("-> i64 {", "-> i64 inline never {")
}

#[test]
fn an_address_is_the_same_before_during_and_after_compiling_and_defining_anew() {
    const ASKING: &str = "
import func @f() -> i64
export func @address() -> i64 {
b:
    %f = function_addr.fn() -> i64 @f
    %p = function_to_ptr.fn() -> i64 %f
    %n = ptr_to_int %p
    return %n
}
export func @by_address(i64) -> i64 {
b(%n: i64):
    %p = int_to_ptr %n
    %x = call_ptr.fn() -> i64 %p()
    return %x
}
";
    let engine = engine();
    let library = engine.library("main").unwrap();
    // SAFETY: calls by address are of `@f` alone, while it has that signature.
    unsafe { engine.define_unsafe(ASKING).unwrap() };
    let before = call(&engine, "address").unwrap();
    let (weak, during) = (engine.downgrade(), Arc::new(AtomicU64::new(0)));
    let found = Arc::clone(&during);
    super::libraries::later(&library, "f", move || {
        found.store(call(&weak.upgrade().unwrap(), "address").unwrap(), Ordering::Relaxed);
        Ok(constant("f", 1))
    })
    .unwrap();
    let by_address = engine.func::<(u64,), u64>("by_address").unwrap();
    assert_eq!(by_address.call((before,)).unwrap(), 1);
    assert_eq!(during.load(Ordering::Relaxed), before);
    for number in 2..6 {
        engine.define(&constant("f", number)).unwrap();
        engine.collect();
        assert_eq!(call(&engine, "address").unwrap(), before);
        assert_eq!(by_address.call((before,)).unwrap(), number);
    }
    engine.remove("f").unwrap();
    engine.collect();
    for number in 0..200 {
        engine.define(&constant("other", number)).unwrap();
        assert_eq!(call(&engine, "other").unwrap(), number, "none gets its place");
        engine.remove("other").unwrap();
        engine.collect();
    }
    let gone: Result<u64, CallError> = by_address.call((before,));
    assert_eq!(stopped_by(gone).0, TrapCode::MissingFunction);
    engine.define(&constant("f", 7)).unwrap();
    assert_eq!(call(&engine, "address").unwrap(), before);
    assert_eq!(by_address.call((before,)).unwrap(), 7);
}

/// Calls the engine where it is dropped.
struct Parting(brolga::WeakEngine, Arc<AtomicU64>);

impl Drop for Parting {
    fn drop(&mut self) {
        if let Some(engine) = self.0.upgrade() {
            let number = self.1.fetch_add(1, Ordering::Relaxed);
            engine.define(&constant("parting", number)).unwrap();
            assert_eq!(call(&engine, "parting").unwrap(), number);
            engine.collect();
        }
    }
}

#[test]
fn what_goes_with_a_definition_may_call_the_engine() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let gone = Arc::new(AtomicU64::new(0));
    let define = |name: &'static str| {
        let parting = Parting(engine.downgrade(), Arc::clone(&gone));
        super::libraries::later(&library, name, move || {
            let _ = &parting;
            Ok(constant(name, 1))
        })
        .unwrap();
    };
    let went = |before: u64, how: &str| {
        engine.collect();
        assert_eq!(gone.load(Ordering::Relaxed), before + 1, "{how}");
    };
    define("f");
    library.remove("f").unwrap();
    went(0, "removed");
    define("f");
    library.define(&constant("f", 2)).unwrap();
    went(1, "defined anew");
    define("f");
    assert_eq!(library.func::<(), u64>("f").unwrap().call(()).unwrap(), 1);
    library.clear().unwrap();
    went(2, "made, and cleared");
    define("f");
    let parting = Parting(engine.downgrade(), Arc::clone(&gone));
    library
        .add_generator(&["none"], move |_| {
            let _ = &parting;
            Ok(None)
        })
        .unwrap();
    library.delete().unwrap();
    engine.collect();
    assert_eq!(gone.load(Ordering::Relaxed), 5, "a function, and a generator");
}

#[test]
fn an_engine_may_go_where_it_makes_functions() {
    let make = |act: fn(&Mutex<Option<Engine>>)| {
        let held = Arc::new(Mutex::new(None));
        let engine = engine();
        let library = engine.library("main").unwrap();
        let holder = Arc::clone(&held);
        super::libraries::later(&library, "f", move || {
            act(&holder);
            Ok(constant("f", 3))
        })
        .unwrap();
        let holder = Arc::clone(&held);
        engine.add_generator(&["g"], move |name| {
            act(&holder);
            Ok(Some(parse_module(&constant(name, 4)).map_err(|errors| format!("{errors:?}"))?))
        });
        engine.define(&successor("calls_f", "f")).unwrap();
        engine.define(&successor("calls_g", "g")).unwrap();
        let calls = ["calls_f", "calls_g"].map(|name| engine.func::<(), u64>(name).unwrap());
        drop(library);
        *held.lock().unwrap() = Some(engine);
        calls
    };
    let go = |held: &Mutex<Option<Engine>>| drop(held.lock().unwrap().take());
    let [f, _] = make(go);
    assert_eq!(f.call(()).unwrap(), 4, "what is called holds it");
    let [_, g] = make(go);
    assert_eq!(g.call(()).unwrap(), 5, "where a generator lets it go, too");
}

#[test]
fn data_of_a_name_that_others_see_come_in_once() {
    let engine = engine();
    let module =
        |value: u64| format!("export data @d = {{ i64 {value} }}\n{}", constant("f", value));
    engine.define(&module(1)).unwrap();
    let again = engine.define(&module(2));
    assert!(matches!(again, Err(LoadError::Duplicate { .. })), "{again:?}");
    assert_eq!(call(&engine, "f").unwrap(), 1, "nothing of it came in");
    let held = engine.func::<(), u64>("f").unwrap().pin().unwrap();
    engine.remove("f").unwrap();
    let again = engine.define(&module(2));
    assert!(matches!(again, Err(LoadError::Duplicate { .. })), "code has them: {again:?}");
    drop(held);
    engine.define(&module(2)).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 2);
}

#[test]
fn data_of_what_nobody_has_called_go_when_it_is_removed() {
    let engine = engine();
    let module =
        |value: u64| format!("export data @d = {{ i64 {value} }}\n{}", constant("f", value));
    for round in 0..3 {
        engine.define(&module(round)).unwrap();
        let mut value = [0_u64];
        engine.read_data("d", 0, &mut value).unwrap();
        assert_eq!(value, [round]);
        engine.remove("f").unwrap();
        assert!(engine.read_data("d", 0, &mut value).is_err());
    }
}

/// The numbers that it has read mean what they meant: one that was freed meanwhile could be another
/// function's by the time that it is used.
#[test]
fn what_goes_while_a_thread_of_the_engine_compiles_stays_until_that_is_done() {
    let (speculation, level) = (Speculation::Callees, Level::O0);
    let config = Config { speculation, level, background_threads: 1, ..Config::default() };
    let (engine, interloper) = with_interloper_in(config);
    for name in ["callee", "gone"] {
        engine.define(&constant(name, 1)).unwrap();
    }
    engine.define(&successor("caller", "callee")).unwrap();
    engine.compile("gone").unwrap();
    let weak = engine.downgrade();
    let (answer, answers) = mpsc::channel();
    interloper.once("callee", move || {
        let engine = weak.upgrade().unwrap();
        let before = in_use(&engine);
        engine.remove("gone").unwrap();
        engine.collect();
        answer.send((before, in_use(&engine))).unwrap();
    });
    engine.compile("caller").unwrap();
    let (before, meanwhile) = answers.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(meanwhile, before);
    // All that is left is those two.
    let without = Engine::new(Config { level, ..Config::default() }).unwrap();
    without.define(&constant("callee", 1)).unwrap();
    without.define(&successor("caller", "callee")).unwrap();
    without.compile("caller").unwrap();
    without.compile("callee").unwrap();
    wait_for(|| {
        engine.collect();
        has_code(&engine, "callee") && in_use(&engine)[3] == in_use(&without)[3]
    });
}
