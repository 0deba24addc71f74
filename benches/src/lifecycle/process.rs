//! What is measured of processes: their first results, and how well threads share an engine.

use std::env;
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use brolga::ir::builder::ModuleBuilder;
use brolga::ir::module::Module;
use brolga::ir::types::Type;
use brolga::{Config, Engine, Level, Tier, Tiering};

use super::{Extent, Failure, Row, engine, median, millis, module, timed};
use crate::many_functions;

/// The first word by which this program is told to be a process that is measured.
pub const CHILD: &str = "--child";

/// Does what a process that is measured is to do, and prints what it took.
///
/// # Errors
/// What the engine says.
pub fn run_child(words: &[String]) -> Result<String, Failure> {
    match words {
        [what, start] if what == "first" => {
            first_result()?;
            Ok((since_epoch()? - start.parse::<u128>()?).to_string())
        }
        [what, functions] if what == "compile" => {
            let functions = functions.parse()?;
            let engine = engine(Config::default())?;
            engine.define_module(independent(functions)?)?;
            let (compiled, took) = timed(|| compile_all(&engine, 0, 1, functions));
            compiled?;
            Ok(took.as_nanos().to_string())
        }
        _ => Err("no such child".into()),
    }
}

fn since_epoch() -> Result<u128, Failure> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos())
}

/// A function of three ops, made in memory, compiled and called.
fn first_result() -> Result<(), Failure> {
    let mut module = ModuleBuilder::new("first");
    let function = module.export("f", &[Type::I64], &[Type::I64]);
    let mut b = module.define(function);
    let x = b.param(0);
    let y = b.mul(x, x);
    let sum = b.add(y, x);
    b.return_values(&[sum]);
    b.finish()?;
    let engine = engine(Config { tiering: Tiering::Fixed(Tier::Quick), ..Config::default() })?;
    engine.define_module(module.finish()?)?;
    let found = engine.func::<(i64,), i64>("f")?.call((6,))?;
    if found == 42 { Ok(()) } else { Err("a wrong result".into()) }
}

fn child(words: &[String]) -> Result<Command, Failure> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(CHILD).args(words).stdout(Stdio::piped());
    Ok(command)
}

fn answer(output: Result<std::process::Output, std::io::Error>) -> Result<Duration, Failure> {
    let output = output?;
    let nanos: u64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(Duration::from_nanos(nanos))
}

/// A process that has just started, and a module of ten thousand functions of which one is called.
pub(super) fn first_results(extent: Extent) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    // Tests are another program.
    if extent == Extent::Whole {
        let mut times = Vec::new();
        for _ in 0..50 {
            let words = ["first".to_owned(), since_epoch()?.to_string()];
            times.push(answer(child(&words)?.output())?);
        }
        let first = millis(median(times));
        rows.push(Row::at_most("from the start of a process to a result", first, 3.0, "≤ 3 ms"));
    }
    let module = module(&many_functions(extent.count(10_000)))?;
    let mut times = Vec::new();
    for _ in 0..20 {
        let tiering = Tiering::Fixed(Tier::Quick);
        let (module, start) = (module.clone(), Instant::now());
        let engine = engine(Config { tiering, ..Config::default() })?;
        engine.define_module(module)?;
        let found = engine.func::<(i64,), i64>("f0")?.call((0,))?;
        times.push(start.elapsed());
        if found != 0 {
            return Err("a wrong result".into());
        }
    }
    let called = millis(median(times));
    rows.push(Row::at_most("10,000 functions defined, and one call", called, 5.0, "≤ 5 ms"));
    Ok(rows)
}

/// Functions that call none.
fn independent(functions: usize) -> Result<Module, Failure> {
    let text = many_functions(functions);
    let lines = text.lines().map(|line| match line.split_once("= call @") {
        Some((head, _)) => format!("{head}= add.i64 %m, 7\n"),
        None => format!("{line}\n"),
    });
    module(&lines.collect::<String>())
}

fn compile_all(
    engine: &Engine,
    first: usize,
    step: usize,
    functions: usize,
) -> Result<(), Failure> {
    for index in (first..functions).step_by(step) {
        engine.compile(&format!("f{index}"))?;
    }
    Ok(())
}

/// A thousand functions that are compiled by threads of one engine, and by as many processes.
pub(super) fn many_workers(extent: Extent) -> Result<Vec<Row>, Failure> {
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let functions = extent.count(1_000).div_ceil(workers) * workers;
    if extent == Extent::Little {
        let together = by_threads(workers, functions)?;
        let what = "functions compiled by threads of one engine";
        return Ok(vec![Row::at_least(what, millis(together), 0.0, "≥ 0 ms")]);
    }
    let (mut threads, mut processes) = (Duration::MAX, Duration::MAX);
    for _ in 0..7 {
        threads = threads.min(by_threads(workers, functions)?);
        processes = processes.min(by_processes(workers, functions / workers)?);
    }
    let ratio = processes.as_secs_f64() / threads.as_secs_f64();
    let what = "1,000 functions by threads, against processes";
    Ok(vec![Row::at_least(what, ratio, 0.85, "≥ 0.85 times")])
}

fn by_threads(workers: usize, functions: usize) -> Result<Duration, Failure> {
    let engine = engine(Config { level: Level::O2, ..Config::default() })?;
    engine.define_module(independent(functions)?)?;
    let barrier = Barrier::new(workers);
    let compile = |worker: usize| {
        barrier.wait();
        let (compiled, took) = timed(|| compile_all(&engine, worker, workers, functions));
        compiled.map(|()| took)
    };
    thread::scope(|scope| {
        let compile = &compile;
        let all: Vec<_> = (0..workers).map(|worker| scope.spawn(move || compile(worker))).collect();
        all.into_iter().try_fold(Duration::ZERO, |most, thread| {
            Ok(most.max(thread.join().map_err(|_| "a thread has panicked")??))
        })
    })
}

fn by_processes(workers: usize, functions: usize) -> Result<Duration, Failure> {
    let words = ["compile".to_owned(), functions.to_string()];
    let started: Result<Vec<_>, Failure> =
        (0..workers).map(|_| Ok(child(&words)?.spawn()?)).collect();
    let mut most = Duration::ZERO;
    for child in started? {
        most = most.max(answer(child.wait_with_output())?);
    }
    Ok(most)
}
