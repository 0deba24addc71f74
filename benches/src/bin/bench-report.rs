//! Measures everything and writes `docs/benchmarks.md`; `cargo xtask bench-report` runs it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use brolga_benches::backend::BackendError;
use brolga_benches::report::{Plan, Records, Summary, measure, page};

const USAGE: &str = "\
usage: cargo xtask bench-report [--rounds N]     measure, and write docs/benchmarks.md
       cargo xtask bench-report --only WORD      measure the kernels with WORD in their names,
                                                 and write nothing but target/bench-report
       cargo xtask bench-report --from FILE      write the page of records that were kept
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", error.to_string().trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), BackendError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("there is no repository")?;
    let folder = root.join("target/bench-report");
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let docs = root.join("docs");
    match words.as_slice() {
        [] => write(&measured(&folder, 5, "")?, &docs),
        ["--rounds", rounds] => write(&measured(&folder, rounds.parse()?, "")?, &docs),
        ["--only", filter] => write(&measured(&folder, 1, filter)?, &folder),
        ["--from", file] => write(&Records::load(Path::new(file))?, &docs),
        _ => Err(USAGE.into()),
    }
}

/// Measures, and keeps the records.
fn measured(folder: &Path, rounds: usize, filter: &str) -> Result<Records, BackendError> {
    let race = std::env::current_exe()?.with_file_name("race");
    if !race.exists() {
        return Err("the program `race` is not built beside this one".into());
    }
    let plan = Plan { rounds, filter: filter.to_owned(), race };
    let records = measure(&plan, |line| eprintln!("{line}"))?;
    fs::create_dir_all(folder)?;
    let file = folder.join("records.jsonl");
    records.save(&file)?;
    println!("records: {}", file.display());
    Ok(records)
}

/// Writes the page.
///
/// # Errors
/// If back ends disagree about a result: such numbers are worth nothing.
fn write(records: &Records, folder: &Path) -> Result<(), BackendError> {
    fs::create_dir_all(folder)?;
    for (name, text) in page(records) {
        let file: PathBuf = folder.join(name);
        fs::write(&file, text)?;
        println!("{}", file.display());
    }
    let differ = Summary::of(records).disagreements;
    if differ.is_empty() { Ok(()) } else { Err(format!("results differ: {differ:?}").into()) }
}
