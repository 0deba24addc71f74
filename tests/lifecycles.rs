//! Functions that are compiled at their first call, defined anew, removed and freed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use brolga::ir::trap::TrapCode;
use brolga::lowering::options::Polls;
use brolga::{CallError, Config, Engine, FunctionError, LoadError, ResolveError};

fn engine() -> Engine {
    Engine::new(Config::default()).unwrap()
}

mod lifecycles {
    mod alike;
    mod bound;
    mod called_back;
    mod continuations;
    mod inlining;
    mod libraries;
    mod made;
    mod made_late;
    mod meanwhile;
    mod names;
    mod pinned;
    mod room;
    mod tiers;
    mod trackers;
    mod unfriendly;
}

/// What is not free. How much memory backs it goes by pages, and lags behind.
fn in_use(engine: &Engine) -> [usize; 4] {
    let books = engine.books();
    [books.live_code, books.live_data, books.padding, books.allocations]
}

/// A function of that name that gives a number.
fn constant(name: &str, number: u64) -> String {
    format!("export func @{name}() -> i64 {{\nb:\n    return {number}\n}}\n")
}

/// A function that gives what another one gives, and one more.
fn successor(name: &str, of: &str) -> String {
    format!(
        "import func @{of}() -> i64\nexport func @{name}() -> i64 {{\nb:\n    %x = call @{of}()\n    \
         %y = add.i64 %x, 1\n    return %y\n}}\n"
    )
}

fn call(engine: &Engine, name: &str) -> Result<u64, CallError> {
    engine.func::<(), u64>(name).unwrap().call(())
}

fn stopped_by(result: Result<u64, CallError>) -> (TrapCode, String) {
    let error = result.unwrap_err();
    let trap = error.trap().expect("a trap");
    (trap.code, trap.detail.as_deref().unwrap_or_default().to_owned())
}

#[test]
fn a_function_is_compiled_at_its_first_call() {
    let engine = engine();
    let before = engine.books().live_code;
    engine.define(&constant("f", 7)).unwrap();
    assert_eq!(engine.books().live_code, before, "defining makes no code");
    assert_eq!(call(&engine, "f").unwrap(), 7);
    assert!(engine.books().live_code > before);
}

#[test]
fn a_handle_follows_what_its_name_means() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    let f = engine.func::<(), u64>("f").unwrap();
    for number in 1..20 {
        engine.define(&constant("f", number)).unwrap();
        assert_eq!(f.call(()).unwrap(), number);
    }
}

#[test]
fn callers_of_all_kinds_see_the_new_definition() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    engine.define(&successor("by_name", "f")).unwrap();
    // Of one module: the body is taken over.
    engine
        .define(
            &(constant("g", 10)
                + &successor("inlining", "g").replace("import func @g() -> i64\n", "")),
        )
        .unwrap();
    assert_eq!(call(&engine, "by_name").unwrap(), 2);
    assert_eq!(call(&engine, "inlining").unwrap(), 11);
    engine.define(&constant("f", 5)).unwrap();
    engine.define(&constant("g", 50)).unwrap();
    assert_eq!(call(&engine, "by_name").unwrap(), 6);
    assert_eq!(call(&engine, "inlining").unwrap(), 51);
}

#[test]
fn functions_refer_to_each_other_in_any_order() {
    let engine = engine();
    engine.define(&successor("c", "b")).unwrap();
    engine.define(&successor("b", "a")).unwrap();
    let (code, detail) = stopped_by(call(&engine, "c"));
    assert_eq!(code, TrapCode::MissingFunction);
    assert!(detail.contains("`@a` is declared and not defined"), "{detail}");
    engine.define(&constant("a", 40)).unwrap();
    assert_eq!(call(&engine, "c").unwrap(), 42);
}

