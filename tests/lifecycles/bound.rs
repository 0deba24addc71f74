//! What names mean in bodies that other code has taken over, and which functions are the host's.

use brolga::ir::trap::TrapCode;
use brolga::{Engine, Library, Reach, Visibility};

use crate::{engine, stopped_by};

/// A function of one number, whose lines are those.
fn function(linkage: &str, name: &str, lines: &str) -> String {
    format!(
        "{linkage} func @{name}(i64) -> i64 inline never {{\nb(%x: i64):\n{lines}\n    \
         return %y\n}}\n"
    )
}

fn adds(linkage: &str, name: &str, number: i64) -> String {
    function(linkage, name, &format!("    %y = add.i64 %x, {number}"))
}

/// A function whose body others take over, and which calls another one.
fn calls(name: &str, callee: &str) -> String {
    let text = function("export", name, &format!("    %y = call @{callee}(%x)"));
    text.replace(" inline never", "")
}

fn imports(callee: &str) -> String {
    format!("import func @{callee}(i64) -> i64\n")
}

fn call(library: &Library, name: &str) -> Result<u64, String> {
    let handle = library.func::<(i64,), i64>(name).unwrap();
    handle.call((5,)).map(i64::cast_unsigned).map_err(|error| error.to_string())
}

fn main_of(engine: &Engine) -> Library {
    engine.library("main").unwrap()
}

/// A function of the host that takes more than code says which calls one of that name.
fn define_other_host(engine: &Engine, name: &str) {
    engine.define_host(name, |_: i64, _: i64, _: i64| -> i64 { 666 }).unwrap();
}

#[test]
fn a_function_of_the_host_is_called_by_its_own_signature_alone() {
    let engine = engine();
    define_other_host(&engine, "h");
    engine.define(&(imports("h") + &calls("f", "h"))).unwrap();
    let f = engine.func::<(i64,), u64>("f").unwrap();
    for _ in 0..2 {
        assert_eq!(stopped_by(f.call((5,))).0, TrapCode::MissingFunction);
    }
    engine
        .load(
            "import func @h(i64, i64, i64) -> i64\nexport func @z() -> i64 {\nb:\n    \
             %x = call @h(1, 2, 3)\n    return %x\n}",
        )
        .unwrap();
    assert_eq!(engine.func::<(), i64>("z").unwrap().call(()).unwrap(), 666);
    assert_eq!(stopped_by(f.call((5,))).0, TrapCode::MissingFunction);
}

/// The caller's module defines one of that name and of another signature.
#[test]
fn a_body_calls_nothing_of_another_signature() {
    let engine = engine();
    engine.define(&(imports("h") + &calls("g", "h"))).unwrap();
    let other = "export func @h(fn() -> i64) -> i64 {\nb(%f: fn() -> i64):\n    \
                 %x = call_indirect.fn() -> i64 %f()\n    return %x\n}";
    engine.define(&(imports("g") + &calls("f", "g") + other)).unwrap();
    for name in ["g", "f"] {
        let handle = engine.func::<(i64,), u64>(name).unwrap();
        assert_eq!(stopped_by(handle.call((5,))).0, TrapCode::MissingFunction, "{name}");
    }
}

#[test]
fn a_local_function_is_none_of_the_hosts() {
    for is_linked in [false, true] {
        let engine = engine();
        define_other_host(&engine, "h");
        if is_linked {
            engine
                .load(
                    "import func @h(i64, i64, i64) -> i64\nexport func @z() -> i64 {\nb:\n    \
                     %x = call @h(1, 2, 3)\n    return %x\n}",
                )
                .unwrap();
        }
        let own = adds("local", "h", 1) + &calls("k", "h").replace("export", "local");
        engine.define(&(own + &calls("f", "k") + &calls("g", "h"))).unwrap();
        engine.define(&(imports("g") + &calls("other", "g"))).unwrap();
        for name in ["g", "f", "other", "g"] {
            assert_eq!(call(&main_of(&engine), name), Ok(6), "{name}, {is_linked}");
        }
    }
}

