//! The test files: every `.bir` below `tests/filetests` and `examples`, and every text of
//! LLVM IR that the reader is tested by, says in its directives what parsing,
//! verification, passes, compilation and execution give.
//!
//! One test for each file and kind of directive, and for `run` one for each
//! engine. `cargo test --test filetests NAME` runs those whose name contains
//! NAME, for example `run::interpreter::ops/add`.

mod harness;

use std::process::ExitCode;
use std::sync::Arc;

use harness::engine::Engine;
use harness::file::{TestFile, files_below};
use harness::{alone, assembly, borders, compile, passes, remarks, run, text, verify};
use libtest_mimic::{Arguments, Trial};

/// Where test files are, from the root of the package.
const ROOTS: &[&str] = &["tests/filetests", "examples", "ir/tests/llvm"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let engines: Vec<Arc<dyn Engine>> = harness::engine::all();
    let mut trials = Vec::new();
    for path in ROOTS.iter().flat_map(|root| files_below(root)) {
        match TestFile::read(&path) {
            Ok(file) => trials.extend(trials_of(&Arc::new(file), &engines)),
            Err(fault) => trials.push(Trial::test(format!("read::{path}"), || Err(fault.into()))),
        }
    }
    trials.push(Trial::test("verify::every_rule_that_text_can_break_has_a_file", || {
        Ok(verify::rules_without_file(&files_below("tests/filetests/verify"))?)
    }));
    trials.push(Trial::test("passes::every_pass_has_a_file", || {
        Ok(passes::passes_without_file(&files_below(passes::FOLDER))?)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The tests that a file asks for.
fn trials_of(file: &Arc<TestFile>, engines: &[Arc<dyn Engine>]) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |kind: &str, test: fn(&TestFile) -> Result<(), String>| {
        let name = format!("{kind}::{}", file.name);
        let file = file.clone();
        trials.push(Trial::test(name, move || Ok(test(&file)?)));
    };
    if file.errors().next().is_some() {
        add("error", text::errors);
        return trials;
    }
    add("check", text::check);
    add("verify", verify::verify);
    if file.passes().next().is_some() {
        add("passes", passes::passes);
    }
    if file.alone().next().is_some() {
        add("alone", alone::alone);
    }
    if file.remarks().next().is_some() {
        add("remarks", remarks::remarks);
    }
    if file.assembly().next().is_some() {
        add("asm", assembly::assembly);
    }
    if file.runs().next().is_some() && !file.skips("lowered-x86-64-v3") {
        add("borders", borders::borders);
    }
    if file.runs().next().is_some() {
        let fits = |engine: &Arc<dyn Engine>| engine.target().is_none_or(|it| file.fits(&it));
        let wanted = engines.iter().filter(|engine| !file.skips(engine.name()));
        for engine in wanted.filter(|engine| fits(engine)) {
            let (file, engine) = (file.clone(), engine.clone());
            let name = format!("run::{}::{}", engine.name(), file.name);
            trials.push(Trial::test(name, move || Ok(run::run(&file, &*engine)?)));
        }
    }
    for target in compile::targets_of(file) {
        let file = file.clone();
        let name = format!("compile::{target}::{}", file.name);
        trials.push(Trial::test(name, move || Ok(compile::compile(&file, &target)?)));
    }
    trials
}
