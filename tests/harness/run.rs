//! `run`: what calls come to.

use brolga_ir::datum::Datum;
use brolga_ir::module::Module;
use brolga_ir::text::{Outcome, Run, display_datum};
use brolga_ir::types::Type;

use super::diff::is_expected;
use super::engine::{Engine, Failure, Instance};
use super::file::{TestFile, listed};

/// How many failures of a file are listed.
const MOST_FAILURES: usize = 10;

/// Each call of the file comes to what it says, on a module as it declares itself.
pub(crate) fn run(file: &TestFile, engine: &dyn Engine) -> Result<(), String> {
    let module = file.module()?;
    let loaded = engine.load(&module);
    let mut instance = loaded.map_err(|error| format!("{}: {error}", file.path))?;
    run_all(file, &module, &mut *instance).map_err(|failures| {
        let is_right = |instance: &mut dyn Instance| run_all(file, &module, instance).is_ok();
        match engine.culprit(&module, &is_right) {
            Some(culprit) => format!("{failures}wrong from {culprit} on\n"),
            None => failures,
        }
    })
}

/// Each call of the file comes to what it says.
pub(crate) fn run_all(
    file: &TestFile,
    module: &Module,
    instance: &mut dyn Instance,
) -> Result<(), String> {
    let (mut failures, mut count) = (String::new(), 0);
    for (line, run) in file.runs() {
        if let Err(failure) = run_one(file, module, instance, line, run) {
            count += 1;
            if count <= MOST_FAILURES {
                failures.push_str(&format!("{}:{line}: {failure}\n", file.path));
            }
        }
    }
    match count {
        0 => Ok(()),
        1..=MOST_FAILURES => Err(failures),
        _ => Err(format!("{failures}and {} more\n", count - MOST_FAILURES)),
    }
}

fn run_one(
    file: &TestFile,
    module: &Module,
    instance: &mut dyn Instance,
    line: u32,
    run: &Run,
) -> Result<(), String> {
    let unfit = |error| listed(&file.path, &[error]);
    let arguments = run.argument_data(module, line).map_err(unfit)?;
    let expected = run.result_data(module, line).map_err(unfit)?;
    let results = result_types(module, run);
    let found = instance.call(&run.function, &arguments);
    match (expected, &run.outcome, found) {
        (Some(expected), _, Ok(found)) => {
            let fits =
                |((ty, a), b): ((&Type, &Datum), &Datum)| is_expected(&module.types, *ty, a, b);
            let fits = found.len() == expected.len()
                && results.iter().zip(&expected).zip(&found).all(fits);
            let text = |data: &[Datum]| shown(module, &results, data);
            match fits {
                true => Ok(()),
                false => Err(format!(
                    "@{} gives another answer\n- {}\n+ {}",
                    run.function,
                    text(&expected),
                    text(&found)
                )),
            }
        }
        (None, Outcome::Traps { code, line }, Err(Failure::Trap(trap))) => {
            let same_line = line.is_none_or(|line| line == trap.line());
            if trap.code == *code && same_line {
                return Ok(());
            }
            let wanted = line.map_or(String::new(), |line| format!(" at {line}"));
            Err(format!("@{} should trap {code}{wanted}: {trap}", run.function))
        }
        (None, Outcome::Traps { code, .. }, Ok(found)) => {
            let found = shown(module, &results, &found);
            Err(format!("@{} should trap {code} and gives {found}", run.function))
        }
        (_, _, Err(Failure::Trap(trap))) => Err(format!("@{}: {trap}", run.function)),
        (_, _, Err(Failure::Other(error))) => Err(format!("@{}: {error}", run.function)),
        (None, Outcome::Returns(_), Ok(_)) => Err("the directive has no results".to_owned()),
    }
}

fn result_types(module: &Module, run: &Run) -> Vec<Type> {
    let function = module.function_named(&run.function);
    function.map_or(Vec::new(), |id| module.signature_of(id).result_types().collect())
}

fn shown(module: &Module, types: &[Type], data: &[Datum]) -> String {
    let texts: Vec<String> = types
        .iter()
        .zip(data)
        .map(|(&ty, datum)| display_datum(&module.types, ty, datum).to_string())
        .collect();
    match texts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", texts.join(", ")),
    }
}
