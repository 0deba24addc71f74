//! The engines that execute test files.

use std::sync::Arc;

use brolga::{Budgets, Level, Tier, Tiering};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{self, Interpreter};
use brolga_ir::module::{Content, Module};
use brolga_ir::report::Trap;
use brolga_lowering::pipeline::Stage;
use brolga_lowering::target::TargetSpec;

use super::lowered::Lowered;
use super::native::{Manner, Native};

/// Something that executes modules.
pub(crate) trait Engine: Send + Sync {
    /// Its name in the names of tests and in `skip` directives.
    fn name(&self) -> &'static str;

    /// What it makes code for, if it makes any.
    fn target(&self) -> Option<TargetSpec> {
        None
    }

    /// The module, ready to be called.
    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String>;

    /// The pass behind which the module is no more what `is_right` finds right, if the engine
    /// can tell.
    fn culprit(
        &self,
        _module: &Module,
        _is_right: &dyn Fn(&mut dyn Instance) -> bool,
    ) -> Option<String> {
        None
    }
}

/// A module that an engine has loaded.
pub(crate) trait Instance {
    /// Calls a function, with all data objects as the module declares them.
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
    let mut engines: Vec<Arc<dyn Engine>> = vec![
        Arc::new(Reference),
        lowered("lowered-stage-1", Stage::EarlySimplification, "x86_64-unknown-linux-gnu/x86-64"),
        lowered("lowered-x86-64", Stage::CleanUp, "x86_64-unknown-linux-gnu/x86-64"),
        lowered("lowered-x86-64-v3", Stage::CleanUp, "x86_64-unknown-linux-gnu/x86-64-v3"),
        lowered("lowered-aarch64", Stage::CleanUp, "aarch64-unknown-linux-gnu/generic"),
    ];
    // Where code runs in this process, it also runs as the least CPU of the
    // kind would run it, for which the most ops are expanded.
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let least = TargetSpec::parse("generic").ok();
        let native = |name, level, target| {
            let (tiering, manner) = (Tiering::Fixed(Tier::Hot), Manner::Loaded);
            Arc::new(Native { name, level, target, tiering, manner })
        };
        let tiered = |name, tiering, manner| {
            Arc::new(Native { name, level: Level::O2, target: None, tiering, manner })
        };
        // What runs twice is compiled better, and left for that in the middle.
        let eager = Tiering::Adaptive(Budgets { quick: 1, warm: 1, doublings: 2 });
        engines.push(native("native", Level::O2, None));
        engines.push(native("native-O0", Level::O0, None));
        engines.push(native("native-O1", Level::O1, None));
        engines.push(native("native-O3", Level::O3, None));
        engines.push(native("native-generic", Level::O2, least));
        engines.push(native("native-generic-O0", Level::O0, least));
        engines.push(tiered("native-T0", Tiering::Fixed(Tier::Quick), Manner::Loaded));
        engines.push(tiered("native-lazy", Tiering::Fixed(Tier::Hot), Manner::Defined));
        engines.push(tiered("native-lazy-T0", Tiering::Fixed(Tier::Quick), Manner::Defined));
        engines.push(tiered("native-tiered", eager, Manner::Defined));
    }
    engines
}

/// The interpreter, which is what the IR means.
struct Reference;

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String> {
        Ok(Box::new(Interpreted { module, fresh: Some(link(module)?) }))
    }
}

struct Interpreted<'m> {
    module: &'m Module,
    /// With all data objects as the module declares them, if it is there.
    fresh: Option<Interpreter<'m>>,
}

fn link(module: &Module) -> Result<Interpreter<'_>, String> {
    Interpreter::new(&[module]).map_err(|error| error.to_string())
}

impl Instance for Interpreted<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let mut interpreter = match self.fresh.take() {
            Some(fresh) => fresh,
            None => link(self.module).map_err(Failure::Other)?,
        };
        let result = Instance::call(&mut interpreter, function, arguments);
        if self.module.data_objects().all(|(_, data)| data.content == Content::Constant) {
            self.fresh = Some(interpreter);
        }
        result
    }
}

impl Instance for Interpreter<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        Interpreter::call(self, function, arguments).map_err(|error| match error {
            interpret::CallError::Trap(trap) => Failure::Trap(trap),
            other => Failure::Other(other.to_string()),
        })
    }
}
