use std::sync::{Mutex, PoisonError};

use brolga_ir::body::Body;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::parse_module;
use brolga_ir::verify::verify_module;

use super::*;
use crate::legal_form::ValueForm;
use crate::pass::{PassContext, PassFunction, PassResult};
use crate::pipeline::{Level, RunOptions, Stage, passes_named, run_passes};
use crate::target::TargetSpec;

const MODULE: &str = "\
func @f() -> i64 {
block0:
    %0 = add.i64 1, 2
    return %0
}

func @g() -> i64 {
block0:
    return 7
}
";

/// Turns each `add` into `sub`, and tells of it.
fn flip(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let adds: Vec<_> =
        body.layout.all_insts().filter(|&inst| body.inst(inst).op == Op::Add).collect();
    for &inst in &adds {
        context.trace(format_args!("{inst} is an add"));
        context.remark(inst, RemarkKind::Applied, "an add became a sub");
        context.statistics.add("flip", "adds", 1);
        body.inst_mut(inst).op = Op::Sub;
    }
    Ok(if adds.is_empty() { Change::Nothing } else { Change::Something })
}

/// Does the same and denies it.
fn lie(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    flip(body, context).map(|_| Change::Nothing)
}

/// Does nothing.
fn rest(_: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    Ok(Change::Nothing)
}

/// Leaves a block without an end.
fn tear(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    let ends: Vec<_> =
        body.layout.all_insts().filter(|&i| body.inst(i).op.is_terminator()).collect();
    ends.into_iter().for_each(|inst| body.layout.remove_inst(inst));
    Ok(Change::Something)
}

const fn row(name: &'static str, run: PassFunction, duty: Duty) -> Pass {
    Pass {
        from: Level::O1,
        duty,
        reason: "a row of a test",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        ..Pass::optional(name, Stage::Scalars, run)
    }
}

static FLIP: Pass = row("flip", flip, Duty::Optional);
static MUST: Pass = row("must", flip, Duty::Required);
static LIE: Pass = row("lie", lie, Duty::Optional);
static REST: Pass = row("rest", rest, Duty::Optional);
static TEAR: Pass = row("tear", tear, Duty::Optional);

#[derive(Debug, Default)]
struct Listener {
    text: Mutex<String>,
    remarks: Mutex<Vec<Remark>>,
}

impl Observer for Listener {
    fn shown(&self, text: &str) {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }

    fn remarked(&self, remark: &Remark) {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).push(remark.clone());
    }
}

/// What is shown, and what comes of it.
struct Seen {
    text: String,
    told: Vec<Remark>,
    report: Report,
    result: Result<(), CompileError>,
    module: Module,
}

