//! C programs that nobody here wrote: taken from published packages, compiled
//! to LLVM IR by clang, and run by `brolga run` against clang's own build of them.

mod build;
mod clang;
mod packages;
mod request;
mod run;
mod table;

use std::path::{Path, PathBuf};

use build::Built;
use clang::Clang;
use packages::Packages;
pub use request::USAGE;
use request::{Request, parse};
use run::Row;
use table::{PROGRAMS, Program};

/// Does what the command line asks for; what is printed says how each run went.
///
/// # Errors
/// If the command line is wrong, a tool or a package is missing, or a run differs.
pub fn answer(words: &[String], print: &mut dyn FnMut(&str)) -> Result<(), String> {
    match parse(words)? {
        Request::Help => print(USAGE),
        Request::List => {
            for program in PROGRAMS {
                print(&format!("{:12} {}\n", program.name, program.workload));
            }
        }
        Request::Run { programs, levels, optimisations } => {
            let clang = Clang::find()?;
            let packages = Packages::fetch(&root().join("target/corpus"), &programs)?;
            print(&Row::heading());
            let mut differing = 0;
            for program in programs {
                for &optimisation in &optimisations {
                    let folder = folder(program, optimisation);
                    let built = Built::new(program, optimisation, &clang, &packages, &folder)?;
                    for &level in &levels {
                        let row = run::run(program, &built, level, &packages, &folder)?;
                        differing += usize::from(row.difference.is_some());
                        print(&row.to_string());
                    }
                }
            }
            if differing > 0 {
                return Err(format!("{differing} differ\n"));
            }
        }
    }
    Ok(())
}

/// The root of the repository.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where what is built of a program is kept, and what it wrote.
fn folder(program: &Program, optimisation: &str) -> PathBuf {
    root().join("target/corpus").join(format!("{}-O{optimisation}", program.name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_program_has_a_name_and_packages_of_its_own() {
        let names: BTreeSet<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        assert_eq!(names.len(), PROGRAMS.len());
        for program in PROGRAMS {
            let paths = program.sources.iter().chain(program.tests).copied();
            let marked = program.options.iter().chain(program.runs.iter().copied().flatten());
            for path in paths.chain(marked.filter_map(|word| word.strip_prefix('@'))) {
                let package = path.split('/').next();
                let is_own = program.packages.iter().any(|own| Some(own.name) == package);
                assert!(is_own || package == Some("corpus"), "{}: {path}", program.name);
            }
        }
    }

    #[test]
    fn drivers_are_short_beside_what_they_drive() {
        for program in PROGRAMS {
            for source in program.sources.iter().filter_map(|path| path.strip_prefix("corpus/")) {
                let file = root().join("testing/corpus").join(source);
                let text = std::fs::read_to_string(&file).expect("the driver is there");
                assert!(text.lines().count() <= 200, "{}", file.display());
            }
        }
    }
}
