//! What was asked for on the command line.

use brolga_lowering::pipeline::Level;

use super::table::{PROGRAMS, Program};

/// What the command says of itself.
pub const USAGE: &str = "\
C programs of 10,000 lines and more that nobody here wrote: compiled to LLVM IR by
clang 22, run by `brolga run`, and compared with clang's own build of them.

usage: cargo xtask corpus [NAME…] [--level LEVEL] [--opt 0|2]
       cargo xtask corpus --list   the programs, one line each

Without names it takes all programs, without `--level` all levels that exist, and
without `--opt` what clang makes at -O0 and at -O2. Packages come from crates.io.
";

/// How much clang optimises.
const OPTIMISATIONS: &[&str] = &["0", "2"];

/// What to do.
#[derive(Debug)]
pub(super) enum Request {
    /// Say what the command is.
    Help,
    /// Say which programs there are.
    List,
    /// Run programs, each as each optimisation of clang made it, at each level of ours.
    Run {
        programs: Vec<&'static Program>,
        levels: Vec<&'static str>,
        optimisations: Vec<&'static str>,
    },
}

/// Reads the command line.
pub(super) fn parse(words: &[String]) -> Result<Request, String> {
    let (mut programs, mut levels, mut optimisations) = (Vec::new(), Vec::new(), Vec::new());
    let all_levels: Vec<&str> = Level::ALL.iter().map(|level| level.digit()).collect();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = |choices: &[_]| choose(word, words.next(), choices);
        match word.as_str() {
            "--help" | "-h" | "help" => return Ok(Request::Help),
            "--list" => return Ok(Request::List),
            "--level" => levels.push(value(&all_levels)?),
            "--opt" => optimisations.push(value(OPTIMISATIONS)?),
            name => programs.push(program_named(name)?),
        }
    }
    if programs.is_empty() {
        programs = PROGRAMS.iter().collect();
    }
    if levels.is_empty() {
        levels = all_levels;
    }
    if optimisations.is_empty() {
        optimisations = OPTIMISATIONS.to_vec();
    }
    Ok(Request::Run { programs, levels, optimisations })
}

/// One of the choices of an option, which a letter may stand before: `O0` is `0`.
fn choose(
    option: &str,
    word: Option<&String>,
    choices: &[&'static str],
) -> Result<&'static str, String> {
    let wanted = word.map(|word| word.trim_start_matches(['-', 'O']));
    let found = choices.iter().find(|&&choice| Some(choice) == wanted);
    found.copied().ok_or_else(|| {
        let given = word.map_or("nothing", String::as_str);
        format!("`{option}` is given {given}; it takes {}\n", choices.join(" or "))
    })
}

fn program_named(name: &str) -> Result<&'static Program, String> {
    PROGRAMS.iter().find(|program| program.name == name).ok_or_else(|| {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        format!("there is no program `{name}`; there are {}\n", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(text: &str) -> Result<Request, String> {
        parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_not_named_is_all() {
        let Ok(Request::Run { programs, levels, optimisations }) = parse_words("") else {
            panic!("nothing to do");
        };
        assert_eq!(programs.len(), PROGRAMS.len());
        assert_eq!(levels.len(), Level::ALL.len());
        assert_eq!(optimisations, OPTIMISATIONS);
    }

    #[test]
    fn names_and_options_choose() {
        let Ok(Request::Run { programs, levels, optimisations }) =
            parse_words("zlib --level O0 lua --opt 2")
        else {
            panic!("nothing to do");
        };
        let names: Vec<&str> = programs.iter().map(|program| program.name).collect();
        assert_eq!(names, ["zlib", "lua"]);
        assert_eq!((levels, optimisations), (vec!["0"], vec!["2"]));
    }

    #[test]
    fn what_there_is_not_is_answered_with_what_there_is() {
        for (words, there_is) in [
            ("nothing", "sqlite"),
            ("--level O7", "takes 0"),
            ("--opt", "takes 0 or 2"),
            ("zlib --opt 1", "takes 0 or 2"),
        ] {
            let error = parse_words(words).expect_err(words);
            assert!(error.contains(there_is), "{error}");
        }
    }
}