#[test]
fn what_is_removed_is_gone_until_it_is_defined_again() {
    let engine = engine();
    engine.define(&(constant("f", 1) + &constant("keep", 3))).unwrap();
    engine.define(&successor("g", "f")).unwrap();
    let f = engine.func::<(), u64>("f").unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 2);
    engine.remove("f").unwrap();
    assert_eq!(stopped_by(f.call(())).0, TrapCode::MissingFunction);
    assert_eq!(stopped_by(call(&engine, "g")).0, TrapCode::MissingFunction);
    assert_eq!(
        engine.func::<(), u64>("f").unwrap_err(),
        FunctionError::Missing { name: "f".into() }
    );
    assert_eq!(engine.remove("f"), Err(FunctionError::Missing { name: "f".into() }));
    assert_eq!(call(&engine, "keep").unwrap(), 3);
    engine.define(&constant("f", 8)).unwrap();
    assert_eq!((f.call(()).unwrap(), call(&engine, "g").unwrap()), (8, 9));
}

#[test]
fn a_changed_signature_stops_those_who_call_by_the_old_one() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    engine.define(&successor("g", "f")).unwrap();
    let f = engine.func::<(), u64>("f").unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 2);
    engine.define("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}").unwrap();
    for result in [f.call(()), call(&engine, "g")] {
        let (code, detail) = stopped_by(result);
        assert_eq!(code, TrapCode::MissingFunction);
        assert!(detail.contains("`@f` is called as fn() -> i64, and is defined as fn(i64) -> i64"));
    }
    assert_eq!(engine.func::<(u64,), u64>("f").unwrap().call((4,)).unwrap(), 4);
    engine.define(&constant("f", 6)).unwrap();
    assert_eq!((f.call(()).unwrap(), call(&engine, "g").unwrap()), (6, 7));
}

#[test]
fn what_is_wrong_with_a_body_is_told_when_it_is_called() {
    let engine = engine();
    let wrong = "export func @f() -> i64 {\nb:\n    %x = add.i64 %y, 1\n    %y = add.i64 1, 1\n    return %x\n}";
    engine.define(wrong).unwrap();
    let (code, detail) = stopped_by(call(&engine, "f"));
    assert_eq!(code, TrapCode::RefusedFunction);
    assert!(detail.contains("`@f` cannot be compiled: ") && detail.contains("%y"), "{detail}");
    let error = engine.compile("f").unwrap_err();
    assert!(
        matches!(&error, ResolveError::Refused { error, .. } if matches!(**error, LoadError::Verify(_)))
    );
    engine.define(&constant("f", 3)).unwrap();
    engine.compile("f").unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 3);
}

#[test]
fn what_is_not_safe_is_refused_when_it_is_called_and_its_callers_go_on() {
    let engine = engine();
    engine
        .define(
            "export func @raw(i64) -> i64 {\nb(%p: i64):\n    %q = int_to_ptr %p\n    \
             %x = load.i64 %q\n    return %x\n}\n\
             export func @caller(i64) -> i64 {\nb(%p: i64):\n    %x = call @raw(%p)\n    return %x\n}\n\
             export func @other() -> i64 {\nb:\n    return 1\n}",
        )
        .unwrap();
    assert_eq!(call(&engine, "other").unwrap(), 1);
    let caller = engine.func::<(u64,), u64>("caller").unwrap();
    let (code, detail) = stopped_by(caller.call((0,)));
    assert_eq!(code, TrapCode::RefusedFunction);
    assert!(detail.contains("the module is not safe"), "{detail}");
}

#[test]
fn what_was_loaded_keeps_its_place() {
    let engine = engine();
    engine.load(&constant("f", 1)).unwrap();
    let error = engine.define(&constant("f", 2)).unwrap_err();
    assert!(matches!(error, LoadError::Duplicate { .. }), "{error}");
    assert_eq!(engine.remove("f"), Err(FunctionError::Loaded { name: "f".into() }));
    engine.define(&successor("g", "f")).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 2);
    // And the other way round.
    engine.load(&successor("h", "g")).unwrap();
    assert_eq!(call(&engine, "h").unwrap(), 3);
    let error = engine.load(&constant("g", 2)).unwrap_err();
    assert!(matches!(error, LoadError::Duplicate { .. }), "{error}");
}