/// What it is called there, where a function of the host has its name, is another one's.
#[test]
fn a_name_that_was_made_up_is_none_of_the_hosts() {
    let engine = engine();
    let [base, user] = ["base", "user"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    define_other_host(&engine, "h.1");
    base.define(&adds("export", "h", 1)).unwrap();
    base.define(&(imports("h") + &calls("g", "h"))).unwrap();
    user.define(&(adds("export", "h", 100) + &imports("g") + &calls("f", "g"))).unwrap();
    assert_eq!(call(&user, "f"), Ok(6));
    assert_eq!((call(&base, "h"), call(&base, "g")), (Ok(6), Ok(6)));
    base.define(&adds("export", "h", 2)).unwrap();
    assert_eq!(call(&user, "f"), Ok(7));
}

/// `b` takes over `d`, whose callee comes from another library by then.
#[test]
fn a_chain_of_bodies_leads_through_linked_libraries() {
    let engine = engine();
    let (main, other) = (main_of(&engine), engine.add_library("other").unwrap());
    main.define(&(imports("e") + &calls("d", "e"))).unwrap();
    other.define(&adds("export", "e", 7).replace(" inline never", "")).unwrap();
    main.link_to(&other, Reach::Exports).unwrap();
    main.define(&(imports("d") + &calls("b", "d"))).unwrap();
    assert_eq!(call(&main, "b"), Ok(12));
}

/// A body that reads at an offset, of a library that declares the object as so large.
fn reads(size: u32) -> String {
    format!(
        "import data @d size {size}\nexport func @g(i64) -> i64 {{\nb(%o: i64):\n    \
         %x = data_load.i64 @d, %o\n    return %x\n}}"
    )
}

/// Whatever has been compiled by then.
#[test]
fn a_function_of_the_host_is_found_by_name_before_any_code_names_it() {
    let engine = engine();
    engine.define_host("h", |x: i64| x * 2).unwrap();
    let other = engine.add_library("other").unwrap();
    assert_eq!((call(&other, "h"), call(&main_of(&engine), "h")), (Ok(10), Ok(10)));
}

/// What owns the data and is all that does.
fn owner(data: &str) -> String {
    format!("{data}\nexport func @owner() -> i64 {{\nb:\n    return 0\n}}")
}

#[test]
fn a_body_accesses_data_as_its_own_module_declares_them_or_not_at_all() {
    for (data, is_user) in [
        ("data @d = { i64 1 }", false),
        ("data @d = { i64 1 }", true),
        ("data @d thread_local = { zero 50000 }", true),
    ] {
        let engine = engine();
        let [base, user] = ["base", "user"].map(|name| engine.add_library(name).unwrap());
        user.link_to(&base, Reach::Exports).unwrap();
        let unit = base.add_tracker().unwrap();
        unit.define(&owner("data @d = { zero 50000 }")).unwrap();
        base.define(&reads(50_000)).unwrap();
        unit.remove().unwrap();
        base.define(&owner(data)).unwrap();
        let from = if is_user { &user } else { &base };
        from.define(&(imports("g") + &calls("f", "g"))).unwrap();
        for (library, name) in [(&base, "g"), (from, "f")] {
            let handle = library.func::<(i64,), u64>(name).unwrap();
            let (code, detail) = stopped_by(handle.call((40_000,)));
            assert_eq!(code, TrapCode::RefusedFunction, "{data}, {name}");
            assert!(detail.contains("@d"), "{detail}");
        }
    }
}

/// The callee's object is gone by then, which stops it alone.
#[test]
fn what_stops_a_callee_of_the_same_module_does_not_stop_its_caller() {
    let engine = engine();
    let unit = main_of(&engine).add_tracker().unwrap();
    unit.define(&owner("data @d = { zero 8 }")).unwrap();
    let f = "export func @f(i64) -> i64 {\nb(%x: i64):\n    %c = icmp.i64 eq %x, 5\n    \
             branch %c, small, large\nsmall:\n    return 1\nlarge:\n    %y = call @g(%x)\n    \
             return %y\n}";
    engine.define(&format!("{}\n{f}", reads(8))).unwrap();
    unit.remove().unwrap();
    engine.collect();
    assert_eq!(call(&main_of(&engine), "f"), Ok(1));
}

/// Nothing that imports it has come in when data hold its address.
#[test]
fn a_function_of_the_host_is_linked_when_it_is_called_by_an_address_in_data() {
    let engine = engine();
    engine.define_host("h", |x: i64| x * 2).unwrap();
    let text = "import func @h(i64) -> i64\nlocal data @t = { ptr @h }\n\
                export func @f(i64) -> i64 {\nb(%x: i64):\n    %a = data_addr @t\n    \
                %p = load.ptr %a\n    %g = ptr_to_function.fn(i64) -> i64 %p\n    \
                %y = call_indirect.fn(i64) -> i64 %g(%x)\n    return %y\n}";
    // SAFETY: the object holds the address of a function of that signature.
    unsafe { engine.define_unsafe(text).unwrap() };
    assert_eq!(call(&main_of(&engine), "f"), Ok(10));
}

/// Both libraries' code has been linked by then.
#[test]
fn a_function_of_the_host_that_comes_late_is_found_by_bodies_of_all_libraries() {
    let engine = engine();
    let [base, user] = ["base", "user"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&(imports("h") + &calls("g", "h"))).unwrap();
    user.define(&(imports("g") + &calls("f", "g"))).unwrap();
    assert!(call(&user, "f").is_err());
    engine.define_host("h", |x: i64| x * 2).unwrap();
    assert_eq!((call(&user, "f"), call(&base, "g")), (Ok(10), Ok(10)));
}

#[test]
fn a_function_of_the_host_stays_whether_or_not_anything_has_had_it_linked() {
    let engine = engine();
    engine.define_host("h", |x: i64| x * 2).unwrap();
    let main = main_of(&engine);
    for _ in 0..2 {
        let errors = [
            engine.remove("h").unwrap_err().to_string(),
            main.clear().unwrap_err().to_string(),
            main.define(&adds("export", "h", 1)).unwrap_err().to_string(),
        ];
        assert!(errors[0].contains("`@h` was loaded"), "{errors:?}");
        assert!(errors[1].contains("`@h` was loaded or is the host's"), "{errors:?}");
        assert!(errors[2].contains("`@h`"), "{errors:?}");
        assert_eq!(call(&main, "h"), Ok(10));
    }
}

#[test]
fn a_function_of_the_host_has_other_names_before_anything_has_had_it_linked() {
    let engine = engine();
    engine.define_host("h", |x: i64| x * 2).unwrap();
    let (main, other) = (main_of(&engine), engine.add_library("other").unwrap());
    other.alias("double", (&main, "h"), Visibility::Exported).unwrap();
    assert_eq!(call(&other, "double"), Ok(10));
}
