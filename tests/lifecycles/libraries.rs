//! Libraries: what names mean in them, what comes in and goes together, and functions whose
//! modules callbacks make.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::ir::types::{Signature, Type, TypePool};
use brolga::{
    CallError, Config, Engine, FunctionError, Library, LoadError, NamespaceError, Reach, Retry,
    Visibility,
};

use crate::{call, constant, engine, in_use, stopped_by, successor};

pub(super) fn call_in(library: &Library, name: &str) -> Result<u64, CallError> {
    library.func::<(), u64>(name).unwrap().call(())
}

/// An engine that has what calls of functions by name need, which it keeps.
pub(super) fn with_way_in() -> Engine {
    let engine = engine();
    engine.define(&constant("first", 1)).unwrap();
    assert_eq!(call(&engine, "first").unwrap(), 1);
    engine.remove("first").unwrap();
    engine.collect();
    engine
}

pub(super) fn later<F>(library: &Library, name: &str, make: F) -> Result<(), LoadError>
where
    F: Fn() -> Result<String, String> + Send + Sync + 'static,
{
    later_from(library, name, move || {
        Ok(parse_module(&make()?).map_err(|errors| format!("{errors:?}"))?)
    })
}

/// The same, of a module that is no text.
pub(super) fn later_from<F>(library: &Library, name: &str, make: F) -> Result<(), LoadError>
where
    F: Fn() -> Result<Module, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
{
    let signature = Signature::internal(&[], &[Type::I64]);
    library.define_later(name, &TypePool::default(), &signature, make)
}

/// A function that is made later, which gives a number; and how often it was made.
fn counted(library: &Library, name: &'static str, number: u64) -> Arc<AtomicU64> {
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    later(library, name, move || {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(constant(name, number))
    })
    .unwrap();
    asked
}

#[test]
fn a_name_means_what_a_library_has_and_then_what_it_is_linked_to_in_order() {
    let engine = engine();
    let [a, b, c] = ["a", "b", "c"].map(|name| engine.add_library(name).unwrap());
    for (library, value) in [(&a, 1), (&b, 2), (&c, 3)] {
        library.define(&constant("f", value)).unwrap();
    }
    b.define(&constant("g", 20)).unwrap();
    c.define(&constant("g", 30)).unwrap();
    assert!(matches!(a.func::<(), u64>("g"), Err(FunctionError::Missing { .. })));
    a.link_to(&c, Reach::Exports).unwrap();
    a.link_to(&b, Reach::Exports).unwrap();
    assert_eq!((call_in(&a, "f").unwrap(), call_in(&a, "g").unwrap()), (1, 30));
    a.define(&successor("h", "g")).unwrap();
    assert_eq!(call_in(&a, "h").unwrap(), 31);
    a.link_to(&c, Reach::Exports).unwrap();
    assert_eq!(call_in(&a, "g").unwrap(), 20, "linked again, it is the last");
    assert_eq!(call_in(&a, "h").unwrap(), 21, "for code that is there, too");
    let g = a.func::<(), u64>("g").unwrap();
    a.unlink(&b).unwrap();
    assert_eq!((call_in(&a, "h").unwrap(), g.call(()).unwrap()), (31, 30));
    a.unlink(&c).unwrap();
    assert_eq!(stopped_by(call_in(&a, "h")).0, TrapCode::MissingFunction);
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
    assert!(a.func::<(), u64>("g").is_err());
    assert!(engine.func::<(), u64>("f").is_err(), "`main` sees none of them");
    assert_eq!(engine.library("b").unwrap().name(), "b");
    assert!(engine.add_library("b").is_err() && engine.library("d").is_none());
}

#[test]
fn what_a_library_is_linked_to_is_defined_anew_for_it_too() {
    let engine = engine();
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&constant("f", 1)).unwrap();
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    base.define(&constant("f", 5)).unwrap();
    assert_eq!(g.call(()).unwrap(), 6);
    base.remove("f").unwrap();
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
    base.define(&constant("f", 7)).unwrap();
    assert_eq!(g.call(()).unwrap(), 8);
}

