//! Functions of the first tier: copied together of stencils where there are any.

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::unit::CompiledUnit;

use super::shared::Shared;
use crate::link::{FirstTier, Unit};

impl FirstTier for Shared {
    fn make(&self, module: &Module) -> Vec<Unit> {
        let mut baseline = Baseline::new();
        let mut units = Vec::new();
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        match baseline.begin(module, &self.isa, &self.options) {
            Ok(mut functions) => {
                for (id, _) in bodies {
                    let unit = functions.lower(id).map_err(|why| self.tally.add_left_out(why));
                    units.extend(unit.ok().map(|unit| (id, unit)));
                }
            }
            Err(why) => bodies.for_each(|_| self.tally.add_left_out(why)),
        }
        self.tally.add_copied(units.len() as u64);
        units
    }
}

impl Shared {
    /// What makes functions without a compiler, if they are to be made so.
    pub(super) fn first_tier(&self) -> Option<&dyn FirstTier> {
        (self.config.tier == Tier::Quick).then_some(self as &dyn FirstTier)
    }

    /// One function, if there are stencils for it.
    pub(super) fn copy_function(&self, module: &Module, id: FuncId) -> Option<CompiledUnit> {
        let mut baseline = Baseline::new();
        let lower = |baseline: &mut Baseline| -> Result<CompiledUnit, Unsupported> {
            baseline.begin(module, &self.isa, &self.options)?.lower(id)
        };
        match lower(&mut baseline) {
            Ok(unit) => {
                self.tally.add_copied(1);
                Some(unit)
            }
            Err(why) => {
                self.tally.add_left_out(why);
                None
            }
        }
    }
}
