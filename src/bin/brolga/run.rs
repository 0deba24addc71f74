//! `brolga run`.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use brolga::lowering::options::{Fuel, Polls};
use brolga::{CallError, CallOptions, Config, Engine, LoadError, LoadStep, Observer};
use brolga_ir::module::Module;
use brolga_ir::trap::TrapCode;
use clap::Args;

use crate::call::{Call, results_line};
use crate::failure::Failure;
use crate::input::Input;
use crate::output;
use crate::render::{Problem, render};
use crate::trap::stopped;

const EXAMPLES: &str = "\
Examples:
  brolga run --time examples/nbody.bir
  brolga run --entry gcd gcd.bir -- 1071 462
  brolga run --fuel 1000000 endless.bir
  brolga run --unsafe --allow strlen --allow 'mem*' strings.bir";

/// Compiles a module, calls a function, prints its results
///
/// A trap is told with its code, its line and the calls that led there.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    call: Call,
    /// Take a module that trusts addresses, foreign functions or promises: if
    /// one of them is wrong, anything may happen
    #[arg(long)]
    r#unsafe: bool,
    /// A symbol of the process that the module may name as foreign, or the
    /// beginning of such with `*` behind; may stand several times
    #[arg(long, value_name = "PATTERN")]
    allow: Vec<String>,
    /// Print to standard error how long each step took
    #[arg(long)]
    time: bool,
    /// Stop the program after that many rounds of loops and calls
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(&arguments.call.file)?;
    let start = Instant::now();
    let module = input.parse()?;
    let parse = start.elapsed();
    let function = arguments.call.function(&module)?;
    let values = arguments.call.arguments(&module, function)?;

    let times = Arc::new(Times::default());
    let engine = Engine::new(configure(arguments, Arc::clone(&times))).map_err(Failure::module)?;
    load(&engine, &module, arguments, &input)?;
    let handle = engine.function(&arguments.call.entry).map_err(Failure::module)?;
    let options = CallOptions { fuel: arguments.fuel, ..CallOptions::default() };
    let start = Instant::now();
    let outcome = handle.call_with(&options, &values);
    let run = start.elapsed();
    flush_foreign_output();

    if arguments.time {
        let steps = times.0.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = steps.iter().map(|&(step, time)| (step.name(), time));
        output::print_error(&table(
            [("parse", parse)].into_iter().chain(steps).chain([("run", run)]),
        ));
    }
    let results = outcome.map_err(|error| failure(&error, arguments, &input, &module))?;
    output::print(results_line(&module, function, &results).as_bytes())
}

fn configure(arguments: &Arguments, times: Arc<Times>) -> Config {
    let mut config = Config {
        allow_symbols: arguments.allow.clone(),
        observer: Some(times),
        ..Config::default()
    };
    if arguments.fuel.is_some() {
        (config.polls, config.fuel) = (Polls::LoopsAndEntries, Fuel::Counted);
    }
    config
}

fn load(
    engine: &Engine,
    module: &Module,
    arguments: &Arguments,
    input: &Input,
) -> Result<(), Failure> {
    let loaded = if arguments.r#unsafe {
        // SAFETY: whoever runs the command with `--unsafe` answers for the
        // module, as the help of that option says.
        unsafe { engine.load_modules_unsafe(std::slice::from_ref(module)) }
    } else {
        engine.load_module(module)
    };
    loaded.map_err(|error| match error {
        LoadError::Verify(errors) => input.breaches(&errors, None),
        LoadError::NotSafe(errors) => {
            let help = "run it with `--unsafe` if you trust it, or interpret it";
            input.breaches(&errors, Some(help))
        }
        LoadError::ForbiddenSymbol { name } => {
            let mut problem =
                Problem::new(format_args!("the foreign symbol @{name} is not allowed"));
            problem.help = Some(format!("run it with `--allow {name}`"));
            Failure::Module(render(None, &problem))
        }
        other => Failure::module(other),
    })
}

fn failure(error: &CallError, arguments: &Arguments, input: &Input, module: &Module) -> Failure {
    let Some(trap) = error.trap() else { return Failure::module(error) };
    let fuel = arguments.fuel.filter(|_| trap.code == TrapCode::OutOfFuel);
    stopped(input, module, trap, fuel.map(|fuel| format!("give it more than `--fuel {fuel}`")))
}

/// What C functions have printed stands in a buffer of the C library, and
/// comes before the results.
fn flush_foreign_output() {
    // SAFETY: a null stream stands for all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// How long the steps of loading took.
#[derive(Debug, Default)]
struct Times(Mutex<Vec<(LoadStep, Duration)>>);

impl Observer for Times {
    fn loaded(&self, step: LoadStep, took: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((step, took));
    }
}

/// Steps and their times, one a line, and their sum.
fn table(steps: impl Iterator<Item = (&'static str, Duration)>) -> String {
    let mut text = String::new();
    let mut total = Duration::ZERO;
    let mut add = |name: &str, time: Duration| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<8}{:>12.3} ms", time.as_secs_f64() * 1e3);
    };
    for (name, time) in steps {
        add(name, time);
        total += time;
    }
    add("total", total);
    text.truncate(text.trim_end().len());
    text
}
