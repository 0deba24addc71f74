//! Native code, through the engine.

use brolga::ir::datum::Datum;
use brolga::ir::module::{Content, Linkage, Module};
use brolga::{CallError, Config};

use super::engine::{Engine, Failure, Instance};

/// The engine of the library, at its only level.
pub(crate) struct Native;

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn gaps(&self) -> &'static str {
        include_str!("native-gaps.txt")
    }

    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String> {
        Ok(Box::new(Loaded { module, engine: link(module)? }))
    }
}

struct Loaded<'m> {
    module: &'m Module,
    engine: brolga::Engine,
}

fn link(module: &Module) -> Result<brolga::Engine, String> {
    let foreign = module.functions().filter(|(_, function)| function.linkage == Linkage::Foreign);
    let allow_symbols = foreign.map(|(_, function)| function.name.to_string()).collect();
    let config = Config { allow_symbols, ..Config::default() };
    let engine = brolga::Engine::new(config).map_err(|error| error.to_string())?;
    // SAFETY: test files access only what they declare, and call C functions
    // by their signatures.
    unsafe { engine.load_modules_unsafe(std::slice::from_ref(module)) }
        .map_err(|error| error.to_string())?;
    Ok(engine)
}

impl Instance for Loaded<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let results = self.engine.call(function, arguments).map_err(|error| match error {
            CallError::Trap(trap) => Failure::Trap(trap),
            other => Failure::Other(other.to_string()),
        });
        if self.module.data_objects().any(|(_, data)| data.content == Content::Mutable) {
            self.engine = link(self.module).map_err(Failure::Other)?;
        }
        results
    }
}
