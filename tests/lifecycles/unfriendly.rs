//! What users hand in that panics where nobody expects it, or asks for what it is to make.

use std::error::Error;
use std::fmt;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{Config, Engine, ResolveError, Speculation, WeakEngine};

use super::libraries::later_from;
use crate::{call, constant, engine, stopped_by, successor};

type Made = Result<Module, Box<dyn Error + Send + Sync>>;

fn define_later(engine: &Engine, name: &str, make: impl Fn() -> Made + Send + Sync + 'static) {
    later_from(&engine.library("main").unwrap(), name, make).unwrap();
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
        assert!(std::thread::panicking(), "it goes off");
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
