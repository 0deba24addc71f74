//! What seeds are fed to.

use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::Code;
use brolga_ir::verify::Rule;

use super::Tally;
use crate::compare::{Engine, Native, Text, difference, reference};
use crate::generate::{Managed, Options, generate};
use crate::mutate::{check_parser, check_verifier};
use crate::reproducer::reproducer;

macro_rules! subjects {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// What a soak tests.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Subject { $($(#[$doc])* $name,)* }

        impl Subject {
            /// All of them.
            pub const ALL: &'static [Subject] = &[$(Subject::$name,)*];

            /// The spelling on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Subject::$name => $text,)* }
            }
        }
    };
}

subjects! {
    /// Generated programs: native code against the interpreter.
    Native = "native";
    /// Generated programs: each border of the mandatory passes against the interpreter.
    Passes = "passes";
    /// Generated programs: printed, parsed, interpreted.
    Text = "text";
    /// Mutated texts: the parser says what is wrong with them.
    Parser = "parser";
    /// Structural mutations of valid modules: the verifier says what is wrong
    /// with them, and what it accepts can be executed.
    Verifier = "verifier";
}

/// The count of programs that execute a hundred ops or more.
pub(super) const LARGE_PROGRAMS: &str = "(programs of 100 executed ops or more)";

impl Subject {
    /// The subject that `name` spells.
    pub fn from_name(name: &str) -> Option<Subject> {
        Subject::ALL.iter().copied().find(|subject| subject.name() == name)
    }

    /// The rows that a soak must reach.
    pub fn rows(self) -> Vec<&'static str> {
        match self {
            Subject::Text => Op::ALL.iter().map(|op| op.mnemonic()).collect(),
            Subject::Native | Subject::Passes => {
                let compiled = Op::ALL.iter().filter(|op| op.info().dialect != Dialect::Managed);
                compiled.map(|op| op.mnemonic()).collect()
            }
            // These are reached by the size of a text, and by directives, which
            // the parser of modules does not read.
            Subject::Parser => {
                let by_text =
                    |code: &&Code| !matches!(code, Code::TextTooLarge | Code::BadDirective);
                Code::ALL.iter().filter(by_text).map(|code| code.name()).collect()
            }
            Subject::Verifier => Rule::ALL.iter().map(|rule| rule.code()).collect(),
        }
    }

    /// How often a soak of so many seeds reaches each row at least: an op is
    /// executed a thousand times by a million programs.
    pub fn wanted(self, count: u64) -> u64 {
        match self {
            Subject::Native | Subject::Passes | Subject::Text => count / 1000,
            Subject::Parser | Subject::Verifier => u64::from(count >= 100_000),
        }
    }

    /// How many seeds a worker runs before it reports.
    pub(super) fn chunk(self) -> u64 {
        match self {
            Subject::Native | Subject::Passes | Subject::Text => 500,
            Subject::Parser | Subject::Verifier => 20_000,
        }
    }
}

/// What is wrong, and a file that shows it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// The text of the program or input.
    pub reproducer: String,
}

/// Feeds one seed to the subject.
///
/// # Errors
/// What is wrong.
pub fn run_seed(subject: Subject, seed: u64, tally: &mut Tally) -> Result<(), Finding> {
    match subject {
        Subject::Native => compare(&mut Native, seed, Managed::Exclude, tally),
        Subject::Passes => compare(&mut Text, seed, Managed::Exclude, tally),
        Subject::Text => compare(&mut Text, seed, Managed::Include, tally),
        Subject::Parser => check_parser(seed, tally),
        Subject::Verifier => check_verifier(seed, tally),
    }
}

fn compare(
    engine: &mut dyn Engine,
    seed: u64,
    managed: Managed,
    tally: &mut Tally,
) -> Result<(), Finding> {
    let program = generate(seed, &Options { managed, ..Options::default() });
    let failed = |message: String, reproducer: String| Err(Finding { message, reproducer });
    let (expected, counts) = match reference(&program.module, &program.calls) {
        Ok(observed) => observed,
        Err(reason) => return failed(format!("the interpreter: {reason}"), String::new()),
    };
    let mut executed = 0;
    for (op, count) in counts.iter().filter(|(_, count)| *count > 0) {
        tally.add(op.mnemonic(), count);
        executed += count;
    }
    if executed >= 100 {
        tally.add(LARGE_PROGRAMS, 1);
    }
    let text = || reproducer(&program, &expected);
    match engine.observe(&program) {
        Err(reason) => failed(format!("{} refuses the program: {reason}", engine.name()), text()),
        Ok(found) => match difference(&program, &expected, &found) {
            Some(found) => failed(format!("{}: {found}", engine.name()), text()),
            None => Ok(()),
        },
    }
}
