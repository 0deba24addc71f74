//! Running the races.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::climb::{Height, ladder};
use super::machine::Machine;
use super::record::{Input, Journal, Record, Records, Temperature};
use super::summary::FORM;
use crate::backend::{self, BackendError, LLVM, PARALLEL, TIERED, VARIANTS, competes};
use crate::kernel::{EXAMPLES, KERNELS};
use crate::race::{self, monotonic_now};
use crate::source::{Form, Source, Suite};
use crate::toolchain::{Tool, Toolchain};
use crate::{long_function, many_functions};

/// How much slower the interpreter is taken to be: it gets as much less to do.
const INTERPRETER_SHARE: i64 = 64;

/// Calls measured in each process.
const REPETITIONS: usize = 5;

/// What takes minutes for a large module, and is compiled once: no noise changes that much.
const SLOW: [&str; 4] = ["interpreter", "llvm-O1", "llvm-O2", "llvm-O3"];

/// How a module is large.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// It has so many functions.
    Many(usize),
    /// One function has so many instructions.
    Long(usize),
}

/// Modules that are generated: what pages call them, and their files.
pub(super) const GENERATED: [(&str, &str, Shape); 4] = [
    ("2,000 functions", "functions_2000.bir", Shape::Many(2_000)),
    ("20,000 functions", "functions_20000.bir", Shape::Many(20_000)),
    ("one function of 20,000 instructions", "function_20000.bir", Shape::Long(20_000)),
    ("one function of 55,000 instructions", "function_55000.bir", Shape::Long(55_000)),
];

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many times everything is raced.
    pub rounds: usize,
    /// Only kernels with this in their names, and nothing that is generated.
    pub filter: String,
    /// The program `race`.
    pub race: PathBuf,
    /// The program `race-llvm`, if it was built.
    pub race_llvm: Option<PathBuf>,
    /// Where records go, one by one.
    pub journal: PathBuf,
    /// What becomes of records that are there.
    pub start: Start,
}

/// How a run begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// With nothing.
    Anew,
    /// With what the journal has.
    Resume,
}

impl Plan {
    /// The program for a back end, if it was built.
    fn program(&self, backend: &str) -> Option<&Path> {
        if backend.starts_with(LLVM) { self.race_llvm.as_deref() } else { Some(&self.race) }
    }

    /// The back ends that can be raced.
    fn backends(&self) -> Vec<&'static str> {
        backend::NAMES.iter().copied().filter(|name| self.program(name).is_some()).collect()
    }
}

/// One thing to race, over and over.
struct Entry {
    input: Input,
    path: PathBuf,
    n: i64,
}

/// Makes all inputs, races everything on all of them, and says on the way how far it is.
///
/// # Errors
/// If the inputs cannot be made or the journal cannot be written. A race that fails is a
/// record like any other.
pub fn measure(plan: &Plan, mut say: impl FnMut(&str)) -> Result<Records, BackendError> {
    let tools = Toolchain::find()?;
    let suite = Suite::of_repository();
    let same_code = same_code_as_clang(plan, &suite, &tools)?;
    say(&same_code);
    let machine = Machine::here(&tools, plan.rounds, same_code);
    let mut journal = match plan.start {
        Start::Anew => Journal::begin(&plan.journal, machine)?,
        Start::Resume => Journal::resume(&plan.journal, &machine)?,
    };
    let mut entries = entries(plan, &suite, &tools)?;
    if plan.filter.is_empty() {
        entries.extend(generated(&suite)?);
    }
    for round in 0..plan.rounds {
        for (number, entry) in entries.iter().enumerate() {
            let (of, count) = (plan.rounds, entries.len());
            say(&format!("round {} of {of}, {} of {count}", round + 1, number + 1));
            race_all(plan, entry, round, &mut journal)?;
        }
    }
    Ok(journal.into_records())
}

