//! Bodies that code has taken over of functions of other modules and libraries.

use brolga::ir::report::FrameKind;
use brolga::ir::trap::TrapCode;
use brolga::{CallError, Engine, Function, Library, Reach, Visibility};

use crate::{constant, engine, in_use, successor};

/// A function that gives a number as long as it gets another one than 0, and stops otherwise.
fn picky(name: &str, number: u64) -> String {
    format!(
        "export func @{name}(i64) -> i64 {{\nb(%x: i64):\n    %y = sdiv.i64 {number}, %x\n    \
         %z = mul.i64 %x, %y\n    return %z\n}}\n"
    )
}

/// A function that hands its argument on.
fn caller(name: &str, of: &str) -> String {
    format!(
        "import func @{of}(i64) -> i64\nexport func @{name}(i64) -> i64 {{\nb(%x: i64):\n    \
         %y = call @{of}(%x)\n    return %y\n}}\n"
    )
}

type Handle = Function<(i64,), i64>;

/// The functions that a call was stopped in, the innermost first, and whether each was inlined.
fn stopped_in(handle: &Handle) -> Vec<(String, bool)> {
    let Err(CallError::Trap(trap)) = handle.call((0,)) else { panic!("not stopped") };
    assert_eq!(trap.code, TrapCode::DivisionByZero);
    let is_inlined = |kind| matches!(kind, FrameKind::Inlined);
    trap.frames.iter().map(|frame| (frame.function.to_string(), is_inlined(frame.kind))).collect()
}

fn inlined(names: &[&str]) -> Vec<(String, bool)> {
    let last = names.len() - 1;
    let names = names.iter().enumerate();
    names.map(|(index, &name)| (name.to_owned(), index != last)).collect()
}

fn three(engine: &Engine) -> [Library; 3] {
    ["user", "base", "other"].map(|name| engine.add_library(name).unwrap())
}

#[test]
fn code_takes_over_the_body_of_a_function_of_another_module_and_loses_it_with_that() {
    let engine = engine();
    engine.define(&picky("g", 6)).unwrap();
    engine.define(&caller("f", "g")).unwrap();
    let f: Handle = engine.func("f").unwrap();
    assert_eq!(f.call((2,)).unwrap(), 6);
    assert_eq!(stopped_in(&f), inlined(&["g", "f"]));
    engine.define(&picky("g", 8)).unwrap();
    assert_eq!(f.call((2,)).unwrap(), 8);
    engine.remove("g").unwrap();
    assert!(f.call((2,)).is_err());
    engine.define(&picky("g", 10)).unwrap();
    assert_eq!(f.call((2,)).unwrap(), 10);
    assert_eq!(
        stopped_in(&f),
        vec![("g".into(), false), ("f".into(), false)],
        "it was compiled when there was none"
    );
    engine.define(&caller("f", "g")).unwrap();
    assert_eq!(stopped_in(&f), inlined(&["g", "f"]));
}

#[test]
fn code_takes_over_bodies_that_have_taken_over_others_module_by_module() {
    let engine = engine();
    engine.define(&picky("a", 6)).unwrap();
    engine.define(&caller("b", "a")).unwrap();
    engine.define(&caller("c", "b")).unwrap();
    let c: Handle = engine.func("c").unwrap();
    assert_eq!(stopped_in(&c), inlined(&["a", "b", "c"]));
    engine.define(&picky("a", 9)).unwrap();
    assert_eq!(c.call((3,)).unwrap(), 9);
    engine.define(&picky("b", 4)).unwrap();
    assert_eq!(c.call((2,)).unwrap(), 4);
    assert_eq!(stopped_in(&c), inlined(&["b", "c"]));
}