fn inspect(inspection: Inspection, passes: &[&'static Pass]) -> Seen {
    inspect_module(MODULE, inspection, passes)
}

fn inspect_module(text: &str, inspection: Inspection, passes: &[&'static Pass]) -> Seen {
    let mut module = parse_module(text).unwrap();
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let listener = Arc::new(Listener::default());
    let inspector = Inspector::new(inspection, Some(Arc::clone(&listener) as Arc<dyn Observer>));
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    let mut report = Report::default();
    let result = run_passes(&mut module, passes, &options, &mut report);
    inspector.conclude(&report);
    let text = listener.text.lock().unwrap().clone();
    let told = listener.remarks.lock().unwrap().clone();
    Seen { text, told, report, result, module }
}

const F_BEFORE: &str = "func @f() -> i64 {\nblock0:\n    %0 = add.i64 1, 2\n    return %0\n}\n";
const F_BEHIND: &str = "func @f() -> i64 {\nblock0:\n    %0 = sub.i64 1, 2\n    return %0\n}\n";
const G: &str = "func @g() -> i64 {\nblock0:\n    return 7\n}\n";

#[test]
fn texts_are_shown_before_and_behind_the_passes_that_are_named() {
    let named = Selection::Passes(vec!["flip".into()]);
    let before = Inspection { print_before: named.clone(), ..Inspection::default() };
    let seen = inspect(before, &[&MUST, &FLIP]);
    assert_eq!(seen.text, format!("; before flip\n{F_BEHIND}\n; before flip\n{G}\n"));
    let after = Inspection { print_after: named, ..Inspection::default() };
    let seen = inspect(after, &[&FLIP, &MUST]);
    assert_eq!(seen.text, format!("; behind flip\n{F_BEHIND}\n; behind flip\n{G}\n"));
    // Each can be fed back.
    for text in seen.text.split("\n\n").filter(|text| !text.is_empty()) {
        parse_module(text).unwrap();
    }
}

#[test]
fn a_text_has_the_signature_that_the_pass_gives_it() {
    let text = "func @h({i64, i32}) -> {i64, i32} {\nblock0(%0: {i64, i32}):\n    return %0\n}\n";
    let inspection = Inspection { print_after: Selection::All, ..Inspection::default() };
    let seen = inspect_module(text, inspection, &passes_named(["flatten_aggregates"]).unwrap());
    let shown = parse_module(&seen.text).unwrap();
    verify_module(&shown, &Options::default()).unwrap();
    assert!(seen.text.contains("func @h(i64, i32) -> (i64, i32) {"), "{}", seen.text);
}

#[test]
fn all_are_shown_and_only_those_functions_that_are_named() {
    let (print_after, print_only) = (Selection::All, vec!["g".into()]);
    let inspection = Inspection { print_after, print_only, ..Inspection::default() };
    let seen = inspect(inspection, &[&FLIP, &MUST]);
    assert_eq!(seen.text, format!("; behind flip\n{G}\n; behind must\n{G}\n"));
}

#[test]
fn changes_are_shown_where_there_are_any() {
    let inspection = Inspection {
        print_before: Selection::Changed,
        print_after: Selection::Changed,
        ..Inspection::default()
    };
    let seen = inspect(inspection, &[&FLIP, &MUST]);
    assert_eq!(seen.text, format!("; before flip\n{F_BEFORE}\n; behind flip\n{F_BEHIND}\n"));
}

#[test]
fn only_the_steps_of_the_passes_that_are_named_are_shown() {
    let of = |name: &str| {
        let debug_only = Selection::Passes(vec![name.into()]);
        inspect(Inspection { debug_only, ..Inspection::default() }, &[&FLIP]).text
    };
    assert_eq!(of("flip"), "flip: inst0 is an add\nflip: @f: adds: 1\n");
    assert_eq!(of("must"), "");
}

#[test]
fn remarks_are_collected_told_and_shown_as_they_are_asked_for() {
    let of = |remarks| inspect(Inspection { remarks, ..Inspection::default() }, &[&FLIP]);
    let off = of(Remarks::Off);
    assert!(off.report.remarks.is_empty() && off.told.is_empty());
    let collected = of(Remarks::Collected);
    assert_eq!((collected.told.len(), collected.text.as_str()), (1, ""));
    assert_eq!(collected.told, collected.report.remarks);
    assert_eq!(of(Remarks::Text).text, "flip applied, in @f at line 3: an add became a sub\n");
    let json = of(Remarks::Json).text;
    assert!(json.starts_with("{\"pass\":\"flip\",") && json.ends_with("}\n"), "{json}");
    assert!(json.contains("\"line\":3,"), "{json}");
}

#[test]
fn bisecting_makes_so_many_runs_and_no_more_of_what_code_does_without() {
    let of = |limit| {
        let bisect_limit = Some(limit);
        let inspection = Inspection { bisect_limit, ..Inspection::default() };
        inspect(inspection, &[&FLIP, &FLIP])
    };
    let none = of(0);
    assert_eq!(print_function(&none.module, FuncId::from_u32(0)), F_BEFORE);
    assert!(none.text.starts_with("bisect: 1: flip does not run on @f\n"), "{}", none.text);
    let some = of(2);
    assert_eq!(print_function(&some.module, FuncId::from_u32(0)), F_BEHIND);
    let wanted = "bisect: 1: flip runs on @f\nbisect: 2: flip runs on @g\n\
                  bisect: 3: flip does not run on @f\nbisect: 4: flip does not run on @g\n";
    assert_eq!(some.text, wanted);
    let required = Inspection { bisect_limit: Some(0), ..Inspection::default() };
    let seen = inspect(required, &[&MUST]);
    assert_eq!(print_function(&seen.module, FuncId::from_u32(0)), F_BEHIND);
    assert_eq!(seen.text, "");
}

#[test]
fn a_pass_that_leaves_what_does_not_verify_is_named() {
    let verify = || Inspection { verify_each: Switch::On, ..Inspection::default() };
    assert_eq!(inspect(verify(), &[&FLIP]).result, Ok(()));
    assert_eq!(inspect(Inspection::default(), &[&TEAR]).result, Ok(()));
    let error = inspect(verify(), &[&FLIP, &TEAR]).result.unwrap_err().to_string();
    assert!(error.starts_with("@f: `tear` leaves what does not verify:\n"), "{error}");
}

#[test]
fn a_pass_that_denies_its_changes_is_named() {
    let verify_each = Switch::On;
    let inspection = Inspection { verify_each, ..Inspection::default() };
    let error = inspect(inspection, &[&LIE]).result.unwrap_err().to_string();
    assert!(error.starts_with("@f: `lie` says that it has changed nothing, and has"), "{error}");
}

#[test]
fn what_passes_before_have_left_is_what_a_pass_is_held_to() {
    const PAIR: &str = "func @f({i64, i64}) -> i64 {\nblock0(%p: {i64, i64}):\n    return 1\n}\n";
    let verify = || Inspection { verify_each: Switch::On, ..Inspection::default() };
    assert_eq!(inspect(verify(), &[&FLIP, &FLIP, &REST, &FLIP]).result, Ok(()));
    let error = inspect(verify(), &[&REST, &LIE]).result.unwrap_err().to_string();
    assert!(error.starts_with("@f: `lie` says that it has changed nothing, and has"), "{error}");
    let passes = passes_named(["flatten_aggregates"]).unwrap();
    let passes: Vec<_> = [&REST as &Pass].into_iter().chain(passes).chain([&FLIP]).collect();
    assert_eq!(inspect_module(PAIR, verify(), &passes).result, Ok(()));
}

#[test]
fn times_and_counts_are_shown_at_the_end() {
    let seen = inspect(
        Inspection { time_passes: Switch::On, statistics: Switch::On, ..Inspection::default() },
        &[&FLIP],
    );
    assert_eq!(seen.report.runs.len(), 2);
    assert!(seen.text.contains("  flip\n") && seen.text.contains(" all\n"), "{}", seen.text);
    assert!(seen.text.ends_with("         1  flip: adds\n"), "{}", seen.text);
}

#[test]
fn without_an_observer_everything_is_collected_all_the_same() {
    let mut module = parse_module(MODULE).unwrap();
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let all = Inspection {
        print_before: Selection::All,
        print_after: Selection::All,
        debug_only: Selection::All,
        remarks: Remarks::Json,
        ..Inspection::default()
    };
    let inspector = Inspector::new(all, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    let mut report = Report::default();
    run_passes(&mut module, &[&FLIP], &options, &mut report).unwrap();
    assert_eq!(report.remarks.len(), 1);
}

/// What a watcher sees, a line for each step.
#[derive(Debug, Default)]
struct Notes(Mutex<Vec<String>>);

impl Watcher for Notes {
    fn passed(&self, step: &Step<'_>) {
        let counts: Vec<_> = step.statistics.iter().collect();
        let text = print_function(step.module, step.function);
        let line = text.lines().nth(2).unwrap_or_default().trim();
        let note = format!(
            "{} @{} {:?} {} remarks {counts:?} {line}",
            step.pass.spelling(),
            name_of(step.module, step.function),
            step.change,
            step.remarks.len()
        );
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }
}

#[test]
fn a_watcher_sees_each_function_behind_each_pass_with_what_that_run_told() {
    let mut module = parse_module(MODULE).unwrap();
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let notes = Arc::new(Notes::default());
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let watcher = Arc::clone(&notes) as Arc<dyn Watcher>;
    let inspector = Inspector::new(inspection, None).watched(watcher);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    run_passes(&mut module, &[&FLIP, &MUST], &options, &mut Report::default()).unwrap();
    let wanted = [
        "flip @f Something 1 remarks [(\"flip\", \"adds\", 1)] %0 = sub.i64 1, 2",
        "flip @g Nothing 0 remarks [] return 7",
        "must @f Nothing 0 remarks [] %0 = sub.i64 1, 2",
        "must @g Nothing 0 remarks [] return 7",
    ];
    assert_eq!(*notes.0.lock().unwrap(), wanted);
}
