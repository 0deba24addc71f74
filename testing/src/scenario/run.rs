//! The threads of a scenario, and what they find.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use brolga::{
    Budgets, CallError, Config, Engine, Function, FunctionError, Library, Reach, Stats, Tiering,
};
use brolga_ir::trap::TrapCode;
use brolga_lowering::options::Polls;

use super::Scenario;
use super::function::{self, LIBRARIES, MOST_NAMES, library_of, name_of};
use super::history::{History, Meaning, Span};
use super::notes::{self, Answers, Note};
use crate::random::Random;

/// What loops and entries may run before they are compiled better.
const EAGER: Budgets = Budgets { quick: 30, warm: 60, doublings: 4 };

/// So long the engine may take to give back what nobody has any more.
const PATIENCE: Duration = Duration::from_secs(30);

thread_local! {
    static NOTES: RefCell<Vec<Note>> = const { RefCell::new(Vec::new()) };
}

type Handle = Function<(i64,), (i64, i64, i64)>;

/// What a scenario came to.
#[derive(Debug, Default)]
pub struct Outcome {
    calls: u64,
    definitions: u64,
    removals: u64,
    /// What rounds of loops were given.
    pub answers: Answers,
    stats: Stats,
    /// What was not allowed.
    pub faults: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { upgraded, continued, copied, lowered, .. } = &self.stats;
        writeln!(
            f,
            "{} calls, {} definitions, {} removals; {copied} functions copied, {lowered} lowered, \
             {upgraded} compiled better, {continued} loops left for better code",
            self.calls, self.definitions, self.removals
        )?;
        let Answers { called, taken_over, kept } = self.answers;
        writeln!(
            f,
            "{called} answers in rounds of functions that were called, {taken_over} of such as may \
             have been taken over, {kept} of these older than the round"
        )?;
        self.faults.iter().try_for_each(|fault| writeln!(f, "not allowed: {fault}"))
    }
}

struct World {
    engine: Engine,
    /// Each sees the others.
    libraries: Vec<Library>,
    history: Arc<History>,
    names: usize,
    serial: AtomicI64,
    is_over: AtomicBool,
    calls: AtomicU64,
    definitions: AtomicU64,
    removals: AtomicU64,
    answers: Mutex<Answers>,
    faults: Mutex<Vec<String>>,
}

/// Runs a scenario.
///
/// # Errors
/// If there is no engine for it.
pub fn run(scenario: &Scenario) -> Result<Outcome, String> {
    let names = scenario.names.min(MOST_NAMES);
    let history = Arc::new(History::new(names, scenario.threads + 1));
    let engine = engine(&history)?;
    let libraries = libraries(&engine).map_err(|error| error.to_string())?;
    let world = World {
        engine,
        libraries,
        history,
        names,
        serial: AtomicI64::new(1),
        is_over: AtomicBool::new(false),
        calls: AtomicU64::new(0),
        definitions: AtomicU64::new(0),
        removals: AtomicU64::new(0),
        answers: Mutex::default(),
        faults: Mutex::default(),
    };
    world.warm_up(scenario);
    let before = world.settled();
    thread::scope(|scope| {
        for thread in 0..scenario.threads {
            let (world, seed) = (&world, scenario.seed.wrapping_mul(1 << 16) + thread as u64);
            scope.spawn(move || Actor::new(world, thread, seed).act());
        }
        let start = Instant::now();
        while start.elapsed() < scenario.time && !world.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10).min(scenario.time));
        }
        world.is_over.store(true, Ordering::Relaxed);
    });
    world.remove_all();
    world.compare_books(before);
    Ok(world.outcome())
}

