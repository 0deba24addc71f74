//! The life of one function: which definition it has, and what has become of that.
//!
//! | event ↓ phase → | undefined | pending | compiling | ready | failed |
//! |---|---|---|---|---|---|
//! | define | pending | pending, the old source is given back | pending, the job is over | pending, callers are led through, the old code is given back | pending |
//! | install | ready | ready, the old source is given back | ready, the job is over | ready, the old code is given back | ready |
//! | first call | an error | compiling, for one caller | wait | the code | the error |
//! | remove | an error | undefined | undefined, the job is over | undefined, callers are led through, the code is given back | undefined |
//! | a compile ends | - | discarded | ready, if the job is the one | discarded, but for an upgrade | discarded |
//! | a compile fails | - | ignored | failed, if the job is the one | ignored | ignored |
//! | what was inlined is redefined | - | - | pending, if the job inlined it | pending, if the code inlined it; callers are led through | - |
//! | upgrade | - | - | - | the entry stays until the other code is ready | - |
//!
//! Every question and its answer stand under one lock, the function's own, and the word that
//! callers go through is stored under it. Sources, code, errors and slots are never dropped there.

use std::fmt;
use std::mem;

use thiserror::Error;

use crate::job::{Caller, Job};
use crate::sync::{Arc, Mutex, MutexGuard, is_mutated, lock, touch};

/// The word that callers of a function go through. It is stored under the lock of the
/// function's life, so that its values follow each other as the phases do.
pub trait Slot<Code> {
    /// Leads callers to the path that resolves the function, and tells them if there is none.
    fn lead_through(&self);

    /// Leads callers to that code.
    fn lead_to(&self, code: &Code);
}

impl<Code, T: Slot<Code>> Slot<Code> for Arc<T> {
    fn lead_through(&self) {
        T::lead_through(self);
    }

    fn lead_to(&self, code: &Code) {
        T::lead_to(self, code);
    }
}

/// Code that has the body of another function in it: by its function's number, and the stamp of
/// the last job that was known to take the body over. Older code of the function may have it
/// too, and is taken for code that has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dependent {
    /// The number of the function.
    pub function: u32,
    /// The stamp of the job.
    pub stamp: u64,
}

/// A definition, by the count of definitions and removals before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(u64);

/// What was asked of has become something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the function has become another meanwhile")]
pub struct Stale;

/// There is no definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the function has no definition")]
pub struct Undefined;

/// What an event has left over: for the caller to drop, to free, and to hand on.
#[must_use = "code is to be retired, and dependents to be told"]
#[derive(PartialEq, Eq, Debug)]
pub struct Change<S, C> {
    /// A source that no definition has any more.
    pub source: Option<S>,
    /// Code that callers are no longer led to, and may be inside of.
    pub code: Option<C>,
    /// Code that has the old body in it.
    pub dependents: Vec<Dependent>,
}

impl<S, C> Change<S, C> {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.source.is_none() && self.code.is_none() && self.dependents.is_empty()
    }
}

/// What a first call finds.
#[derive(Debug)]
pub enum Begin<S, C, E> {
    /// Code.
    Ready(C),
    /// The caller compiles, and says what came of it.
    Compile(Started<S>),
    /// Another thread compiles.
    Wait(Arc<Job>),
    /// There is no definition.
    Undefined,
    /// Compiling failed.
    Failed(E),
}

/// A compile that the caller is to do.
#[derive(Debug)]
pub struct Started<S> {
    /// By which its end is told.
    pub job: Arc<Job>,
    /// What to compile.
    pub source: S,
    /// Which definition that is.
    pub version: Version,
}

enum Phase<S, C, E> {
    Undefined,
    /// Most functions are defined and never called: a word for those.
    Pending(S),
    Called(Box<Called<S, C, E>>),
}

/// A definition that was called, and keeps its place here for as long as it stands: where
/// thousands of functions have a body in them that is redefined, nothing is freed for each, nor
/// made at its next call.
struct Called<S, C, E> {
    source: S,
    progress: Progress<C, E>,
}

enum Progress<C, E> {
    Pending,
    Compiling(Arc<Job>),
    Ready(Ready<C>),
    Failed(E),
}

struct Ready<C> {
    code: C,
    stamp: u64,
    upgrade: Option<Arc<Job>>,
}

struct State<S, C, E, T> {
    version: u64,
    stamp: u64,
    phase: Phase<S, C, E>,
    // Most functions are never called: nobody has made a slot for those.
    slot: Option<T>,
    // Most functions are in nobody's code: a word for those.
    dependents: Option<Box<Dependents>>,
}

