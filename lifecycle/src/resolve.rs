//! What an engine does with the lives of its functions: define, remove, compile at the first
//! call, compile better.
//!
//! Nothing here holds a lock while a source is compiled, or while anything of a user's is
//! called or dropped.

use thiserror::Error;

use crate::job::{Caller, Cycle, Job, Waits};
use crate::life::{Begin, Change, Dependent, Life, Slot, Stale, Started, Undefined, Version};
use crate::sync::{Arc, is_mutated};
use crate::tiers::Tier;

/// What a compile has made.
#[derive(Debug)]
pub struct Made<Code> {
    /// The code.
    pub code: Code,
    /// Whose bodies are in it: functions by number, and which of their definitions.
    pub inlined: Vec<(u32, Version)>,
}

/// What a compile is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// There is no code.
    First,
    /// There is none, and somebody who does not call it yet wants it that good.
    FirstAt(Tier),
    /// There is some, and it is to be as good as that.
    Better(Tier),
}

/// The life of a function of those.
pub type LifeOf<F> = Life<
    <F as Functions>::Source,
    <F as Functions>::Code,
    <F as Functions>::Error,
    <F as Functions>::Slot,
>;

/// The functions of an engine, by number.
pub trait Functions {
    /// What is compiled.
    type Source: Clone;
    /// What comes of it.
    type Code: Clone;
    /// Why nothing does.
    type Error: Clone;
    /// What callers go through.
    type Slot: Slot<Self::Code> + Clone;

    /// The life of a function.
    fn life(&self, function: u32) -> &LifeOf<Self>;

    /// Compiles a source. A panic of whatever a user has handed in is caught here, and an error.
    ///
    /// # Errors
    /// Why it cannot be compiled.
    fn compile(
        &self,
        function: u32,
        started: &Started<Self::Source>,
        goal: Goal,
    ) -> Result<Made<Self::Code>, Self::Error>;

    /// Code was published: whoever calls the function reaches it. Nothing is locked.
    fn published(
        &self,
        function: u32,
        started: &Started<Self::Source>,
        code: &Self::Code,
        goal: Goal,
    ) {
        let _ = (function, started, code, goal);
    }

    /// Compiling failed, and whoever waited knows. Nothing is locked.
    fn failed(
        &self,
        function: u32,
        started: &Started<Self::Source>,
        error: &Self::Error,
        goal: Goal,
    ) {
        let _ = (function, started, error, goal);
    }

    /// Takes code that nothing leads to any more, or never did, and that threads may be inside
    /// of.
    fn retire(&self, code: Self::Code);

    /// The same of several.
    fn retire_all(&self, codes: Vec<Self::Code>) {
        codes.into_iter().for_each(|code| self.retire(code));
    }

    /// Which thread waits for what.
    fn waits(&self) -> &Waits;

    /// Lets the thread do something useful before it waits; tells whether there was anything.
    /// A thread that is at a job itself is not asked: what it took on might come to wait for that
    /// job, though none of what either needs does.
    fn help(&self, caller: Caller) -> bool;
}

/// Why a call leads nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unresolved<E> {
    /// There is no definition.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// Compiling failed.
    #[error("{0}")]
    Failed(E),
    /// The function cannot be compiled before it has been called.
    #[error(transparent)]
    Cycle(#[from] Cycle),
}

/// Gives a function a definition. When this comes back, every call that loads its slot from now
/// on reaches this version or a newer one, and no code that has an old body in it is entered any
/// more.
///
/// Gives the old source, for the caller to drop.
pub fn define<F: Functions>(functions: &F, function: u32, source: F::Source) -> Option<F::Source> {
    let change = functions.life(function).define(source);
    settle(functions, change)
}

/// Takes the definition of a function away, with the promises of [`define`].
///
/// # Errors
/// If it has none.
pub fn remove<F: Functions>(functions: &F, function: u32) -> Result<Option<F::Source>, Undefined> {
    let change = functions.life(function).remove()?;
    Ok(settle(functions, change))
}

/// How many functions are brought into the caches at once before they are told that a body in
/// their code is no more: each lock waits for what stands before it, so that these would be
/// fetched one behind the other.
const TOUCHED_TOGETHER: usize = 16;