fn entries(plan: &Plan, suite: &Suite, tools: &Toolchain) -> Result<Vec<Entry>, BackendError> {
    let mut entries = Vec::new();
    for kernel in KERNELS.iter().filter(|kernel| kernel.name.contains(&plan.filter)) {
        for form in [Form::Ssa, Form::Plain] {
            let path = suite.kernel_text(tools, kernel, form)?;
            let (name, form) = (kernel.name.to_owned(), form.to_string());
            entries.push(Entry { input: Input::Kernel { name, form }, path, n: kernel.n });
        }
    }
    for example in EXAMPLES.iter().filter(|example| example.name.contains(&plan.filter)) {
        let path = suite.example_text(example)?;
        let input = Input::Example(example.name.to_owned());
        entries.push(Entry { input, path, n: example.n });
    }
    Ok(entries)
}

/// Modules that are large one way or the other.
fn generated(suite: &Suite) -> Result<Vec<Entry>, BackendError> {
    let kernel = |call: &str| {
        format!(
            "func @kernel(i64) -> i64 {{\nentry(%n: i64):\n    %r = call {call}\n    return %r\n}}\n"
        )
    };
    let many = |count: usize| many_functions(count) + &kernel(&format!("@f{}(%n)", count - 1));
    let long = |instructions: usize| long_function(instructions) + &kernel("@long(%n, 1)");
    let texts = GENERATED.map(|(name, file, shape)| match shape {
        Shape::Many(functions) => (name, file, many(functions)),
        Shape::Long(instructions) => (name, file, long(instructions)),
    });
    let entry = |(name, file, text): (&str, &str, String)| {
        let path = suite.generated_text(file, &text)?;
        let module = Source::open(&path, "kernel")?.module()?;
        let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
        let instructions = bodies.map(|body| body.inst_count() as u64).sum();
        let input = Input::Generated { name: name.to_owned(), instructions };
        Ok(Entry { input, path, n: 1 })
    };
    texts.into_iter().map(entry).collect()
}

/// Every back end on one input, another one first in each round.
fn race_all(plan: &Plan, entry: &Entry, round: usize, journal: &mut Journal) -> io::Result<()> {
    let backends = plan.backends();
    for step in 0..backends.len() {
        let name = backends[(round + step) % backends.len()];
        for &temperature in temperatures(entry, name, round) {
            if !journal.has(&entry.input, name, temperature, round) {
                journal.add(race(plan, entry, name, temperature, round))?;
            }
        }
    }
    Ok(())
}

/// Which races a back end runs on an input in a round.
fn temperatures(entry: &Entry, backend: &str, round: usize) -> &'static [Temperature] {
    match (&entry.input, backend) {
        (Input::Generated { .. }, "native") => &[],
        // A kernel is too small for several threads.
        (Input::Generated { .. }, PARALLEL) => &[Temperature::Cold],
        (_, PARALLEL) => &[],
        // They differ from their like in how fast kernels are.
        (Input::Generated { .. }, name) if VARIANTS.contains(&name) => &[],
        (Input::Generated { .. }, name) if round > 0 && SLOW.contains(&name) => &[],
        (Input::Generated { .. }, _) => &[Temperature::Cold],
        // It compiles the kernel's own file, whatever became of that; one process a
        // compilation makes it as cold as it is warm.
        (Input::Kernel { form, .. }, "native") if form == Form::Ssa.name() => &[Temperature::Cold],
        (_, "native") => &[],
        // Once: it is no rival of anybody.
        (_, "interpreter") if round > 0 => &[],
        (_, "interpreter") => &[Temperature::Cold],
        _ => &[Temperature::Warm, Temperature::Cold],
    }
}

