//! What users hand in that panics where nobody expects it, or asks for what it is to make.

use std::error::Error;
use std::fmt;

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{Config, Engine, Library, ResolveError, Speculation, WeakEngine};

use super::libraries::later_from;
use crate::{call, constant, engine, stopped_by, successor};

type Made = Result<Module, Box<dyn Error + Send + Sync>>;

fn define_later(engine: &Engine, name: &str, make: impl Fn() -> Made + Send + Sync + 'static) {
    later_from(&engine.library("main").unwrap(), name, make).unwrap();
}

fn parsed(name: &str, number: u64) -> Module {
    parse_module(&constant(name, number)).unwrap()
}

/// It panics when it is shown.
#[derive(Debug)]
struct Rude;

impl fmt::Display for Rude {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no comment")
    }
}

impl Error for Rude {}

/// It panics when it is dropped.
#[derive(Debug)]
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(thread::panicking(), "it goes off");
    }
}

#[test]
fn an_error_that_panics_when_it_is_shown_is_told_of() {
    let engine = engine();
    engine.add_generator(&["made"], |_| Err(Box::new(Rude)));
    let Err(ResolveError::NotMade { reason, .. }) = engine.compile("made") else { panic!("made") };
    assert!(
        reason.contains("panics when it is shown") && reason.contains("no comment"),
        "{reason}"
    );
    define_later(&engine, "later", || Err(Box::new(Rude)));
    for _ in 0..2 {
        let (code, detail) = stopped_by(call(&engine, "later"));
        assert_eq!(code, TrapCode::RefusedFunction);
        assert!(detail.contains("no comment"), "{detail}");
    }
}

#[test]
fn what_panics_when_it_goes_disturbs_nobody() {
    let engine = engine();
    engine.define(&constant("other", 5)).unwrap();
    for _ in 0..3 {
        let bomb = Bomb;
        define_later(&engine, "later", move || {
            let _kept = &bomb;
            Ok(parse_module(&constant("later", 1)).unwrap())
        });
        engine.remove("later").unwrap();
        engine.collect();
        assert_eq!(call(&engine, "other").unwrap(), 5);
    }
    define_later(&engine, "thrown", || std::panic::panic_any(Bomb));
    assert_eq!(stopped_by(call(&engine, "thrown")).0, TrapCode::RefusedFunction);
    assert_eq!(call(&engine, "other").unwrap(), 5);
}

/// Defines a function whose maker panics when it goes.
fn define_bomb(library: &Library) {
    let bomb = Bomb;
    let make = move || {
        let _kept = &bomb;
        Ok(parsed("later", 1))
    };
    later_from(library, "later", make).unwrap();
}

#[test]
fn what_panics_when_it_goes_with_its_first_use_disturbs_nobody() {
    let engine = engine();
    let main = engine.library("main").unwrap();
    define_bomb(&main);
    engine.define(&successor("caller", "later")).unwrap();
    assert_eq!(call(&engine, "caller").unwrap(), 2);
    engine.remove("later").unwrap();
    define_bomb(&main);
    engine.compile("later").unwrap();
    assert_eq!(call(&engine, "later").unwrap(), 1);
}

#[test]
fn what_panics_when_it_goes_with_its_library_leaves_nothing_of_that() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    define_bomb(&library);
    library.clear().unwrap();
    define_bomb(&library);
    let (kept, bomb) = (Arc::new(()), Bomb);
    let held = Arc::clone(&kept);
    library
        .add_generator(&["made"], move |_| {
            let _kept = (&bomb, &held);
            Ok(None)
        })
        .unwrap();
    library.delete().unwrap();
    assert!(engine.library("library").is_none());
    assert_eq!(Arc::strong_count(&kept), 1, "a generator of it is there");
}

/// What a background thread is told when it asks for the function that it makes.
fn told_in_background(engine: &Engine) -> Option<String> {
    let (told, heard): (Sender<String>, _) = channel();
    let (told, own): (_, WeakEngine) = (Mutex::new(told), engine.downgrade());
    define_later(engine, "callee", move || {
        let answer = own.upgrade().map_or(Ok(()), |engine| engine.compile("callee"));
        let answer = answer.err().map_or("compiled".to_owned(), |error| error.to_string());
        let _ = told.lock().unwrap().send(answer);
        Ok(parse_module(&constant("callee", 1)).unwrap())
    });
    engine.define(&successor("caller", "callee")).unwrap();
    engine.compile("caller").unwrap();
    heard.recv_timeout(Duration::from_secs(60)).ok()
}

