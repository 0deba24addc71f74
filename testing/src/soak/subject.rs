//! What seeds are fed to.

use std::panic::{AssertUnwindSafe, catch_unwind};

use brolga_ir::op::Op;
use brolga_ir::reduce::kind_of;
use brolga_ir::text::Code;
use brolga_ir::verify::Rule;
use brolga_lowering::pipeline::{Level, passes_at};

use super::Tally;
use crate::compare::{Engine, Native, Observation, Passes, TARGETS, Text, difference, reference};
use crate::emulated::Emulated;
use crate::generate::{
    Access, Atomics, Generated, Managed, Options, Size, Surroundings, Types, generate,
    generate_many, needs_runtime,
};
use crate::llvm::{Agreement, Optimisation, Reset, Tools, Written};
use crate::mutate::{READER_CODES, check_parser, check_reader, check_verifier};
use crate::pass_list::random_list;
use crate::random::Random;
use crate::reduce::reduce;
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
    /// Generated programs: code of aarch64 under an emulator against the interpreter.
    Aarch64 = "aarch64";
    /// Generated programs: lists of passes, those of levels and random ones, against the
    /// interpreter.
    Passes = "passes";
    /// Generated programs: printed, parsed, interpreted.
    Text = "text";
    /// Generated programs, many to a module: as LLVM IR that LLVM runs, against
    /// the interpreter.
    Llvm = "llvm";
    /// Mutated texts: the parser says what is wrong with them.
    Parser = "parser";
    /// Mutated texts of LLVM IR: the reader says what is wrong with them, and what
    /// it accepts is a valid module.
    Reader = "reader";
    /// Structural mutations of valid modules: the verifier says what is wrong
    /// with them, and what it accepts can be executed.
    Verifier = "verifier";
}

/// Functions of a module that LLVM runs, at least.
const FUNCTIONS: usize = 100;

/// The count of functions in modules that LLVM runs as they must be.
const AGREED_FUNCTIONS: &str = "(functions that LLVM runs alike)";

/// Modules that no comparison is made of.
const CRASHES: &str = "(modules over which LLVM itself falls)";

/// The count of programs that execute a hundred ops or more.
pub(super) const LARGE_PROGRAMS: &str = "(programs of 100 executed ops or more)";

impl Subject {
    /// The subject that `name` spells.
    pub fn from_name(name: &str) -> Option<Subject> {
        Subject::ALL.iter().copied().find(|subject| subject.name() == name)
    }

    /// The name of the file that shows a fault again.
    pub(super) fn reproducer_name(self, seed: u64) -> String {
        let ending = if self == Subject::Reader { "ll" } else { "bir" };
        format!("{}-{seed}.{ending}", self.name())
    }

    /// The rows that a soak must reach.
    pub fn rows(self) -> Vec<&'static str> {
        match self {
            Subject::Text | Subject::Passes => Op::ALL.iter().map(|op| op.mnemonic()).collect(),
            Subject::Native | Subject::Aarch64 | Subject::Llvm => {
                let compiled = Op::ALL.iter().filter(|&&op| !needs_runtime(op));
                compiled.map(|op| op.mnemonic()).collect()
            }
            // These are reached by the size of a text, and by directives, which
            // the parser of modules does not read.
            Subject::Parser => {
                let by_text = |code: &&Code| {
                    !matches!(code, Code::TextTooLarge | Code::BadDirective)
                        && !code.name().starts_with("llvm-")
                };
                Code::ALL.iter().filter(by_text).map(|code| code.name()).collect()
            }
            Subject::Reader => READER_CODES.to_vec(),
            Subject::Verifier => Rule::ALL.iter().map(|rule| rule.code()).collect(),
        }
    }

    /// How often a soak of so many seeds reaches each row at least: an op is
    /// executed a thousand times by a million programs.
    pub fn wanted(self, count: u64) -> u64 {
        match self {
            Subject::Native | Subject::Aarch64 | Subject::Passes | Subject::Text => count / 1000,
            Subject::Llvm => count / 50,
            Subject::Parser | Subject::Reader | Subject::Verifier => u64::from(count >= 100_000),
        }
    }

    /// The program of a seed.
    pub(crate) fn program(self, seed: u64) -> Generated {
        let managed = match self {
            Subject::Native | Subject::Aarch64 | Subject::Llvm => Managed::Exclude,
            _ => Managed::Include,
        };
        // Small code finds other faults than large: every fourth program is
        // one that needs next to no expansion.
        let types = if seed % 4 == 3 { Types::Simple } else { Types::All };
        let surroundings = match self {
            Subject::Aarch64 => Surroundings::Bare,
            // Passes change the signatures that functions of the host have.
            Subject::Passes => Surroundings::Process,
            Subject::Llvm => Surroundings::Portable,
            _ => Surroundings::Host,
        };
        let atomics = if self == Subject::Aarch64 { Atomics::Words } else { Atomics::All };
        // And what is found in little is found in less time, and understood sooner: of each
        // way that a seed is compiled every fourth program is large.
        let is_large =
            !matches!(self, Subject::Native | Subject::Passes) || (seed / 32).is_multiple_of(4);
        let size = if is_large { Size::Full } else { Size::Medium };
        let access = Access::default();
        let options = Options { managed, access, size, types, atomics, surroundings };
        match self {
            Subject::Llvm => generate_many(seed, FUNCTIONS, &options),
            _ => generate(seed, &options),
        }
    }

    /// How many seeds a worker runs before it reports.
    pub(super) fn chunk(self) -> u64 {
        match self {
            Subject::Native | Subject::Aarch64 | Subject::Passes | Subject::Text => 500,
            Subject::Llvm => 10,
            Subject::Parser | Subject::Reader | Subject::Verifier => 20_000,
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
        Subject::Parser => check_parser(seed, tally),
        Subject::Reader => check_reader(seed, tally),
        Subject::Verifier => check_verifier(seed, tally),
        _ => examine((subject, seed), &subject.program(seed), tally),
    }
}