#[test]
fn code_finds_what_is_linked_or_defined_elsewhere_after_it() {
    let engine = engine();
    let [user, first, second] =
        ["user", "first", "second"].map(|name| engine.add_library(name).unwrap());
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
    first.define(&constant("f", 1)).unwrap();
    assert!(g.call(()).is_err(), "nobody has linked it");
    user.link_to(&first, Reach::Exports).unwrap();
    user.link_to(&second, Reach::Exports).unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    first.define(&constant("f", 10)).unwrap();
    assert_eq!(g.call(()).unwrap(), 11, "what it leads to is defined anew");
    second.define(&constant("f", 20)).unwrap();
    first.remove("f").unwrap();
    assert_eq!(g.call(()).unwrap(), 21, "the next library has one");
    second.remove("f").unwrap();
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
    first.define(&constant("f", 30)).unwrap();
    assert_eq!(g.call(()).unwrap(), 31);
    user.define(&constant("f", 40)).unwrap();
    assert_eq!(g.call(()).unwrap(), 41, "the library's own comes first");
    user.remove("f").unwrap();
    assert_eq!(g.call(()).unwrap(), 31);
}

#[test]
fn code_finds_what_is_loaded_after_it() {
    let engine = engine();
    let main = engine.library("main").unwrap();
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&main, Reach::Exports).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&constant("f", 1)).unwrap();
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    engine.load(&constant("f", 10)).unwrap();
    assert_eq!(g.call(()).unwrap(), 11, "what is loaded comes first");
    assert_eq!(call_in(&user, "f").unwrap(), 10);
}

#[test]
fn what_is_loaded_takes_the_place_of_what_its_library_found_elsewhere() {
    let engine = engine();
    let main = engine.library("main").unwrap();
    let base = engine.add_library("base").unwrap();
    main.link_to(&base, Reach::Exports).unwrap();
    base.define(&constant("f", 1)).unwrap();
    engine.define(&successor("g", "f")).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 2);
    engine.load(&constant("f", 10)).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 11, "it had the old body in its code");
    base.remove("f").unwrap();
    engine.collect();
    assert_eq!(call(&engine, "g").unwrap(), 11);
}

#[test]
fn a_function_of_another_signature_in_ones_own_library_stops_callers_that_led_elsewhere() {
    let engine = engine();
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert!(g.call(()).is_err());
    base.define(&constant("f", 1)).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    user.define("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}").unwrap();
    let (code, detail) = stopped_by(g.call(()));
    assert_eq!(code, TrapCode::MissingFunction);
    assert_eq!(detail, "`@f` is called as fn() -> i64, and is defined as fn(i64) -> i64 by now");
}

#[test]
fn hidden_names_are_seen_by_the_library_and_by_who_asks_for_all() {
    let engine = engine();
    let [base, user, friend] =
        ["base", "user", "friend"].map(|name| engine.add_library(name).unwrap());
    base.define_hidden(parse_module(&constant("f", 1)).unwrap()).unwrap();
    base.define(&successor("g", "f")).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    friend.link_to(&base, Reach::All).unwrap();
    assert_eq!(call_in(&user, "g").unwrap(), 2);
    assert!(user.func::<(), u64>("f").is_err());
    assert_eq!(call_in(&friend, "f").unwrap(), 1);
}

#[test]
fn aliases_export_again_and_follow_what_they_stand_for() {
    let engine = engine();
    let [base, middle, user] =
        ["base", "middle", "user"].map(|name| engine.add_library(name).unwrap());
    base.define(&constant("f", 1)).unwrap();
    middle.link_to(&base, Reach::Exports).unwrap();
    user.link_to(&middle, Reach::Exports).unwrap();
    assert!(user.func::<(), u64>("f").is_err(), "linking is no exporting");
    middle.alias("renamed", (&base, "f"), Visibility::Exported).unwrap();
    user.define(&successor("g", "renamed")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    base.define(&constant("f", 5)).unwrap();
    assert_eq!(g.call(()).unwrap(), 6);
    assert_eq!(call_in(&middle, "renamed").unwrap(), 5);
    middle.remove("renamed").unwrap();
    assert!(middle.func::<(), u64>("renamed").is_err());
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
    middle.alias("renamed", (&base, "f"), Visibility::Exported).unwrap();
    assert_eq!(g.call(()).unwrap(), 6);
    let circle = base.alias("f", (&base, "f"), Visibility::Exported);
    assert_eq!(circle.unwrap_err().to_string(), "the alias would stand for itself: @f -> @f");
    let unknown = middle.alias("x", (&base, "y"), Visibility::Exported);
    assert_eq!(unknown.unwrap_err().to_string(), "nothing is named @y");
}

#[test]
fn callers_of_what_an_alias_takes_the_place_of_reach_what_it_stands_for() {
    let engine = engine();
    let [base, user] = ["base", "user"].map(|name| engine.add_library(name).unwrap());
    base.define(&constant("other", 7)).unwrap();
    user.define(&constant("f", 1)).unwrap();
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    user.alias("f", (&base, "other"), Visibility::Exported).unwrap();
    assert_eq!(g.call(()).unwrap(), 8);
    user.define(&constant("f", 10)).unwrap();
    assert_eq!(g.call(()).unwrap(), 11);
}

#[test]
fn a_weak_definition_gives_way_to_a_definition_and_to_an_alias() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let weak = |name: &str, value| constant(name, value).replace("export", "weak");
    library.define(&weak("f", 1)).unwrap();
    assert_eq!(call_in(&library, "f").unwrap(), 1);
    library.define(&constant("f", 2)).unwrap();
    library.define(&weak("f", 3)).unwrap();
    assert_eq!(call_in(&library, "f").unwrap(), 2);
    library.alias("g", (&library, "f"), Visibility::Exported).unwrap();
    library.define(&weak("g", 4)).unwrap();
    assert_eq!(call_in(&library, "g").unwrap(), 2);
}

