//! Who compiles: one thread, or several for as long as a module takes.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use brolga_ir::module::Module;
use brolga_lowering::emit::{Batch, Compiler, Piece};
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::Isa;

use super::standing::Made;
use super::unit::Unit;
use crate::error::LoadError;
use crate::runtime::compiling_thread;

/// So many functions for each thread are worth making it: one takes about 50 us to make, and
/// a small function about as long to compile.
const LEAST_FUNCTIONS: usize = 16;

/// So many pieces there are at least for each thread, if there are functions enough.
const PIECES: usize = 4;

/// A compiler, and how many threads may do its work, this one among them.
#[derive(Debug)]
pub(crate) struct Workers<'a> {
    pub(crate) compiler: &'a mut Compiler,
    pub(crate) threads: usize,
    /// Who makes those functions that need no compiler, if there is such a one.
    pub(crate) first: Option<&'a dyn FirstTier>,
    /// How many functions the compiler has made.
    pub(crate) lowered: u64,
    /// How long whoever needs none took.
    pub(crate) copying: Duration,
}

/// What makes functions without a compiler: some of a module, by whatever it can do.
pub(crate) trait FirstTier: fmt::Debug {
    /// The functions that it makes.
    fn make(&self, module: &Module) -> Result<Made<Unit>, LoadError>;
}

/// What all threads see.
struct Work<'a> {
    left: Mutex<Left<'a>>,
    /// How many functions a piece has at most.
    most: usize,
    /// By the places of functions in the batch.
    done: Mutex<Vec<(usize, Result<Unit, CompileError>)>>,
}

/// What nobody has taken yet.
struct Left<'a> {
    batch: Batch<'a>,
    /// How many functions have been taken.
    taken: usize,
}

impl<'a> Workers<'a> {
    /// Those that have done nothing yet.
    pub(crate) fn new(
        compiler: &'a mut Compiler,
        threads: usize,
        first: Option<&'a dyn FirstTier>,
    ) -> Workers<'a> {
        Workers { compiler, threads, first, lowered: 0, copying: Duration::ZERO }
    }

    /// Compiles all functions of a module: what one thread would give, in the same order. Of
    /// several errors, the one that it would have met.
    pub(super) fn lower_module(
        &mut self,
        module: &Module,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Made<Unit>, LoadError> {
        if let Some(first) = self.first {
            let start = Instant::now();
            let made = first.make(module)?;
            self.copying += start.elapsed();
            return self.complete(made, module, isa, options);
        }
        let batch = self.compiler.begin(module, isa, options)?;
        let threads = self.threads.min(batch.function_count() / LEAST_FUNCTIONS);
        let done = Mutex::new(Vec::with_capacity(batch.function_count()));
        let most = match threads {
            0 | 1 => usize::MAX,
            // So that no thread waits long for the last piece of another one.
            _ => batch.function_count() / (PIECES * threads),
        };
        let work = Work { left: Mutex::new(Left { batch, taken: 0 }), most, done };
        self.share(&work, threads);
        let mut done = work.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(place, _)| *place);
        let units: Result<Vec<Unit>, CompileError> = done.into_iter().map(|(_, it)| it).collect();
        let mut units = units?;
        units.sort_unstable_by_key(|unit| unit.id);
        self.lowered += units.len() as u64;
        Ok(units.into())
    }

    /// Adds those functions of a module that are not made yet.
    fn complete(
        &mut self,
        mut all: Made<Unit>,
        module: &Module,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Made<Unit>, LoadError> {
        let units = &mut all.units;
        let (made, mut next) = (units.len(), 0);
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        for (id, _) in bodies {
            match units[..made].get(next) {
                Some(known) if known.id == id => next += 1,
                _ => {
                    let unit = self.compiler.lower_function(module, id, isa, options)?;
                    units.push(Unit::new(id, Box::new(unit)));
                }
            }
        }
        self.lowered += (units.len() - made) as u64;
        if units.len() > made {
            units.sort_unstable_by_key(|unit| unit.id);
        }
        Ok(all)
    }

    fn share(&mut self, work: &Work<'_>, threads: usize) {
        thread::scope(|scope| {
            let start = |_| {
                let mut compiler = self.compiler.another();
                let run = move || {
                    work.run(&mut compiler);
                    compiler.times()
                };
                // Where the system has no more threads, the others do its share.
                compiling_thread().spawn_scoped(scope, run).ok()
            };
            let others: Vec<_> = (1..threads).filter_map(start).collect();
            work.run(self.compiler);
            for other in others {
                match other.join() {
                    Ok(times) => self.compiler.add_times(&times),
                    Err(panic) => resume_unwind(panic),
                }
            }
        });
    }
}

impl Work<'_> {
    /// Compiles what is left, until nothing is or a function is refused: all before that one
    /// have been taken by then, and will be done.
    fn run(&self, compiler: &mut Compiler) {
        while let Some((first, piece)) = self.next(compiler) {
            for (place, (id, unit)) in (first..).zip(compiler.lower_piece(piece)) {
                let unit = unit.map(|unit| Unit::new(id, Box::new(unit)));
                if unit.is_err() {
                    self.left.lock().unwrap_or_else(PoisonError::into_inner).batch.abandon();
                }
                self.done.lock().unwrap_or_else(PoisonError::into_inner).push((place, unit));
            }
        }
    }

    /// The next piece, and the place of its first function. What it takes over is worked on under
    /// the lock, while the other threads compile what they have.
    fn next<'b>(&'b self, compiler: &mut Compiler) -> Option<(usize, Piece<'b>)> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let piece = compiler.next_piece(&mut left.batch, self.most)?;
        let first = left.taken;
        left.taken += piece.function_count();
        Some((first, piece))
    }
}

#[cfg(test)]
mod tests;
