//! Snapshots: one of each family.

use expect_test::{Expect, expect};

use super::{WriteError, write_module};
use crate::text::parse_module;

fn check(text: &str, expected: &Expect) {
    let module = parse_module(text).unwrap();
    expected.assert_eq(&write_module(&module).unwrap());
}

#[test]
fn values_that_edges_give_become_phis_and_equal_edges_get_blocks() {
    check(
        "func @f(i32) -> i32 {
b0(%a: i32):
    switch.i32 %a, [0: b1(1), 3: b1(2), 4: b1(1)], b1(7)
b1(%z: i32):
    return %z
}
",
        &expect![[r#"

            define i32 @f(i32 %v0) {
            b0:
              switch i32 %v0, label %c2 [
                i32 0, label %b1
                i32 3, label %c1
                i32 4, label %b1
              ]
            b1:
              %v1 = phi i32 [ 1, %b0 ], [ 2, %c1 ], [ 1, %b0 ], [ 7, %c2 ]
              ret i32 %v1
            c1:
              br label %b1
            c2:
              br label %b1
            }
        "#]],
    );
}

#[test]
fn a_managed_op_is_an_error() {
    let text = "func @f() -> i64 {\nb0:\n  %n = array_len ref:null\n  return %n\n}\n";
    let module = parse_module(text).unwrap();
    let error = write_module(&module).unwrap_err();
    assert!(matches!(error, WriteError::Op { .. }), "{error}");
}
