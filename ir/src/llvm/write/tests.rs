//! Snapshots: one of each family.

mod constructors;
mod flow;
mod memory;
mod values;

use expect_test::{Expect, expect};

use super::{WriteError, write_module};
use crate::entity::{EntityRef, Slot};
use crate::text::parse_module;

/// What is written of a module, but for an empty line before its functions.
fn check(text: &str, expected: &Expect) {
    let module = parse_module(text).unwrap();
    expected.assert_eq(&write_module(&module).unwrap());
}

fn refusal(text: &str) -> WriteError {
    write_module(&parse_module(text).unwrap()).unwrap_err()
}

#[test]
fn what_llvm_ir_has_no_place_for_is_an_error() {
    let managed = "func @f() -> i64 {\nb0:\n  %n = array_len ref:null\n  return %n\n}\n";
    assert!(matches!(refusal(managed), WriteError::Op { .. }));
    let intrinsic = "import func @llvm.sqrt(f64) -> f64\n";
    assert!(matches!(refusal(intrinsic), WriteError::Name { .. }));
    let taken = "func @brolga.trap(i32) {\nb0(%a: i32):\n  unreachable\n}\n";
    assert!(matches!(refusal(taken), WriteError::Taken { .. }));
}

#[test]
fn a_module_that_breaks_rules_is_an_error() {
    let mut module = parse_module("func @f() {\n  ss0 = slot 8\nb0:\n  return\n}\n").unwrap();
    assert!(write_module(&module).is_ok());
    let id = module.function_named("f").unwrap();
    let body = module.function_mut(id).unwrap().body.as_mut().unwrap();
    body.slot_mut(Slot::new(0)).unwrap().align_log2 = 200;
    assert!(matches!(write_module(&module), Err(WriteError::Invalid(_))));
}

#[test]
fn a_function_that_the_text_needs_may_be_declared_already() {
    check(
        "foreign func @brolga.trap(i32)
func @f() {
b0:
    trap bounds
}
",
        &expect![[r#"
            declare void @brolga.trap(i32) nobuiltin

            define void @f() nobuiltin {
            b0:
              call void @brolga.trap(i32 5)
              unreachable
            }
        "#]],
    );
}