#[test]
fn a_function_that_was_defined_anew_in_a_module_of_its_own_is_taken_over_from_there() {
    let engine = engine();
    engine
        .define(&format!("{}{}", picky("g", 6), caller("f", "g").split_once('\n').unwrap().1))
        .unwrap();
    let f: Handle = engine.func("f").unwrap();
    assert_eq!((f.call((1,)).unwrap(), stopped_in(&f)), (6, inlined(&["g", "f"])));
    engine.define(&picky("g", 8)).unwrap();
    assert_eq!((f.call((1,)).unwrap(), stopped_in(&f)), (8, inlined(&["g", "f"])));
}

#[test]
fn bodies_come_from_other_libraries_by_the_names_that_they_have_here() {
    let engine = engine();
    let [user, base, other] = three(&engine);
    base.define(&picky("g", 6)).unwrap();
    other.define(&picky("g", 7)).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    user.alias("of_other", (&other, "g"), Visibility::Exported).unwrap();
    user.define(&caller("f", "g")).unwrap();
    user.define(&caller("h", "of_other")).unwrap();
    user.define(
        "import func @g(i64) -> i64\nimport func @of_other(i64) -> i64
         export func @both(i64) -> i64 {
         b(%x: i64):
             %y = call @g(%x)
             %z = call @of_other(%x)
             %s = mul.i64 %y, 100
             %t = add.i64 %s, %z
             return %t
         }",
    )
    .unwrap();
    let [f, h, both]: [Handle; 3] = ["f", "h", "both"].map(|name| user.func(name).unwrap());
    assert_eq!((f.call((1,)).unwrap(), stopped_in(&f)), (6, inlined(&["g", "f"])));
    assert_eq!((h.call((1,)).unwrap(), stopped_in(&h)), (7, inlined(&["of_other", "h"])));
    assert_eq!(both.call((1,)).unwrap(), 607);
    other.define(&picky("g", 9)).unwrap();
    assert_eq!((f.call((1,)).unwrap(), h.call((1,)).unwrap()), (6, 9));
    assert_eq!(both.call((1,)).unwrap(), 609);
}

#[test]
fn a_body_whose_names_mean_something_else_here_is_called() {
    let engine = engine();
    let [user, base, other] = three(&engine);
    for (library, value) in [(&base, 1), (&other, 2)] {
        library.define(&constant("k", value)).unwrap();
        library.define(&format!("data @d = {{ i64 {value} }}\n{}", constant("unused", 1))).unwrap();
    }
    base.define(&successor("by_function", "k")).unwrap();
    base.define(
        "import data @d size 8\nexport func @by_data() -> i64 {
         b:
             %x = data_load.i64 @d, 0
             return %x
         }",
    )
    .unwrap();
    user.link_to(&other, Reach::Exports).unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    for (name, of, expected) in [("f", "by_function", 3), ("g", "by_data", 2)] {
        user.define(&successor(name, of)).unwrap();
        assert_eq!(user.func::<(), u64>(name).unwrap().call(()).unwrap(), expected, "{name}");
    }
    // A name that the module alone knows is as good as none.
    user.define(
        &(successor("h", "by_function") + "local func @k() -> i64 {\nb:\n    return 50\n}"),
    )
    .unwrap();
    assert_eq!(user.func::<(), u64>("h").unwrap().call(()).unwrap(), 3);
}

#[test]
fn what_a_body_names_that_its_new_home_does_not_declare_is_found() {
    let engine = engine();
    engine.define_host("host", || 40u64).unwrap();
    engine.define(&format!("data @d = {{ i64 7 }}\n{}", constant("unused", 1))).unwrap();
    engine
        .define(
            "import func @host() -> i64\nimport data @d size 8\nimport func @later() -> i64
         export func @g() -> i64 {
         b:
             %x = call @host()
             %y = data_load.i64 @d, 0
             %z = call @later()
             %s = add.i64 %x, %y
             %t = add.i64 %s, %z
             return %t
         }",
        )
        .unwrap();
    engine.define(&constant("later", 100)).unwrap();
    engine.define(&successor("f", "g")).unwrap();
    let f = engine.func::<(), u64>("f").unwrap();
    assert_eq!(f.call(()).unwrap(), 148);
    engine.define(&constant("later", 200)).unwrap();
    assert_eq!(f.call(()).unwrap(), 248);
}

