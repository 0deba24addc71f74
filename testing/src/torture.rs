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

use brolga_lowering::pipeline::Level;

use crate::parallel;

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
    let run = |_, program: &Program| run(program, request, &compiler, brolga);
    let done = parallel::map(request.jobs, &programs, run);
    let mut report = Report::default();
    for (program, verdicts) in programs.iter().zip(done) {
        let verdicts = verdicts.map_err(|error| format!("{}: {error}", program.name))?;
        for (way, verdict) in verdicts {
            report.add(&program.name, program.category, way, verdict);
        }
    }
    Ok(report)
}

/// A level of Brolga's, none for its usual one, and one of clang's.
type Way = (Option<Level>, Optimisation);

/// Builds a program and runs it in all the ways that are asked for.
fn run(
    program: &Program,
    request: &Request,
    compiler: &Compiler,
    brolga: &Path,
) -> std::io::Result<Vec<(Way, Verdict)>> {
    let mut verdicts = Vec::new();
    for &optimisation in &request.optimisations {
        let build = compiler.build(program, optimisation)?;
        for &level in &request.levels {
            let runner = Runner { command: brolga.to_owned(), level };
            verdicts.push(((level, optimisation), runner.judge(&build)?));
        }
    }
    Ok(verdicts)
}
