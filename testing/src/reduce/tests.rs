use brolga_ir::body::Body;
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::print_module;
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::pass::{Change, PassContext, PassResult};
use brolga_lowering::pipeline::{Level, Pass, Stage, passes_at};

use super::*;
use crate::compare::{Engine, Passes, TARGETS, reference};
use crate::generate::{Options as Wanted, generate};
use crate::pass_list::shortest_list;
use crate::soak::Subject;

#[test]
fn what_is_not_needed_goes() {
    let executes =
        |program: &Generated| reference(program).is_ok_and(|(_, counts)| counts.of(Op::Fence) > 0);
    let program = (0..200)
        .map(|seed| generate(seed, &Wanted::default()))
        .find(|program| executes(program))
        .expect("some program has a fence");
    let small = reduce(&program, usize::MAX, &mut |candidate| executes(candidate));
    assert!(executes(&small));
    // The fence, and the way to it.
    let bodies = small.module.functions().filter_map(|(_, function)| function.body.as_deref());
    let mut ops: Vec<Op> =
        bodies.flat_map(|body| body.layout.all_insts().map(|inst| body.inst(inst).op)).collect();
    ops.sort_unstable_by_key(|op| op.mnemonic());
    let ways = small.module.functions().count();
    let needed = [vec![Op::Call; ways - 1], vec![Op::Fence], vec![Op::Return; ways]].concat();
    assert_eq!(ops, needed, "{}", print_module(&small.module));
}

/// Turns each exclusive or into an or: what a pass with a defect does.
fn confuse(body: &mut Body, _: &mut PassContext<'_>) -> PassResult {
    let found: Vec<_> =
        body.layout.all_insts().filter(|&inst| body.inst(inst).op == Op::Xor).collect();
    found.iter().for_each(|&inst| body.inst_mut(inst).op = Op::Or);
    Ok(if found.is_empty() { Change::Nothing } else { Change::Something })
}

static CONFUSE: Pass = Pass {
    from: Level::O1,
    reason: "a pass with a defect",
    after: &[],
    border: Dialect::Machine,
    form: ValueForm::Declared,
    ..Pass::optional("confuse", Stage::Scalars, confuse)
};

#[test]
fn a_pass_with_a_defect_is_shown_by_a_few_lines_of_a_long_program() {
    let mut list = passes_at(Level::O0);
    list.insert(4, &CONFUSE);
    let is_wrong = |program: &Generated, list: &[&'static Pass]| {
        let mut passes = Passes::new(list.to_vec(), &TARGETS[..1]);
        let is_steady =
            reference(program).is_ok_and(|(it, _)| !it.answers.iter().any(|it| it.is_astray()));
        is_steady && passes.observe(program).is_err()
    };
    let program = (0..400)
        .map(|seed| Subject::Passes.program(seed))
        .filter(|program| print_module(&program.module).lines().count() >= 200)
        .find(|program| is_wrong(program, &[&CONFUSE]) && is_wrong(program, &list))
        .expect("some long program shows it");
    let list = shortest_list(&list, &mut |list| is_wrong(&program, list));
    assert_eq!(crate::pass_list::spelled(&list), "confuse");
    let small = reduce(&program, 2_000, &mut |candidate| is_wrong(candidate, &list));
    let text = print_module(&small.module);
    assert!(is_wrong(&small, &list));
    assert!(text.lines().count() <= 24 && text.contains("xor."), "{text}");
    for call in 0..small.calls.len() {
        let mut less = small.clone();
        less.calls.remove(call);
        assert!(less.calls.is_empty() || !is_wrong(&less, &list), "call {call} is not needed");
    }
}
