use std::sync::atomic::{AtomicU64, Ordering};

use brolga_ir::op::Op;
use brolga_ir::text::parse_module;
use brolga_lowering::pass::{PassContext, PassFunction, PassResult};
use brolga_lowering::pipeline::{Level, Stage, passes_at};

use super::*;
use crate::generate::Split;
use crate::soak::Subject;

/// Changes the ops that `choose` gives others for; says whether it has changed any.
fn replace(body: &mut Body, choose: impl Fn(Op) -> Option<Op>) -> PassResult {
    let mut change = Change::Nothing;
    let blocks: Vec<_> = body.layout.blocks().collect();
    for block in blocks {
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            if let Some(op) = choose(body.inst(inst).op) {
                body.inst_mut(inst).op = op;
                change = Change::Something;
            }
        }
    }
    Ok(change)
}

fn wrong(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    replace(body, |op| (op == Op::Add).then_some(Op::Sub))
}

/// Undoes what `wrong` has done.
fn mended(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    replace(body, |op| (op == Op::Sub).then_some(Op::Add))
}

fn right(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    replace(body, |_| None)
}

/// Something else each time.
fn unsteady(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let is_odd = RUNS.fetch_add(1, Ordering::Relaxed) % 2 == 1;
    replace(body, |op| (op == Op::Add && is_odd).then_some(Op::Or))
}

fn broken(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    replace(body, |op| (op == Op::Add).then_some(Op::Fadd))
}

fn panicking(_: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    std::panic::resume_unwind(Box::new("out of reach".to_owned()))
}

const fn row(name: &'static str, run: PassFunction) -> Pass {
    Pass {
        from: Level::O1,
        reason: "a row of a test",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        ..Pass::optional(name, Stage::Scalars, run)
    }
}

static WRONG: Pass = row("wrong", wrong);
static RIGHT: Pass = row("right", right);
static MENDED: Pass = row("mended", mended);
static UNSTEADY: Pass = row("unsteady", unsteady);
static BROKEN: Pass = row("broken", broken);
static PANICKING: Pass = row("panicking", panicking);

fn program() -> Generated {
    let text = "func @f(i64) -> i64 {\nb(%x: i64):\n    %y = add.i64 %x, 1\n    return %y\n}\n";
    let call = Call { function: "f".into(), args: vec![Datum::from(6i64)] };
    Generated { module: parse_module(text).unwrap(), calls: vec![call], split: Split::WHOLE }
}

fn fault(list: Vec<&'static Pass>) -> String {
    Passes::new(list, &TARGETS[..1]).observe(&program()).unwrap_err()
}

#[test]
fn the_pass_that_changes_what_a_program_means_is_named() {
    let mut list = passes_at(Level::O0);
    list.insert(3, &WRONG);
    list.insert(1, &RIGHT);
    let fault = fault(list.clone());
    assert!(
        fault.starts_with("`wrong` for x86_64-unknown-linux-gnu/x86-64: call 0, of @f"),
        "{fault}"
    );
    assert!(fault.contains("expected (7)\n  found    (5)"), "{fault}");
    assert!(fault.ends_with(&format!("the passes were {}", spelled(&list))), "{fault}");
}

#[test]
fn what_a_later_pass_hides_is_seen_by_who_looks_in_between() {
    let passes = || Passes::new(vec![&RIGHT, &WRONG, &MENDED], &TARGETS[..1]);
    passes().observe(&program()).unwrap();
    passes().looked_at(1).observe(&program()).unwrap();
    let fault = passes().looked_at(2).observe(&program()).unwrap_err();
    assert!(fault.starts_with("`wrong` for "), "{fault}");
}

#[test]
fn a_pass_that_gives_two_modules_of_one_is_named() {
    // Or and add give the same for an odd and an even number.
    let fault = fault(vec![&RIGHT, &UNSTEADY, &RIGHT]);
    assert!(fault.starts_with("`unsteady` for ") && fault.contains("two runs"), "{fault}");
}

#[test]
fn a_pass_that_leaves_no_sound_module_or_panics_is_named() {
    let fault_of = |pass| fault(vec![&RIGHT, pass, &RIGHT]);
    let broken = fault_of(&BROKEN);
    assert!(broken.starts_with("`broken` for ") && broken.contains("does not verify"), "{broken}");
    let panicking = fault_of(&PANICKING);
    assert!(panicking.starts_with("`panicking` for "), "{panicking}");
    assert!(panicking.contains("panicked: out of reach"), "{panicking}");
}

#[test]
fn the_passes_of_every_level_agree_and_their_changes_are_counted() {
    for &level in Level::ALL {
        let mut passes = Passes::new(passes_at(level), TARGETS);
        for seed in 0..4 {
            let program = Subject::Passes.program(seed);
            let found = passes.observe(&program);
            assert!(found.is_ok(), "{level:?}: seed {seed}: {found:?}");
        }
        assert!(passes.changes().values().any(|&(runs, changes)| changes > 0 && runs > changes));
    }
}
