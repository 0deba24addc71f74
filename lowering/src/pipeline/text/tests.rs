use brolga_ir::op::Dialect;

use super::*;
use crate::legal_form::ValueForm;
use crate::pass::Change;
use crate::pipeline::Stage;

const fn row(name: &'static str, option: &'static str, after: &'static [&'static str]) -> Pass {
    Pass {
        option,
        from: Level::O1,
        reason: "a row of a test",
        after,
        border: Dialect::Front,
        form: ValueForm::Declared,
        ..Pass::optional(name, Stage::Scalars, |_, _| Ok(Change::Nothing))
    }
}

/// A pass with options, and one that must run behind it.
static TABLE: &[Pass] =
    &[row("tidy_flow", "", &[]), row("tidy_flow", "eager", &[]), row("number", "", &["tidy_flow"])];

fn spelled(text: &str) -> Result<Vec<String>, String> {
    let passes = pipeline_of(TABLE, text).map_err(|error| error.to_string())?;
    Ok(passes.iter().map(|pass| pass.spelling().into()).collect())
}

#[test]
fn words_are_passes_with_their_options() {
    assert_eq!(
        spelled(" tidy_flow ,number,tidy_flow( eager )").unwrap(),
        ["tidy_flow", "number", "tidy_flow(eager)"]
    );
    assert_eq!(spelled("").unwrap(), [""; 0]);
    assert_eq!(spelled("number").unwrap(), ["number"]);
}

#[test]
fn the_name_of_a_level_stands_for_its_passes() {
    for &level in Level::ALL {
        let of_name = parse_pipeline(level.name()).unwrap();
        let names = |passes: &[&Pass]| passes.iter().map(|pass| pass.name).collect::<Vec<_>>();
        assert_eq!(names(&of_name), names(&passes_at(level)));
    }
}

#[test]
fn an_error_names_the_word_its_column_and_what_there_is() {
    for (text, error) in [
        (
            "tidy_flow, numbr",
            "column 12: no pass is named `numbr`; there are tidy_flow, number, and the levels \
             O0, O1, O2, O3",
        ),
        (
            "tidy_flow,\u{a0}é",
            "column 12: no pass is named `é`; there are tidy_flow, number, and the levels O0, O1, \
             O2, O3",
        ),
        ("tidy_flow,number(fast)", "column 11: there is no `number(fast)`; there is number"),
        (
            "tidy_flow(lazy)",
            "column 1: there is no `tidy_flow(lazy)`; there is tidy_flow, tidy_flow(eager)",
        ),
        ("number(", "column 1: `number(` is no pass; write `name`, or `name(option)`"),
        ("number()", "column 1: `number()` is no pass; write `name`, or `name(option)`"),
        ("number)", "column 1: `number)` is no pass; write `name`, or `name(option)`"),
        ("number(a)(b)", "column 1: `number(a)(b)` is no pass; write `name`, or `name(option)`"),
        (
            "number,,tidy_flow",
            "column 8: there is no word; write the name of a pass, or leave the comma out",
        ),
        (
            " number,tidy_flow",
            "column 2: `number` must not run before `tidy_flow`; put it behind that",
        ),
    ] {
        assert_eq!(spelled(text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn a_pass_that_has_run_before_may_run_again_behind() {
    assert!(spelled("tidy_flow,number,tidy_flow(eager),number,tidy_flow").is_ok());
}
