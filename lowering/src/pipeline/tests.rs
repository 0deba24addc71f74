use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::parse_module;
use brolga_ir::types::Type;

use super::*;
use crate::analysis::Kept;
use crate::error::CompileError;
use crate::legal_form::ValueForm;
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
fn names_are_unique_and_constraints_name_passes() {
    for (index, pass) in PASSES.iter().enumerate() {
        let position = PASSES.iter().position(|other| other.name == pass.name);
        assert_eq!(position, Some(index), "{}", pass.name);
        for before in pass.after {
            assert!(PASSES.iter().any(|other| other.name == *before), "{before}");
        }
        assert!(!pass.reason.is_empty(), "{}", pass.name);
    }
}

#[test]
fn stages_borders_and_forms_only_go_down() {
    for pair in PASSES.windows(2) {
        assert!(pair[0].stage <= pair[1].stage, "{}", pair[1].name);
        assert!(pair[0].border <= pair[1].border, "{}", pair[1].name);
        assert!(pair[0].form <= pair[1].form, "{}", pair[1].name);
    }
}

#[test]
fn a_level_runs_what_the_levels_below_it_run() {
    let names = |level| passes_at(level).iter().map(|pass| pass.name).collect::<Vec<_>>();
    assert!(names(Level::O0).iter().all(|name| names(Level::O3).contains(name)));
    assert_eq!(passes_named(["lower_expect", "licm3"]).err(), Some("licm3"));
    for &level in Level::ALL {
        let of_name = passes_named([level.name()]).unwrap();
        assert_eq!(of_name.iter().map(|pass| pass.name).collect::<Vec<_>>(), names(level));
    }
}

/// A row of a pass that stands in no table.
const fn row(run: PassFunction, keeps: Kept) -> Pass {
    Pass {
        name: "tested",
        stage: Stage::Scalars,
        run,
        from: Level::O0,
        reason: "a test",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        keeps,
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
