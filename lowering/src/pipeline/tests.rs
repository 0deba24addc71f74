use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::parse_module;
use brolga_ir::types::Type;

use super::*;
use crate::analysis::Kept;
use crate::error::CompileError;
use crate::legal_form::ValueForm;
use crate::options::{LowerOptions, Sanitizing};
use crate::pass::{Change, PassFunction};
use crate::target::TargetSpec;

#[test]
fn the_table_keeps_its_own_order() {
    let all: Vec<&Pass> = PASSES.iter().collect();
    assert_eq!(ordering_faults(&all), [""; 0]);
    let backwards: Vec<&Pass> = PASSES.iter().rev().collect();
    assert!(!ordering_faults(&backwards).is_empty());
}

#[test]
fn constraints_name_passes_and_rows_of_one_name_agree() {
    for pass in PASSES {
        for before in pass.after {
            assert!(PASSES.iter().any(|other| other.name == *before), "{before}");
        }
        assert!(!pass.reason.is_empty(), "{}", pass.name);
        let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        assert!(is_word(pass.name) && is_word(pass.option), "{}", pass.spelling());
        assert_eq!(Level::from_name(pass.name), None);
        for other in PASSES.iter().filter(|other| other.spelling() == pass.spelling()) {
            assert_eq!(other.duty, pass.duty, "{}", pass.name);
        }
    }
    let names: Vec<&str> = distinct_passes().map(|pass| pass.name).collect();
    assert!(PASSES.iter().all(|pass| names.iter().filter(|name| **name == pass.name).count() == 1));
}

#[test]
fn stages_borders_and_forms_only_go_down() {
    for pair in PASSES.windows(2) {
        assert!(pair[0].stage <= pair[1].stage, "{}", pair[1].name);
        assert!(pair[0].border <= pair[1].border, "{}", pair[1].name);
        assert!(pair[0].form <= pair[1].form, "{}", pair[1].name);
    }
    assert!(Stage::ALL.is_sorted_by(|a, b| a < b));
    assert!(PASSES.iter().all(|pass| Stage::ALL.contains(&pass.stage)));
}

#[test]
fn a_level_runs_what_the_levels_below_it_run() {
    let names = |level| passes_at(level).iter().map(|pass| pass.name).collect::<Vec<_>>();
    assert!(names(Level::O0).iter().all(|name| names(Level::O3).contains(name)));
    let error = passes_named(["lower_expect", "licm3"]).unwrap_err();
    assert_eq!((&*error.word, error.column), ("licm3", 1));
}

#[test]
fn sanitizing_adds_one_pass_at_its_place_to_each_level() {
    for &level in Level::ALL {
        let sanitize = Sanitizing::Check;
        let with = passes_for(&LowerOptions { level, sanitize, ..LowerOptions::default() });
        let row = |pass: &&Pass| PASSES.iter().position(|row| std::ptr::eq(row, *pass));
        assert!(with.iter().is_sorted_by_key(row), "{level:?}");
        let names =
            |passes: &[&Pass]| passes.iter().map(|pass| pass.spelling()).collect::<Vec<_>>();
        let (with, without) = (names(&with), names(&passes_at(level)));
        assert_eq!(with.iter().filter(|name| *name == "sanitize").count(), 1, "{level:?}");
        let others: Vec<_> = with.into_iter().filter(|name| name != "sanitize").collect();
        assert_eq!(others, without, "{level:?}");
    }
}

#[test]
fn every_level_runs_what_emission_needs() {
    let required = PASSES.iter().filter(|pass| pass.duty == Duty::Required);
    assert!(required.clone().count() > 0 && required.clone().all(|pass| pass.from == Level::O0));
}

#[test]
fn a_border_is_reached_when_no_required_pass_before_it_is_missing() {
    let all: Vec<&Pass> = PASSES.iter().collect();
    assert_eq!(border_behind(&all), PASSES.last().unwrap().border);
    assert_eq!(border_behind(&[]), Dialect::Front);
    let without_first = &all[1..];
    assert_eq!(border_behind(without_first), Dialect::Front);
}