#[test]
fn nothing_of_a_module_that_is_refused_stays() {
    let engine = engine();
    engine.load(&constant("taken", 1)).unwrap();
    let error = engine.define(&(constant("new", 2) + &constant("taken", 3))).unwrap_err();
    assert!(matches!(error, LoadError::Duplicate { .. }), "{error}");
    assert!(engine.func::<(), u64>("new").is_err());
    engine.define(&constant("new", 4)).unwrap();
    assert_eq!(call(&engine, "new").unwrap(), 4);
}

#[test]
fn local_functions_go_with_those_that_call_them() {
    let engine = engine();
    let text = |number: u64| {
        format!(
            "local func @even(i64) -> i64 inline never {{\nb(%n: i64):\n    %z = icmp.i64 eq %n, 0\n    \
             branch %z, yes, no\nyes:\n    return {number}\nno:\n    %m = sub.i64 %n, 1\n    \
             %r = call @odd(%m)\n    return %r\n}}\n\
             local func @odd(i64) -> i64 inline never {{\nb(%n: i64):\n    %z = icmp.i64 eq %n, 0\n    \
             branch %z, yes, no\nyes:\n    return 0\nno:\n    %m = sub.i64 %n, 1\n    \
             %r = call @even(%m)\n    return %r\n}}\n\
             export func @f() -> i64 {{\nb:\n    %r = call @even(10)\n    return %r\n}}\n"
        )
    };
    engine.define(&text(1)).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 1);
    engine.collect();
    let books = in_use(&engine);
    for number in 2..50 {
        engine.define(&text(number)).unwrap();
        assert_eq!(call(&engine, "f").unwrap(), number);
    }
    engine.collect();
    assert_eq!(in_use(&engine), books);
}

#[test]
fn data_goes_with_its_module_and_is_seen_by_name() {
    let engine = engine();
    let text = |number: u64| {
        format!(
            "data @own = {{ i64 {number} }}\n\
             export func @f() -> i64 {{\nb:\n    %x = data_load.i64 @own, 0\n    return %x\n}}\n"
        )
    };
    engine.define(&text(1)).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 1);
    let mut value = [0u64];
    engine.read_data("own", 0, &mut value).unwrap();
    assert_eq!(value, [1]);
    engine.remove("f").unwrap();
    engine.collect();
    assert!(engine.read_data("own", 0, &mut value).is_err(), "it has gone with its module");
    engine.define(&text(2)).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 2);
}

#[test]
fn weak_definitions_give_way_to_what_is_there() {
    let engine = engine();
    let text = |linkage: &str, number: u64| {
        format!(
            "{linkage} data @shared = {{ i64 {number} }}\n\
             {linkage} func @f() -> i64 {{\nb:\n    return {number}\n}}\n\
             export func @g{number}() -> i64 {{\nb:\n    %x = call @f()\n    \
             %y = data_load.i64 @shared, 0\n    %z = mul.i64 %x, %y\n    return %z\n}}\n"
        )
    };
    engine.define(&text("export", 3)).unwrap();
    engine.define(&text("weak", 5)).unwrap();
    assert_eq!((call(&engine, "g3").unwrap(), call(&engine, "g5").unwrap()), (9, 9));
}

#[test]
fn functions_of_the_host_are_called_and_may_come_later() {
    let engine = engine();
    engine.define(&successor("f", "host")).unwrap();
    assert_eq!(stopped_by(call(&engine, "f")).0, TrapCode::MissingFunction);
    engine.define_host("host", || 41u64).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 42);
    engine.define(&successor("g", "host")).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 42);
}

#[test]
fn a_function_defines_itself_anew_while_it_runs() {
    let engine = engine();
    let weak = engine.downgrade();
    engine
        .define_host("again", move || {
            let engine = weak.upgrade().unwrap();
            engine.define(&constant("f", 2)).unwrap();
            engine.collect();
        })
        .unwrap();
    engine
        .define(
            "import func @again()\nexport func @f() -> i64 inline never {\nb:\n    call @again()\n    \
             %x = call @f()\n    %y = mul.i64 %x, 100\n    return %y\n}",
        )
        .unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 200, "the old code goes on, and calls the new one");
    assert_eq!(call(&engine, "f").unwrap(), 2);
}

