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
use brolga_benches::report::{Plan, Records, Start, Summary, loops, measure, page};

const USAGE: &str = "\
usage: cargo xtask bench-report [--rounds N]     measure, 5 rounds if not told otherwise, and
                                                 write docs/benchmarks.md and what it shows
       cargo xtask bench-report [--rounds N] --resume
                                                 go on with a run that was broken off
       cargo xtask bench-report --only WORD      measure the kernels with WORD in their names,
                                                 once, and write to target/bench-report only
       cargo xtask bench-report --from FILE      write the page of records that were kept
       cargo xtask bench-report --loops          write docs/benchmarks-loops.md alone, which
                                                 measures nothing
";

/// Rounds of a run that is to be published.
const ROUNDS: usize = 5;

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
    let records = match words.as_slice() {
        [] => measured(&folder, ROUNDS, "", Start::Anew)?,
        ["--resume"] => measured(&folder, ROUNDS, "", Start::Resume)?,
        ["--rounds", rounds] => measured(&folder, rounds.parse()?, "", Start::Anew)?,
        ["--rounds", rounds, "--resume"] => measured(&folder, rounds.parse()?, "", Start::Resume)?,
        ["--only", filter] => {
            write_loops(filter, &folder)?;
            return write(&measured(&folder, 1, filter, Start::Anew)?, &folder);
        }
        ["--from", file] => return write(&Records::load(Path::new(file))?, &docs),
        ["--loops"] => return write_loops("", &docs),
        _ => return Err(USAGE.into()),
    };
    write_loops("", &docs)?;
    write(&records, &docs)
}

/// Writes the page of loops.
fn write_loops(filter: &str, folder: &Path) -> Result<(), BackendError> {
    let (name, text) = loops(filter)?;
    let file = folder.join(name);
    fs::create_dir_all(folder)?;
    fs::write(&file, text)?;
    println!("{}", file.display());
    Ok(())
}

/// Measures, and keeps the records.
fn measured(
    folder: &Path,
    rounds: usize,
    filter: &str,
    start: Start,
) -> Result<Records, BackendError> {
    let beside = |name: &str| {
        let program = std::env::current_exe()?.with_file_name(name);
        Ok::<_, BackendError>(program.exists().then_some(program))
    };
    fs::create_dir_all(folder)?;
    let journal = folder.join(if filter.is_empty() { "records.jsonl" } else { "some.jsonl" });
    let plan = Plan {
        rounds,
        filter: filter.to_owned(),
        race: beside("race")?.ok_or("the program `race` is not built beside this one")?,
        race_llvm: beside("race-llvm")?,
        journal: journal.clone(),
        start,
    };
    let records = measure(&plan, |line| eprintln!("{line}"))?;
    println!("records: {}", journal.display());
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
