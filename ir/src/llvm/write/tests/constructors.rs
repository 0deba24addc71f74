//! What runs before and after the program.

use expect_test::expect;

use super::{WriteError, check, refusal};
use crate::datum::Datum;
use crate::interpret::Interpreter;
use crate::llvm::{ReadOptions, constructors, destructors, read_module, write_module};
use crate::text::parse_module;

const TWICE: &str = "\
func @__constructors.65535() {
b0:
    return
}
func @__constructors.101(i32, ptr) {
b0(%count: i32, %words: ptr):
    return
}
func @__constructors.101.1() {
b0:
    return
}
func @__destructors.7() {
b0:
    return
}
func @__destructors.7.1() {
b0:
    return
}
";

#[test]
fn functions_are_listed_by_their_priority_and_those_of_one_are_called_in_their_order() {
    check(
        TWICE,
        &expect![[r#"

        define internal void @__constructors.65535() nobuiltin {
        b0:
          ret void
        }

        define internal void @__constructors.101(i32 %v0, ptr %v1) nobuiltin {
        b0:
          ret void
        }

        define internal void @__constructors.101.1() nobuiltin {
        b0:
          ret void
        }

        define internal void @__destructors.7() nobuiltin {
        b0:
          ret void
        }

        define internal void @__destructors.7.1() nobuiltin {
        b0:
          ret void
        }

        define internal void @__constructors.101.all(i32 %count, ptr %words) {
          call void @__constructors.101(i32 %count, ptr %words)
          call void @__constructors.101.1()
          ret void
        }

        @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @__constructors.101.all, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @__constructors.65535, ptr null }]

        define internal void @__destructors.7.1.all() {
          call void @__destructors.7.1()
          call void @__destructors.7()
          ret void
        }

        @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 7, ptr @__destructors.7.1.all, ptr null }]
    "#]],
    );
}

#[test]
fn what_is_listed_is_found_again_under_the_same_names() {
    let text = TWICE.replace("func @__constructors.101.1", "local func @other");
    let text = text.replace("func @__destructors.7.1", "local func @another");
    let module = parse_module(&text).unwrap();
    let written = write_module(&module).unwrap();
    let again = read_module(&written, &ReadOptions::default()).unwrap();
    let names = |module: &crate::module::Module| {
        let lists = [constructors(module), destructors(module)].concat();
        let named = lists
            .iter()
            .map(|&(priority, id)| (priority, module.function(id).unwrap().name.clone()));
        named.collect::<Vec<_>>()
    };
    assert_eq!(names(&again), names(&module));
    assert_eq!(write_module(&again).unwrap(), written);
}

#[test]
fn those_of_one_priority_are_one_function_when_they_are_read_again() {
    let text = "data @n = { i64[1] }\n".to_owned()
        + &["", ".1"]
            .map(|end| {
                let (op, number) = if end.is_empty() { ("add", 2) } else { ("mul", 5) };
                format!(
                    "func @__constructors.9{end}() {{\nb0:\n    %n = data_load.i64 @n, 0\n    \
                 %m = {op}.i64 %n, {number}\n    data_store.i64 %m, @n, 0\n    return\n}}\n"
                )
            })
            .concat()
        + "func @get() -> i64 {\nb0:\n    %n = data_load.i64 @n, 0\n    return %n\n}\n";
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let written = write_module(&module).unwrap();
    let again = read_module(&written, &ReadOptions::default()).unwrap();
    let found = constructors(&again);
    let [(9, id)] = found[..] else { panic!("{found:?} in {written}") };
    let mut interpreter = Interpreter::new(&[&again]).unwrap();
    let name = again.function(id).unwrap().name.to_string();
    assert_eq!(interpreter.call(&name, &[]), Ok(vec![]));
    assert_eq!(interpreter.call("get", &[]), Ok(vec![Datum::from(15i64)]));
}

#[test]
fn what_llvm_cannot_run_is_an_error() {
    for head in ["__constructors.1(i64)", "__constructors.65536()", "__destructors.1() -> i64"] {
        let (name, _) = head.split_once('(').unwrap();
        let param = if head.contains("i64)") { "(%a: i64)" } else { "" };
        let text = format!("func @{head} {{\nb0{param}:\n    unreachable\n}}\n");
        assert_eq!(refusal(&text), WriteError::Constructor { name: name.into() });
    }
}
