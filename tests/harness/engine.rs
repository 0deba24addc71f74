//! The engines that execute test files.

use std::sync::Arc;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter};
use brolga_ir::module::Module;
use brolga_ir::report::Trap;
use brolga_lowering::pipeline::Stage;

use super::lowered::Lowered;

/// Something that executes modules.
pub(crate) trait Engine: Send + Sync {
    /// Its name in the names of tests and in `skip` directives.
    fn name(&self) -> &'static str;

    /// The module, ready to be called, its data objects as it declares them.
    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String>;
}

/// A module that an engine has loaded.
pub(crate) trait Instance {
    /// Calls a function. Data objects stay what earlier calls have left.
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure>;
}

/// Why a call gave no results.
pub(crate) enum Failure {
    /// Execution stopped.
    Trap(Box<Trap>),
    /// Something else.
    Other(String),
}

/// Every engine there is.
pub(crate) fn all() -> Vec<Arc<dyn Engine>> {
    let lowered = |name, last, target| Arc::new(Lowered { name, last, target });
    vec![
        Arc::new(ReferenceInterpreter),
        lowered("lowered-stage-1", Stage::EarlySimplification, "x86_64-unknown-linux-gnu/x86-64"),
    ]
}

/// What the IR means.
struct ReferenceInterpreter;

impl Engine for ReferenceInterpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String> {
        let interpreter = Interpreter::new(&[module]).map_err(|error| error.to_string())?;
        Ok(Box::new(interpreter))
    }
}

impl Instance for Interpreter<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        Interpreter::call(self, function, arguments).map_err(|error| match error {
            CallError::Trap(trap) => Failure::Trap(trap),
            other => Failure::Other(other.to_string()),
        })
    }
}