#[test]
fn a_library_is_cleared_and_deleted_and_its_memory_comes_back() {
    let engine = with_way_in();
    let before = in_use(&engine);
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&constant("f", 1)).unwrap();
    base.define(&format!("export data @d = {{ i64 9 }}\n{}", constant("g", 3))).unwrap();
    user.define(&successor("h", "f")).unwrap();
    assert_eq!(call_in(&user, "h").unwrap(), 2);
    base.clear().unwrap();
    assert_eq!(stopped_by(call_in(&user, "h")).0, TrapCode::MissingFunction);
    base.define(&constant("f", 10)).unwrap();
    assert_eq!(call_in(&user, "h").unwrap(), 11);
    base.delete().unwrap();
    assert_eq!(stopped_by(call_in(&user, "h")).0, TrapCode::MissingFunction);
    let gone = "the library has been removed";
    assert_eq!(base.define(&constant("f", 1)).unwrap_err().to_string(), gone);
    assert_eq!(base.clear().unwrap_err().to_string(), gone);
    assert_eq!(base.delete().unwrap_err().to_string(), gone);
    assert_eq!(base.add_tracker().unwrap_err().to_string(), gone);
    assert_eq!(user.link_to(&base, Reach::All).unwrap_err().to_string(), gone);
    assert!(base.func::<(), u64>("f").is_err());
    let anew = engine.add_library("base").unwrap();
    user.link_to(&anew, Reach::Exports).unwrap();
    anew.define(&constant("f", 20)).unwrap();
    assert_eq!(call_in(&user, "h").unwrap(), 21);
    user.delete().unwrap();
    anew.delete().unwrap();
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

#[test]
fn what_was_loaded_stays_in_the_library_main() {
    let engine = engine();
    let main = engine.library("main").unwrap();
    main.define(&constant("f", 1)).unwrap();
    assert_eq!(call(&engine, "f").unwrap(), 1);
    main.clear().unwrap();
    engine.load(&constant("loaded", 2)).unwrap();
    main.define(&constant("f", 1)).unwrap();
    let refused = main.clear().unwrap_err();
    assert_eq!(refused, NamespaceError::Loaded { name: "loaded".into() });
    assert_eq!(call(&engine, "f").unwrap(), 1, "nothing was removed");
    assert_eq!(main.delete().unwrap_err(), NamespaceError::Main);
    let alias = main.alias("loaded", (&main, "f"), Visibility::Exported).unwrap_err();
    assert_eq!(alias, NamespaceError::Loaded { name: "loaded".into() });
    let other = engine.add_library("other").unwrap();
    other.link_to(&main, Reach::Exports).unwrap();
    other.define(&successor("g", "loaded")).unwrap();
    assert_eq!(call_in(&other, "g").unwrap(), 3);
}