#[test]
fn who_makes_a_function_in_the_background_and_asks_for_it_is_told_so() {
    let config = Config { speculation: Speculation::Callees, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    let told = told_in_background(&engine).expect("it waits for itself");
    assert!(told.contains("callee"), "{told}");
    assert_ne!(told, "compiled");
}

#[test]
fn who_makes_a_function_by_its_name_and_asks_for_it_is_told_so() {
    let engine = engine();
    let own = engine.downgrade();
    engine.add_generator(&["made*"], move |name| {
        let engine = own.upgrade().ok_or("the engine is gone")?;
        engine.compile(name)?;
        Ok(Some(parsed(name, 1)))
    });
    let Err(ResolveError::NotMade { reason, .. }) = engine.compile("made") else { panic!("made") };
    assert!(reason.contains("asks for it"), "{reason}");
    engine.define(&constant("other", 3)).unwrap();
    assert_eq!(call(&engine, "other").unwrap(), 3);
}

/// Each needs the next one: `f5` asks for `f4`, and so on down to `f0`.
fn chain_by_names() -> Engine {
    let engine = engine();
    let own = engine.downgrade();
    engine.add_generator(&["f*"], move |name| {
        let engine = own.upgrade().ok_or("the engine is gone")?;
        let number: u32 = name[1..].parse()?;
        if number > 0 {
            engine.compile(&format!("f{}", number - 1))?;
        }
        Ok(Some(parsed(name, number.into())))
    });
    engine
}

#[test]
fn what_is_made_by_names_for_each_other_may_be_nested_so_deep_and_no_deeper() {
    let engine = chain_by_names();
    engine.compile("f255").unwrap();
    assert_eq!(call(&engine, "f255").unwrap(), 255);
    let engine = chain_by_names();
    let Err(ResolveError::NotMade { reason, .. }) = engine.compile("f100000") else {
        panic!("made")
    };
    assert!(reason.contains("256 deep"), "{reason}");
}

#[test]
fn what_is_made_later_for_each_other_may_be_nested_deep() {
    let engine = engine();
    for number in 0..2_000 {
        let (own, name) = (engine.downgrade(), format!("f{number}"));
        define_later(&engine, &name.clone(), move || {
            let engine = own.upgrade().ok_or("the engine is gone")?;
            if number > 0 {
                engine.compile(&format!("f{}", number - 1))?;
            }
            Ok(parsed(&name, number))
        });
    }
    let _told = engine.compile("f1999");
    assert_eq!(call(&engine, "f7").unwrap(), 7);
}

/// It has the engine itself in it, which would keep both.
#[test]
fn what_was_to_make_a_function_is_dropped_with_its_definition() {
    let engine = engine();
    for definition in ["removed", "replaced"] {
        let own = engine.downgrade().upgrade().unwrap();
        define_later(&engine, definition, move || {
            own.compile("nothing")?;
            Err("nothing was defined".into())
        });
    }
    engine.remove("removed").unwrap();
    engine.define(&constant("replaced", 1)).unwrap();
    let weak = engine.downgrade();
    drop(engine);
    assert!(weak.upgrade().is_none());
}

/// A thread waits for a function, with a lock that what makes another one wants.
#[test]
fn who_waits_makes_nothing_of_the_users_meanwhile() {
    let config =
        Config { speculation: Speculation::Callees, background_threads: 1, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    let waiting = Arc::new(Mutex::new(Some(thread::current().id())));
    let (begun, is_begun) = channel();
    let begun = Mutex::new(begun);
    // It keeps the engine's own thread until there is something else to do.
    let (own, held_by) = (engine.downgrade(), Arc::clone(&waiting));
    define_later(&engine, "slow", move || {
        let engine = own.upgrade().ok_or("the engine is gone")?;
        // One of its callees is made by who comes to it.
        engine.define(&successor("caller", "locking"))?;
        engine.compile("caller")?;
        let _ = begun.lock().unwrap().send(());
        thread::sleep(Duration::from_millis(50));
        Ok(parsed("slow", 1))
    });
    define_later(&engine, "locking", move || {
        if *held_by.lock().unwrap() == Some(thread::current().id()) {
            return Err("who has the lock would wait for itself".into());
        }
        Ok(parsed("locking", 2))
    });
    engine.define(&successor("first", "slow")).unwrap();
    engine.compile("first").unwrap();
    is_begun.recv_timeout(Duration::from_secs(60)).unwrap();
    engine.compile("slow").unwrap();
    *waiting.lock().unwrap() = None;
    assert_eq!(call(&engine, "caller").unwrap(), 3);
}