fn engine(history: &Arc<History>) -> Result<Engine, String> {
    let config = Config {
        tiering: Tiering::Adaptive(EAGER),
        background_threads: 2,
        polls: Polls::LoopsAndEntries,
        ..Config::default()
    };
    let engine = Engine::new(config).map_err(|error| error.to_string())?;
    let history = Arc::clone(history);
    let note = move |by: i64, what: i64, own: i64, next: i64| {
        let note = Note { by, what, given: [own, next], at: history.now() };
        NOTES.with(|notes| notes.borrow_mut().push(note));
    };
    engine.define_host("note", note).map_err(|error| error.to_string())?;
    Ok(engine)
}

fn libraries(engine: &Engine) -> Result<Vec<Library>, Box<dyn Error>> {
    let all: Result<Vec<Library>, _> =
        (0..LIBRARIES).map(|number| engine.add_library(&format!("library.{number}"))).collect();
    let all = all?;
    for library in &all {
        for other in all.iter().filter(|other| other.name() != library.name()) {
            library.link_to(other, Reach::Exports)?;
        }
    }
    Ok(all)
}

impl World {
    /// The library that has a name.
    fn library(&self, name: usize) -> &Library {
        &self.libraries[library_of(name)]
    }

    /// Has everything made that stays: ways to the host, and to the runtime.
    fn warm_up(&self, scenario: &Scenario) {
        let mut actor = Actor::new(self, scenario.threads, scenario.seed);
        for _ in 0..2_000 {
            actor.step();
        }
        drop(actor);
        self.remove_all();
    }

    fn in_use(&self) -> [usize; 4] {
        let books = self.engine.books();
        [books.live_code, books.live_data, books.padding, books.allocations]
    }

