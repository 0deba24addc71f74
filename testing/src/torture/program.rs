//! A program of the suite: its files, what it is about, and the options that it asks for.

use std::path::{Path, PathBuf};

use super::category::{Category, category};

/// A program of the suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its path in the suite, without the ending.
    pub name: String,
    /// What it is about.
    pub category: Category,
    /// The files that it is made of.
    pub sources: Vec<PathBuf>,
    /// What it asks the compiler for.
    pub options: Vec<String>,
}

impl Program {
    /// The program of a file, whose path in `suite` has no ending.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn new(suite: &Path, name: &str) -> std::io::Result<Program> {
        let file = suite.join(format!("{name}.c"));
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let mut options = options(&text);
        let mut sources = vec![file];
        if let Some(name) = name.strip_prefix("builtins/") {
            // These bring the functions of the library themselves.
            sources.push(suite.join(format!("builtins/{name}-lib.c")));
            sources.push(suite.join("builtins/lib/main.c"));
        }
        if name.starts_with("ieee/") {
            options.push("-fno-inline".to_owned());
        }
        Ok(Program { name: name.to_owned(), category: category(name, &text), sources, options })
    }
}

/// The options in the comments of a text that clang knows, too. The others are of GCC's
/// own passes; levels are ours to choose.
fn options(text: &str) -> Vec<String> {
    let directives = ["{ dg-options", "{ dg-additional-options"];
    let rests = directives.iter().flat_map(|word| text.split(word).skip(1));
    let lines = rests.filter_map(|rest| rest.lines().next());
    let wanted = lines.filter_map(|line| {
        let (_, rest) = line.split_once('"')?;
        let (words, behind) = rest.split_once('"')?;
        is_for_this_target(behind).then_some(words)
    });
    let words = wanted.flat_map(str::split_whitespace);
    words.filter(|word| is_known(word)).map(str::to_owned).collect()
}

/// Whether the selector behind options, if there is one, selects what programs are
/// compiled for here.
fn is_for_this_target(selector: &str) -> bool {
    !selector.contains("target")
        || (selector.contains("x86_64") && !selector.contains("ia32"))
        || selector.contains("fpic")
}

/// Options that say what a program means.
const KNOWN: &[&str] = &[
    "-D",
    "-fcommon",
    "-ffast-math",
    "-fgnu89-inline",
    "-finstrument-functions",
    "-fno-builtin",
    "-fno-common",
    "-fno-inline",
    "-fno-strict-aliasing",
    "-fno-strict-overflow",
    "-fno-trapping-math",
    "-fnon-call-exceptions",
    "-fomit-frame-pointer",
    "-fpic",
    "-fwrapv",
    "-std=",
];

fn is_known(word: &str) -> bool {
    KNOWN.iter().any(|known| word == *known || (is_prefix(known) && word.starts_with(known)))
}

/// Whether more may follow.
fn is_prefix(option: &str) -> bool {
    option.ends_with('=') || matches!(option, "-D" | "-fno-builtin")
}

#[cfg(test)]
mod tests {
    use super::options;

    #[test]
    fn options_are_those_of_this_target_that_clang_knows() {
        let text = "\
/* { dg-options \"-fwrapv -fmodulo-sched -O2\" } */
/* { dg-options { \"-std=c89\" } } */
/* { dg-additional-options \"-DX\" { target { ! signal } } } */
/* { dg-additional-options \"-fpic\" { target fpic } } */";
        assert_eq!(options(text), ["-fwrapv", "-std=c89", "-fpic"]);
    }
}