/// Code with a body in it, and how much of the list is to be looked through again.
#[derive(Default)]
struct Dependents {
    list: Vec<Dependent>,
    bound: usize,
}

impl Dependents {
    /// A function that is compiled again and again stands here once, in the end.
    fn add(&mut self, dependent: Dependent) {
        if self.list.len() >= self.bound.max(8) {
            self.list.sort_unstable();
            // The latest of each function speaks for those before it.
            self.list.reverse();
            self.list.dedup_by_key(|dependent| dependent.function);
            self.bound = self.list.len() * 2;
        }
        self.list.push(dependent);
    }
}

/// The life of a function with sources `S`, code `C` and errors `E`, whose callers go through a
/// slot `T`.
pub struct Life<S, C, E, T> {
    state: Mutex<State<S, C, E, T>>,
}

impl<S: Clone, C: Clone, E: Clone, T: Slot<C> + Clone> Life<S, C, E, T> {
    /// Of a function that nobody has defined, or calls.
    pub fn new() -> Life<S, C, E, T> {
        let (phase, slot, dependents) = (Phase::Undefined, None, None);
        Life { state: Mutex::new(State { version: 0, stamp: 0, phase, slot, dependents }) }
    }

    /// Has callers go through a slot, which leads them where they belong from now on. Gives the
    /// one that they went through, for the caller to drop.
    pub fn set_slot(&self, slot: T) -> Option<T> {
        let mut state = lock(&self.state);
        match state.phase.ready() {
            Some(ready) => slot.lead_to(&ready.code),
            None => slot.lead_through(),
        }
        state.slot.replace(slot)
    }

    /// The slot that callers go through, if anybody has made one.
    pub fn slot(&self) -> Option<T> {
        lock(&self.state).slot.clone()
    }

    /// Looks at the slot where it is, under the lock: looking must not come back to this life.
    pub fn with_slot<R>(&self, look: impl FnOnce(Option<&T>) -> R) -> R {
        look(lock(&self.state).slot.as_ref())
    }

    /// Takes the slot away: nobody calls any more.
    pub fn take_slot(&self) -> Option<T> {
        lock(&self.state).slot.take()
    }

    /// Gives the function a definition, in the place of what it has.
    pub fn define(&self, source: S) -> Change<S, C> {
        Self::change(lock(&self.state), Phase::Pending(source))
    }

    /// Gives the function a definition together with its code, in the place of what it has: of
    /// several functions that were compiled at once, none is led through any more.
    pub fn install(&self, source: S, code: C) -> Change<S, C> {
        let mut state = lock(&self.state);
        state.stamp += 1;
        let progress = Progress::Ready(Ready { code, stamp: state.stamp, upgrade: None });
        Self::change(state, Phase::Called(Box::new(Called { source, progress })))
    }

    /// Whether there is a definition.
    pub fn is_defined(&self) -> bool {
        lock(&self.state).phase.source().is_some()
    }

    /// Whether it is defined, and nobody has compiled that or is about to.
    pub fn is_pending(&self) -> bool {
        match &lock(&self.state).phase {
            Phase::Undefined => false,
            Phase::Pending(_) => true,
            Phase::Called(called) => matches!(called.progress, Progress::Pending),
        }
    }

    /// Whether what it is defined by could not be compiled.
    pub fn has_failed(&self) -> bool {
        let state = lock(&self.state);
        matches!(&state.phase, Phase::Called(called) if matches!(called.progress, Progress::Failed(_)))
    }

    /// Takes the definition away.
    ///
    /// # Errors
    /// If there is none.
    pub fn remove(&self) -> Result<Change<S, C>, Undefined> {
        let state = lock(&self.state);
        if matches!(state.phase, Phase::Undefined) {
            return Err(Undefined);
        }
        Ok(Self::change(state, Phase::Undefined))
    }

    fn change(mut state: MutexGuard<'_, State<S, C, E, T>>, phase: Phase<S, C, E>) -> Change<S, C> {
        state.version += 1;
        state.stamp += 1;
        let was_ready = state.phase.ready().is_some();
        let old = mem::replace(&mut state.phase, phase);
        let dependents = state.dependents.take().map(|dependents| dependents.list);
        match state.phase.ready() {
            Some(ready) => state.lead_to(&ready.code),
            None if was_ready => state.lead_through(),
            None => {}
        }
        drop(state);
        let (source, code) = match old {
            Phase::Undefined => (None, None),
            Phase::Pending(source) => (Some(source), None),
            Phase::Called(called) => (Some(called.source), called.progress.end()),
        };
        Change { source, code, dependents: dependents.unwrap_or_default() }
    }

