//! `cargo run -p brolga-testing --bin aarch64`: every run of every test file
//! whose functions need no host, as code of aarch64 under an emulator, against
//! the interpreter.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

use std::collections::BTreeSet;
use std::process::ExitCode;

use brolga_ir::module::Module;
use brolga_ir::text::{DirectiveKind, directives, parse_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::verify::{Options, verify_module};
use brolga_testing::compare::{Answer, interpret, with_kinds_of_frames};
use brolga_testing::corpus::texts;
use brolga_testing::emulated::{Emulated, Image, Reset};
use brolga_testing::generate::Call;

fn main() -> ExitCode {
    let emulated = match Emulated::find() {
        Ok(emulated) => emulated,
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::FAILURE;
        }
    };
    let mut totals = Totals::default();
    for (name, text) in texts() {
        if let Err(reason) = check_file(&emulated, &name, &text, &mut totals) {
            totals.failures.push(format!("{name}: {reason}"));
        }
    }
    println!("{} calls agree, {} need what there is not", totals.agreed, totals.left_out);
    for failure in &totals.failures {
        eprintln!("{failure}");
    }
    match totals.failures.is_empty() && totals.agreed > 5000 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

#[derive(Default)]
struct Totals {
    agreed: usize,
    left_out: usize,
    failures: Vec<String>,
}

fn check_file(
    emulated: &Emulated,
    name: &str,
    text: &str,
    totals: &mut Totals,
) -> Result<(), String> {
    let (Ok(module), Ok(directives)) = (parse_module(text), directives(text)) else {
        return Ok(());
    };
    if text.contains("skip: native") || verify_module(&module, &Options::default()).is_err() {
        return Ok(());
    }
    let mut image = Image::new(&module, emulated.isa(), Reset::EachCall)?;
    let (mut calls, mut lines) = (Vec::new(), Vec::new());
    for directive in directives {
        let DirectiveKind::Run(run) = directive.kind else { continue };
        if !image.is_whole() || needs_refused(&module, &image, &run.function) {
            totals.left_out += 1;
            continue;
        }
        let args = run.argument_data(&module, directive.line);
        let args = args.map_err(|error| format!("{error:?}"))?;
        calls.push(Call { function: run.function.into(), args });
        lines.push(directive.line);
    }
    if calls.is_empty() {
        return Ok(());
    }
    let found = emulated.run(&mut image, &calls)?;
    for ((call, line), found) in calls.iter().zip(lines).zip(&found.answers) {
        let (expected, _) = interpret(&[&module], &module, std::slice::from_ref(call))?;
        match agrees(&module, call, &expected.answers[0], found) {
            true => totals.agreed += 1,
            false => totals
                .failures
                .push(format!("{name}:{line}: {found:?} instead of {:?}", expected.answers[0])),
        }
    }
    Ok(())
}

/// Whether a function, or one that it refers to, was refused.
fn needs_refused(module: &Module, image: &Image<'_>, function: &str) -> bool {
    let refused: BTreeSet<_> = image.refused().map(|(id, _)| id).collect();
    let Some(function) = module.function_named(function) else { return true };
    let (mut seen, mut left) = (BTreeSet::from([function]), vec![function]);
    while let Some(id) = left.pop() {
        if refused.contains(&id) {
            return true;
        }
        let Some(body) = module.function(id).and_then(|it| it.body.as_deref()) else { continue };
        let insts = body.layout.all_insts();
        let callees = insts.filter_map(|inst| body.inst(inst).function());
        left.extend(callees.filter(|&callee| seen.insert(callee)));
    }
    false
}

fn agrees(module: &Module, call: &Call, expected: &Answer, found: &Answer) -> bool {
    match (expected, found) {
        (Answer::Returned(expected), Answer::Returned(found)) => {
            let id = module.function_named(&call.function);
            let types = id.into_iter().flat_map(|id| module.signature_of(id).result_types());
            let mut pairs = types.zip(expected.iter().zip(found));
            pairs.all(|(ty, (expected, found))| expected.agrees(found, &module.types, ty))
        }
        // Interpreter and machine run out of stack at different depths.
        (
            Answer::Trapped { code: TrapCode::StackOverflow, .. },
            Answer::Trapped { code: TrapCode::StackOverflow, .. },
        ) => true,
        _ => *expected == with_kinds_of_frames(expected, found),
    }
}