#[test]
fn every_library_sees_the_functions_of_the_host_and_no_other_engine() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    library.define(&successor("g", "host")).unwrap();
    assert!(call_in(&library, "g").is_err());
    engine.define_host("host", || 5u64).unwrap();
    assert_eq!(call_in(&library, "g").unwrap(), 6);
    library.define(&successor("h", "host")).unwrap();
    assert_eq!(call_in(&library, "h").unwrap(), 6);
    assert!(matches!(library.define(&constant("host", 1)), Err(LoadError::Duplicate { .. })));
    library.define(&constant("mine", 1)).unwrap();
    assert!(matches!(engine.define_host("mine", || 5u64), Err(LoadError::Duplicate { .. })));
    let stranger = Engine::new(Config::default()).unwrap().add_library("library").unwrap();
    assert_eq!(library.link_to(&stranger, Reach::All), Err(NamespaceError::OtherEngine));
    let alias = library.alias("x", (&stranger, "y"), Visibility::Exported);
    assert_eq!(alias, Err(NamespaceError::OtherEngine));
}

#[test]
fn data_are_a_librarys_as_functions_are() {
    let engine = engine();
    let [a, b] = ["a", "b"].map(|name| engine.add_library(name).unwrap());
    for (library, value) in [(&a, 1i64), (&b, 2)] {
        let text = format!(
            "export data @d = {{ i64 {value} }}\nexport func @f() -> i64 {{\nb:\n    \
             %x = data_load.i64 @d, 0\n    return %x\n}}\n"
        );
        library.define(&text).unwrap();
        assert_eq!(call_in(library, "f").unwrap(), value as u64);
    }
    let mut read = [0i64];
    a.read_data("d", 0, &mut read).unwrap();
    assert_eq!(read, [1]);
    b.write_data("d", 0, &[7i64]).unwrap();
    assert_eq!((call_in(&a, "f").unwrap(), call_in(&b, "f").unwrap()), (1, 7));
}

#[test]
fn a_callback_makes_the_module_of_a_function_at_its_first_call() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let asked = counted(&library, "f", 3);
    library.define(&successor("g", "f")).unwrap();
    let g = library.func::<(), u64>("g").unwrap();
    library.compile("g").unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 0, "nobody has called it");
    assert_eq!((g.call(()).unwrap(), g.call(()).unwrap()), (4, 4));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    library.define(&constant("f", 5)).unwrap();
    assert_eq!(g.call(()).unwrap(), 6);
}

#[test]
fn a_callback_that_fails_panics_or_makes_something_else_stops_who_calls_until_it_is_tried_again() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    later(&library, "f", move || match count.fetch_add(1, Ordering::Relaxed) {
        0 => Err("not yet".into()),
        1 => panic!("too early"),
        2 => Ok(constant("other", 1)),
        3 => Ok("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}".into()),
        4 => Ok("import func @f() -> i64".into()),
        _ => Ok(constant("f", 8)),
    })
    .unwrap();
    let reasons = [
        "not yet",
        "what was to make it panicked: too early",
        "the module that was made for it has nothing by that name, not fn() -> i64",
        "the module that was made for it has fn(i64) -> i64 by that name, not fn() -> i64",
        "the module that was made for it does not define it",
    ];
    for (index, reason) in reasons.into_iter().enumerate() {
        for _ in 0..2 {
            let (code, detail) = stopped_by(call_in(&library, "f"));
            assert_eq!(code, TrapCode::RefusedFunction);
            assert!(detail.contains(reason), "{detail}");
        }
        assert_eq!(asked.load(Ordering::Relaxed), index as u64 + 1, "asked once each");
        assert_eq!(library.retry("f").unwrap(), Retry::Pending);
    }
    assert_eq!(call_in(&library, "f").unwrap(), 8);
    assert_eq!(library.retry("f").unwrap(), Retry::Unchanged);
}

#[test]
fn a_callback_may_use_the_library_and_what_is_defined_meanwhile_has_the_last_word() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let inner = engine.downgrade();
    later(&library, "f", move || {
        let library = inner.upgrade().and_then(|engine| engine.library("library")).unwrap();
        library.define(&constant("f", 1)).map_err(|error| error.to_string())?;
        Ok(constant("f", 2))
    })
    .unwrap();
    assert_eq!(call_in(&library, "f").unwrap(), 1);
    let inner = engine.downgrade();
    later(&library, "g", move || {
        let library = inner.upgrade().and_then(|engine| engine.library("library")).unwrap();
        library.remove("g").map_err(|error| error.to_string())?;
        Ok(constant("g", 2))
    })
    .unwrap();
    let g = library.func::<(), u64>("g").unwrap();
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
}