    /// Brings it into the caches.
    pub(crate) fn touch(&self) {
        touch(&self.state);
    }

    /// Takes code back that has the body of a function in it that has another one now: the
    /// definition stays, and is compiled again at the next call.
    pub fn invalidate(&self, stamp: u64) -> Option<C> {
        let mut state = lock(&self.state);
        let Phase::Called(called) = &mut state.phase else { return None };
        match &mut called.progress {
            Progress::Compiling(job) if job.stamp() <= stamp => {
                let job = Arc::clone(job);
                called.progress = Progress::Pending;
                drop(state);
                job.end();
                None
            }
            Progress::Ready(ready) if ready.stamp <= stamp => {
                let old = mem::replace(&mut called.progress, Progress::Pending);
                state.lead_through();
                drop(state);
                old.end()
            }
            Progress::Ready(ready) => {
                let mine = ready.upgrade.take_if(|job| job.stamp() <= stamp);
                drop(state);
                end(mine);
                None
            }
            Progress::Pending | Progress::Compiling(_) | Progress::Failed(_) => None,
        }
    }

    /// What a call finds that the slot leads here. Where nothing is compiled, the caller is to
    /// do it.
    pub fn begin(&self, owner: Caller) -> Begin<S, C, E> {
        let mut state = lock(&self.state);
        let source = match &state.phase {
            Phase::Undefined => return Begin::Undefined,
            Phase::Pending(source) => source.clone(),
            Phase::Called(called) => match &called.progress {
                Progress::Pending => called.source.clone(),
                Progress::Compiling(job) => return Begin::Wait(Arc::clone(job)),
                Progress::Ready(ready) => return Begin::Ready(ready.code.clone()),
                Progress::Failed(error) => return Begin::Failed(error.clone()),
            },
        };
        let started = state.start(owner, source);
        state.phase.compile(Arc::clone(&started.job));
        drop(state);
        Begin::Compile(started)
    }

    /// Begins to make other code for the definition, which callers go on to use meanwhile, if the
    /// code that they use is what is to be bettered: that is asked under the lock, and must not
    /// come back to this life.
    ///
    /// # Errors
    /// If there is no such code, or somebody is at it already.
    pub fn begin_upgrade(
        &self,
        owner: Caller,
        is_meant: impl FnOnce(&C) -> bool,
    ) -> Result<Started<S>, Stale> {
        let mut state = lock(&self.state);
        let (Some(source), Some(ready)) = (state.phase.source(), state.phase.ready()) else {
            return Err(Stale);
        };
        if ready.upgrade.is_some() || !is_meant(&ready.code) {
            return Err(Stale);
        }
        let source = source.clone();
        let started = state.start(owner, source);
        if let Some(ready) = state.phase.ready_mut() {
            ready.upgrade = Some(Arc::clone(&started.job));
        }
        Ok(started)
    }

    /// Leads callers to what the job has made, if that is still wanted, and gives the code that
    /// they were led to before.
    ///
    /// # Errors
    /// The code, if its time is over.
    pub fn publish(&self, job: &Arc<Job>, code: C) -> Result<Option<C>, C> {
        let (new, stamp) = (code.clone(), job.stamp());
        let mut state = lock(&self.state);
        let Phase::Called(called) = &mut state.phase else { return Err(code) };
        let old = match &mut called.progress {
            Progress::Compiling(current)
                if Arc::ptr_eq(current, job) || is_mutated("life-publish") =>
            {
                called.progress = Progress::Ready(Ready { code: new, stamp, upgrade: None });
                None
            }
            Progress::Ready(ready)
                if ready.upgrade.as_ref().is_some_and(|current| Arc::ptr_eq(current, job))
                    || is_mutated("life-upgrade") =>
            {
                ready.stamp = stamp;
                ready.upgrade = None;
                Some(mem::replace(&mut ready.code, new))
            }
            _ => return Err(code),
        };
        state.lead_to(&code);
        drop(state);
        job.end();
        Ok(old)
    }

    /// Notes that the job has failed, if it is still the one. An upgrade that fails leaves the
    /// code that there is.
    pub fn fail(&self, job: &Arc<Job>, error: E) {
        self.stop(job, Progress::Failed(error));
    }

    /// Gives the job back: the next call begins another.
    pub fn abandon(&self, job: &Arc<Job>) {
        self.stop(job, Progress::Pending);
    }

