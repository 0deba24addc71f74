//! LLVM IR in and out, beside running it.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;

use crate::tool::{Answer, brolga};

const TEXT: &str = "\
@count = global i32 3

define i32 @twice(i32 %n) {
  %r = add nsw i32 %n, %n
  ret i32 %r
}
";

const WRONG: &str = "\
define i32 @f(i32 %n) {
  %r = add i32 %n, %m
  ret i32 %r
}

define <vscale x 4 x i32> @g() {
  ret <vscale x 4 x i32> zeroinitializer
}
";

fn ask(arguments: &[&str], input: &str) -> Answer {
    brolga(arguments, input.as_bytes())
}

/// A file of that name in a folder of the test's own.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command-llvm");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join(name);
    fs::write(&path, text).expect("the file can be written");
    path
}

#[test]
fn import_prints_a_module_of_ours() {
    expect![[r#"
        exit code 0
        --- out
        data @count align 4 = { bytes "\03\00\00\00" }

        func @twice(i32) -> i32 {
        block0(%0: i32):
            %1 = add.i32 %0, %0 nsw
            return %1
        }
        --- err
    "#]]
    .assert_eq(&ask(&["import", "-"], TEXT).text());
}

#[test]
fn what_import_refuses_is_told_with_its_place() {
    expect![[r#"
        exit code 1
        --- out
        --- err
        error[llvm-unsupported]: vectors of as many lanes as the machine has, `vscale`, are not read
         --> <stdin>:6:8
          |
        6 | define <vscale x 4 x i32> @g() {
          |        ^

        <stdin>: 1 error
    "#]]
    .assert_eq(&ask(&["import", "-"], WRONG).text());
}

#[test]
fn what_is_imported_and_exported_does_the_same() {
    let imported = file("twice.bir", ask(&["import", "-"], TEXT).out.as_bytes());
    let imported = imported.to_string_lossy();
    let exported = ask(&["export", &imported], "");
    assert_eq!((exported.code, exported.err.as_str()), (0, ""));
    assert!(exported.out.contains("define i32 @twice(i32 %v0)"), "{}", exported.out);
    for text in [&exported.out, TEXT] {
        let again = ask(&["export", "--from", "ll", "-"], text);
        assert_eq!((again.code, &again.out), (0, &exported.out));
    }
    let call = ["run", "--from", "ll", "--entry", "twice", "-", "--", "21"];
    assert_eq!(ask(&call, &exported.out).text(), "exit code 0\n--- out\n42\n--- err\n");
}

#[test]
fn what_llvm_ir_has_no_place_for_is_told_with_its_place() {
    let text = "func @f(ref) -> i64 {\nentry(%r: ref):\n    %n = array_len %r\n    return %n\n}\n";
    expect![[r#"
        exit code 1
        --- out
        --- err
        error: `array_len` in `@f` needs the managed runtime, of which LLVM IR knows nothing; leave the function out
         --> <stdin>:3:5
          |
        3 |     %n = array_len %r
          |     ^^^^^^^^^^^^^^^^^
    "#]].assert_eq(&ask(&["export", "-"], text).text());
}

#[test]
fn an_output_file_is_written() {
    let (from, to) = (file("count.ll", TEXT.as_bytes()), file("count.bir", b""));
    let arguments = ["import", &from.to_string_lossy(), "-o", &to.to_string_lossy()];
    assert_eq!(ask(&arguments, "").text(), "exit code 0\n--- out\n--- err\n");
    let text = fs::read_to_string(&to).expect("the file is there");
    assert!(text.contains("func @twice(i32) -> i32"), "{text}");
    let checked = ask(&["check", &from.to_string_lossy(), &to.to_string_lossy()], "");
    let lines: Vec<&str> = checked.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", checked.text());
    assert!(lines.iter().all(|line| line.ends_with(": 1 function, 1 data object, safe")));
}

#[test]
fn every_look_at_a_module_takes_llvm_ir() {
    let path = file("look.ll", TEXT.as_bytes());
    let path = path.to_string_lossy();
    for arguments in [["cfg", &path, "--format=dot"], ["compile", &path, "--emit=clif"]] {
        let answer = ask(&arguments, "");
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{arguments:?}");
        assert!(answer.out.contains("twice") || answer.out.contains("block0"), "{}", answer.out);
    }
}

#[test]
fn a_text_of_another_kind_is_refused_with_the_way_out() {
    let (own, llvm) = (file("own.bir", b""), file("llvm.ll", TEXT.as_bytes()));
    let bitcode = file("bitcode.bc", b"BC\xC0\xDE0123");
    let answers = [
        (["import", &own.to_string_lossy()], 2, "`brolga export` makes LLVM IR of it"),
        (
            ["fmt", &llvm.to_string_lossy()],
            2,
            "`brolga import` prints the module of ours that it is",
        ),
        (["run", &bitcode.to_string_lossy()], 1, "make text of it with `llvm-dis`"),
    ];
    for (arguments, code, help) in answers {
        let answer = ask(&arguments, "");
        assert_eq!((answer.code, answer.out.as_str()), (code, ""), "{arguments:?}");
        assert!(answer.err.contains(help), "{}", answer.err);
    }
}