#[test]
fn many_threads_that_first_call_what_a_callback_makes_have_it_made_once() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let asked = counted(&library, "f", 3);
    let f = library.func::<(), u64>("f").unwrap();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| assert_eq!(f.call(()).unwrap(), 3));
        }
    });
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn generators_are_asked_library_by_library_behind_all_that_is_defined() {
    let engine = engine();
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    let make = |value| {
        move |name: &str| {
            Ok(Some(parse_module(&constant(name, value)).map_err(|it| format!("{it:?}"))?))
        }
    };
    base.add_generator(&["f", "g"], make(1)).unwrap();
    user.add_generator(&["f"], make(2)).unwrap();
    assert!(user.func::<(), u64>("g").is_err(), "it sees no other library");
    user.link_to(&base, Reach::Exports).unwrap();
    assert_eq!((call_in(&user, "f").unwrap(), call_in(&user, "g").unwrap()), (2, 1));
    assert_eq!(call_in(&base, "g").unwrap(), 1, "it was defined there");
    base.delete().unwrap();
    assert!(user.func::<(), u64>("g").is_err());
}

/// It has the engine in it, which would keep both.
#[test]
fn a_librarys_generators_go_with_it() {
    let engine = engine();
    let base = engine.add_library("base").unwrap();
    let own = engine.downgrade().upgrade().unwrap();
    base.add_generator(&["*"], move |_| Ok(own.compile("nothing").ok().and(None))).unwrap();
    base.delete().unwrap();
    let weak = engine.downgrade();
    drop((base, engine));
    assert!(weak.upgrade().is_none());
}

#[test]
fn ways_to_other_libraries_go_with_the_code_that_takes_them() {
    let engine = with_way_in();
    let before = in_use(&engine);
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.define(&successor("g", "f")).unwrap();
    let g = user.func::<(), u64>("g").unwrap();
    assert!(g.call(()).is_err());
    base.define(&constant("f", 1)).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    assert_eq!(g.call(()).unwrap(), 2);
    let with_way = in_use(&engine);
    for value in 0..100 {
        base.define(&constant("f", value)).unwrap();
        assert_eq!(g.call(()).unwrap(), value + 1);
        engine.collect();
    }
    assert_eq!(in_use(&engine), with_way);
    drop(g);
    user.remove("g").unwrap();
    base.remove("f").unwrap();
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

#[test]
fn what_a_name_means_does_not_depend_on_what_was_compiled_when() {
    let engine = engine();
    let [user, first, second] =
        ["user", "first", "second"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&first, Reach::Exports).unwrap();
    user.link_to(&second, Reach::Exports).unwrap();
    second.define(&constant("f", 20)).unwrap();
    for name in ["early", "late"] {
        user.define(&successor(name, "f")).unwrap();
    }
    let both = || ["early", "late"].map(|name| call_in(&user, name).unwrap());
    assert_eq!(call_in(&user, "early").unwrap(), 21);
    first.define(&constant("f", 10)).unwrap();
    assert_eq!(both(), [11, 11], "a library before the one that had it has one now");
    first.remove("f").unwrap();
    assert_eq!(both(), [21, 21]);
    first.alias("f", (&second, "g"), Visibility::Exported).unwrap_err();
    second.define(&constant("g", 30)).unwrap();
    first.alias("f", (&second, "g"), Visibility::Exported).unwrap();
    assert_eq!(both(), [31, 31]);
    second.alias("g", (&second, "f"), Visibility::Exported).unwrap();
    assert_eq!(both(), [21, 21], "what an alias stands for stands for something else");
    second.define(&constant("g", 40)).unwrap();
    assert_eq!(both(), [41, 41]);
    user.define(&constant("f", 1)).unwrap();
    assert_eq!(both(), [2, 2]);
    user.remove("f").unwrap();
    assert_eq!(both(), [41, 41]);
    let unit = first.add_tracker().unwrap();
    unit.define(&constant("f", 50)).unwrap();
    assert_eq!(both(), [51, 51]);
    unit.remove().unwrap();
    assert_eq!(both(), [21, 21]);
    user.define(&format!("export data @f = {{ i64 9 }}\n{}", constant("with_data", 3))).unwrap();
    for name in ["early", "late"] {
        assert_eq!(stopped_by(call_in(&user, name)).0, TrapCode::MissingFunction, "these are data");
    }
    user.remove("with_data").unwrap();
    assert_eq!(both(), [21, 21]);
}
