//! Keys: what comes in under one goes together.

use std::sync::Arc;

use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::ir::types::{Signature, Type, TypePool};
use brolga::ir::verify::Verified;
use brolga::{Config, Engine, NamespaceError, Reach, Visibility};

use super::libraries::{call_in, with_way_in};
use crate::{constant, engine, in_use, stopped_by, successor};

#[test]
fn what_came_in_under_one_key_goes_together_before_during_and_after_compilation() {
    let engine = with_way_in();
    let library = engine.add_library("library").unwrap();
    let before = in_use(&engine);
    let (first, second) = (library.add_tracker().unwrap(), library.add_tracker().unwrap());
    first.define(&constant("pending", 1)).unwrap();
    first.define(&constant("ready", 2)).unwrap();
    first.define(&format!("export data @d = {{ i64 9 }}\n{}", constant("with_data", 3))).unwrap();
    second.define(&constant("other", 4)).unwrap();
    first.define(&constant("taken", 5)).unwrap();
    second.define(&constant("taken", 6)).unwrap();
    assert_eq!(call_in(&library, "ready").unwrap(), 2);
    first.remove().unwrap();
    for gone in ["pending", "ready", "with_data"] {
        assert!(library.func::<(), u64>(gone).is_err(), "{gone}");
    }
    assert!(library.read_data::<i64>("d", 0, &mut [0]).is_err());
    assert_eq!(call_in(&library, "other").unwrap(), 4);
    assert_eq!(call_in(&library, "taken").unwrap(), 6, "it has come in anew");
    let error = first.define(&constant("x", 1)).unwrap_err().to_string();
    assert_eq!(error, "the tracker has been removed");
    assert_eq!(first.remove().unwrap_err().to_string(), "the tracker has been removed");
    second.remove().unwrap();
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

/// Each of all that a unit can bring in.
#[test]
fn all_that_comes_in_under_a_key_goes_with_it() {
    let engine = with_way_in();
    let [library, user] = ["library", "user"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&library, Reach::All).unwrap();
    library.define(&constant("target", 1)).unwrap();
    assert_eq!(call_in(&user, "target").unwrap(), 1);
    engine.collect();
    let before = in_use(&engine);
    let module = |text: &str| parse_module(text).unwrap();
    let verified = |text: &str| Verified::check(module(text)).unwrap();
    let unit = library.add_tracker().unwrap();
    unit.define(&constant("text", 2)).unwrap();
    unit.define_verified(verified(&constant("verified", 3))).unwrap();
    unit.define_hidden(module(&constant("hidden", 4))).unwrap();
    // SAFETY: neither has anything but a number.
    unsafe {
        unit.define_module_unsafe(module(&constant("raw", 5))).unwrap();
        unit.define_verified_unsafe(verified(&constant("verified_raw", 6))).unwrap();
    }
    unit.alias("alias", (&library, "target"), Visibility::Exported).unwrap();
    unit.alias("hidden_alias", (&library, "target"), Visibility::Hidden).unwrap();
    let signature = Signature::internal(&[], &[Type::I64]);
    let make = move || Ok(module(&constant("later", 7)));
    unit.define_later("later", &TypePool::default(), &signature, make).unwrap();
    let names =
        ["text", "verified", "hidden", "raw", "verified_raw", "alias", "hidden_alias", "later"];
    let found = names.map(|name| call_in(&user, name).unwrap());
    assert_eq!(found, [2, 3, 4, 5, 6, 1, 1, 7]);
    let elsewhere = Engine::new(Config::default()).unwrap().add_library("elsewhere").unwrap();
    let foreign = unit.alias("foreign", (&elsewhere, "f"), Visibility::Exported).unwrap_err();
    assert!(matches!(foreign, NamespaceError::OtherEngine), "{foreign}");
    unit.remove().unwrap();
    for name in names {
        assert!(user.func::<(), u64>(name).is_err(), "{name}");
    }
    assert_eq!(call_in(&user, "target").unwrap(), 1);
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

/// The module that is made comes in where the function is by then.
#[test]
fn what_is_made_later_goes_with_the_key_that_was_handed_on() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let (first, second) = (library.add_tracker().unwrap(), library.add_tracker().unwrap());
    let signature = Signature::internal(&[], &[Type::I64]);
    let make = || Ok(parse_module(&(constant("f", 7) + &constant("g", 8))).unwrap());
    first.define_later("f", &TypePool::default(), &signature, make).unwrap();
    first.transfer_to(&second).unwrap();
    assert_eq!(call_in(&library, "f").unwrap(), 7);
    assert_eq!(call_in(&library, "g").unwrap(), 8);
    second.remove().unwrap();
    for name in ["f", "g"] {
        assert!(library.func::<(), u64>(name).is_err(), "{name}");
    }
}

#[test]
fn who_is_inside_of_what_goes_with_its_key_goes_on() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let tracker = Arc::new(library.add_tracker().unwrap());
    tracker.define(&successor("g", "made")).unwrap();
    let remover = Arc::clone(&tracker);
    library
        .add_generator(&["made"], move |name| {
            remover.remove()?;
            Ok(Some(parse_module(&constant(name, 1)).map_err(|errors| format!("{errors:?}"))?))
        })
        .unwrap();
    let g = library.func::<(), u64>("g").unwrap();
    assert_eq!(g.call(()).unwrap(), 2, "who is inside goes on");
    assert_eq!(stopped_by(g.call(())).0, TrapCode::MissingFunction);
}

#[test]
fn a_key_hands_on_what_came_in_under_it() {
    let engine = engine();
    let library = engine.add_library("library").unwrap();
    let (first, second) = (library.add_tracker().unwrap(), library.add_tracker().unwrap());
    first.define(&constant("f", 1)).unwrap();
    first.transfer_to(&second).unwrap();
    assert!(first.remove().is_err());
    assert_eq!(call_in(&library, "f").unwrap(), 1);
    second.remove().unwrap();
    assert!(library.func::<(), u64>("f").is_err());
    let other = engine.add_library("other").unwrap().add_tracker().unwrap();
    let error = other.transfer_to(&library.add_tracker().unwrap()).unwrap_err().to_string();
    assert_eq!(error, "the tracker belongs to another library");
}