#[test]
fn functions_of_two_modules_that_call_each_other_are_compiled() {
    let engine = engine();
    let text = |name: &str, of: &str| {
        format!(
            "import func @{of}(i64) -> i64\nexport func @{name}(i64) -> i64 {{\nb(%x: i64):\n    \
             %is = icmp.i64 sgt %x, 0\n    branch %is, more, end\nmore:\n    \
             %y = sub.i64 %x, 1\n    %r = call @{of}(%y)\n    %s = add.i64 %r, 1\n    return %s\n\
             end:\n    return 0\n}}\n"
        )
    };
    engine.define(&text("even", "odd")).unwrap();
    engine.define(&text("odd", "even")).unwrap();
    let even: Handle = engine.func("even").unwrap();
    assert_eq!(even.call((1000,)).unwrap(), 1000);
}

#[test]
fn a_long_chain_of_small_functions_of_their_own_modules_is_compiled_bit_by_bit() {
    let engine = engine();
    let count = 300;
    engine.define(&constant("f0", 0)).unwrap();
    for index in 1..=count {
        let (name, of) = (format!("f{index}"), format!("f{}", index - 1));
        engine.define(&successor(&name, &of)).unwrap();
    }
    let last = engine.func::<(), u64>(&format!("f{count}")).unwrap();
    assert_eq!(last.call(()).unwrap(), count);
    engine.define(&constant("f0", 1000)).unwrap();
    assert_eq!(last.call(()).unwrap(), 1000 + count);
}

/// A function that calls one and reads data that its module alone has.
fn with_own(name: &str, number: u64) -> String {
    format!(
        "local data @own = {{ i64 {number} }}\n\
         local func @helper(i64) -> i64 {{\nb(%x: i64):\n    %is = icmp.i64 sgt %x, 0\n    \
         branch %is, more, end\nmore:\n    %y = sub.i64 %x, 1\n    %r = call @helper(%y)\n    \
         %s = add.i64 %r, 1\n    return %s\nend:\n    return 0\n}}\n\
         export func @{name}() -> i64 {{\nb:\n    %x = data_load.i64 @own, 0\n    \
         %y = call @helper(5)\n    %z = add.i64 %x, %y\n    return %z\n}}\n"
    )
}

#[test]
fn a_body_takes_along_what_its_module_alone_has_as_long_as_it_is_there() {
    let engine = engine();
    engine.define(&constant("first", 1)).unwrap();
    assert_eq!(engine.func::<(), u64>("first").unwrap().call(()).unwrap(), 1);
    engine.collect();
    let before = in_use(&engine);
    let [user, base, _] = three(&engine);
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(&with_own("g", 100)).unwrap();
    let own = "local data @own = { i64 7 }\nlocal func @helper() -> i64 {\nb:\n    \
               %x = data_load.i64 @own, 0\n    return %x\n}\n\
               export func @h() -> i64 {\nb:\n    %x = call @helper()\n    \
               %y = call @g()\n    %z = add.i64 %x, %y\n    return %z\n}\n";
    user.define(&format!("import func @g() -> i64\n{own}")).unwrap();
    let h = user.func::<(), u64>("h").unwrap();
    assert_eq!(h.call(()).unwrap(), 112);
    for number in 0..50 {
        base.define(&with_own("g", number)).unwrap();
        assert_eq!(h.call(()).unwrap(), 12 + number);
    }
    base.remove("g").unwrap();
    assert!(h.call(()).is_err());
    drop(h);
    user.clear().unwrap();
    engine.collect();
    assert_eq!(in_use(&engine), before);
}

