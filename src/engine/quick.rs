//! Functions of the first tier: copied together of stencils where there are any.

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::continuation::FrameMap;
use brolga_lowering::unit::CompiledUnit;

use super::shared::Shared;
use crate::link::{FirstTier, Unit};

impl FirstTier for Shared {
    fn make(&self, module: &Module) -> Vec<Unit> {
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        self.copy_together(module, bodies.map(|(id, _)| id))
    }
}

impl Shared {
    /// What makes functions without a compiler, if they are to be made so.
    pub(super) fn first_tier(&self) -> Option<&dyn FirstTier> {
        (self.config.load_tier() == Tier::Quick).then_some(self as &dyn FirstTier)
    }

    /// One function, if there are stencils for it.
    pub(super) fn copy_function(&self, module: &Module, id: FuncId) -> Option<CompiledUnit> {
        self.copy_together(module, std::iter::once(id)).pop().map(|(_, unit)| unit)
    }

    /// Where the frame of such a function has what.
    pub(super) fn frame_of(&self, module: &Module, id: FuncId) -> Option<FrameMap> {
        let mut baseline = Baseline::new();
        let options = self.options_of(Tier::Quick);
        baseline.begin(module, &self.isa, options).ok()?.frame(id).ok()
    }

    /// Those functions for which there are stencils; the others are left to the pipeline, as are
    /// those that are too large, which it refuses.
    fn copy_together(&self, module: &Module, ids: impl Iterator<Item = FuncId>) -> Vec<Unit> {
        let options = self.options_of(Tier::Quick);
        let is_small = |&id: &FuncId| {
            let body = module.function(id).and_then(|function| function.body.as_deref());
            body.is_some_and(|body| body.inst_count() <= options.max_instructions)
        };
        let mut baseline = Baseline::new();
        let mut functions = baseline.begin(module, &self.isa, options);
        let mut units = Vec::new();
        for id in ids.filter(is_small) {
            let unit: Result<CompiledUnit, Unsupported> = match &mut functions {
                Ok(functions) => functions.lower(id),
                Err(why) => Err(*why),
            };
            match unit {
                Ok(unit) => units.push((id, unit)),
                Err(why) => self.tally.add_left_out(why),
            }
        }
        self.tally.add_copied(units.len() as u64);
        units
    }
}