fn race(
    plan: &Plan,
    entry: &Entry,
    backend: &str,
    temperature: Temperature,
    round: usize,
) -> Record {
    let n = if backend == "interpreter" { entry.n / INTERPRETER_SHARE + 1 } else { entry.n };
    let runs = !matches!(entry.input, Input::Generated { .. })
        && (temperature == Temperature::Warm || ["interpreter", "native"].contains(&backend));
    let repetitions = match backend {
        _ if !runs => 0,
        "interpreter" => 1,
        _ => REPETITIONS,
    };
    let precompile = if temperature == Temperature::Warm { 3 } else { 0 };
    // What prepares its data at the first call does so outside of what is measured.
    let numbers = [
        ("--n", n.to_string()),
        ("--warm", i64::from(repetitions > 0).to_string()),
        ("--reps", repetitions.to_string()),
        ("--precompile", precompile.to_string()),
    ];
    let rungs = rungs(entry, backend, temperature);
    let mut command = Command::new(plan.program(backend).unwrap_or(&plan.race));
    command.arg("--backend").arg(backend).arg("--file").arg(&entry.path);
    command.args(numbers.iter().flat_map(|(name, value)| [*name, value.as_str()]));
    if !rungs.is_empty() {
        command.args(["--ladder", &rungs.join(",")]);
    }
    let start = monotonic_now();
    let outcome = race::lap(&mut command);
    let first_result_ns = outcome.as_ref().map_or(0, |lap| lap.first_abs_ns.saturating_sub(start));
    let (input, backend) = (entry.input.clone(), backend.to_owned());
    Record { input, backend, temperature, round, n, first_result_ns, outcome }
}

/// At which amounts of work the time to a result is measured. Only in the form that is compared,
/// as it takes seconds.
fn rungs(entry: &Entry, backend: &str, temperature: Temperature) -> Vec<String> {
    let height = if backend == TIERED { Height::Whole } else { Height::Short };
    match &entry.input {
        Input::Kernel { form, .. }
            if form == FORM && competes(backend) && temperature == Temperature::Warm =>
        {
            ladder(entry.n, height).iter().map(i64::to_string).collect()
        }
        _ => Vec::new(),
    }
}

/// The kernels on which LLVM in the process is compared with clang.
const COMPARED: [&str; 3] = ["quicksort", "crc32", "sum_f32"];

/// In which ways, and what clang is told for them.
const SAME_CODE: [(&str, &[&str]); 3] = [
    ("O2", &[]),
    ("O2-128", &["-mprefer-vector-width=128"]),
    ("O2-scalar", &["-fno-vectorize", "-fno-slp-vectorize"]),
];

/// Whether LLVM in the process, given clang's text before any pass, makes the code that
/// `clang -O2` makes, byte for byte; a run whose LLVM is set up otherwise is worth nothing.
fn same_code_as_clang(
    plan: &Plan,
    suite: &Suite,
    tools: &Toolchain,
) -> Result<String, BackendError> {
    let Some(race_llvm) = &plan.race_llvm else {
        return Ok("This build has no columns of LLVM.".to_owned());
    };
    let llvm = Tool::at(race_llvm);
    for kernel in KERNELS.iter().filter(|kernel| COMPARED.contains(&kernel.name)) {
        let text = suite.kernel_text(tools, kernel, Form::Plain)?;
        let (ours, theirs) = (text.with_extension("llvm.o"), text.with_extension("clang.o"));
        for (way, options) in SAME_CODE {
            llvm.run([Path::new("object"), Path::new(way), &text, &ours])?;
            let options = ["-O2", "-march=native"].iter().chain(options).chain(&["-c", "-o"]);
            let files = [theirs.as_path(), &suite.file(kernel)];
            tools.clang.run(options.map(Path::new).chain(files))?;
            let code = |object: &Path| backend::machine_code(&std::fs::read(object)?);
            if code(&ours)? != code(&theirs)? {
                let name = kernel.name;
                return Err(format!("LLVM's code for `{name}` at {way} is not clang's").into());
            }
        }
    }
    Ok(format!(
        "LLVM in the process gave the very code of `clang -O2 -march=native`, with and without these \
         options, for {}.",
        COMPARED.join(", ")
    ))
}
