//! Functions that are defined anew while threads run them.

use std::fmt::Write;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use brolga::ir::module::Module;
use brolga::lowering::options::Polls;
use brolga::{CallOptions, Config, Engine};

use super::{Extent, Failure, Row, engine, median, micros, module, timed};

fn constant(number: usize) -> Result<Module, Failure> {
    module(&format!("func @f() -> i64 {{\nb:\n    return {number}\n}}"))
}

/// A function of so many ops.
fn large(ops: usize) -> Result<Module, Failure> {
    let mut text = String::from("func @f() -> i64 {\nb:\n    %x0 = add.i64 1, 2\n");
    for index in 0..ops {
        let _ = writeln!(text, "    %x{} = mul.i64 %x{index}, %x0", index + 1);
    }
    let _ = write!(text, "    return %x{ops}\n}}");
    module(&text)
}

/// The middle time of a definition of `@f` by these in turns.
fn definitions(engine: &Engine, versions: &[Module], count: usize) -> Result<Duration, Failure> {
    let mut times = Vec::with_capacity(count);
    for round in 0..count {
        let next = versions[round % versions.len()].clone();
        let (defined, took) = timed(|| engine.define_module(next));
        defined?;
        times.push(took);
    }
    Ok(median(times))
}

/// A function that another thread calls all the time; one of much code, which was compiled; and
/// one whose body others have taken over.
pub(super) fn running(extent: Extent) -> Result<Vec<Row>, Failure> {
    let count = extent.count(10_000);
    let engine = engine(Config { polls: Polls::LoopsAndEntries, ..Config::default() })?;
    let small = [constant(0)?, constant(1)?];
    engine.define_module(small[0].clone())?;
    let f = engine.func::<(), i64>("f")?;
    let is_over = AtomicBool::new(false);
    let while_running = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let _ = f.call(());
            }
        });
        let times = definitions(&engine, &small, count);
        is_over.store(true, Ordering::Relaxed);
        times
    })?;
    let large = large(10_000)?;
    let mut of_much_code = Vec::new();
    let other = module("func @other() -> i64 {\nb:\n    return 1\n}")?;
    for number in 0..extent.count(2_000) {
        engine.define_module(large.clone())?;
        engine.compile("f")?;
        // What compiling has put into the caches is no matter of the definition.
        for _ in 0..3 {
            engine.define_module(other.clone())?;
        }
        let next = constant(number)?;
        let (defined, took) = timed(|| engine.define_module(next));
        defined?;
        of_much_code.push(took);
    }
    let few = with_dependents(&engine, 1, extent)?;
    let many = with_dependents(&engine, 1_001, extent)?;
    let each = (micros(many) - micros(few)) * 1e3 / 1_000.0;
    Ok(vec![
        Row::at_most("a running function is defined anew", micros(while_running), 5.0, "≤ 5 µs"),
        Row::at_most("one of 10,000 ops", micros(median(of_much_code)), 5.0, "≤ 5 µs"),
        Row::at_most("each function that has its body, beyond that", each, 100.0, "≤ 100 ns"),
    ])
}

/// The time of a definition of `@f`, whose body so many functions have.
fn with_dependents(engine: &Engine, count: usize, extent: Extent) -> Result<Duration, Failure> {
    let mut text = String::from("import func @f() -> i64\n");
    for index in 0..count {
        let _ = writeln!(
            text,
            "func @g{index}() -> i64 {{\nb:\n    %x = call @f()\n    %y = add.i64 %x, {index}\n    \
             return %y\n}}"
        );
    }
    engine.define_module(constant(0)?)?;
    engine.define(&text)?;
    let mut times = Vec::new();
    for number in 0..extent.count(10).max(3) {
        for index in 0..count {
            engine.compile(&format!("g{index}"))?;
        }
        let next = constant(number)?;
        let (defined, took) = timed(|| engine.define_module(next));
        defined?;
        times.push(took);
    }
    Ok(median(times))
}

const ENDLESS: &str = "
import func @f() -> i64
func @endless() -> i64 {
b:
    jump again
again:
    %x = call @f()
    %more = icmp.i64 sge %x, 0
    branch %more, again, done
done:
    return %x
}";

/// Kibibytes of memory that the process has.
fn resident() -> Result<u64, Failure> {
    let text = fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| "the system tells no memory".into())
}

/// A million definitions under threads that call, and under a loop that never returns.
pub(super) fn a_million(extent: Extent) -> Result<Vec<Row>, Failure> {
    let count = extent.count(1_000_000);
    let engine = engine(Config { polls: Polls::LoopsAndEntries, ..Config::default() })?;
    engine.define_module(large_enough(0)?)?;
    engine.define(ENDLESS)?;
    let f = engine.func::<(), i64>("f")?;
    let endless = engine.func::<(), i64>("endless")?;
    let (is_over, latest, wrong) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let versions: Vec<Module> = (0..16).map(large_enough).collect::<Result<_, _>>()?;
    let (mut early, mut most) = (0, 0);
    thread::scope(|scope| -> Result<(), Failure> {
        let mut callers = Vec::new();
        for _ in 0..2 {
            callers.push(scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let oldest = latest.load(Ordering::Acquire);
                    let found = f.call(()).unwrap_or(-1);
                    let newest = latest.load(Ordering::Acquire) + 1;
                    let is_allowed = (oldest..=newest).any(|it| (it % 16) as i64 == found);
                    wrong.fetch_add(u64::from(!is_allowed), Ordering::Relaxed);
                }
            }));
        }
        let looping = scope.spawn(|| endless.call_with(&CallOptions::default(), ()));
        let defined = (1..=count as u64).try_for_each(|number| -> Result<(), Failure> {
            engine.define_module(versions[number as usize % 16].clone())?;
            latest.store(number, Ordering::Release);
            if number as usize == count / 10 {
                early = resident()?;
            }
            if number % 1_000 == 0 {
                most = most.max(resident()?);
            }
            Ok(())
        });
        let has_returned = looping.is_finished();
        is_over.store(true, Ordering::Relaxed);
        for caller in callers {
            caller.join().map_err(|_| "a caller has panicked")?;
        }
        engine.define("func @f() -> i64 {\nb:\n    return -1\n}")?;
        if has_returned {
            return Err("the loop that never returns has returned".into());
        }
        defined
    })?;
    let growth = most.max(early) as f64 / early.max(1) as f64;
    let wrong = wrong.into_inner() as f64;
    Ok(vec![
        Row::at_most("1,000,000 definitions under calls: memory grows", growth, 1.1, "≤ 1.1 times"),
        Row::at_most("answers of versions that were not allowed", wrong, 0.0, "≤ 0 answers"),
    ])
}

/// A function that nobody takes over, so that the endless loop sees each version.
fn large_enough(number: usize) -> Result<Module, Failure> {
    module(&format!("func @f() -> i64 inline never {{\nb:\n    return {number}\n}}"))
}