/// The smallest program with the fault that a seed shows, as a test file, that is found in so
/// many tries.
///
/// # Errors
/// If the seed shows none, or the subject has no programs.
pub fn reduced(subject: Subject, seed: u64, tries: usize) -> Result<Finding, String> {
    if matches!(subject, Subject::Parser | Subject::Reader | Subject::Verifier) {
        return Err("inputs to parser, reader and verifier are not reduced\n".to_owned());
    }
    let program = subject.program(seed);
    let found = |program: &Generated| {
        let run = AssertUnwindSafe(|| examine((subject, seed), program, &mut Tally::default()));
        match catch_unwind(run) {
            Ok(result) => result.err(),
            Err(_) => {
                let reproducer = text_of(program).unwrap_or_default();
                Some(Finding { message: "panicked".to_owned(), reproducer })
            }
        }
    };
    let first = found(&program).ok_or_else(|| format!("seed {seed} shows nothing\n"))?;
    let kind = kind_of(&first.message);
    let small = reduce(&program, tries, &mut |candidate| {
        found(candidate).is_some_and(|finding| kind_of(&finding.message) == kind)
    });
    found(&small).ok_or_else(|| "what was found is gone\n".to_owned())
}

/// The program of a seed as a test file.
///
/// # Errors
/// If the subject has no programs, or the interpreter cannot tell what this one gives.
pub fn program_text(subject: Subject, seed: u64) -> Result<String, String> {
    if matches!(subject, Subject::Parser | Subject::Reader | Subject::Verifier) {
        return Err(format!("{} has inputs that are no programs\n", subject.name()));
    }
    text_of(&subject.program(seed))
}

fn text_of(program: &Generated) -> Result<String, String> {
    let expected = reference(program).map_err(|reason| format!("the interpreter: {reason}\n"))?;
    Ok(reproducer(program, &expected.0))
}

fn examine(
    (subject, seed): (Subject, u64),
    program: &Generated,
    tally: &mut Tally,
) -> Result<(), Finding> {
    let failed = |message: String, reproducer: String| Err(Finding { message, reproducer });
    let (expected, counts) = match reference(program) {
        Ok(observed) => observed,
        Err(reason) => return failed(format!("the interpreter: {reason}"), String::new()),
    };
    let text = || reproducer(program, &expected);
    if let Some(answer) = expected.answers.iter().find(|answer| answer.is_astray()) {
        return failed(format!("the program goes astray: {answer:?}"), text());
    }
    let mut executed = 0;
    for (op, count) in counts.iter().filter(|(_, count)| *count > 0) {
        tally.add(op.mnemonic(), count);
        executed += count;
    }
    if executed >= 100 {
        tally.add(LARGE_PROGRAMS, 1);
    }
    if subject == Subject::Llvm {
        return match by_llvm(program, &expected) {
            Ok(functions) => {
                match functions {
                    Some(functions) => tally.add(AGREED_FUNCTIONS, functions),
                    None => tally.add(CRASHES, 1),
                }
                Ok(())
            }
            Err(found) => failed(found, text()),
        };
    }
    let engines: Vec<Box<dyn Engine>> = match subject {
        Subject::Native => natives_of(seed).map(|native| Box::new(native) as _).collect(),
        Subject::Aarch64 => match Emulated::find() {
            Ok(emulated) => vec![Box::new(emulated)],
            Err(reason) => return failed(reason, String::new()),
        },
        Subject::Passes => vec![Box::new(passes_of(seed))],
        _ => vec![Box::new(Text)],
    };
    for mut engine in engines {
        let found = match engine.observe(program) {
            Err(reason) => Some(reason.to_string()),
            Ok(found) => difference(program, &expected, &found),
        };
        if let Some(found) = found {
            return failed(format!("{}: {found}", engine.name()), text());
        }
    }
    Ok(())
}