    fn wait_for(&self, mut is_so: impl FnMut() -> bool) -> bool {
        let start = Instant::now();
        loop {
            self.engine.collect();
            if is_so() {
                return true;
            }
            if start.elapsed() > PATIENCE {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Of two changes at once, nobody knows which came last: every name is removed.
    fn remove_all(&self) {
        for name in 0..self.names {
            let began = self.history.begin_change(&[(name, Meaning::Undefined)]);
            let _ = self.library(name).remove(&format!("f{name}"));
            self.history.end_change([name], began);
        }
    }

    /// The books, once they have stood still for a while.
    fn settled(&self) -> [usize; 4] {
        let mut last = (self.in_use(), 0);
        self.wait_for(|| {
            let now = self.in_use();
            last = if last.0 == now { (now, last.1 + 1) } else { (now, 0) };
            last.1 == 20
        });
        last.0
    }

    fn compare_books(&self, before: [usize; 4]) {
        let now = self.settled();
        if now != before {
            self.fault(format!("the books end with {now:?}, and began with {before:?}"));
        }
    }

    fn fault(&self, fault: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.push(fault);
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn outcome(self) -> Outcome {
        Outcome {
            calls: self.calls.into_inner(),
            definitions: self.definitions.into_inner(),
            removals: self.removals.into_inner(),
            answers: self.answers.into_inner().unwrap_or_else(PoisonError::into_inner),
            stats: self.engine.stats(),
            faults: self.faults.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// One thread.
struct Actor<'a> {
    world: &'a World,
    thread: usize,
    random: Random,
    handles: Vec<Option<Handle>>,
    answers: Answers,
}

impl<'a> Actor<'a> {
    fn new(world: &'a World, thread: usize, seed: u64) -> Actor<'a> {
        let handles = (0..world.names).map(|_| None).collect();
        let random = Random::new(seed);
        Actor { world, thread, random, handles, answers: Answers::default() }
    }

    fn act(&mut self) {
        while !self.world.is_over.load(Ordering::Relaxed) {
            self.step();
        }
        let mut all = self.world.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *all += self.answers;
    }

    fn step(&mut self) {
        // A few names are all the rage.
        let names =
            if self.random.below(2) == 0 { 8.min(self.world.names) } else { self.world.names };
        let name = self.random.below(names);
        match self.random.below(100) {
            0..75 => self.call(name),
            75..90 => self.define(name),
            90..94 => self.remove(name),
            94..97 => drop(self.world.library(name).compile(&format!("f{name}"))),
            97..99 => self.handles[name] = None,
            _ => self.world.engine.collect(),
        }
    }

    fn define(&mut self, name: usize) {
        let world = self.world;
        let serial = world.serial.fetch_add(1, Ordering::Relaxed);
        let module = function::module(&mut self.random, name, world.names, serial);
        let began = world.history.begin_change(&module.meanings);
        let names = || module.meanings.iter().map(|&(name, _)| name);
        match world.library(name).define(&module.text) {
            Ok(()) => world.history.end_change(names(), began),
            Err(error) => {
                world.history.forget_change(names(), began);
                world.fault(format!("refused: {error}\n{}", module.text));
            }
        }
        world.definitions.fetch_add(1, Ordering::Relaxed);
    }

    fn remove(&self, name: usize) {
        let world = self.world;
        let began = world.history.begin_change(&[(name, Meaning::Undefined)]);
        match world.library(name).remove(&format!("f{name}")) {
            Ok(()) | Err(FunctionError::Missing { .. }) => {
                world.history.end_change([name], began);
            }
            Err(error) => world.fault(format!("@f{name} is not removed: {error}")),
        }
        world.removals.fetch_add(1, Ordering::Relaxed);
    }

    fn call(&mut self, name: usize) {
        let world = self.world;
        NOTES.with(|notes| notes.borrow_mut().clear());
        let rounds = self.random.below(80) as i64;
        let from = world.history.begin_call(self.thread);
        let outcome = self.enter(name, rounds);
        let span = Span { from, to: world.history.now() };
        let checked = outcome.and_then(|found| {
            found.iter().try_for_each(|&(of, meaning)| {
                let checked = world.history.check(of, meaning, span);
                checked.map_err(|fault| format!("@f{name} gave {found:?}: {fault}"))
            })?;
            let told = NOTES.with(|notes| std::mem::take(&mut *notes.borrow_mut()));
            notes::check(&world.history, from, &told)
                .map_err(|fault| format!("@f{name} gave {found:?}: {fault}"))
        });
        world.history.end_call(self.thread);
        match checked {
            Ok(answers) => self.answers += answers,
            Err(fault) => world.fault(fault),
        }
        world.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// What names meant to a call, each within it.
    fn enter(&mut self, name: usize, rounds: i64) -> Result<Vec<(usize, Meaning)>, String> {
        // By way of whichever library: all of them see it.
        let library = &self.world.libraries[self.random.below(LIBRARIES)];
        let handle = match &self.handles[name] {
            Some(handle) => handle,
            None => match library.func(&format!("f{name}")) {
                Ok(handle) => self.handles[name].insert(handle),
                Err(FunctionError::Missing { .. }) => {
                    return Ok(vec![(name, Meaning::Undefined)]);
                }
                Err(error) => return Err(format!("@f{name}: {error}")),
            },
        };
        match handle.call((rounds,)) {
            Ok((own, callee, next)) => {
                let given = [callee, next].into_iter().filter(|&stamp| stamp != 0);
                let given = given.map(|stamp| (name_of(stamp), Meaning::Function(stamp)));
                Ok([(name, Meaning::Function(own))].into_iter().chain(given).collect())
            }
            Err(error) => stopped(&error).map(|found| vec![found]),
        }
    }
}

/// Who stopped a call, and what that means.
fn stopped(error: &CallError) -> Result<(usize, Meaning), String> {
    let unexpected = || format!("stopped by something else: {error}");
    let trap = error.trap().ok_or_else(unexpected)?;
    let meaning = match trap.code {
        TrapCode::MissingFunction => Meaning::Undefined,
        TrapCode::RefusedFunction => Meaning::Broken,
        _ => return Err(unexpected()),
    };
    let detail = trap.detail.as_deref().unwrap_or_default();
    let name = detail.strip_prefix("`@f").and_then(|rest| rest.split_once('`')?.0.parse().ok());
    Ok((name.ok_or_else(unexpected)?, meaning))
}
