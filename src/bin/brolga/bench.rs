//! `brolga bench`.

mod process;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use brolga::BackEnd;
use brolga::lowering::target::TargetSpec;
use brolga::{CallError, Config, Engine, Function, LoadError, LoadStep, Observer};
use brolga_ir::datum::Datum;
use brolga_ir::llvm;
use brolga_ir::module::Module;
use clap::Args;

use crate::failure::Failure;
use crate::input::{Input, TextForm};
use crate::inspection::{InspectionOptions, show};
use crate::level::{LevelOption, TierOption, take_in};
use crate::output;
use crate::run::PROGRAM_RESERVATION;
use crate::threads::ThreadsOption;
use crate::trap::stopped;

const EXAMPLES: &str = "\
Examples:
  brolga bench --file fib.ll --n 30 --warm 1 --reps 5
  brolga bench -O0 --file sieve.bir --sym primes --n 10000 --warm 10 --reps 3 --precompile 3";

/// Measures compiling a module and calling a function of it, for others to race us
///
/// The function takes an i64 and gives one. Prints one line of JSON: `compile_ns` is from
/// the parsed module in memory to code that can be called, `phases` are its parts with
/// `parse` before them, `code_bytes` is machine code, `rss_compile_kb` the most memory that
/// the process has had by then, `first_abs_ns` the monotonic clock after the first call,
/// `run_ns` the measured calls, and `checksum` what the last call gave. The module is
/// trusted, and may name every symbol of the process.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    level: LevelOption,
    #[command(flatten)]
    tier: TierOption,
    #[command(flatten)]
    threads: ThreadsOption,
    /// The module: .ll is text of LLVM IR, anything else our own
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// The argument of the measured calls
    #[arg(long, allow_hyphen_values = true)]
    n: i64,
    /// The argument of the call before them
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    warm: i64,
    /// How many calls are measured
    #[arg(long, value_name = "R")]
    reps: u32,
    /// The function
    #[arg(long, value_name = "NAME", default_value = "kernel")]
    sym: String,
    /// Compile the same so many times before the time that counts
    #[arg(long, value_name = "K", default_value_t = 0)]
    precompile: u32,
    /// How the back end works, instead of how the level has it: quick, plain or rewriting
    #[arg(long, value_name = "NAME")]
    back_end: Option<String>,
    /// Make code for that processor, as `brolga targets` lists them; by default this one's
    #[arg(long, value_name = "NAME")]
    cpu: Option<String>,
    #[command(flatten)]
    inspection: InspectionOptions,
}

pub(crate) fn bench(arguments: &Arguments) -> Result<(), Failure> {
    let level = arguments.level.level()?;
    let target = arguments.cpu.as_deref().map(TargetSpec::parse).transpose();
    let target = target.map_err(Failure::usage)?;
    let config = Config {
        level,
        tiering: arguments.tier.tiering()?,
        back_end: arguments.back_end.as_deref().map(back_end).transpose()?,
        target,
        compile_threads: arguments.threads.count,
        inspection: arguments.inspection.inspection()?,
        reservation: PROGRAM_RESERVATION,
        allow_symbols: vec!["*".to_owned()],
        ..Config::default()
    };
    let input = Input::read(&arguments.file, TextForm::BY_NAME)?;
    let start = Instant::now();
    let module = input.parse()?;
    let parse = start.elapsed();
    for _ in 0..arguments.precompile {
        Compiled::of(&module, &input, arguments, &config)?;
    }
    let compiled = Compiled::of(&module, &input, arguments, &config)?;
    let memory = process::most_memory();
    construct(&compiled.engine, &module)?;
    let stopped = |error: CallError| match error.trap() {
        Some(trap) => stopped(&input, &module, trap, None),
        None => Failure::module(error),
    };
    let mut result = compiled.kernel.call((arguments.warm,)).map_err(stopped)?;
    let first = process::monotonic_now();
    let mut calls = Vec::new();
    for _ in 0..arguments.reps {
        let start = Instant::now();
        result = compiled.kernel.call((arguments.n,)).map_err(stopped)?;
        calls.push(start.elapsed());
    }
    let line = compiled.line(parse, memory, first, &calls, result);
    output::print(line.as_bytes())
}