/// Frees the code that a change has left over, once nobody is inside of it any more, and that of
/// those which had it in theirs. Gives the source, for the caller to drop.
pub fn settle<F: Functions>(
    functions: &F,
    change: Change<F::Source, F::Code>,
) -> Option<F::Source> {
    let Change { source, code, dependents } = change;
    if dependents.is_empty() {
        code.into_iter().for_each(|code| functions.retire(code));
        return source;
    }
    let mut codes = Vec::with_capacity(dependents.len() + 1);
    for some in dependents.chunks(TOUCHED_TOGETHER) {
        for dependent in some {
            functions.life(dependent.function).touch();
        }
        for &Dependent { function, stamp } in some {
            if is_mutated("resolve-dependents") {
                continue;
            }
            codes.extend(functions.life(function).invalidate(stamp));
        }
    }
    codes.extend(code);
    functions.retire_all(codes);
    source
}

/// The code of a function, which is compiled if it must be: by this thread, or by another that
/// it waits for.
///
/// # Errors
/// Why there is no code.
pub fn resolve<F: Functions>(
    functions: &F,
    caller: Caller,
    function: u32,
) -> Result<F::Code, Unresolved<F::Error>> {
    resolve_for(functions, caller, function, Goal::First)
}

/// The same for a purpose, which counts if this thread compiles.
///
/// # Errors
/// Why there is no code.
pub fn resolve_for<F: Functions>(
    functions: &F,
    caller: Caller,
    function: u32,
    goal: Goal,
) -> Result<F::Code, Unresolved<F::Error>> {
    let life = functions.life(function);
    loop {
        match life.begin(caller) {
            Begin::Ready(code) => return Ok(code),
            Begin::Undefined => return Err(Undefined.into()),
            Begin::Failed(error) => return Err(Unresolved::Failed(error)),
            Begin::Wait(job) => await_end(functions, caller, &job)?,
            Begin::Compile(started) => {
                if let Some(code) = carry_out(functions, function, &started, goal) {
                    return Ok(code);
                }
            }
        }
    }
}

fn await_end<F: Functions>(
    functions: &F,
    caller: Caller,
    job: &Arc<Job>,
) -> Result<(), Unresolved<F::Error>> {
    while !job.is_over() {
        let is_free = !functions.waits().is_compiling(caller) || is_mutated("resolve-help");
        if !(is_free && functions.help(caller)) {
            return Ok(functions.waits().wait(caller, job)?);
        }
    }
    Ok(())
}

/// Makes other code for a function that has the code which is meant, unless somebody is at it.
///
/// # Errors
/// If there is nothing to do, or what was made is not wanted any more.
pub fn upgrade<F: Functions>(
    functions: &F,
    caller: Caller,
    (function, tier): (u32, Tier),
    is_meant: impl FnOnce(&F::Code) -> bool,
) -> Result<F::Code, Stale> {
    let started = functions.life(function).begin_upgrade(caller, is_meant)?;
    carry_out(functions, function, &started, Goal::Better(tier)).ok_or(Stale)
}

/// Compiles, and publishes what comes of it; gives nothing if it failed, or if it is not wanted
/// any more.
fn carry_out<F: Functions>(
    functions: &F,
    function: u32,
    started: &Started<F::Source>,
    goal: Goal,
) -> Option<F::Code> {
    let life = functions.life(function);
    let unfinished = Unfinished::<F> { life, job: &started.job };
    let _compiling = functions.waits().begin(started.job.owner());
    let made = functions.compile(function, started, goal);
    std::mem::forget(unfinished);
    let Made { code, inlined } = match made {
        Ok(made) => made,
        Err(error) => {
            life.fail(&started.job, error.clone());
            functions.failed(function, started, &error, goal);
            return None;
        }
    };
    // First the edges, then the code: a definition that comes between finds the edge, and the
    // job, which publishes nothing then.
    let dependent = Dependent { function, stamp: started.job.stamp() };
    let known = |&(callee, version): &(u32, Version)| {
        functions.life(callee).depend(version, dependent).is_ok()
    };
    if !inlined.iter().all(known) {
        life.abandon(&started.job);
        functions.retire(code);
        return None;
    }
    match life.publish(&started.job, code.clone()) {
        Ok(old) => {
            if let Some(old) = old {
                functions.retire(old);
            }
            functions.published(function, started, &code, goal);
            Some(code)
        }
        Err(unwanted) => {
            functions.retire(unwanted);
            None
        }
    }
}

/// A job whose end nobody has told: a compile that panics must not leave its waiters behind.
struct Unfinished<'a, F: Functions> {
    life: &'a LifeOf<F>,
    job: &'a Arc<Job>,
}

impl<F: Functions> Drop for Unfinished<'_, F> {
    fn drop(&mut self) {
        self.life.abandon(self.job);
    }
}