    fn stop(&self, job: &Arc<Job>, then: Progress<C, E>) {
        let mut state = lock(&self.state);
        if let Phase::Called(called) = &mut state.phase {
            match &mut called.progress {
                Progress::Compiling(current)
                    if Arc::ptr_eq(current, job) || is_mutated("life-stop") =>
                {
                    called.progress = then;
                }
                Progress::Ready(ready) => {
                    ready.upgrade.take_if(|current| Arc::ptr_eq(current, job));
                }
                Progress::Pending | Progress::Compiling(_) | Progress::Failed(_) => {}
            }
        }
        drop(state);
        job.end();
    }

    /// Makes the next call compile what failed; tells whether anything had.
    pub fn retry(&self) -> bool {
        let mut state = lock(&self.state);
        let Phase::Called(called) = &mut state.phase else { return false };
        if !matches!(called.progress, Progress::Failed(_)) {
            return false;
        }
        let old = mem::replace(&mut called.progress, Progress::Pending);
        drop(state);
        drop(old);
        true
    }

    /// The definition and its version.
    pub fn source(&self) -> Option<(S, Version)> {
        let state = lock(&self.state);
        let source = state.phase.source()?.clone();
        Some((source, Version(state.version)))
    }

    /// The code that callers are led to.
    pub fn code(&self) -> Option<C> {
        lock(&self.state).phase.ready().map(|ready| ready.code.clone())
    }

    /// Notes code that has the body of that version in it.
    ///
    /// # Errors
    /// If the function has another one by now.
    pub fn depend(&self, version: Version, dependent: Dependent) -> Result<(), Stale> {
        let mut state = lock(&self.state);
        if state.version != version.0 && !is_mutated("life-depend") {
            return Err(Stale);
        }
        state.dependents.get_or_insert_default().add(dependent);
        Ok(())
    }
}

impl<S, C, E> Phase<S, C, E> {
    fn source(&self) -> Option<&S> {
        match self {
            Phase::Undefined => None,
            Phase::Pending(source) => Some(source),
            Phase::Called(called) => Some(&called.source),
        }
    }

    fn ready(&self) -> Option<&Ready<C>> {
        match self {
            Phase::Called(called) => match &called.progress {
                Progress::Ready(ready) => Some(ready),
                _ => None,
            },
            _ => None,
        }
    }

    fn ready_mut(&mut self) -> Option<&mut Ready<C>> {
        match self {
            Phase::Called(called) => match &mut called.progress {
                Progress::Ready(ready) => Some(ready),
                _ => None,
            },
            _ => None,
        }
    }

    /// Hands what is pending to a job.
    fn compile(&mut self, job: Arc<Job>) {
        let progress = Progress::Compiling(job);
        match mem::replace(self, Phase::Undefined) {
            Phase::Undefined => {}
            Phase::Pending(source) => *self = Phase::Called(Box::new(Called { source, progress })),
            Phase::Called(mut called) => {
                called.progress = progress;
                *self = Phase::Called(called);
            }
        }
    }
}

impl<C, E> Progress<C, E> {
    /// Ends what goes on, for nobody wants it any more, and gives the code that there is.
    fn end(self) -> Option<C> {
        match self {
            Progress::Pending | Progress::Failed(_) => None,
            Progress::Compiling(job) => {
                job.end();
                None
            }
            Progress::Ready(Ready { code, upgrade, .. }) => {
                end(upgrade);
                Some(code)
            }
        }
    }
}

impl<S, C, E, T: Slot<C>> State<S, C, E, T> {
    fn lead_through(&self) {
        if let Some(slot) = &self.slot {
            slot.lead_through();
        }
    }

    fn lead_to(&self, code: &C) {
        if let Some(slot) = &self.slot {
            slot.lead_to(code);
        }
    }

    fn start(&mut self, owner: Caller, source: S) -> Started<S> {
        self.stamp += 1;
        let job = Arc::new(Job::new(self.stamp, owner));
        Started { job, source, version: Version(self.version) }
    }
}

fn end(job: Option<Arc<Job>>) {
    if let Some(job) = job {
        job.end();
    }
}

impl<S: Clone, C: Clone, E: Clone, T: Slot<C> + Clone> Default for Life<S, C, E, T> {
    fn default() -> Life<S, C, E, T> {
        Life::new()
    }
}

impl<S, C, E, T> fmt::Debug for Life<S, C, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.state);
        let phase = match &state.phase {
            Phase::Undefined => "undefined",
            Phase::Pending(_) => "pending",
            Phase::Called(called) => match called.progress {
                Progress::Pending => "pending",
                Progress::Compiling(_) => "compiling",
                Progress::Ready(_) => "ready",
                Progress::Failed(_) => "failed",
            },
        };
        f.debug_struct("Life").field("version", &state.version).field("phase", &phase).finish()
    }
}
