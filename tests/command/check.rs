//! `check`.

use expect_test::expect;

use crate::tool::{SAMPLE, Scratch, brolga};

#[test]
fn a_module_that_is_right_is_summed_up() {
    let answer = brolga(&["check", "-"], SAMPLE.as_bytes());
    assert_eq!(
        answer.text(),
        "exit code 0\n--- out\n<stdin>: 4 functions, 0 data objects, safe\n--- err\n"
    );
    let raw = "func @f(ptr) -> i64 {\nentry(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}\n";
    let answer = brolga(&["check", "-"], raw.as_bytes());
    assert_eq!(answer.out, "<stdin>: 1 function, 0 data objects, raw\n");
    let answer = brolga(&["check", "--safe", "-"], raw.as_bytes());
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("error[raw-op]") && answer.err.contains("<stdin>:3:5"));
}

#[test]
fn every_error_of_a_text_is_shown_with_a_caret() {
    let text = SAMPLE.replace("srem", "smod").replace("call @descend", "call @ascend");
    expect![[r#"
        exit code 1
        --- out
        --- err
        error[unknown-op]: there is no op `smod`
         --> <stdin>:9:10
          |
        9 |     %r = smod.i64 %x, %y
          |          ^^^^

        error[unknown-symbol]: `@ascend` is not declared in this module
          --> <stdin>:21:15
           |
        21 |     %r = call @ascend(%m)
           |               ^^^^^^^
           |
           = help: declare it, as in `import func @name(i64) -> i64`

        <stdin>: 2 errors
    "#]]
    .assert_eq(&brolga(&["check", "-"], text.as_bytes()).text());
}

#[test]
fn every_breach_of_a_rule_is_shown_with_a_caret() {
    let text = SAMPLE.replace("return %x\n", "return %done\n").replace("%r, 1", "%q, 1");
    expect![[r#"
        exit code 1
        --- out
        --- err
        error[return-values]: operand 0 is `i1`, not `i64`
          --> <stdin>:12:5
           |
        12 |     return %done
           |     ^^^^^^^^^^^^
           |
           = note: in @gcd, out

        error[dominance]: %q is not defined on every path to its use
          --> <stdin>:22:5
           |
        22 |     %s = add.i64 %q, 1
           |     ^^^^^^^^^^^^^^^^^^
           |
           = note: in @descend, more

        <stdin>: 2 errors
    "#]]
    .assert_eq(&brolga(&["check", "-"], text.as_bytes()).text());
}

#[test]
fn a_breach_in_a_declaration_or_head_is_shown_by_its_text() {
    let text = "func @f(i64) {\n    exit0 = side 1 (derived)\nentry:\n    return\n}\n";
    expect![[r#"
        exit code 1
        --- out
        --- err
        error[exit-kind]: exit0 takes a `derived` along, which cannot leave
        --> <stdin>
         = note: in @f
         = note: at `exit0 = side 1 (derived)`

        error[entry-parameters]: the parameters of the first block are not those of the function
        --> <stdin>
         = note: in @f, entry
         = note: at `entry:`

        <stdin>: 2 errors
    "#]]
    .assert_eq(&brolga(&["check", "-"], text.as_bytes()).text());
}

#[test]
fn a_file_that_is_wrong_does_not_hide_the_others() {
    let good = Scratch::new("good.bir", SAMPLE);
    let bad = Scratch::new("bad.bir", "func");
    let answer = brolga(&["check", bad.path(), "/nowhere/at/all", good.path()], b"");
    assert_eq!(answer.code, 2);
    assert!(answer.out.contains("good.bir: 4 functions"), "{}", answer.out);
    assert!(answer.err.contains("bad.bir: 1 error"), "{}", answer.err);
    assert!(answer.err.contains("error: /nowhere/at/all: "), "{}", answer.err);
    assert_eq!(brolga(&["check", bad.path(), good.path()], b"").code, 1);
}
