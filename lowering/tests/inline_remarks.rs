//! What `inline` tells of the calls that it looks at: each once, and why one stays.

use brolga_ir::text::parse_module;
use brolga_lowering::pipeline::{
    Inspection, Inspector, Remarks, Report, RunOptions, parse_pipeline, run_passes,
};
use brolga_lowering::target::TargetSpec;

const TEXT: &str = "
func @small(i32) -> i32 {
block0(%x: i32):
    %y = add.i32 %x, 1
    return %y
}
func @never(i32) -> i32 inline never {
block0(%x: i32):
    return %x
}
func @itself(i32) -> i32 {
block0(%x: i32):
    %r = call @itself(%x)
    return %r
}
weak func @weak(i32) -> i32 {
block0(%x: i32):
    return %x
}
func @calls(i32) -> i32 {
block0(%x: i32):
    %a = call @small(%x)
    %b = call @never(%a)
    %c = call @weak(%b)
    return %c
}";

fn report(text: &str, passes: &str) -> Report {
    let mut module = parse_module(text).unwrap();
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let inspector = Inspector::new(inspection, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    let mut report = Report::default();
    run_passes(&mut module, &parse_pipeline(passes).unwrap(), &options, &mut report).unwrap();
    report
}

#[test]
fn each_call_is_told_of_with_its_line_and_a_reason() {
    let report = report(TEXT, "inline");
    let told: Vec<String> = report.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "inline missed, in @itself at line 13: a call of @itself: it calls itself",
            "inline applied, in @calls at line 22: a call of @small: its code stands here",
            "inline missed, in @calls at line 23: a call of @never: it is never to be taken over",
            "inline missed, in @calls at line 24: a call of @weak: another module may define it, \
             or it is variadic",
        ]
    );
    let counts: Vec<_> = report.statistics.iter().collect();
    assert_eq!(counts, [("inline", "calls taken over", 1), ("inline", "calls that stay", 3)]);
}

#[test]
fn what_is_not_always_taken_over_is_told_of_as_such_beside_what_is() {
    let text = TEXT.replace("@small(i32) -> i32 {", "@small(i32) -> i32 inline always {");
    let report = report(&text, "inline(always)");
    let counts: Vec<_> = report.statistics.iter().collect();
    assert_eq!(counts, [("inline", "calls taken over", 1), ("inline", "calls that stay", 2)]);
    assert!(report.remarks[1].message.ends_with("it is not always to be taken over"));
}

#[test]
fn calls_of_a_function_that_has_none_to_be_always_taken_over_are_not_looked_at() {
    let report = report(TEXT, "inline(always)");
    assert_eq!((report.statistics.iter().count(), report.remarks.len()), (0, 0));
}
