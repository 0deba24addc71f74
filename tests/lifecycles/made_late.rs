//! Functions that are made when somebody asks for them, symbols that have addresses, and what is
//! tried again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{Config, Engine, FunctionError, LoadError, ResolveError, Retry};

use crate::{call, constant, engine, stopped_by, successor};

fn counted(engine: &Engine, allow: &[&str]) -> Arc<AtomicU64> {
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    engine.add_generator(allow, move |name| {
        count.fetch_add(1, Ordering::Relaxed);
        let number = name.strip_prefix("n_").and_then(|number| number.parse().ok());
        Ok(number.map(|number| parse_module(&constant(name, number)).unwrap()))
    });
    asked
}

#[test]
fn a_function_is_made_when_it_is_called_and_nobody_has_defined_it() {
    let engine = engine();
    let asked = counted(&engine, &["n_*"]);
    engine.define(&successor("f", "n_7")).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 0, "nobody has called it");
    assert_eq!(call(&engine, "f").unwrap(), 8);
    assert_eq!(call(&engine, "f").unwrap(), 8);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn a_function_is_made_when_a_handle_or_its_code_is_asked_for() {
    let engine = engine();
    let asked = counted(&engine, &["n_*"]);
    assert_eq!(call(&engine, "n_3").unwrap(), 3);
    engine.compile("n_4").unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    engine.remove("n_3").unwrap();
    assert_eq!(call(&engine, "n_3").unwrap(), 3, "one that was removed is made again");
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[test]
fn nobody_is_asked_for_other_names_and_who_knows_none_is_passed_over() {
    let engine = engine();
    let asked = counted(&engine, &["n_1", "m_*"]);
    assert!(matches!(engine.func::<(), u64>("n_2"), Err(FunctionError::Missing { .. })));
    assert!(matches!(engine.compile("n_2"), Err(ResolveError::Missing { .. })));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let second = counted(&engine, &["n_*"]);
    assert!(matches!(engine.func::<(), u64>("m_2"), Err(FunctionError::Missing { .. })));
    assert_eq!(call(&engine, "n_2").unwrap(), 2);
    assert_eq!((asked.load(Ordering::Relaxed), second.load(Ordering::Relaxed)), (1, 1));
}

#[test]
fn what_fails_to_make_a_function_stops_who_calls_it_and_is_asked_again() {
    let engine = engine();
    let broken = AtomicU64::new(0);
    engine.add_generator(&["g"], move |_| match broken.fetch_add(1, Ordering::Relaxed) {
        0 => Err("the disk is gone".into()),
        1 => panic!("what a day"),
        2 => Ok(Some(parse_module(&constant("h", 1)).unwrap())),
        3 => Ok(Some(parse_module("foreign func @g() -> i64").unwrap())),
        _ => Ok(Some(parse_module(&constant("g", 5)).unwrap())),
    });
    engine.define(&successor("f", "g")).unwrap();
    for said in ["the disk is gone", "panicked: what a day", "does not define it"] {
        let (code, detail) = stopped_by(call(&engine, "f"));
        assert_eq!(code, TrapCode::RefusedFunction);
        assert!(detail.starts_with("`@g` was not made: ") && detail.contains(said), "{detail}");
    }
    let error = engine.func::<(), u64>("g").unwrap_err();
    assert!(matches!(error, FunctionError::NotMade { .. }), "{error}");
    assert_eq!(call(&engine, "f").unwrap(), 6);
}

#[test]
fn who_makes_a_function_may_ask_for_others_and_call_them() {
    let engine = engine();
    let own = engine.downgrade();
    engine.add_generator(&["n_*"], move |name| {
        let engine = own.upgrade().ok_or("the engine is gone")?;
        let number: u64 = name.trim_start_matches("n_").parse()?;
        let of = match number {
            0 => 0,
            number => call(&engine, &format!("n_{}", number - 1))?,
        };
        Ok(Some(parse_module(&constant(name, of + number)).unwrap()))
    });
    assert_eq!(call(&engine, "n_10").unwrap(), 55);
}

#[test]
fn many_threads_that_ask_for_one_function_get_one() {
    let engine = engine();
    let serial = AtomicU64::new(0);
    engine.add_generator(&["g"], move |name| {
        let serial = serial.fetch_add(1, Ordering::Relaxed);
        Ok(Some(parse_module(&constant(name, serial)).unwrap()))
    });
    engine.define(&successor("f", "g")).unwrap();
    let answers: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| call(&engine, "f").unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|&answer| answer == answers[0]), "{answers:?}");
}

