//! The list of gdb's JIT interface, as a debugger walks through it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use brolga::{Debugging, Engine, Gdb};

use super::debuggee::{TEXT_NAME, engine, module};

#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *const Node,
    first: *const Node,
}

#[repr(C)]
struct Node {
    next: *const Node,
    previous: *const Node,
    image: *const u8,
    size: u64,
}

unsafe extern "C" {
    static mut __jit_debug_descriptor: Descriptor;
}

/// Held by whoever registers: the list has no lock that others can take.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The objects in the list, the last registered first.
fn objects() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    // SAFETY: no other thread registers or withdraws, as each test that does is alone; the nodes
    // and what they lead to live until they are withdrawn.
    unsafe {
        let mut node = (&raw const __jit_debug_descriptor).read().first;
        while let Some(entry) = node.as_ref() {
            found.push(std::slice::from_raw_parts(entry.image, entry.size as usize).to_vec());
            node = entry.next;
        }
    }
    found
}

/// How many objects in the list have a name in them.
fn count(name: &str) -> usize {
    let name = [b"\0", name.as_bytes(), b"\0"].concat();
    let has = |object: &&Vec<u8>| object.windows(name.len()).any(|part| part == name);
    objects().iter().filter(has).count()
}

fn told_engine() -> Engine {
    engine(Debugging { gdb: Gdb::Register, ..Debugging::default() })
}

trials![
    gdb_knows_whatever_is_linked_and_where_its_lines_are,
    gdb_forgets_code_that_is_freed,
    gdb_forgets_all_code_of_an_engine_that_is_gone,
    gdb_is_not_told_unless_it_is_asked_for,
];

fn gdb_knows_whatever_is_linked_and_where_its_lines_are() {
    let _alone = alone();
    let engine = told_engine();
    engine.define_module(module()).unwrap();
    assert_eq!(count("churn"), 0, "it has no code yet");
    let churn = engine.func::<(i64,), i64>("churn").unwrap();
    churn.call((50,)).unwrap();
    assert_eq!((count("churn"), count("quadruple_and_one")), (1, 1));
    churn.call((500,)).unwrap();
    assert_eq!(count("churn"), 3, "better code, and what the loop went on in");
    engine.load("export func @loaded() {\nb:\n    return\n}").unwrap();
    assert_eq!(count("loaded"), 1);
    assert_eq!(count("entry(i64) -> i64"), 1, "the thunk by which the host enters");
    let has_text = |object: &&Vec<u8>| {
        object.windows(TEXT_NAME.len()).any(|part| part == TEXT_NAME.as_bytes())
    };
    assert!(objects().iter().filter(has_text).count() >= 4, "those of both tiers have lines");
}

fn gdb_forgets_code_that_is_freed() {
    let _alone = alone();
    let engine = told_engine();
    let constant =
        |number: i64| format!("export func @constant() -> i64 {{\nb:\n    return {number}\n}}");
    let call = || engine.func::<(), i64>("constant").unwrap().call(()).unwrap();
    for number in 0..100 {
        engine.define(&constant(number)).unwrap();
        assert_eq!(call(), number);
        engine.collect();
        assert_eq!(count("constant"), 1, "the old code is free");
    }
    engine.remove("constant").unwrap();
    engine.collect();
    assert_eq!(count("constant"), 0);
}

fn gdb_forgets_all_code_of_an_engine_that_is_gone() {
    let _alone = alone();
    let engine = told_engine();
    engine.define_module(module()).unwrap();
    engine.func::<(i64,), i64>("churn").unwrap().call((500,)).unwrap();
    assert!(!objects().is_empty());
    drop(engine);
    assert_eq!(objects().len(), 0);
}

fn gdb_is_not_told_unless_it_is_asked_for() {
    let _alone = alone();
    let engine = engine(Debugging::default());
    engine.define_module(module()).unwrap();
    engine.func::<(i64,), i64>("churn").unwrap().call((500,)).unwrap();
    assert_eq!(objects().len(), 0);
}