/// How a seed is compiled: at all levels that optimise and by stencils, and an eighth of the
/// seeds at the level that does not, another function by function. Every fourth seed has other
/// types, and meets each.
fn natives_of(seed: u64) -> impl Iterator<Item = Native> {
    let of_eight = |number: u64, native: Native| (seed / 4 % 8 == number).then_some(native);
    let some = [
        of_eight(0, Native::Whole(Level::O0)),
        of_eight(1, Native::Lazy(Level::O2)),
        of_eight(2, Native::Tiered),
        of_eight(3, Native::Tiered),
    ];
    let levels = [Level::O1, Level::O2, Level::O3].map(Native::Whole);
    some.into_iter().flatten().chain([Native::Quick]).chain(levels)
}

/// The passes that a seed runs: random ones, and of an eighth of the seeds those of a level.
/// Those that every level runs are tried for every target, and others for one. What is left in
/// the middle of a fourth of the lists is looked at as well: what goes wrong there, later
/// passes might hide.
fn passes_of(seed: u64) -> Passes {
    let target = &TARGETS[seed as usize / 4 % TARGETS.len()..][..1];
    let passes = match seed % 32 {
        0 | 16 => return Passes::new(passes_at(Level::O0), TARGETS),
        8 => Passes::new(passes_at(Level::O2), target),
        24 => Passes::new(passes_at(Level::O3), target),
        _ => Passes::new(random_list(&mut Random::new(seed)), target),
    };
    let border = Random::new(seed ^ BORDER).below(passes.len().max(1));
    if (seed / 32).is_multiple_of(4) { passes.looked_at(border) } else { passes }
}

/// Makes the draw of a border another one than those of the program and its passes.
const BORDER: u64 = 0x6b1a_77c3_2f90_5d4e;

/// Whether LLVM itself fell over while it compiled, as its own report of the pass says: what
/// it verified it must compile, and there is nothing to compare. It does so unoptimised where
/// bits of a mask of an odd number of lanes are extended (LLVM 22's selection of
/// instructions, `sext <17 x i1>` of a `bitcast i17`).
fn is_crash_of_compiler(reason: &str) -> bool {
    reason.contains("PLEASE submit a bug report") && reason.contains("Running pass '")
}

/// Whether LLVM makes of a program what it must, unoptimised and optimised;
/// gives how many functions the program has; nothing if LLVM cannot tell.
fn by_llvm(program: &Generated, expected: &Observation) -> Result<Option<u64>, String> {
    let tools = Tools::find()?;
    let written = Written::new(&program.module, &program.calls, Reset::Never)?;
    for optimisation in Optimisation::ALL {
        let found = written.disagreements(&tools, optimisation, expected, Agreement::Exact);
        let found = found.and_then(|found| found.into_iter().next().map_or(Ok(()), |it| Err(it.1)));
        match found {
            Ok(()) => {}
            Err(reason) if is_crash_of_compiler(&reason) => return Ok(None),
            Err(reason) => return Err(format!("{}: {reason}", optimisation.name())),
        }
    }
    let functions = program.module.functions();
    Ok(Some(functions.filter(|(_, function)| function.body.is_some()).count() as u64))
}

#[cfg(test)]
mod tests {
    use super::{Subject, is_crash_of_compiler, program_text};

    #[test]
    fn the_program_of_a_seed_can_be_had_without_running_it() {
        let text = program_text(Subject::Native, 7).unwrap();
        assert!(text.contains("; run: @"), "{text}");
        assert!(brolga_ir::text::parse_module(&text).is_ok());
        assert!(program_text(Subject::Parser, 7).unwrap_err().contains("parser"));
    }

    #[test]
    fn only_what_falls_over_in_a_pass_of_its_own_is_left_out() {
        let report =
            "lli: signal: 11\nPLEASE submit a bug report\n2.\tRunning pass 'X86 DAG' on function";
        assert!(is_crash_of_compiler(report));
        assert!(!is_crash_of_compiler("lli: signal: 11"));
        assert!(!is_crash_of_compiler("PLEASE submit a bug report\n0.\tProgram arguments: lli"));
    }
}
