//! What is gone makes room for what comes.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use brolga::ir::observe::{CodeFreed, FunctionCompiled, Observer};
use brolga::{Config, Engine, Level};

use crate::{call, constant};

/// A function whose code takes more than 20 KiB.
fn large(name: &str, number: u64) -> String {
    let mut text = format!("export func @{name}(i64) -> i64 {{\nb(%x0: i64):\n");
    for step in 0..1000 {
        let (factor, bits) = (77_777 + number + step, 12_345_678_901 * (step + number + 1));
        let next = step + 1;
        writeln!(text, "    %y{step} = mul.i64 %x{step}, {factor}").unwrap();
        writeln!(text, "    %x{next} = xor.i64 %y{step}, {bits}").unwrap();
    }
    text + "    return %x1000\n}\n"
}

/// So small that some twenty of these are all that there is room for.
fn small() -> Config {
    Config { reservation: 1 << 20, level: Level::O0, ..Config::default() }
}

fn small_engines() -> [Engine; 2] {
    let short = Config { memory_budget: 384 << 10, level: Level::O0, ..Config::default() };
    [small(), short].map(|config| Engine::new(config).unwrap())
}

#[test]
fn code_that_is_gone_makes_room_for_what_is_compiled() {
    for engine in small_engines() {
        engine.define(&large("f", 0)).unwrap();
        let function = engine.func::<(i64,), i64>("f").unwrap();
        for number in 0..25 {
            engine.define(&large("f", number)).unwrap();
            function.call((1,)).unwrap();
        }
    }
}

#[test]
fn code_that_is_gone_makes_room_for_what_is_loaded() {
    for engine in small_engines() {
        for number in 0..14 {
            engine.define(&large("f", number)).unwrap();
            engine.func::<(i64,), i64>("f").unwrap().call((1,)).unwrap();
        }
        let text: String = (0..8).map(|number| large(&format!("g{number}"), number)).collect();
        engine.load(&text).unwrap();
        engine.func::<(i64,), i64>("g7").unwrap().call((1,)).unwrap();
    }
}

#[test]
fn data_that_is_gone_makes_room_for_what_is_defined() {
    let engine = Engine::new(small()).unwrap();
    for number in 0..100u64 {
        let text = format!(
            "local data @d align 8 = {{ i64 {number}, zero 50000 }}\n\
             export func @f() -> u64 {{\nb:\n    %x = data_load.i64 @d, 0\n    return %x\n}}\n"
        );
        engine.define(&text.replace("u64", "i64")).unwrap();
        if number % 10 == 0 {
            assert_eq!(call(&engine, "f").unwrap(), number);
        }
    }
}

#[test]
fn what_finds_no_room_though_nothing_is_gone_is_refused_until_there_is_some() {
    let engine = Engine::new(small()).unwrap();
    let mut count = 0;
    let refused = loop {
        let name = format!("f{count}");
        engine.define(&large(&name, count)).unwrap();
        match engine.compile(&name) {
            Ok(()) => count += 1,
            Err(error) => break error.to_string(),
        }
    };
    assert!(refused.contains("is full"), "{refused}");
    engine.remove("f0").unwrap();
    let name = format!("f{count}");
    engine.retry(&name).unwrap();
    engine.compile(&name).unwrap();
    engine.define(&constant("g", 7)).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 7);
}

#[derive(Debug, Default)]
struct Events(Mutex<Vec<&'static str>>);

impl Events {
    fn add(&self, event: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }
}

impl Observer for Events {
    fn function_compiled(&self, _: &FunctionCompiled<'_>) {
        self.add("compiled");
    }

    fn code_freed(&self, _: &CodeFreed<'_>) {
        self.add("freed");
    }
}

/// Whoever waits for a function may have a lock that the observer takes.
#[test]
fn what_is_freed_for_a_function_is_told_when_nobody_waits_for_that_any_more() {
    let events = Arc::new(Events::default());
    let observer = Arc::clone(&events);
    let config = Config { observer: Some(observer), ..small() };
    let engine = Engine::new(config).unwrap();
    let mut number = 0;
    while !events.0.lock().unwrap().contains(&"freed") {
        engine.define(&large("f", number)).unwrap();
        engine.func::<(i64,), i64>("f").unwrap().call((1,)).unwrap();
        number += 1;
    }
    let events = events.0.lock().unwrap();
    let compiled = events.iter().take_while(|&&event| event == "compiled").count() as u64;
    assert_eq!(compiled, number, "{events:?}");
}
