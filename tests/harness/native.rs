//! Native code, through the engine.

use brolga::ir::datum::Datum;
use brolga::ir::module::{Content, Module};
use brolga::lowering::target::TargetSpec;
use brolga::{CallError, Config, Level, Tiering};

use super::engine::{Engine, Failure, Instance};

/// The engine of the library.
pub(crate) struct Native {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    /// What it compiles for; this machine with all its features if nothing.
    pub(crate) target: Option<TargetSpec>,
    pub(crate) tiering: Tiering,
    pub(crate) manner: Manner,
}

/// How modules come in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As a whole.
    Loaded,
    /// Function by function, as they are called.
    Defined,
}

impl Native {
    fn link(&self, module: &Module) -> Result<brolga::Engine, String> {
        let foreign = module.functions().filter(|(_, function)| function.linkage.is_foreign());
        let allow_symbols = foreign.map(|(_, function)| function.name.to_string()).collect();
        let config = Config {
            level: self.level,
            target: self.target,
            tiering: self.tiering.clone(),
            // What runs compiles the same each time.
            background_threads: 0,
            allow_symbols,
            ..Config::default()
        };
        let engine = brolga::Engine::new(config).map_err(|error| error.to_string())?;
        // SAFETY: test files access what they declare or allocate, call C
        // functions as C declares them, and keep their promises; one that does
        // not says that it is not for native engines.
        let taken = unsafe {
            match self.manner {
                Manner::Loaded => engine.load_modules_unsafe(std::slice::from_ref(module)),
                Manner::Defined => engine.define_module_unsafe(module.clone()),
            }
        };
        taken.map_err(|error| error.to_string())?;
        Ok(engine)
    }
}

impl Engine for Native {
    fn name(&self) -> &'static str {
        self.name
    }

    fn target(&self) -> Option<TargetSpec> {
        self.target.or_else(|| TargetSpec::host().ok())
    }

    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String> {
        let engine = self.link(module)?;
        let mutable = module
            .data_objects()
            .filter(|(_, data)| data.content == Content::Mutable)
            .filter(|(_, data)| data.linkage.is_shared());
        let mut initial = Vec::new();
        for (_, data) in mutable {
            let mut bytes = vec![0_u8; data.size as usize];
            engine.read_data(&data.name, 0, &mut bytes).map_err(|error| error.to_string())?;
            initial.push((&*data.name, bytes));
        }
        Ok(Box::new(Loaded { engine, initial }))
    }
}

struct Loaded<'m> {
    engine: brolga::Engine,
    /// The data objects that a call may change and others see, by name, as they were
    /// loaded. What the module alone sees stays as calls leave it.
    initial: Vec<(&'m str, Vec<u8>)>,
}

impl Instance for Loaded<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        for (name, bytes) in &self.initial {
            let written = self.engine.write_data(name, 0, bytes);
            written.map_err(|error| Failure::Other(error.to_string()))?;
        }
        self.engine.call(function, arguments).map_err(|error| match error {
            CallError::Trap(trap) | CallError::Host { trap, .. } => Failure::Trap(trap),
            other => Failure::Other(other.to_string()),
        })
    }
}
