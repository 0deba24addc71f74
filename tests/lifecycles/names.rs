//! What names mean when functions go, and who keeps what goes.

use brolga::ir::trap::TrapCode;
use brolga::{Engine, LoadError};

use crate::{call, constant, engine, in_use, stopped_by, successor};

/// Numbers are given again: names must not lead to who has them next.
#[test]
fn what_nobody_has_called_is_removed_with_its_name() {
    let engine = engine();
    for round in 0..40 {
        engine.define(&constant("f", 1)).unwrap();
        engine.remove("f").unwrap();
        engine.collect();
        engine.define(&constant("g", round)).unwrap();
        assert!(engine.func::<(), u64>("f").is_err());
        engine.define("export func @g(i64) -> i64 {\nb(%x: i64):\n    return %x\n}").unwrap();
        engine.collect();
        engine.define(&constant("h", round)).unwrap();
        engine.define(&constant("g", 7)).unwrap();
        assert_eq!(call(&engine, "h").unwrap(), round);
        assert_eq!(call(&engine, "g").unwrap(), 7);
        engine.remove("g").unwrap();
        engine.remove("h").unwrap();
    }
}

#[test]
fn what_is_defined_again_before_it_is_freed_stays() {
    let engine = engine();
    for round in 0..100 {
        engine.define(&constant("f", round)).unwrap();
        assert_eq!(call(&engine, "f").unwrap(), round);
        engine.remove("f").unwrap();
        engine.define(&constant("f", round + 1)).unwrap();
        engine.collect();
        assert_eq!(call(&engine, "f").unwrap(), round + 1);
        engine.collect();
        assert_eq!(call(&engine, "f").unwrap(), round + 1);
    }
}

/// A function of a module is called before and behind the removal of another one of it.
#[test]
fn functions_of_a_module_call_what_their_names_mean_by_now() {
    let engine = engine();
    let text = constant("f", 1)
        + &successor("g", "f").replace("import func @f() -> i64\n", "")
        + &successor("h", "f").replace("import func @f() -> i64\n", "");
    engine.define(&text).unwrap();
    engine.remove("f").unwrap();
    engine.collect();
    engine.define("export func @other(f64) -> f64 {\nb(%x: f64):\n    return %x\n}").unwrap();
    assert_eq!(stopped_by(call(&engine, "g")).0, TrapCode::MissingFunction);
    engine.define(&constant("f", 5)).unwrap();
    assert_eq!((call(&engine, "g").unwrap(), call(&engine, "h").unwrap()), (6, 6));
    engine.define("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}").unwrap();
    assert!(stopped_by(call(&engine, "g")).1.contains("is defined as fn(i64) -> i64"));
}

/// The module that calls it is compiled after the function is there no more as it was.
#[test]
fn functions_of_a_module_are_stopped_by_a_signature_that_has_changed_before_they_are_called() {
    let engine = engine();
    let text = constant("f", 1) + &successor("g", "f").replace("import func @f() -> i64\n", "");
    engine.define(&text).unwrap();
    engine.define("export func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}").unwrap();
    engine.collect();
    let (code, detail) = stopped_by(call(&engine, "g"));
    assert_eq!(code, TrapCode::MissingFunction);
    assert!(detail.contains("`@f` is called as fn() -> i64, and is defined as fn(i64) -> i64"));
    engine.define(&constant("f", 8)).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 9);
}

/// The function comes back under its name and its number, which was free in between, with another
/// signature.
#[test]
fn functions_of_a_module_are_stopped_by_a_signature_that_came_with_their_old_number() {
    for was_called in [false, true] {
        let engine = engine();
        let text = constant("f", 1) + &successor("g", "f").replace("import func @f() -> i64\n", "");
        engine.define(&text).unwrap();
        if was_called {
            assert_eq!(call(&engine, "g").unwrap(), 2);
        }
        engine.remove("f").unwrap();
        engine.collect();
        engine.define(&identity("f")).unwrap();
        let (code, detail) = stopped_by(call(&engine, "g"));
        assert_eq!(code, TrapCode::MissingFunction);
        assert!(detail.contains("`@f` is called as fn() -> i64, and is defined as fn(i64) -> i64"));
        engine.define(&constant("f", 8)).unwrap();
        assert_eq!(call(&engine, "g").unwrap(), 9);
    }
}