#[test]
fn many_threads_that_call_at_once_wait_for_one_compile() {
    let engine = engine();
    for round in 0..20 {
        let before = engine.books().allocations;
        engine.define(&constant("f", round)).unwrap();
        let f = engine.func::<(), u64>("f").unwrap();
        thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| assert_eq!(f.call(()).unwrap(), round));
            }
        });
        engine.collect();
        let new = engine.books().allocations - before;
        assert!(round == 0 || new == 0, "{new} pieces of code stay");
    }
}

#[test]
fn redefined_while_others_call_it_is_never_older_than_the_last_definition() {
    let engine = engine();
    engine.define(&constant("f", 0)).unwrap();
    engine.define(&successor("g", "f")).unwrap();
    let (f, g) = (engine.func::<(), u64>("f").unwrap(), engine.func::<(), u64>("g").unwrap());
    let (returned, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let peak = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let least = returned.load(Ordering::Acquire);
                    assert!(f.call(()).unwrap() >= least);
                    let least = returned.load(Ordering::Acquire);
                    assert!(g.call(()).unwrap() > least);
                }
            });
        }
        for number in 1..2_000 {
            engine.define(&constant("f", number)).unwrap();
            returned.store(number, Ordering::Release);
            peak.fetch_max(engine.books().live_code as u64, Ordering::Relaxed);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(f.call(()).unwrap(), 1_999);
    engine.collect();
    let settled = engine.books().live_code as u64;
    assert!(peak.into_inner() < settled + (64 << 10), "code waits to be freed for ever");
}

#[test]
fn an_engine_that_is_dropped_while_calls_are_in_flight_goes_with_the_last() {
    let engine = engine();
    engine.define(&constant("f", 9)).unwrap();
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let f = engine.func::<(), u64>("f").unwrap();
            thread::spawn(move || (0..200).all(|_| f.call(()).unwrap() == 9))
        })
        .collect();
    drop(engine);
    assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
}

#[test]
fn names_that_come_and_go_leave_nothing() {
    let engine = engine();
    let cycle = |round: u64| {
        let name = format!("query{round}");
        engine.define(&constant(&name, round)).unwrap();
        assert_eq!(call(&engine, &name).unwrap(), round);
        engine.remove(&name).unwrap();
    };
    (0..4).for_each(cycle);
    engine.collect();
    let books = in_use(&engine);
    (4..400).for_each(cycle);
    engine.collect();
    assert_eq!(in_use(&engine), books);
}

#[test]
fn a_thread_with_little_stack_has_functions_compiled_by_another() {
    let engine = Arc::new(engine());
    engine.define(&constant("f", 5)).unwrap();
    engine.define(&constant("warm", 5)).unwrap();
    // The way in is compiled here, for all functions of this signature.
    assert_eq!(call(&engine, "warm").unwrap(), 5);
    let f = engine.func::<(), u64>("f").unwrap();
    let thread = thread::Builder::new().stack_size(128 << 10);
    let thread = thread.spawn(move || f.call(()).unwrap()).unwrap();
    assert_eq!(thread.join().unwrap(), 5);
}

#[test]
fn arguments_arrive_though_the_callee_is_compiled_between() {
    let engine = engine();
    let params: Vec<String> = (0..12).map(|n| format!("%i{n}: i64, %f{n}: f64")).collect();
    let types = ["i64, f64"; 12].join(", ");
    let mut body = String::from("    %s0 = add.i64 0, 0\n");
    for n in 0..12 {
        body += &format!(
            "    %c{n} = fptosi_sat.i64 %f{n}\n    %w{n} = mul.i64 %c{n}, {}\n    \
             %v{n} = mul.i64 %i{n}, {}\n    %u{n} = add.i64 %v{n}, %w{n}\n    \
             %s{} = add.i64 %s{n}, %u{n}\n",
            2 * n + 2,
            2 * n + 1,
            n + 1
        );
    }
    let far = format!(
        "export func @far({types}) -> i64 inline never {{\nb({}):\n{body}    return %s12\n}}\n",
        params.join(", ")
    );
    let values: Vec<String> = (0..12).map(|n| format!("{}, {}.0", n + 3, n * n)).collect();
    let near = format!(
        "import func @far({types}) -> i64\nexport func @near() -> i64 {{\nb:\n    %r = call @far({})\n    return %r\n}}\n",
        values.join(", ")
    );
    engine.define(&near).unwrap();
    engine.define(&far).unwrap();
    let expected: u64 = (0..12).map(|n| (n + 3) * (2 * n + 1) + n * n * (2 * n + 2)).sum();
    assert_eq!(call(&engine, "near").unwrap(), expected);
}