fn back_end(name: &str) -> Result<BackEnd, Failure> {
    let found = BackEnd::ALL.iter().copied().find(|back_end| back_end.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = BackEnd::ALL.iter().map(|back_end| back_end.name()).collect();
        let text = format!("the back end does not work `{name}`, but {}", names.join(", "));
        Failure::usage(text)
    })
}

/// Runs what the module wants to be run before anything else of it.
fn construct(engine: &Engine, module: &Module) -> Result<(), Failure> {
    for (_, id) in llvm::constructors(module) {
        let name = module.function(id).map_or("", |function| &function.name);
        let constructor = engine.function(name).map_err(Failure::module)?;
        // There is no program here that would have arguments and an environment.
        let none = vec![Datum::Scalar(0); constructor.signature().params.len()];
        constructor.call(&none).map_err(Failure::module)?;
    }
    Ok(())
}

/// A module in an engine of its own.
struct Compiled {
    engine: Engine,
    kernel: Function<(i64,), i64>,
    took: Duration,
    parts: Vec<(&'static str, Duration)>,
    code_bytes: usize,
}

impl Compiled {
    fn of(
        module: &Module,
        input: &Input,
        arguments: &Arguments,
        config: &Config,
    ) -> Result<Compiled, Failure> {
        let parts = Arc::new(Parts::default());
        let config = Config { observer: Some(Arc::clone(&parts) as _), ..config.clone() };
        let engine = Engine::new(config).map_err(Failure::module)?;
        let before = engine.books().live_code;
        let start = Instant::now();
        // SAFETY: whoever races us answers for the module, as the help says.
        let loaded =
            unsafe { take_in(&engine, std::slice::from_ref(module), &arguments.tier.tiering()?) };
        loaded.map_err(|error| match error {
            LoadError::Verify(errors) => input.breaches(&errors, None),
            other => Failure::module(other),
        })?;
        let kernel = engine.func::<(i64,), i64>(&arguments.sym).map_err(Failure::module)?;
        let took = start.elapsed();
        let parts = std::mem::take(&mut *parts.0.lock().unwrap_or_else(PoisonError::into_inner));
        let code_bytes = engine.books().live_code - before;
        Ok(Compiled { engine, kernel, took, parts, code_bytes })
    }

    /// What was measured, as one line of JSON. Every key is a plain word, so that nothing
    /// needs escapes.
    fn line(
        &self,
        parse: Duration,
        memory: u64,
        first: u64,
        calls: &[Duration],
        result: i64,
    ) -> String {
        let parts = [("parse", parse)].into_iter().chain(self.parts.iter().copied());
        let phases: Vec<String> =
            parts.map(|(name, took)| format!("\"{name}\": {}", took.as_nanos())).collect();
        let calls: Vec<String> = calls.iter().map(|call| call.as_nanos().to_string()).collect();
        let mut line = format!("{{\"compile_ns\": {}", self.took.as_nanos());
        // Writing to a string does not fail.
        let _ = write!(line, ", \"phases\": {{{}}}", phases.join(", "));
        let _ = write!(line, ", \"code_bytes\": {}", self.code_bytes);
        let _ = write!(line, ", \"rss_compile_kb\": {memory}, \"first_abs_ns\": {first}");
        let _ = write!(line, ", \"run_ns\": [{}]", calls.join(", "));
        line + &format!(", \"checksum\": \"{result}\"}}\n")
    }
}

/// The parts of loading and what each took.
#[derive(Debug, Default)]
struct Parts(Mutex<Vec<(&'static str, Duration)>>);

impl Parts {
    fn add(&self, part: &'static str, took: Duration) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, time)) => *time += took,
            None => parts.push((part, took)),
        }
    }
}

impl Observer for Parts {
    fn loaded(&self, step: LoadStep, took: Duration) {
        // Compiling was told part by part.
        if step != LoadStep::Compile {
            self.add(step.name(), took);
        }
    }

    fn compiled(&self, part: &'static str, took: Duration) {
        self.add(part, took);
    }

    fn shown(&self, text: &str) {
        show(text);
    }
}
