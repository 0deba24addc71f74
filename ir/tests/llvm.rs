//! Texts of LLVM IR: every `.ll` below `tests/llvm` says in its directives what calls of
//! its functions come to on the interpreter, or which errors reading it gives.
//!
//! `cargo test -p brolga-ir --test llvm NAME` runs the files whose path contains NAME.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter};
use brolga_ir::llvm::{ReadOptions, read_module};
use brolga_ir::module::Module;
use brolga_ir::text::{
    Code, Diagnostic, DirectiveKind, Outcome, Run, directives, display_datum, parse_module,
};
use brolga_ir::types::Type;
use brolga_ir::verify::{Options, verify_module};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llvm");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut trials: Vec<Trial> = files.iter().map(|path| trial(&root, path.clone())).collect();
    trials.push(Trial::test(
        "every_code_of_the_reader_has_a_file_of_its_name_that_shows_it",
        move || Ok(codes_without_file(&files)?),
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "ll") {
            files.push(path);
        }
    }
}

fn trial(root: &Path, path: PathBuf) -> Trial {
    let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
    Trial::test(name.display().to_string(), move || check(&path).map_err(Failed::from))
}

/// A file is what its directives say.
fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let directives = directives(&text).map_err(|errors| listed(&errors))?;
    let mut errors = Vec::new();
    let mut runs = Vec::new();
    for directive in directives {
        match directive.kind {
            DirectiveKind::Error { line, column, code } => errors.push((line, column, code)),
            DirectiveKind::Run(run) => runs.push((directive.line, run)),
            _ => {}
        }
    }
    if errors.is_empty() && runs.is_empty() {
        return Err("no directive says what the file shows".to_owned());
    }
    let found = read_module(&text, &ReadOptions::default());
    if !errors.is_empty() {
        return check_errors(&errors, found);
    }
    let module = found.map_err(|errors| listed(&errors))?;
    verify_module(&module, &Options::default())
        .map_err(|errors| format!("{errors}\nin\n{module}"))?;
    let printed = module.to_string();
    parse_module(&printed).map_err(|errors| format!("{}\nin\n{printed}", listed(&errors)))?;
    let failures: Vec<String> =
        runs.iter().filter_map(|(line, run)| run_one(&module, *line, run).err()).collect();
    match failures.as_slice() {
        [] => Ok(()),
        failures => Err(format!("{}\nin\n{printed}", failures.join("\n"))),
    }
}

fn check_errors(
    expected: &[(u32, u32, Code)],
    found: Result<Module, Vec<Diagnostic>>,
) -> Result<(), String> {
    let Err(found) = found else { return Err("the text is read without errors".to_owned()) };
    let places: Vec<_> = found.iter().map(|e| (e.line, e.column, e.code)).collect();
    match places == expected {
        true => Ok(()),
        false => Err(format!("these errors are found:\n{}", listed(&found))),
    }
}

fn run_one(module: &Module, line: u32, run: &Run) -> Result<(), String> {
    let place = |message: String| format!("{line}: @{}: {message}", run.function);
    let unfit = |error: Diagnostic| place(error.to_string());
    let arguments = run.argument_data(module, line).map_err(unfit)?;
    let expected = run.result_data(module, line).map_err(unfit)?;
    let function = module.function_named(&run.function);
    let results: Vec<Type> =
        function.map_or(Vec::new(), |id| module.signature_of(id).result_types().collect());
    let mut interpreter = Interpreter::new(&[module]).map_err(|error| place(error.to_string()))?;
    let found = interpreter.call(&run.function, &arguments);
    match (expected, &run.outcome, found) {
        (Some(expected), _, Ok(found)) => {
            let agree = expected.len() == found.len()
                && results
                    .iter()
                    .zip(expected.iter().zip(&found))
                    .all(|(&ty, (a, b))| a.agrees(b, &module.types, ty));
            match agree {
                true => Ok(()),
                false => Err(place(format!("gives {}", shown(module, &results, &found)))),
            }
        }
        (None, Outcome::Traps { code, .. }, Err(CallError::Trap(trap))) if trap.code == *code => {
            Ok(())
        }
        (_, _, Err(error)) => Err(place(error.to_string())),
        (None, _, Ok(found)) => Err(place(format!("gives {}", shown(module, &results, &found)))),
    }
}

fn shown(module: &Module, types: &[Type], data: &[Datum]) -> String {
    let text = |(&ty, datum)| display_datum(&module.types, ty, datum).to_string();
    types.iter().zip(data).map(text).collect::<Vec<String>>().join(", ")
}

fn listed(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

fn codes_without_file(files: &[PathBuf]) -> Result<(), String> {
    let shows = |code: &Code| {
        let file =
            files.iter().find(|path| path.file_stem().is_some_and(|stem| stem == code.name()));
        let text = file.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let end = format!(" {code}");
        text.lines().any(|line| line.starts_with("; error:") && line.ends_with(&end))
    };
    let own = Code::ALL.iter().filter(|code| code.name().starts_with("llvm-"));
    let missing: Vec<&str> = own.filter(|code| !shows(code)).map(|code| code.name()).collect();
    match missing.as_slice() {
        [] => Ok(()),
        missing => Err(format!("no file of its name shows {}", missing.join(", "))),
    }
}
