//! `run` and `interpret`.

use expect_test::expect;

use crate::tool::{SAMPLE, brolga};

/// Both ways to run give the same answer.
fn both(arguments: &[&str], input: &str) -> String {
    let with = |task: &str| brolga(&[&[task], arguments].concat(), input.as_bytes()).text();
    let (native, interpreted) = (with("run"), with("interpret"));
    assert_eq!(native, interpreted, "{arguments:?}");
    native
}

fn code_and_out(arguments: &[&str], input: &str) -> (i32, String) {
    let answer = brolga(arguments, input.as_bytes());
    (answer.code, answer.out)
}

#[test]
fn results_are_printed_as_values_are_spelled() {
    let gcd = both(&["--entry", "gcd", "-", "--", "1071", "462"], SAMPLE);
    assert_eq!(gcd, "exit code 0\n--- out\n21\n--- err\n");
    let pair = both(&["-", "--entry", "both", "--", "-0.75"], SAMPLE);
    assert_eq!(pair, "exit code 0\n--- out\n(-1.5, 1)\n--- err\n");
    assert_eq!(both(&["-"], SAMPLE), "exit code 0\n--- out\n--- err\n");
}

#[test]
fn a_trap_is_told_with_its_line_and_the_calls_that_led_there() {
    let trap = both(&["--entry", "descend", "-", "--", "3"], SAMPLE);
    expect![[r#"
        exit code 3
        --- out
        --- err
        error[division_by_zero]: an integer was divided by zero
          --> <stdin>:25:5
           |
        25 |     %q = sdiv.i64 1, %n ; by zero
           |     ^^^^^^^^^^^^^^^^^^^
           |
           = note: in @descend at line 25
           = note: called from @descend at line 21, 3 times
    "#]]
    .assert_eq(&trap);
}

#[test]
fn every_tier_tells_a_trap_in_the_same_way() {
    let text = "
        func @main() -> i64 {
        entry:
            jump loop(0)
        loop(%i: i64):
            %left = sub.i64 5000, %i
            %q = udiv.i64 5000, %left
            %j = add.i64 %i, 1
            jump loop(%j)
        }";
    let told = ["quick", "warm", "hot", "adaptive"]
        .map(|tier| brolga(&["run", "--tier", tier, "-"], text.as_bytes()).err);
    assert!(told[0].contains("division_by_zero"), "{}", told[0]);
    assert!(told.iter().all(|it| *it == told[0]), "{told:?}");
}

#[test]
fn what_a_side_exit_takes_along_is_told() {
    let text = "\
func @main(i64) {
    exit0 = side 3 (i64, f64)
    exit1 = side 4 (f64)
entry(%x: i64):
    %ok = icmp.i64 sgt %x, 0
    check %ok, exit0(%x, 0.5)
    return
}
";
    let answer = both(&["-", "--", "-7"], text);
    assert!(answer.starts_with("exit code 3\n"), "{answer}");
    assert!(answer.contains("(number 3)"), "{answer}");
    assert!(answer.contains("values taken along: i64 -7, f64 0.5"), "{answer}");
}

#[test]
fn endless_recursion_is_told_in_a_few_lines() {
    let text = "func @main() -> i64 {\nentry:\n    %r = call @main()\n    %s = add.i64 %r, 1\n    return %s\n}\n";
    for task in ["run", "interpret"] {
        let answer = brolga(&[task, "-"], text.as_bytes());
        assert_eq!(answer.code, 3, "{task}");
        assert!(answer.err.contains("error[stack_overflow]"), "{}", answer.err);
        assert!(answer.err.lines().count() < 12, "{}", answer.err);
    }
}

#[test]
fn limits_stop_an_endless_program() {
    let text = "func @main() {\nentry:\n    jump entry2\nentry2:\n    jump entry2\n}\n";
    for arguments in [["run", "--fuel", "1000", "-"], ["interpret", "--steps", "1000", "-"]] {
        let answer = brolga(&arguments, text.as_bytes());
        assert_eq!(answer.code, 3, "{arguments:?}");
        assert!(answer.err.contains("error[out_of_fuel]"), "{}", answer.err);
        assert!(answer.err.contains(&format!("`{} 1000`", arguments[1])), "{}", answer.err);
    }
}

#[test]
fn what_is_no_argument_is_shown_with_a_caret() {
    expect![[r#"
        exit code 2
        --- out
        --- err
        error[bad-number]: `4x` is no number for i64
         --> argument 2, i64:1:1
          |
        1 | 4x
          | ^^
    "#]]
    .assert_eq(&both(&["--entry", "gcd", "-", "--", "1071", "4x"], SAMPLE));
    expect![[r#"
        exit code 2
        --- out
        --- err
        error: @gcd takes 2 arguments, not 1
         |
         = help: put behind `--`: i64 i64
    "#]]
    .assert_eq(&both(&["--entry", "gcd", "-", "--", "1071"], SAMPLE));
    expect![[r#"
        exit code 2
        --- out
        --- err
        error: the module has no such function as @lcm
         |
         = help: name one with `--entry`: @gcd, @descend, @both, @main
    "#]]
    .assert_eq(&both(&["--entry", "lcm", "-"], SAMPLE));
}

#[test]
fn time_tells_every_step() {
    let answer =
        brolga(&["run", "--time", "--entry", "gcd", "-", "--", "9", "6"], SAMPLE.as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (0, "3\n"));
    let steps: Vec<&str> =
        answer.err.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(steps, ["parse", "verify", "compile", "link", "run", "total"]);
    assert!(answer.err.lines().all(|line| line.ends_with(" ms")), "{}", answer.err);
}

/// Foreign functions: C's.
const FOREIGN: &str = "\
foreign func @abs(i32) -> i32
func @main(i32) -> i32 {
entry(%x: i32):
    %y = call_foreign @abs(%x)
    return %y
}
";

#[test]
fn what_is_trusted_runs_when_it_is_allowed() {
    let unsafe_run = ["run", "--unsafe", "--allow", "ab*", "-", "--", "-5"];
    assert_eq!(code_and_out(&unsafe_run, FOREIGN), (0, "5\n".to_owned()));
    assert_eq!(code_and_out(&["interpret", "-", "--", "-5"], FOREIGN), (0, "5\n".to_owned()));
    let refused = brolga(&["run", "--allow", "abs", "-", "--", "-5"], FOREIGN.as_bytes());
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("run it with `--unsafe`"), "{}", refused.err);
    let refused = brolga(&["run", "--unsafe", "-", "--", "-5"], FOREIGN.as_bytes());
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("run it with `--allow abs`"), "{}", refused.err);
}

#[test]
fn a_sanitized_program_traps_where_an_access_leaves_its_object() {
    let text = "\
data @words = { i32 [1, 2, 3, 4] }
func @main(i64) -> i32 {
entry(%i: i64):
    %p = data_addr @words
    %q = ptr_add %p, %i
    %x = load.i32 %q
    return %x
}
";
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let sanitized = ["run", level, "--unsafe", "--sanitize", "-", "--"];
        let inside = brolga(&[&sanitized[..], &["12"]].concat(), text.as_bytes());
        assert_eq!((inside.code, inside.out.as_str()), (0, "4\n"), "{level}: {}", inside.err);
        let outside = brolga(&[&sanitized[..], &["13"]].concat(), text.as_bytes());
        assert_eq!((outside.code, outside.out.as_str()), (3, ""), "{level}");
        assert!(outside.err.contains("error[invalid_access]"), "{level}: {}", outside.err);
        assert!(outside.err.contains("--> <stdin>:6:5"), "{level}: {}", outside.err);
    }
    let plain = brolga(&["run", "--unsafe", "-", "--", "12"], text.as_bytes());
    assert_eq!((plain.code, plain.out.as_str()), (0, "4\n"), "{}", plain.err);
}

#[test]
fn a_program_that_is_interpreted_prints_and_ends_itself() {
    let text = "\
foreign func @puts(ptr) -> i32
foreign func @exit(i32)
data @text const = { bytes \"hello\\00\" }
func @main() {
entry:
    %p = data_addr @text
    %n = call_foreign @puts(%p)
    call_foreign @exit(7)
    return
}
";
    assert_eq!(code_and_out(&["interpret", "-"], text), (7, "hello\n".to_owned()));
}

#[test]
fn a_trace_tells_each_instruction_and_what_it_gave() {
    let answer =
        brolga(&["interpret", "--trace", "--entry", "gcd", "-", "--", "9", "6"], SAMPLE.as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (0, "3\n"));
    expect![[r#"
        @gcd: %done = icmp.i64 eq %y, 0 ; 0
        @gcd: %r = srem.i64 %x, %y ; 3
        @gcd: %done = icmp.i64 eq %y, 0 ; 0
        @gcd: %r = srem.i64 %x, %y ; 0
        @gcd: %done = icmp.i64 eq %y, 0 ; 1
    "#]]
    .assert_eq(&answer.err);
}