#[test]
fn a_symbol_has_the_address_that_it_was_given() {
    extern "C" fn three() -> i64 {
        3
    }
    static NUMBER: i64 = 40;
    let text = "
foreign func @three() -> i64
export func @f() -> i64 {
b:
    %x = call_foreign @three()
    return %x
}
";
    let reading = "
foreign data @number size 8
export func @read() -> i64 {
b:
    %x = data_load.i64 @number, 0
    return %x
}
";
    let engine = engine();
    // SAFETY: it calls nothing yet.
    unsafe { engine.define_unsafe(text).unwrap() };
    let (code, detail) = stopped_by(call(&engine, "f"));
    assert_eq!(code, TrapCode::RefusedFunction, "{detail}");
    // SAFETY: the function has that signature, and stays.
    unsafe { engine.define_symbol("three", three as *const std::ffi::c_void).unwrap() };
    assert_eq!(stopped_by(call(&engine, "f")).0, TrapCode::RefusedFunction, "until it is tried");
    assert_eq!(engine.retry("f").unwrap(), Retry::Pending);
    assert_eq!(call(&engine, "f").unwrap(), 3);
    assert_eq!(engine.retry("f").unwrap(), Retry::Unchanged);
    assert!(matches!(engine.retry("g"), Err(FunctionError::Missing { .. })));
    // SAFETY: so many bytes are there, and stay.
    unsafe { engine.define_symbol("number", (&raw const NUMBER).cast()).unwrap() };
    // SAFETY: it reads these alone.
    unsafe { engine.define_unsafe(reading).unwrap() };
    assert_eq!(call(&engine, "read").unwrap(), 40);
    // SAFETY: it is refused.
    let again = unsafe { engine.define_symbol("three", (&raw const NUMBER).cast()) };
    assert!(matches!(again, Err(LoadError::Duplicate { .. })));
}

#[test]
fn given_symbols_come_before_those_of_libraries() {
    extern "C" fn mine(_: i64) -> i64 {
        77
    }
    let engine = Engine::new(Config { allow_symbols: vec!["labs".into()], ..Config::default() });
    let engine = engine.unwrap();
    // SAFETY: it has the signature of `labs`, and stays.
    unsafe { engine.define_symbol("labs", mine as *const std::ffi::c_void).unwrap() };
    let text = "foreign func @labs(i64) -> i64\nexport func @f() -> i64 {\nb:\n    \
                %x = call_foreign @labs(-1)\n    return %x\n}";
    // SAFETY: as above.
    unsafe { engine.define_unsafe(text).unwrap() };
    assert_eq!(call(&engine, "f").unwrap(), 77);
}

#[test]
fn an_optional_symbol_that_somebody_requires_later_is_there_for_all() {
    extern "C" fn three() -> i64 {
        3
    }
    let asks = "
foreign_weak func @three() -> i64
export func @asks() -> i64 {
b:
    %f = function_addr.cfn() -> i64 @three
    %p = function_to_ptr.cfn() -> i64 %f
    %none = icmp.ptr eq %p, null
    branch %none, no, yes
no:
    return 0
yes:
    %x = call_foreign @three()
    return %x
}
";
    let needs = "
foreign func @three() -> i64
export func @needs() -> i64 {
b:
    %x = call_foreign @three()
    return %x
}
";
    let engine = engine();
    // SAFETY: what it names is not there.
    unsafe { engine.load_unsafe(asks).unwrap() };
    assert_eq!(call(&engine, "asks").unwrap(), 0);
    // SAFETY: the function has that signature, and stays.
    unsafe { engine.define_symbol("three", three as *const std::ffi::c_void).unwrap() };
    // SAFETY: as above.
    unsafe { engine.load_unsafe(needs).unwrap() };
    for number in 0..100 {
        engine.load(&constant(&format!("n{number}"), number)).unwrap();
        assert_eq!(call(&engine, "asks").unwrap(), 3);
    }
    assert_eq!(call(&engine, "needs").unwrap(), 3);
}

#[test]
fn what_is_defined_while_a_module_is_made_has_the_last_word() {
    let engine = engine();
    let own = engine.downgrade();
    engine.add_generator(&["f"], move |name| {
        own.upgrade().unwrap().define(&constant(name, 99)).unwrap();
        Ok(Some(parse_module(&constant(name, 1)).unwrap()))
    });
    assert_eq!(call(&engine, "f").unwrap(), 99);
}