/// A thread that is inside for ever and calls a function again and again.
fn under_an_endless_loop(define: impl FnOnce(&Engine)) {
    let engine =
        Engine::new(Config { polls: Polls::LoopsAndEntries, ..Config::default() }).unwrap();
    engine.define(&constant("f", 0)).unwrap();
    engine
        .define(
            "import func @f() -> i64\n\
             data @stop = { zero 24 }\n\
             local func @once(i64) -> i64 inline never {\n    exit0 = trap user(1)\nb(%least: i64):\n    %x = call @f()\n    \
             %ok = icmp.i64 uge %x, %least\n    check %ok, exit0\n    return %x\n}\n\
             export func @spin() -> i64 {\nb:\n    data_store.i64 1, @stop, 8\n    jump again(0)\nagain(%least: i64):\n    \
             %x = call @once(%least)\n    data_store.i64 %x, @stop, 16\n    \
             %s = data_load.i64 @stop, 0\n    \
             %over = icmp.i64 ne %s, 0\n    branch %over, done(%x), again(%x)\n\
             done(%r: i64):\n    return %r\n}",
        )
        .unwrap();
    let spin = engine.func::<(), u64>("spin").unwrap();
    let thread = thread::spawn(move || spin.call(()));
    let mut is_inside = [0u64];
    while is_inside == [0] {
        engine.read_data("stop", 8, &mut is_inside).unwrap();
    }
    define(&engine);
    engine.write_data("stop", 0, &[1u64]).unwrap();
    thread.join().unwrap().unwrap();
}

#[test]
fn a_loop_that_never_returns_keeps_only_what_it_has_frames_of() {
    under_an_endless_loop(|engine| {
        let mut most = 0;
        for number in 1..3_000 {
            engine.define(&constant("f", number)).unwrap();
            assert_eq!(call(engine, "f").unwrap(), number);
            most = most.max(engine.books().live_code);
            // While it waits for code it says nothing, and here there is something new to wait for
            // again and again: now and then it comes round for sure.
            let mut seen = [0u64];
            while number % 100 == 0 && seen < [number] {
                engine.read_data("stop", 16, &mut seen).unwrap();
            }
        }
        assert!(most < 256 << 10, "{most} bytes of code");
    });
}

#[test]
fn a_loop_that_never_returns_goes_on_in_code_that_is_gone() {
    under_an_endless_loop(|engine| {
        let spin = engine.func::<(), u64>("spin").unwrap();
        engine.remove("spin").unwrap();
        for number in 1..500 {
            engine.define(&constant("f", number)).unwrap();
            engine.collect();
        }
        assert_eq!(stopped_by(spin.call(())).0, TrapCode::MissingFunction);
    });
}

#[test]
fn sixty_four_threads_that_call_a_pending_function_at_once_have_it_compiled_once() {
    let engine = engine();
    engine.define(&constant("f", 7)).unwrap();
    let f = engine.func::<(), u64>("f").unwrap();
    let barrier = Barrier::new(64);
    let before = engine.stats();
    let right = thread::scope(|scope| {
        let call = || {
            barrier.wait();
            f.call(()).unwrap() == 7
        };
        let threads: Vec<_> = (0..64).map(|_| scope.spawn(call)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|&right| right).count()
    });
    let compiled = engine.stats();
    let count = compiled.lowered + compiled.copied - before.lowered - before.copied;
    assert_eq!((right, count), (64, 1));
}