/// A row of a pass that stands in no table.
const fn row(run: PassFunction, keeps: Kept) -> Pass {
    Pass {
        from: Level::O0,
        reason: "a test",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        keeps,
        ..Pass::optional("tested", Stage::Scalars, run)
    }
}

/// Asks for the dominators, then puts a block behind the others.
const ADDS_A_BLOCK: PassFunction = |body, context| {
    context.analyses.dominators(body);
    let block = body.make_block();
    body.layout.append_block(block);
    let stop = InstData::new(Op::Unreachable, Type::NONE, Default::default(), Payload::None);
    body.append_inst(block, stop, &[]);
    Ok(Change::Something)
};

/// Fails unless what it is given is up to date.
const LOOKS: PassFunction = |body, context| {
    assert_eq!(context.analyses.flow(body).block_capacity(), body.block_count());
    Ok(Change::Nothing)
};

static ADDS_AND_DROPS: Pass = row(ADDS_A_BLOCK, Kept::empty());
static ADDS_AND_KEEPS: Pass = row(ADDS_A_BLOCK, Kept::GRAPH);
static LOOKS_ONLY: Pass = row(LOOKS, Kept::empty());
static LOOKS_INTO_OTHERS: Pass =
    Pass { order: Order::BottomUp(|_, _| true), ..row(LOOKS, Kept::empty()) };

fn run(passes: &[&'static Pass]) -> Result<(), CompileError> {
    let mut module = parse_module("func @f() {\nblock0:\n    return\n}\n").unwrap();
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    run_passes(&mut module, passes, &RunOptions::new(&target), &mut Report::default())
}

#[test]
fn what_a_pass_does_not_keep_is_computed_again() {
    run(&[&LOOKS_ONLY, &ADDS_AND_DROPS, &LOOKS_ONLY, &ADDS_AND_DROPS, &LOOKS_ONLY]).unwrap();
}

#[test]
fn a_pass_that_keeps_what_it_has_changed_is_named() {
    let CompileError::Defect { pass, reason, .. } = run(&[&ADDS_AND_KEEPS]).unwrap_err() else {
        panic!("another error")
    };
    assert_eq!(pass, "tested");
    assert_eq!(&*reason, "leaves `flow` behind that is not what it was");
}

#[test]
fn a_pass_that_looks_into_callees_comes_to_them_first() {
    let text = "func @a() {\nb:\n    call @c()\n    call @b()\n    return\n}\n\
                func @b() {\nb:\n    call @c()\n    return\n}\n\
                func @c() {\nb:\n    return\n}\n";
    let mut module = parse_module(text).unwrap();
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let options = RunOptions { timing: Timing::On, ..RunOptions::new(&target) };
    let mut report = Report::default();
    run_passes(&mut module, &[&LOOKS_INTO_OTHERS], &options, &mut report).unwrap();
    let name = |run: &PassRun| module.function(run.function).map(|it| it.name.to_string());
    let order: Vec<String> = report.runs.iter().filter_map(name).collect();
    assert_eq!(order, ["c", "b", "a"]);
}

#[test]
fn what_is_planned_has_no_row_yet() {
    assert!(PLANNED.is_sorted_by_key(|pass| pass.stage));
    for (index, planned) in PLANNED.iter().enumerate() {
        let is_named = |name: &str| planned.name == name;
        assert!(!PASSES.iter().any(|row| is_named(row.name)), "{}", planned.name);
        assert!(!PLANNED[..index].iter().any(|other| is_named(other.name)), "{}", planned.name);
        assert!(parse_pipeline(planned.name).is_err(), "{}", planned.name);
        assert!(!planned.purpose.is_empty());
    }
}

#[test]
fn rows_that_say_the_same_to_the_same_pass_have_one_number() {
    for row in PASSES {
        let first = PASSES.iter().position(|other| other.spelling() == row.spelling());
        assert_eq!(row.place.number.map(usize::from), first, "{}", row.spelling());
        let options = PASSES.iter().filter(|other| other.name == row.name);
        assert_eq!(row.place.has_options, options.into_iter().any(|it| !it.option.is_empty()));
    }
}
