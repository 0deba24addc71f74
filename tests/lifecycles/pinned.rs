//! Handles that go on to call one version.

use brolga::ir::datum::Datum;
use brolga::ir::trap::TrapCode;
use brolga::{Reach, ResolveError, Tier};

use super::tiers::{SUCCESSOR, adaptive, made, wait_for};
use crate::{constant, engine, in_use, successor};

#[test]
fn a_pinned_version_is_called_whatever_the_name_means_later() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    let function = engine.func::<(), u64>("f").unwrap();
    let (first, dynamic) = (function.pin().unwrap(), engine.function("f").unwrap());
    let generic = dynamic.pin().unwrap();
    engine.define(&constant("f", 2)).unwrap();
    engine.collect();
    let second = function.pin().unwrap();
    engine.define(&constant("f", 3)).unwrap();
    engine.collect();
    assert_eq!(function.call(()).unwrap(), 3);
    assert_eq!(dynamic.call(&[]).unwrap(), [Datum::Scalar(3)]);
    assert_eq!((first.call(()).unwrap(), second.call(()).unwrap()), (1, 2));
    assert_eq!(generic.call(&[]).unwrap(), [Datum::Scalar(1)]);
    engine.remove("f").unwrap();
    engine.collect();
    assert_eq!((first.call(()).unwrap(), second.clone().call(()).unwrap()), (1, 2));
    assert!(function.call(()).is_err());
    assert!(matches!(function.pin(), Err(ResolveError::Missing { .. })));
}

#[test]
fn a_pinned_version_is_freed_behind_its_last_handle() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    let function = engine.func::<(), u64>("f").unwrap();
    assert_eq!(function.call(()).unwrap(), 1);
    let before = in_use(&engine);
    let pinned = function.pin().unwrap();
    engine.define(&constant("f", 2)).unwrap();
    assert_eq!(function.call(()).unwrap(), 2);
    engine.collect();
    let both = in_use(&engine);
    assert!(both[0] > before[0], "{both:?} {before:?}");
    let other = pinned.clone();
    drop(pinned);
    engine.collect();
    assert_eq!(in_use(&engine), both);
    drop(other);
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

/// A function that calls itself so often, but not in its last place.
fn steps(name: &str) -> String {
    format!(
        "export func @{name}(i64) -> i64 inline never {{\nb(%n: i64):\n    %c = icmp.i64 eq %n, 0\n    \
         branch %c, out, on\non:\n    %m = sub.i64 %n, 1\n    %x = call @{name}(%m)\n    \
         %y = add.i64 %x, 1\n    return %y\nout:\n    return 0\n}}\n"
    )
}

#[test]
fn a_pinned_version_that_calls_itself_calls_nobody_who_came_later() {
    let engine = engine();
    let [user, base] = ["user", "base"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&steps("f")).unwrap();
    let pinned = user.func::<(i64,), i64>("f").unwrap().pin().unwrap();
    assert_eq!(pinned.call((5,)).unwrap(), 5);
    base.remove("f").unwrap();
    engine.collect();
    for number in 0..20 {
        let name = format!("g{number}");
        let other =
            format!("export func @{name}(i64) -> i64 {{\nb(%n: i64):\n    return 1000\n}}\n");
        engine.define(&other).unwrap();
        assert_eq!(engine.func::<(i64,), i64>(&name).unwrap().call((1,)).unwrap(), 1000);
        assert_eq!(pinned.call((0,)).unwrap(), 0);
        let stopped = pinned.call((5,)).unwrap_err();
        assert_eq!(stopped.trap().unwrap().code, TrapCode::MissingFunction);
    }
}

#[test]
fn functions_that_call_themselves_leave_nothing() {
    let engine = engine();
    let round = || {
        engine.define(&steps("f")).unwrap();
        assert_eq!(engine.func::<(i64,), i64>("f").unwrap().call((3,)).unwrap(), 3);
        engine.define(&steps("f")).unwrap();
        assert_eq!(engine.func::<(i64,), i64>("f").unwrap().call((4,)).unwrap(), 4);
        engine.remove("f").unwrap();
        engine.collect();
    };
    round();
    let before = in_use(&engine);
    (0..10).for_each(|_| round());
    assert_eq!(in_use(&engine), before);
}

#[test]
fn what_a_pinned_version_calls_is_found_by_name_and_what_it_took_over_is_its_own() {
    let apart = |number: u64| constant("g", number).replace("i64 {", "i64 inline never {");
    for (called, taken) in [(6, false), (2, true)] {
        let engine = engine();
        engine.define(&if taken { constant("g", 1) } else { apart(1) }).unwrap();
        engine.define(&successor("f", "g")).unwrap();
        let pinned = engine.func::<(), u64>("f").unwrap().pin().unwrap();
        engine.define(&constant("f", 9)).unwrap();
        engine.define(&if taken { constant("g", 5) } else { apart(5) }).unwrap();
        engine.collect();
        assert_eq!(pinned.call(()).unwrap(), called);
    }
}

#[test]
fn a_pinned_version_stays_while_its_function_is_compiled_better() {
    let engine = adaptive(3, 3, 1);
    engine.define(SUCCESSOR).unwrap();
    let function = engine.func::<(i64,), i64>("f").unwrap();
    let pinned = function.pin().unwrap();
    wait_for(|| {
        assert_eq!(function.call((1,)).unwrap(), 2);
        engine.collect();
        assert_eq!(pinned.call((2,)).unwrap(), 3);
        engine.ledger().iter().any(|record| record.tier == Tier::Hot)
    });
    assert!(made(&engine).0 > 0);
    engine.define(&SUCCESSOR.replace("add.i64 %x, 1", "add.i64 %x, 10")).unwrap();
    engine.collect();
    assert_eq!((function.call((1,)).unwrap(), pinned.call((1,)).unwrap()), (11, 2));
}

#[test]
fn what_a_pinned_version_wants_to_be_its_function_s_next_definition_does_not_become() {
    let engine = adaptive(10, 20, 0);
    engine.define(SUCCESSOR).unwrap();
    let function = engine.func::<(i64,), i64>("f").unwrap();
    let pinned = function.pin().unwrap();
    engine.define(&SUCCESSOR.replace("add.i64 %x, 1", "add.i64 %x, 10")).unwrap();
    let tier = || engine.ledger().iter().map(|record| record.tier).collect::<Vec<_>>();
    while tier() != [Tier::Hot] {
        assert_eq!(function.call((1,)).unwrap(), 11);
    }
    let before = engine.stats();
    for _ in 0..1000 {
        assert_eq!(pinned.call((1,)).unwrap(), 2);
    }
    assert_eq!((tier(), engine.stats()), (vec![Tier::Hot], before));
}

#[test]
fn a_changed_signature_and_code_that_cannot_be_made_are_told() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    let function = engine.func::<(), u64>("f").unwrap();
    let pinned = function.pin().unwrap();
    engine.define("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}\n").unwrap();
    let error = function.pin().unwrap_err().to_string();
    assert_eq!(error, "`@f` is fn(i64) -> i64 by now, and was fn() -> i64; get a new handle");
    assert_eq!(pinned.call(()).unwrap(), 1);
    engine.define("export func @g() -> i64 {\nb:\n    %x = add.i64 1, 2\n    jump b\n}\n").unwrap();
    let refused = engine.func::<(), u64>("g").unwrap().pin();
    assert!(matches!(refused, Err(ResolveError::Refused { .. })));
}
