use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::{parse_module, print_module};
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::pass::{Change, PassContext, PassFunction, PassResult};
use brolga_lowering::pipeline::{Level, Stage, passes_at};
use brolga_lowering::target::TargetSpec;

use super::*;
use crate::reduce::calls::run_lines;
use crate::reduce::check::Check;

fn having(body: &Body, op: Op) -> Vec<Inst> {
    let insts = body.layout.all_insts();
    insts.filter(|&inst| body.inst(inst).op == op).collect()
}

/// Adds where code subtracts.
fn flip(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    let found = having(body, Op::Sub);
    found.iter().for_each(|&inst| body.inst_mut(inst).op = Op::Add);
    Ok(if found.is_empty() { Change::Nothing } else { Change::Something })
}

/// Does not stand multiplications.
fn stumble(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    assert!(having(body, Op::Mul).is_empty(), "stumbled");
    Ok(Change::Nothing)
}

/// Leaves blocks without an end where code shifts.
fn tear(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    if having(body, Op::Shl).is_empty() {
        return Ok(Change::Nothing);
    }
    let ends = having(body, Op::Return);
    ends.into_iter().for_each(|inst| body.layout.remove_inst(inst));
    Ok(Change::Something)
}

const fn row(name: &'static str, run: PassFunction) -> Pass {
    Pass {
        from: Level::O1,
        reason: "a row of a test",
        after: &[],
        border: Dialect::Managed,
        form: ValueForm::Declared,
        ..Pass::optional(name, Stage::Scalars, run)
    }
}

/// Stumbles when it is run again, as the back end does behind passes that have run alone.
fn stumble_later(_: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    assert!(RUNS.fetch_add(1, Ordering::Relaxed) == 0, "stumbled later");
    Ok(Change::Nothing)
}

static FLIP: Pass = row("flip", flip);
static STUMBLE: Pass = row("stumble", stumble);
static STUMBLE_LATER: Pass = row("stumble_later", stumble_later);
static TEAR: Pass = row("tear", tear);

const MODULE: &str = "\
func @power(i64, i64) -> i64 {
entry(%base: i64, %n: i64):
    %x = shl.i64 %n, 1
    %y = lshr.i64 %x, 1
    jump loop(%y, 1)
loop(%i: i64, %product: i64):
    %end = icmp.i64 eq %i, 0
    branch %end, out, next
next:
    %j = sub.i64 %i, 1
    %p = mul.i64 %product, %base
    jump loop(%j, %p)
out:
    return %product
}

func @difference({i64, i64}) -> i64 {
entry(%pair: {i64, i64}):
    %a = extract_value.{i64, i64} %pair, 0
    %b = extract_value.{i64, i64} %pair, 1
    %s = add.i64 %a, 1
    %t = sub.i64 %s, %b
    %u = xor.i64 %t, 5
    return %u
}

; run: @power(3, 0) == 1
; run: @difference({7, 0}) == 13
; run: @difference({7, 1}) == 2
";

/// What becomes of the module where a pass of that kind stands among those of a level.
fn reduced(check: Check, broken: &'static Pass) -> Option<(Case, String)> {
    let mut passes = passes_at(Level::O1);
    passes.truncate(7);
    passes.push(broken);
    let runs = if check == Check::Differs { run_lines(MODULE) } else { Vec::new() };
    let case = Case { module: parse_module(MODULE).unwrap(), runs, passes };
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let mut judge = |case: &Case| {
        let failure = catch_unwind(AssertUnwindSafe(|| check.failure(case, &target)));
        failure.unwrap_or_else(|_| (check == Check::Crash).then(|| "panicked: stumbled".to_owned()))
    };
    search(case, usize::MAX, &mut judge, &mut |_| ())
}

#[test]
fn a_wrong_answer_is_reduced_to_one_call_one_pass_and_what_it_changes() {
    let (small, failure) = reduced(Check::Differs, &FLIP).unwrap();
    assert_eq!(small.spelled(), "flip");
    assert_eq!(small.runs, ["; run: @difference({7, 1}) == 2"]);
    assert!(failure.starts_with("@difference gives another answer"), "{failure}");
    let text = print_module(&small.module);
    assert!(!text.contains("@power") && text.lines().count() <= 6, "{text}");
    assert!(text.contains("sub.i64") && text.contains("func @difference({i64, i64})"), "{text}");
}

#[test]
fn a_panic_is_reduced_to_what_is_panicked_at() {
    let (small, failure) = reduced(Check::Crash, &STUMBLE).unwrap();
    assert_eq!((small.spelled().as_str(), failure.as_str()), ("stumble", "panicked: stumbled"));
    assert!(Size::of(&small.module).instructions == 2, "{}", small.text());
    assert!(small.text().contains("func @power() -> i64 {"), "{}", small.text());
    assert!(small.text().contains("= mul.i64 "), "{}", small.text());
}

#[test]
fn a_panic_that_the_compiler_catches_is_a_crash_too() {
    let module = parse_module("func @f(i64) -> i64 {\nb(%x: i64):\n    return %x\n}\n").unwrap();
    let mut passes = passes_at(Level::O0);
    passes.push(&STUMBLE_LATER);
    let case = Case { module, runs: Vec::new(), passes };
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let failure = Check::Crash.failure(&case, &target).unwrap();
    assert!(failure.starts_with("the back end: compiling @f panicked"), "{failure}");
    assert!(failure.contains("stumbled later"), "{failure}");
}

#[test]
fn what_does_not_verify_is_reduced_to_what_is_torn() {
    let (small, failure) = reduced(Check::Verifier, &TEAR).unwrap();
    assert_eq!(small.spelled(), "tear");
    assert!(failure.contains("`tear` leaves what does not verify"), "{failure}");
    assert!(Size::of(&small.module).instructions == 2, "{}", small.text());
    assert!(small.text().contains("= shl.i64 "), "{}", small.text());
}

#[test]
fn what_does_not_fail_is_left_alone() {
    assert!(reduced(Check::Verifier, &FLIP).is_none());
    assert!(reduced(Check::Crash, &FLIP).is_none());
    assert!(reduced(Check::Differs, &STUMBLE).is_none());
}
