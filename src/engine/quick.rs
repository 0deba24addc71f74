//! Functions of the first tier: copied together of stencils where there are any.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::{self, ScopedJoinHandle};

use brolga_baseline::{self as baseline, Baseline, Functions, Unsupported};
use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::continuation::FrameMap;
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::unit::CompiledUnit;

use super::shared::Shared;
use crate::error::LoadError;
use crate::link::{FirstTier, Made, Row, Unit};
use crate::runtime::{compiling_thread, panic_message};

/// So many functions for each thread are worth making it: one takes about 50 us to make, and a
/// small function two to be copied together.
const LEAST_FUNCTIONS: usize = 256;

/// So many functions are written together: what is made of them stays in the caches until then.
const TOGETHER: usize = 256;

impl FirstTier for Shared {
    /// The same functions in the same order, whatever the number of threads.
    fn make(&self, module: &Module) -> Result<Made<Unit>, LoadError> {
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        let ids: Vec<FuncId> = bodies.map(|(id, _)| id).collect();
        let threads = self.compile_threads().min(ids.len() / LEAST_FUNCTIONS).max(1);
        let (own, rest) = ids.split_at(ids.len() / threads);
        let copy = |ids: &[FuncId]| caught(module, |at| self.copy_together(module, ids, at));
        thread::scope(|scope| {
            let shares = rest.chunks(own.len().max(1));
            let start = |ids| (ids, compiling_thread().spawn_scoped(scope, move || copy(ids)).ok());
            let others: Vec<_> = shares.map(start).collect();
            let mut made = copy(own)?;
            for (ids, other) in others {
                made.append(match other.map(ScopedJoinHandle::join) {
                    Some(Ok(made)) => made?,
                    Some(Err(panic)) => resume_unwind(panic),
                    // The system has no more threads.
                    None => copy(ids)?,
                });
            }
            Ok(made)
        })
    }
}

impl Shared {
    /// What makes functions without a compiler, if they are to be made so.
    pub(super) fn first_tier(&self) -> Option<&dyn FirstTier> {
        (self.config.load_tier() == Tier::Quick).then_some(self as &dyn FirstTier)
    }

    /// One function, if there are stencils for it.
    pub(super) fn copy_function(
        &self,
        baseline: &mut Baseline,
        module: &Module,
        id: FuncId,
    ) -> Option<CompiledUnit> {
        let options = self.options_of(Tier::Quick);
        let mut functions = baseline.begin(module, &self.isa, options);
        let made = self.copy(&mut functions, module, id, options)?;
        self.tally.add_copied(1);
        Some(*made.into_unit())
    }

    /// Where the frame of such a function has what.
    pub(super) fn frame_of(&self, module: &Module, id: FuncId) -> Option<FrameMap> {
        let mut baseline = Baseline::new();
        let options = self.options_of(Tier::Quick);
        baseline.begin(module, &self.isa, options).ok()?.frame(id).ok()
    }

    /// Those functions for which there are stencils, some hundred of them at a time; the others
    /// are left to the pipeline.
    fn copy_together(
        &self,
        module: &Module,
        ids: &[FuncId],
        current: &Cell<Option<FuncId>>,
    ) -> Result<Made<Unit>, LoadError> {
        let (mut baseline, mut row) = (Baseline::new(), self.row());
        let mut functions = baseline.begin(module, &self.isa, &self.options);
        let mut all = Made::from(Vec::new());
        for (start, now) in (0..).step_by(TOGETHER).zip(ids.chunks(TOGETHER)) {
            let mut units = Vec::with_capacity(now.len());
            for (at, &id) in (start..).zip(now) {
                ask_for_next(module, &ids[at..]);
                current.set(Some(id));
                let made = self.copy(&mut functions, module, id, &self.options);
                units.extend(made.map(|made| seat(id, made, row.as_mut())));
            }
            self.tally.add_copied(units.len() as u64);
            all.append(match &mut row {
                Some(row) => row.write(units)?,
                None => units.into(),
            });
        }
        Ok(all)
    }

    /// A function, if there are stencils for it and it is not too large, which the pipeline
    /// refuses.
    fn copy<'a>(
        &self,
        functions: &'a mut Result<Functions<'_>, Unsupported>,
        module: &Module,
        id: FuncId,
        options: &LowerOptions,
    ) -> Option<baseline::Made<'a>> {
        let body = module.function(id).and_then(|function| function.body.as_deref());
        if body.is_none_or(|body| body.inst_count() > options.max_instructions) {
            return None;
        }
        let made = functions.as_mut().map_err(|why| *why).and_then(|functions| functions.make(id));
        made.map_err(|why| self.tally.add_left_out(why)).ok()
    }
}

/// Makes functions, and tells of which one whoever makes them was at; a panic is an error of that.
fn caught<T>(
    module: &Module,
    make: impl FnOnce(&Cell<Option<FuncId>>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let current = Cell::new(None);
    // What it has in hand is dropped with it.
    catch_unwind(AssertUnwindSafe(|| make(&current))).unwrap_or_else(|payload| {
        let function = current.get().and_then(|id| module.function(id));
        let function = function.map_or("", |function| &function.name).into();
        let reason = panic_message(payload).into();
        Err(CompileError::Panicked { function, reason }.into())
    })
}

/// Gives what was made a place in a row, if there is one and it can stand there.
fn seat(id: FuncId, made: baseline::Made<'_>, row: Option<&mut Row<'_>>) -> Unit {
    match (made, row) {
        (baseline::Made::Fresh(fresh), Some(row)) => {
            row.add(id, fresh).unwrap_or_else(|fresh| Unit::new(id, fresh.into_unit()))
        }
        (made, _) => Unit::new(id, made.into_unit()),
    }
}

/// Asks the processor for the function behind the first of some, and for where the one behind that
/// has what: asking sooner gained nothing. Functions of a large module are in no cache: waiting for
/// them took a fifth to a quarter of the time.
fn ask_for_next(module: &Module, ids: &[FuncId]) {
    if let Some(&later) = ids.get(2) {
        module.prefetch(later);
    }
    let next = ids.get(1).and_then(|&next| module.function(next));
    if let Some(body) = next.and_then(|next| next.body.as_deref()) {
        body.prefetch();
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_function_that_was_made() {
        let module = parse_module("func @f() {\nb:\n    return\n}").unwrap();
        let id = module.function_named("f");
        let made: Result<(), LoadError> = caught(&module, |current| {
            current.set(id);
            panic!("a defect of the first tier")
        });
        let Err(LoadError::Compile(CompileError::Panicked { function, reason })) = made else {
            panic!("{made:?}")
        };
        assert_eq!((&*function, &*reason), ("f", "a defect of the first tier"));
    }
}
