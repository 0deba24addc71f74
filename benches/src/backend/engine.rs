//! Ourselves, at a level.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::verify::Verified;
use brolga::lowering::options::{Polls, StackGuard};
use brolga::{Budgets, Config, Engine, Function, Level, LoadStep, Observer, Tier, Tiering};

use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::source::Source;

/// Our engine.
#[derive(Clone, Copy, Debug)]
pub struct Brolga {
    /// How hard it works on code.
    pub level: Level,
    /// Where its code can be stopped.
    pub polls: Polls,
    /// Whether its code looks for the end of the stack.
    pub stack_guard: StackGuard,
    /// What decides how well functions are compiled.
    pub way: Way,
    /// How many threads compile what is loaded.
    pub threads: usize,
}

/// What decides how well functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The level alone: all at once, when the module is loaded.
    Level,
    /// Stencils are copied where there are some, when the module is loaded.
    Quick,
    /// How often they run: each at its first call, and better later.
    Tiered,
}

/// How long a new engine is left alone: a multiple of what it takes to make a thread.
const REST: Duration = Duration::from_micros(300);

/// What compiling takes beyond the parts of it that are told.
const BETWEEN: &str = "between";

impl Brolga {
    /// A level as an embedder gets it who says nothing else, `O2`; with polls in loops and at
    /// entries, `O2-polls`; or without polls and guards, `O2-bare`. Tiers: the first alone,
    /// `quick`, by all processors, `quick-threads`, or all of them, `tiered`. None of another name.
    pub fn named(name: &str) -> Option<Brolga> {
        let (polls, stack_guard) = (Config::default().polls, StackGuard::Emit);
        let threads = 1;
        let tiered = Brolga { level: Level::O2, polls, stack_guard, way: Way::Tiered, threads };
        match name {
            "quick" => return Some(Brolga { way: Way::Quick, ..tiered }),
            "quick-threads" => {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                return Some(Brolga { way: Way::Quick, threads, ..tiered });
            }
            "tiered" => return Some(tiered),
            _ => {}
        }
        let (level, around) = name.split_once('-').unwrap_or((name, ""));
        let (polls, stack_guard) = match around {
            "" => (polls, stack_guard),
            "polls" => (Polls::LoopsAndEntries, StackGuard::Emit),
            "bare" => (Polls::Off, StackGuard::Omit),
            _ => return None,
        };
        let (level, way) = (Level::from_name(level)?, Way::Level);
        Some(Brolga { level, polls, stack_guard, way, threads })
    }
}

impl Backend for Brolga {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        // Before any clock runs, as LLVM's columns verify nothing.
        let (ours, module) = (*self, Verified::check(source.module()?)?);
        Ok(Box::new(Loadable { ours, module, symbol: &source.symbol }))
    }
}

struct Loadable<'a> {
    ours: Brolga,
    module: Verified,
    symbol: &'a str,
}

impl Input for Loadable<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let clock = Arc::new(Clock::default());
        let config = Config {
            level: self.ours.level,
            polls: self.ours.polls,
            stack_guard: self.ours.stack_guard,
            reservation: 1 << 30,
            compile_threads: self.ours.threads,
            allow_symbols: vec!["*".to_owned()],
            tiering: match self.ours.way {
                Way::Level => Tiering::Fixed(Tier::Hot),
                Way::Quick => Tiering::Fixed(Tier::Quick),
                Way::Tiered => Tiering::Adaptive(Budgets::default()),
            },
            observer: Some(Arc::clone(&clock) as _),
            ..Config::default()
        };
        let engine = Engine::new(config)?;
        come_to_rest();
        let before = engine.books().live_code;
        match self.ours.way {
            // SAFETY: the module is one of the suite, none of which calls deep, or what whoever
            // races us trusts.
            Way::Level | Way::Quick => unsafe {
                engine.load_verified_unsafe(std::slice::from_ref(&self.module))?;
            },
            Way::Tiered => {
                // It takes the module, as the others do not.
                let module = self.module.clone();
                let start = Instant::now();
                // SAFETY: as above.
                unsafe { engine.define_verified_unsafe(module)? };
                clock.loaded(LoadStep::Link, start.elapsed());
            }
        }
        let function = engine.func::<(i64,), i64>(self.symbol)?;
        let phases = std::mem::take(&mut clock.told().phases);
        let code_bytes = (engine.books().live_code - before) as u64;
        Ok(Compiled { phases, code_bytes, kernel: Box::new(Native(function)) })
    }
}

/// Lets the threads that an engine begins with be born: to make an engine counts for nobody, and
/// what is compiled meanwhile would take some microseconds longer.
fn come_to_rest() {
    let start = Instant::now();
    while start.elapsed() < REST {
        thread::yield_now();
    }
}

struct Native(Function<(i64,), i64>);

impl Callable for Native {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        Ok(self.0.call((n,))?)
    }
}

/// What the steps of loading took.
#[derive(Debug, Default)]
struct Clock(Mutex<Told>);

#[derive(Debug, Default)]
struct Told {
    phases: Phases,
    /// The parts of compiling alone.
    parts: Duration,
}

impl Clock {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Clock {
    fn loaded(&self, step: LoadStep, took: Duration) {
        let mut told = self.told();
        match step {
            // Part by part it was told already, but for what is between these.
            LoadStep::Compile => {
                let rest = took.saturating_sub(told.parts);
                told.phases.add(BETWEEN, rest);
            }
            _ => told.phases.add(step.name(), took),
        }
    }

    fn compiled(&self, part: &'static str, took: Duration) {
        let mut told = self.told();
        told.parts += took;
        told.phases.add(part, took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_compiling_takes_is_told_whatever_its_parts_are() {
        let (clock, millis) = (Clock::default(), Duration::from_millis);
        clock.loaded(LoadStep::Verify, millis(1));
        clock.compiled("emit", millis(2));
        clock.compiled("loops", millis(3));
        clock.loaded(LoadStep::Compile, millis(10));
        clock.loaded(LoadStep::Link, millis(4));
        let phases = &clock.told().phases;
        assert_eq!(phases.total(), millis(15));
        assert!(phases.iter().any(|phase| phase == (BETWEEN, millis(5))), "{phases:?}");
    }
}
