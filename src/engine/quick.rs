//! Functions of the first tier: copied together of stencils where there are any.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use brolga_baseline::{Baseline, Functions, Unsupported};
use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::continuation::FrameMap;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::unit::CompiledUnit;

use super::shared::Shared;
use crate::link::{FirstTier, Made, Unit};
use crate::runtime::compiling_thread;

/// So many functions for each thread are worth making it: one takes about 50 us to make, and a
/// small function two to be copied together.
const LEAST_FUNCTIONS: usize = 256;

impl FirstTier for Shared {
    /// The same functions in the same order, whatever the number of threads.
    fn make(&self, module: &Module) -> Made {
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        let ids: Vec<FuncId> = bodies.map(|(id, _)| id).collect();
        let threads = self.compile_threads().min(ids.len() / LEAST_FUNCTIONS).max(1);
        let (own, rest) = ids.split_at(ids.len() / threads);
        let options = &self.options;
        let copy = |ids: &[FuncId]| {
            let (mut baseline, mut made) = (Baseline::new(), Made::default());
            let mut functions = baseline.begin(module, &self.isa, options);
            for ids in ids.chunks(LEAST_FUNCTIONS) {
                let units = self.copy_together(&mut functions, module, ids, options);
                made.append(match self.ground() {
                    Some(ground) => ground.place(units, module),
                    None => units.into(),
                });
            }
            made
        };
        thread::scope(|scope| {
            let shares = rest.chunks(own.len().max(1));
            let start = |ids| (ids, compiling_thread().spawn_scoped(scope, move || copy(ids)).ok());
            let others: Vec<_> = shares.map(start).collect();
            let mut made = copy(own);
            for (ids, other) in others {
                made.append(match other.map(ScopedJoinHandle::join) {
                    Some(Ok(made)) => made,
                    Some(Err(panic)) => resume_unwind(panic),
                    // The system has no more threads.
                    None => copy(ids),
                });
            }
            made
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
        self.copy_together(&mut functions, module, &[id], options).pop().and_then(Unit::into_code)
    }

    /// Where the frame of such a function has what.
    pub(super) fn frame_of(&self, module: &Module, id: FuncId) -> Option<FrameMap> {
        let mut baseline = Baseline::new();
        let options = self.options_of(Tier::Quick);
        baseline.begin(module, &self.isa, options).ok()?.frame(id).ok()
    }

    /// Those functions for which there are stencils; the others are left to the pipeline, as are
    /// those that are too large, which it refuses.
    fn copy_together(
        &self,
        functions: &mut Result<Functions<'_>, Unsupported>,
        module: &Module,
        ids: &[FuncId],
        options: &LowerOptions,
    ) -> Vec<Unit> {
        let is_small = |id: FuncId| {
            let body = module.function(id).and_then(|function| function.body.as_deref());
            body.is_some_and(|body| body.inst_count() <= options.max_instructions)
        };
        let mut units = Vec::with_capacity(ids.len());
        for (at, &id) in ids.iter().enumerate() {
            ask_for_next(module, &ids[at..]);
            if !is_small(id) {
                continue;
            }
            let unit: Result<Box<CompiledUnit>, Unsupported> = match functions {
                Ok(functions) => functions.lower_to_box(id),
                Err(why) => Err(*why),
            };
            match unit {
                Ok(unit) => units.push(Unit::new(id, unit)),
                Err(why) => self.tally.add_left_out(why),
            }
        }
        self.tally.add_copied(units.len() as u64);
        units
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