#[test]
fn what_loaded_code_names_stays_for_it() {
    let engine = engine();
    engine.define(&constant("f", 1)).unwrap();
    // Nobody has called it yet.
    engine.load(&successor("g", "f")).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 2);
    for round in 0..40 {
        engine.remove("f").unwrap();
        engine.collect();
        engine.define(&constant("filler", round)).unwrap();
        assert_eq!(call(&engine, "filler").unwrap(), round);
        assert_eq!(stopped_by(call(&engine, "g")).0, TrapCode::MissingFunction);
        engine.define(&constant("f", round)).unwrap();
        assert_eq!(call(&engine, "g").unwrap(), round + 1);
    }
}

#[test]
fn data_that_loaded_code_names_stay_for_it() {
    let engine = engine();
    engine
        .define(
            "data @shared = { i64 7 }\nexport func @f() -> i64 {\nb:\n    \
             %x = data_load.i64 @shared, 0\n    return %x\n}",
        )
        .unwrap();
    engine
        .load(
            "import data @shared size 8\nexport func @g() -> i64 {\nb:\n    \
             %x = data_load.i64 @shared, 0\n    return %x\n}",
        )
        .unwrap();
    engine.remove("f").unwrap();
    engine.collect();
    engine
        .define("data @filler = { i64 9 }\nexport func @h() -> i64 {\nb:\n    return 0\n}")
        .unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 7);
}

#[test]
fn what_is_loaded_in_the_place_of_a_missing_function_stays() {
    let engine = engine();
    engine.define(&successor("g", "f")).unwrap();
    assert_eq!(stopped_by(call(&engine, "g")).0, TrapCode::MissingFunction);
    engine.load(&constant("f", 3)).unwrap();
    assert_eq!(call(&engine, "g").unwrap(), 4);
    engine.remove("g").unwrap();
    engine.collect();
    engine.define(&constant("filler", 1)).unwrap();
    assert_eq!(call(&engine, "filler").unwrap(), 1);
    assert_eq!(call(&engine, "f").unwrap(), 3);
}

fn identity(name: &str) -> String {
    format!("export func @{name}(i64) -> i64 {{\nb(%x: i64):\n    return %x\n}}")
}

/// It names it by another signature than that which comes in, where it may be any of these.
#[test]
fn what_code_has_named_that_was_not_loaded_stands_in_nobodys_way() {
    let uses: [fn(&Engine); 4] = [
        |engine| engine.load(&constant("g", 3)).unwrap(),
        |engine| engine.define_host("g", || 1_u64).unwrap(),
        |engine| engine.define(&format!("data @g = {{ i64 1 }}\n{}", constant("h", 1))).unwrap(),
        |engine| engine.load(&successor("h", "g")).unwrap(),
    ];
    for is_gone in [false, true] {
        for come_in in uses {
            let engine = engine();
            let text = "import func @g(i64) -> i64\nexport func @f() -> i64 {\nb:\n    \
                        %x = call @g(1)\n    return %x\n}";
            engine.define(text).unwrap();
            assert_eq!(stopped_by(call(&engine, "f")).0, TrapCode::MissingFunction);
            if is_gone {
                engine.define(&constant("f", 3)).unwrap();
            }
            come_in(&engine);
            assert_eq!(call(&engine, "f").is_ok(), is_gone);
        }
    }
}

/// The data are gone by then. The function has never been there, and could come by any
/// signature.
#[test]
fn what_refused_code_alone_has_named_may_be_loaded_as_anything() {
    let engine = engine();
    let text = "export data @gone = { i64 1 }\nexport func @owner() -> i64 {\nb:\n    return 0\n}";
    engine.define(text).unwrap();
    let text = "import func @other() -> i64\nimport data @gone size 8\n\
                export func @f() -> i64 {\nb:\n    %x = data_load.i64 @gone, 0\n    \
                %y = call @other()\n    %z = add.i64 %x, %y\n    return %z\n}";
    engine.define(text).unwrap();
    engine.remove("owner").unwrap();
    engine.collect();
    let (code, detail) = stopped_by(call(&engine, "f"));
    assert_eq!(code, TrapCode::RefusedFunction);
    assert!(detail.contains("@gone"), "{detail}");
    engine.load(&identity("other")).unwrap();
}

/// There is no room for the data, which hold the function's address.
#[test]
fn what_refused_data_alone_have_named_may_be_loaded_as_anything() {
    let engine = engine();
    let before = in_use(&engine);
    let text = "import func @other() -> i64\n\
                export data @table = { ptr @other, zero 2000000000 }\n\
                export func @f() -> i64 {\nb:\n    return 0\n}";
    for _ in 0..100 {
        let error = engine.define(text).unwrap_err();
        assert!(matches!(error, LoadError::Memory(_)), "{error:?}");
    }
    engine.collect();
    assert_eq!(in_use(&engine), before);
    engine.load(&identity("other")).unwrap();
}
