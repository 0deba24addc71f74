//! `brolga run`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use brolga::lowering::options::{Fuel, Polls, Sanitizing};
use brolga::{
    CallError, CallOptions, Config, Engine, Forking, LoadError, LoadStep, Observer, Tiering,
};
use brolga_ir::body::Initial;
use brolga_ir::module::Module;
use brolga_ir::report::Trap;
use brolga_ir::trap::TrapCode;
use clap::Args;

use crate::call::{Call, Callee, results_line};
use crate::failure::Failure;
use crate::input::Form;
use crate::inspection::{InspectionOptions, show};
use crate::level::{LevelOption, TierOption};
use crate::output;
use crate::program::{self, Program};
use crate::render::{Problem, render};
use crate::sources::Sources;
use crate::threads::ThreadsOption;
use crate::tools::{self, ToolOptions};

/// Address space for the code and data of a whole program, which may have large arrays.
pub(crate) const PROGRAM_RESERVATION: usize = 1 << 30;

const EXAMPLES: &str = "\
Examples:
  brolga run --time examples/nbody.bir
  brolga run --entry gcd gcd.bir -- 1071 462
  brolga run --fuel 1000000 endless.bir
  brolga run --unsafe --allow strlen --allow 'mem*' strings.bir
  brolga run -O0 --link libc --link libm program.ll -- its arguments
  brolga run --link libc main.ll parser.ll printer.ll < input.txt";

/// Compiles a program and runs it
///
/// A program of LLVM IR, which clang or rustc made, is run as the system would run it: its
/// `main` gets the words behind `--`, and its exit code is the command's. Of other modules a
/// function is called and its results are printed. A trap is told with its code, its place
/// and the calls that led there.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    call: Call,
    #[command(flatten)]
    level: LevelOption,
    #[command(flatten)]
    tier: TierOption,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Take a module that trusts addresses, foreign functions or promises: if
    /// one of them is wrong, anything may happen
    #[arg(long)]
    r#unsafe: bool,
    /// A library that the program may call, such as `libc`, `libm` or `./libmine.so`: all of
    /// its functions, and those of the libraries that it needs. Trusts the program, as
    /// `--unsafe` does
    #[arg(long, value_name = "LIBRARY")]
    link: Vec<String>,
    /// A symbol of the process that the program may name as foreign, or the beginning of such
    /// with `*` behind; may stand several times. Trusts a program of LLVM IR
    #[arg(long, value_name = "PATTERN")]
    allow: Vec<String>,
    /// Trap where an access by address leaves the slot, data or object on the stack that its
    /// address was made from in the same function
    #[arg(long)]
    sanitize: bool,
    /// Print to standard error how long each step took
    #[arg(long)]
    time: bool,
    /// Stop the program after that many rounds of loops and calls
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    #[command(flatten)]
    inspection: InspectionOptions,
    #[command(flatten)]
    tools: ToolOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let level = arguments.level.level()?;
    let start = Instant::now();
    let mut sources = arguments.call.sources(Initial::Uninit)?;
    arguments.tools.name_texts(&mut sources);
    let times = Arc::new(Times::default());
    times.add("parse", start.elapsed());
    let callee = arguments.call.callee(&sources)?;
    let (Callee::Function { module, id } | Callee::Program { module, id }) = callee;
    let values = match callee {
        Callee::Function { .. } => arguments.call.values(&sources.modules[module], id)?,
        Callee::Program { .. } => Vec::new(),
    };
    let mut config = configure(arguments, callee, Arc::clone(&times));
    config.level = level;
    config.tiering = arguments.tier.tiering()?;
    config.compile_threads = arguments.threads.count;
    config.inspection = arguments.inspection.inspection()?;
    arguments.tools.configure(&mut config)?;
    let engine = tools::engine(config)?;
    load(&engine, &sources, arguments)?;
    let handle = engine.function(arguments.call.entry()).map_err(Failure::module)?;
    let options = CallOptions { fuel: arguments.fuel, ..CallOptions::default() };
    if let Callee::Program { .. } = callee {
        let shown = arguments.time.then_some(times);
        let program = Program { sources, engine, main: handle, options, times: shown };
        return program.run(&arguments.call.words(module));
    }
    let start = Instant::now();
    let outcome = handle.call_with(&options, &values);
    times.add("run", start.elapsed());
    flush_foreign_output();
    if arguments.time {
        output::print_error(&times.table());
    }
    let results = outcome.map_err(|error| failure(&error, &options, &sources))?;
    output::print(results_line(&sources.modules[module], id, &results).as_bytes())?;
    engine.finish_records().map_err(Failure::usage)
}

fn configure(arguments: &Arguments, callee: Callee, times: Arc<Times>) -> Config {
    let mut config = Config {
        allow_symbols: arguments.allow.clone(),
        observer: Some(times),
        ..Config::default()
    };
    if let Callee::Program { .. } = callee {
        config.reservation = PROGRAM_RESERVATION;
        config.forking = Forking::Safe;
    }
    if arguments.sanitize {
        config.sanitize = Sanitizing::Check;
    }
    if arguments.fuel.is_some() {
        (config.polls, config.fuel) = (Polls::LoopsAndEntries, Fuel::Counted);
    }
    config
}

