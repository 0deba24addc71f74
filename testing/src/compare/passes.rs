//! By way of the passes that take a program down: verified and interpreted at
//! every border.

use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Dialect;
use brolga_ir::verify::{Options as Border, verify_module};
use brolga_lowering::error::CompileError;
use brolga_lowering::pipeline::{Level, Report, RunOptions, passes_at, run_passes};
use brolga_lowering::prelude;
use brolga_lowering::target::TargetSpec;

use super::{Engine, Observation, difference, reference};
use crate::generate::Generated;

/// Runs the passes of a level one by one, and interprets what each leaves.
#[derive(Clone, Debug)]
pub struct Passes {
    level: Level,
    target: TargetSpec,
}

impl Passes {
    /// The passes of `level`, for `target`.
    pub fn new(level: Level, target: TargetSpec) -> Passes {
        Passes { level, target }
    }
}

impl Engine for Passes {
    fn name(&self) -> &'static str {
        "passes"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let mut module = program.module.clone();
        let (expected, _) = reference(&[&module], &program.calls)?;
        let mut last = expected.clone();
        for pass in passes_at(self.level) {
            let failed = |reason: String| format!("`{}`: {reason}", pass.name);
            let options = RunOptions::new(&self.target);
            match run_passes(&mut module, &[pass], &options, &mut Report::default()) {
                Ok(()) => {}
                // Managed code is not compiled yet.
                Err(CompileError::Unsupported { .. }) if is_managed(&program.module) => break,
                Err(error) => return Err(failed(error.to_string())),
            }
            let border = Border { border: pass.border, ..Border::default() };
            verify_module(&module, &border).map_err(|errors| failed(errors.to_string()))?;
            (last, _) = reference(&[&module, prelude::module()], &program.calls).map_err(failed)?;
            if let Some(found) = difference(program, &expected, &last) {
                return Err(failed(found));
            }
        }
        Ok(last)
    }
}

/// Whether a managed op stands somewhere.
fn is_managed(module: &Module) -> bool {
    module.functions().filter_map(|(_, function)| function.body.as_ref()).any(|body| {
        let mut insts = body.layout.blocks().flat_map(|block| body.layout.insts(block));
        insts.any(|inst| {
            let data = body.inst(inst);
            let has_roots = matches!(data.payload, Payload::ForeignCall { roots: 1.., .. });
            data.op.info().dialect == Dialect::Managed || has_roots
        })
    })
}
