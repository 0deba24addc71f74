//! `passes`: what passes make of a file, line by line.

use brolga_ir::module::Module;
use brolga_ir::observe::Remark;
use brolga_ir::text::print_module;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::pipeline::{
    Inspection, Inspector, PASSES, Pass, Remarks, Report, RunOptions, ordering_faults,
    passes_named, run_passes,
};
use brolga_lowering::target::TargetSpec;

use super::diff;
use super::file::TestFile;
use super::lowered::LoweredInstance;
use super::run::run_all;

/// What passes run for where a directive names no target: the CPU for which
/// most is rewritten.
const TARGET: &str = "x86_64-linux/x86-64";

/// Where the files of passes are, each in a folder of the pass's name.
pub(crate) const FOLDER: &str = "tests/filetests/passes";

/// Every `passes` of the file gives the module that stands behind it; with the
/// variable `UPDATE_EXPECT` set, what it gives is put there.
pub(crate) fn passes(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let (mut failures, mut answers) = (String::new(), Vec::new());
    for (line, passes) in file.passes() {
        let at = |fault: &str| format!("{}:{line}: {fault}\n", file.path);
        match behind(&module, &passes.names, passes.target.as_deref()) {
            Ok(made) => {
                let (found, means) =
                    (print_module(&made), means_the_same(file, &module, made, &passes.names));
                means.unwrap_or_else(|fault| failures.push_str(&at(&fault)));
                let expected = passes.gives.join("\n");
                if expected.trim_end() != found.trim_end() {
                    let difference = diff::lines(&expected, found.trim_end());
                    failures.push_str(&at(&format!("gives another module, {difference}")));
                }
                answers.push((line, passes.gives.len(), found));
            }
            Err(fault) => failures.push_str(&at(&fault)),
        }
    }
    if !failures.is_empty() && std::env::var_os("UPDATE_EXPECT").is_some() {
        file.rewrite(&updated(&file.text, &answers))?;
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

/// What passes of those names have made of the module of a file does what the file says of it.
pub(crate) fn means_the_same(
    file: &TestFile,
    module: &Module,
    made: Module,
    names: &[String],
) -> Result<(), String> {
    let passes =
        passes_named(names.iter().map(String::as_str)).map_err(|error| error.to_string())?;
    let mut instance = LoweredInstance::new(module, made, &passes);
    run_all(file, module, &mut instance)
        .map_err(|failures| format!("`{}` changes what it means:\n{failures}", names.join(",")))
}

/// The module behind passes of those names, which the verifier finds sound.
pub(crate) fn behind(
    module: &Module,
    names: &[String],
    target: Option<&str>,
) -> Result<Module, String> {
    behind_with_remarks(module, names, target).map(|(module, _)| module)
}

/// The same, and what those passes tell.
pub(crate) fn behind_with_remarks(
    module: &Module,
    names: &[String],
    target: Option<&str>,
) -> Result<(Module, Vec<Remark>), String> {
    let target = TargetSpec::parse(target.unwrap_or(TARGET)).map_err(|error| error.to_string())?;
    let passes =
        passes_named(names.iter().map(String::as_str)).map_err(|error| error.to_string())?;
    if let Some(fault) = ordering_faults(&passes).first() {
        return Err(fault.clone());
    }
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let inspector = Inspector::new(inspection, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(&target) };
    let (mut module, mut report) = (module.clone(), Report::default());
    run_passes(&mut module, &passes, &options, &mut report).map_err(|error| error.to_string())?;
    verify_module(&module, &Options::default())
        .map_err(|errors| format!("gives no sound module: {errors}\n{module}"))?;
    Ok((module, report.remarks))
}

/// The text with, behind each of those lines, so many lines replaced by the answer.
fn updated(text: &str, answers: &[(u32, usize, String)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, count, answer) in answers.iter().rev() {
        let start = *line as usize;
        let given =
            answer.trim_end().lines().map(|line| format!("; | {line}").trim_end().to_owned());
        lines.splice(start..start + count, given);
    }
    lines.join("\n") + "\n"
}

/// Every pass has a file in a folder of its name that runs it, and every folder
/// is that of a pass.
pub(crate) fn passes_without_file(paths: &[String]) -> Result<(), String> {
    let files: Vec<TestFile> =
        paths.iter().map(|path| TestFile::read(path)).collect::<Result<_, String>>()?;
    let is_its =
        |file: &TestFile, pass: &Pass| file.path.starts_with(&format!("{FOLDER}/{}/", pass.name));
    let shows = |file: &TestFile, pass: &Pass| {
        let is_named = |names: &[String]| names.iter().any(|name| *name == *pass.spelling());
        is_its(file, pass) && file.passes().any(|(_, asked)| is_named(&asked.names))
    };
    let tells = |file: &TestFile, pass: &Pass| {
        is_its(file, pass) && file.remarks().any(|told| told.pass == *pass.spelling())
    };
    let unseen = PASSES.iter().filter(|pass| !files.iter().any(|file| shows(file, pass)));
    let mut faults: Vec<String> =
        unseen.map(|pass| format!("no file shows what `{}` does", pass.name)).collect();
    let is_seen =
        |file: &TestFile| PASSES.iter().any(|pass| shows(file, pass) || tells(file, pass));
    let astray = files.iter().filter(|file| !is_seen(file));
    faults.extend(astray.map(|file| format!("{} runs no pass that its folder names", file.path)));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