fn load(engine: &Engine, sources: &Sources, arguments: &Arguments) -> Result<(), Failure> {
    for library in &arguments.link {
        // SAFETY: whoever names a library answers for it, as the help of that option says.
        unsafe { engine.link_library(library) }.map_err(Failure::usage)?;
    }
    let is_llvm = sources.inputs.iter().any(|input| input.form() == Form::Ll);
    let is_trusted =
        arguments.r#unsafe || !arguments.link.is_empty() || is_llvm && !arguments.allow.is_empty();
    let tiering = arguments.tier.tiering()?;
    let is_lazy = matches!(tiering, Tiering::Adaptive(_)) || arguments.tools.are_lazy();
    let loaded = match (is_trusted, is_lazy) {
        (_, true) => define(engine, &sources.modules, is_trusted),
        // SAFETY: whoever runs the command with these options answers for the module, as
        // their help says.
        (true, false) => unsafe { engine.load_modules_unsafe(&sources.modules) },
        (false, false) => engine.load_modules(&sources.modules),
    };
    loaded.map_err(|error| match error {
        LoadError::Verify(errors) => sources.breaches(&errors, None),
        LoadError::NotSafe(_) if is_llvm => untrusted(),
        LoadError::NotSafe(errors) => {
            let help = "run it with `--unsafe` if you trust it, or interpret it";
            sources.breaches(&errors, Some(help))
        }
        LoadError::ForbiddenSymbol { name } => forbidden(&name, is_llvm),
        LoadError::Duplicate { name } if sources.modules.len() > 1 => sources.duplicate(&name),
        other => Failure::module(other),
    })
}

/// Has functions compiled when they are first called.
fn define(engine: &Engine, modules: &[Module], is_trusted: bool) -> Result<(), LoadError> {
    modules.iter().cloned().try_for_each(|module| match is_trusted {
        // SAFETY: as where they are loaded.
        true => unsafe { engine.define_module_unsafe(module) },
        false => engine.define_module(module),
    })
}

/// The failure of a program of LLVM IR that nobody trusts. Which of its instructions use
/// addresses would tell nobody anything: nearly all do.
fn untrusted() -> Failure {
    let mut problem = Problem::new("the program uses addresses, and is not trusted to");
    let help = "if you trust it, name the libraries that it may call, as by `--link libc`, or \
                run it with `--unsafe`; if not, interpret it";
    problem.help = Some(help.to_owned());
    Failure::Module(render(None, &problem))
}

/// The failure of a program that names what it may not.
fn forbidden(name: &str, is_llvm: bool) -> Failure {
    let mut problem = Problem::new(format_args!("the foreign symbol @{name} is not allowed"));
    problem.help = Some(match is_llvm {
        true => format!(
            "run it with `--link` and the library that has it, such as `--link libc`, with \
             `--allow {name}`, or with the file that defines it"
        ),
        false => format!("run it with `--allow {name}`"),
    });
    Failure::Module(render(None, &problem))
}

/// The failure of a call that gave no results.
pub(crate) fn failure(error: &CallError, options: &CallOptions, sources: &Sources) -> Failure {
    match error.trap() {
        Some(trap) => stopped(trap, options, sources),
        None => Failure::module(error),
    }
}

/// The failure of a program that was stopped.
pub(crate) fn stopped(trap: &Trap, options: &CallOptions, sources: &Sources) -> Failure {
    let fuel = options.fuel.filter(|_| trap.code == TrapCode::OutOfFuel);
    sources.stopped(trap, fuel.map(|fuel| format!("give it more than `--fuel {fuel}`")))
}

/// What C functions have printed stands in a buffer of the C library, and
/// comes before the results.
pub(crate) fn flush_foreign_output() {
    // SAFETY: a null stream stands for all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// How long the steps took.
#[derive(Debug, Default)]
pub(crate) struct Times(Mutex<Vec<(&'static str, Duration)>>);

impl Observer for Times {
    fn loaded(&self, step: LoadStep, took: Duration) {
        self.add(step.name(), took);
    }

    fn shown(&self, text: &str) {
        show(text);
    }

    fn unheard(&self, trap: &Trap) {
        program::end_by(trap);
    }
}

impl Times {
    pub(crate) fn add(&self, step: &'static str, took: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((step, took));
    }

    /// Steps and their times, one a line, and their sum.
    pub(crate) fn table(&self) -> String {
        let steps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total = ("total", steps.iter().map(|&(_, time)| time).sum());
        let lines: Vec<String> = steps
            .iter()
            .chain([&total])
            .map(|(name, time)| format!("{name:<8}{:>12.3} ms", time.as_secs_f64() * 1e3))
            .collect();
        lines.join("\n")
    }
}
