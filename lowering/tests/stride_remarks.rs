//! What `loop_vectorize` tells of loops that go on by several elements: by how much it does
//! them at once, or why one stays.

use brolga_ir::text::parse_module;
use brolga_lowering::pipeline::{
    Inspection, Inspector, Remarks, Report, RunOptions, parse_pipeline, run_passes,
};
use brolga_lowering::target::TargetSpec;

/// A loop over groups of so many bytes at `%q`, which adds `%x` to a sum.
fn loop_over(bytes: u32, round: &str) -> String {
    format!(
        "func @f(ptr, i64) -> i32 {{
entry(%p: ptr, %step: i64):
    jump head(0, 0)
head(%i: i64, %s: i32):
    %o = mul.i64 %i, {bytes}
    %q = ptr_add %p, %o
{round}
    jump latch
latch:
    %t = add.i32 %s, %x
    %j = add.i64 %i, 1
    %more = icmp.i64 ne %j, 64
    branch %more, head(%j, %t), done
done:
    return %t
}}"
    )
}

fn told(cpu: &str, text: &str) -> String {
    let mut module = parse_module(text).unwrap();
    let target = TargetSpec::parse(cpu).unwrap();
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let inspector = Inspector::new(inspection, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    let mut report = Report::default();
    let passes = parse_pipeline("loop_vectorize").unwrap();
    run_passes(&mut module, &passes, &options, &mut report).unwrap();
    let told: Vec<String> = report.remarks.iter().map(|it| it.message.to_string()).collect();
    told.join("; ")
}

fn stays(bytes: u32, round: &str) -> String {
    let told = told("x86_64-linux/x86-64-v3", &loop_over(bytes, round));
    told.strip_prefix("the loop is not vectorised: ").unwrap_or(&told).to_owned()
}

#[test]
fn each_loop_that_stays_has_a_reason() {
    let not_next = "the addresses of `load` do not follow each other";
    assert_eq!(stays(20, "    %x = load.i32 %q"), not_next);
    assert_eq!(stays(6, "    %x = load.i32 %q"), not_next);
    let unknown =
        loop_over(4, "    %x = load.i32 %q").replace("mul.i64 %i, 4", "mul.i64 %i, %step");
    assert!(told("x86_64-linux", &unknown).ends_with(not_next));
    let gap = "    %x = load.i32 %q\n    store.i32 %x, %q\n    store.i32 %x, %q+8";
    assert_eq!(stays(12, gap), "its stores leave out elements between them");
    let twice = "    %x = load.i32 %q\n    store.i32 1, %q\n    store.i32 2, %q";
    assert_eq!(stays(8, twice), "its stores leave out elements between them");
    let volatile = "    %x = load.i32 %q\n    %y = load.i32 %q+4 volatile";
    assert_eq!(stays(8, volatile), "an access is volatile");
    let between = "    %z = load.i32 %q\n    store.i32 %z, %q\n    store.i32 7, %q+4\n    \
                   %x = load.i32 %q+4";
    let reason = "what stands between neighbouring accesses touches the same bytes";
    assert_eq!(stays(8, between), reason);
    let carried = "    %x = load.i32 %q\n    store.i32 %x, %q+8\n    store.i32 7, %q+12";
    assert_eq!(stays(8, carried), "a round needs what the one before it has computed");
    let masked = "    %x = load.i32 %q\n    store.i32 1, %q\n    %c = icmp.i32 eq %x, 0\n    \
                  branch %c, some, latch\nsome:\n    store.i32 %x, %q+4";
    assert_eq!(stays(8, masked), "some rounds do without the `store`");
}

#[test]
fn what_is_done_at_once_is_told_in_rounds() {
    let sum = loop_over(
        8,
        "    %x = load.i32 %q\n    %y = load.i32 %q+4\n    store.i32 %y, %q\n    store.i32 %x, %q+4",
    );
    assert_eq!(told("x86_64-linux/x86-64-v3", &sum), "vectorised by 4 × interleave 2");
    assert_eq!(told("aarch64-linux", &sum), "vectorised by 4 × interleave 2");
}

#[test]
fn where_shuffles_are_dear_the_loop_stays() {
    let bytes = "    %a = load.i8 %q\n    %b = load.i8 %q+1\n    %c = load.i8 %q+2\n    \
                 %ab = xor.i8 %a, %b\n    %abc = xor.i8 %ab, %c\n    %x = zext.i32 %abc";
    let loop_over_bytes = loop_over(3, bytes);
    assert!(told("x86_64-linux/x86-64", &loop_over_bytes).ends_with("would not make it faster"));
    assert!(told("x86_64-linux/x86-64-v3", &loop_over_bytes).starts_with("vectorised by"));
}