#[test]
fn a_body_from_another_text_is_shown_there() {
    let engine = engine();
    let mut module = brolga::ir::text::parse_module(&picky("g", 6)).unwrap();
    module.name = "picky.bir".into();
    engine.define_module(module).unwrap();
    engine.define(&caller("f", "g")).unwrap();
    let f: Handle = engine.func("f").unwrap();
    let error = f.call((0,)).unwrap_err();
    let frame = &error.trap().unwrap().frames[0];
    assert_eq!((frame.function.as_ref(), frame.file.as_deref()), ("g", Some("picky.bir")));
    assert_eq!(frame.line, 3);
}

#[test]
fn a_local_function_that_one_call_alone_names_is_taken_over_though_it_is_large() {
    // Products that depend on each other: more than is taken over where anybody else calls it.
    let steps = |index: u32| {
        let last = if index == 0 { "x".to_owned() } else { format!("z{}", index - 1) };
        format!("    %y{index} = mul.i64 %{last}, %x\n    %z{index} = xor.i64 %y{index}, {index}\n")
    };
    let body: String = (0..60).map(steps).collect();
    let large =
        format!("local func @large(i64) -> i64 {{\nb(%x: i64):\n{body}    return %z59\n}}\n");
    let call = |name: &str| {
        format!(
            "export func @{name}(i64) -> i64 {{\nb(%x: i64):\n    %y = call @large(%x)\n    \
             return %y\n}}\n"
        )
    };
    let made = |text: &str| {
        let engine = engine();
        engine.define(text).unwrap();
        let f: Handle = engine.func("f").unwrap();
        f.call((3,)).unwrap();
        engine.ledger().len()
    };
    assert_eq!(made(&(large.clone() + &call("f"))), 1, "its own code is not called");
    assert_eq!(made(&(large + &call("f") + &call("g"))), 2);
}

/// A module that stores to a data object of eight bytes that it imports, and one that loads it.
fn setter_and_getter(data: &str) -> [String; 2] {
    [
        format!(
            "import data @{data} size 8\nexport func @set(i64) -> i64 {{\nb(%x: i64):\n    \
             data_store.i64 %x, @{data}, 0\n    return %x\n}}\n"
        ),
        format!(
            "import data @{data} size 8\nexport func @get() -> i64 {{\nb:\n    \
             %x = data_load.i64 @{data}, 0\n    return %x\n}}\n"
        ),
    ]
}

/// Sets two numbers and gives what it got behind each.
const SETS_TWICE: &str = "import func @set(i64) -> i64\nimport func @get() -> i64\n\
    export func @f() -> i64 {\nb:\n    %a = call @set(1)\n    %b = call @get()\n    \
    %c = call @set(20)\n    %d = call @get()\n    %e = add.i64 %b, %d\n    return %e\n}";

#[test]
fn an_object_that_two_bodies_name_is_one_to_who_takes_both_over() {
    let engine = engine();
    let [user, base, _] = three(&engine);
    base.define("data @d = { i64 7 }\nexport func @owner() -> i64 {\nb:\n    return 0\n}").unwrap();
    for text in setter_and_getter("d") {
        base.define(&text).unwrap();
    }
    user.link_to(&base, Reach::Exports).unwrap();
    user.define(SETS_TWICE).unwrap();
    assert_eq!(user.func::<(), i64>("f").unwrap().call(()).unwrap(), 21);
}

#[test]
fn an_object_of_two_names_is_one_to_code_that_uses_both() {
    let engine = engine();
    let [user, base, _] = three(&engine);
    base.define("data @d = { i64 7 }\nexport func @owner() -> i64 {\nb:\n    return 0\n}").unwrap();
    user.link_to(&base, Reach::Exports).unwrap();
    user.alias("also", (&base, "d"), Visibility::Exported).unwrap();
    let [set, _] = setter_and_getter("d");
    let [_, get] = setter_and_getter("also");
    let declared = "import func @set(i64) -> i64\nimport func @get() -> i64\n";
    user.define(&(set + &get + SETS_TWICE.trim_start_matches(declared))).unwrap();
    assert_eq!(user.func::<(), i64>("f").unwrap().call(()).unwrap(), 21);
}
