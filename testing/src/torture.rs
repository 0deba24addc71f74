//! The torture tests of GCC: small C programs that check themselves, as clang compiles
//! them to the end, and as Brolga compiles the LLVM IR that clang makes of them.

mod category;
mod command;
mod explained;
mod program;
mod reference;
mod report;
mod suite;
mod verdict;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use category::Category;
pub use command::{Request, USAGE, parse};
pub use program::Program;
pub use reference::{Build, Compiler, Optimisation, Reference, compiler};
pub use report::{LEAST, Report};
pub use suite::Suite;
pub use verdict::{Reason, Runner, Verdict};

/// Runs what is asked for with the command `brolga`, keeping in `folder` what takes time
/// to make.
///
/// # Errors
/// If the suite or clang is missing, or a file cannot be read or written.
pub fn torture(request: &Request, brolga: &Path, folder: &Path) -> Result<Report, String> {
    let programs = Suite::find(request.suite.as_deref(), folder)?.programs()?;
    let is_wanted = |program: &Program| {
        let name = &program.name;
        request.patterns.is_empty() || request.patterns.iter().any(|word| name.contains(word))
    };
    let programs: Vec<Program> = programs.into_iter().filter(is_wanted).collect();
    let compiler = compiler(&folder.join("builds"), &request.clang)?;
    let (next, report) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..request.jobs {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = run(program, request, &compiler, brolga, &report)
                        && let Ok(mut failed) = failed.lock()
                    {
                        *failed = Some(format!("{}: {error}", program.name));
                        return;
                    }
                }
            });
        }
    });
    match (failed.into_inner(), report.into_inner()) {
        (Ok(None), Ok(report)) => Ok(report),
        (Ok(Some(error)), _) => Err(error),
        _ => Err("a thread has panicked".to_owned()),
    }
}

/// Builds a program and runs it in all the ways that are asked for.
fn run(
    program: &Program,
    request: &Request,
    compiler: &Compiler,
    brolga: &Path,
    report: &Mutex<Report>,
) -> std::io::Result<()> {
    for &optimisation in &request.optimisations {
        let build = compiler.build(program, optimisation)?;
        for &level in &request.levels {
            let runner = Runner { command: brolga.to_owned(), level };
            let verdict = runner.judge(&build)?;
            if let Ok(mut report) = report.lock() {
                report.add(&program.name, program.category, (level, optimisation), verdict);
            }
        }
    }
    Ok(())
}
