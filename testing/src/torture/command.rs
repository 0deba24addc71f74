//! What was asked for on the command line.

use std::path::PathBuf;

use brolga_lowering::pipeline::Level;

use super::reference::Optimisation;
use crate::parallel;

/// How the command is used.
pub const USAGE: &str = "\
usage: cargo xtask torture [PATTERN…] [--opt O] [--clang OPTION] [--level L] [--jobs N] [--suite PATH]

Runs the programs of GCC's torture tests (gcc.c-torture/execute) whose name has one of
the PATTERNs in it, or all: each compiled by clang 22 with -O0 and -O2, to a program
and to LLVM IR, which `brolga run` compiles. Both must exit with 0 and print the same,
where clang's does exit with 0. Prints each miss with its reason, and rates by what
the programs are about; fails below 97 of 100.

  --opt O       clang's build with that option instead of 0 and 2: 0, 1, 2, 3, s or z;
                may stand several times
  --clang OPTION
                another option for clang, such as -march=native; may stand several times
  --level L     a level of Brolga's that exists (its usual one); may stand several times
  --jobs N      that many programs at a time (one for each core)
  --suite PATH  an archive of GCC's sources, or a folder of such programs; else the
                package gcc-12-source of Debian and Ubuntu, installed or fetched
";

/// What to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Parts of the names of programs; none for all.
    pub patterns: Vec<String>,
    /// How clang optimises.
    pub optimisations: Vec<Optimisation>,
    /// More options for clang.
    pub clang: Vec<String>,
    /// How Brolga does; none for its usual level.
    pub levels: Vec<Option<Level>>,
    /// How many programs at a time.
    pub jobs: usize,
    /// Where the suite is.
    pub suite: Option<PathBuf>,
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them.
pub fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request {
        patterns: Vec::new(),
        optimisations: Vec::new(),
        clang: Vec::new(),
        levels: Vec::new(),
        jobs: parallel::threads(),
        suite: None,
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value\n\n{USAGE}"));
        match word.as_str() {
            "--opt" => request.optimisations.push(optimisation(value()?)?),
            "--clang" => request.clang.push(value()?.clone()),
            "--level" => request.levels.push(Some(level(value()?)?)),
            "--jobs" => request.jobs = jobs(value()?)?,
            "--suite" => request.suite = Some(value()?.into()),
            option if option.starts_with('-') => {
                return Err(format!("there is no option {option}\n\n{USAGE}"));
            }
            pattern => request.patterns.push(pattern.to_owned()),
        }
    }
    if request.optimisations.is_empty() {
        request.optimisations = Optimisation::USUAL.to_vec();
    }
    if request.levels.is_empty() {
        request.levels = vec![None];
    }
    Ok(request)
}

fn optimisation(word: &str) -> Result<Optimisation, String> {
    let unknown = || format!("--opt is 0, 1, 2, 3, s or z, not {word}\n");
    Optimisation::named(word).ok_or_else(unknown)
}

fn level(word: &str) -> Result<Level, String> {
    let levels = Level::ALL;
    levels.iter().copied().find(|level| level.digit() == word).ok_or_else(|| {
        let levels: Vec<&str> = levels.iter().map(|level| level.digit()).collect();
        format!("--level is one that exists, {}, not {word}\n", levels.join(" or "))
    })
}

fn jobs(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("--jobs is a number from 1, not {word}\n"))
}

#[cfg(test)]
mod tests {
    use super::{Optimisation, parse};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn without_options_both_builds_run_at_the_usual_level() {
        let request = parse(&words("pr1 va-arg")).expect("it is right");
        assert_eq!(request.optimisations, Optimisation::USUAL);
        assert_eq!((request.levels, request.patterns.len()), (vec![None], 2));
    }

    #[test]
    fn wrong_options_are_told() {
        for text in ["--opt 4", "--level x", "--level 7", "--jobs 0", "--jobs", "--fast"] {
            assert!(parse(&words(text)).is_err(), "{text}");
        }
    }
}
