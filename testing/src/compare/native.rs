//! Compiled, linked and run in this process.

use brolga::{Budgets, CallError, Config, Level, LoadError, Tier, Tiering};
use brolga_ir::module::Module;
use brolga_ir::report::Trap;
use brolga_ir::verify::require_safe;

use super::{Answer, Engine, Observation, compared_data};
use crate::generate::{Call, Generated};
use crate::host::{HostState, define_natively};

/// Runs programs as native code, each in an engine of its own.
#[derive(Clone, Copy, Debug)]
pub enum Native {
    /// All of it compiled at a level, when it is loaded.
    Whole(Level),
    /// All of it copied together of stencils, as far as there are any.
    Quick,
    /// Each function compiled when it is first called, at a level; a program whose modules
    /// cannot come one by one as a whole.
    Lazy(Level),
    /// The same by stencils at first, and better as soon as anything runs twice, which is left
    /// in the middle for that.
    Tiered,
}

/// Bytes of address space for the code and data of one program.
const RESERVATION: usize = 16 << 20;

/// What has run twice is worth better code.
const EAGER: Budgets = Budgets { quick: 1, warm: 1, doublings: 2 };

impl Engine for Native {
    fn name(&self) -> &'static str {
        match self {
            Native::Whole(_) => "native",
            Native::Quick => "native by stencils",
            Native::Lazy(_) => "native, function by function",
            Native::Tiered => "native, by what runs",
        }
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let (level, tiering) = match *self {
            Native::Whole(level) | Native::Lazy(level) => (level, Tiering::Fixed(Tier::Hot)),
            Native::Quick => (Level::O0, Tiering::Fixed(Tier::Quick)),
            Native::Tiered => (Level::O2, Tiering::Adaptive(EAGER)),
        };
        let config = Config {
            level,
            tiering,
            background_threads: 0,
            reservation: RESERVATION,
            allow_symbols: vec!["*".to_owned()],
            ..Config::default()
        };
        let engine = brolga::Engine::new(config).map_err(|error| error.to_string())?;
        let state = HostState::default();
        // Functions of the host may come before what imports them, or after.
        let are_first = program.split.seed & 2 == 0;
        let define = || define_natively(&engine, &program.module, &state);
        if are_first {
            define().map_err(|error| error.to_string())?;
        }
        let loads = program.loads();
        let is_lazy = matches!(self, Native::Lazy(_) | Native::Tiered);
        let is_lazy = is_lazy && loads.iter().all(|it| it.len() == 1);
        for modules in loads {
            let take = if is_lazy { define_lazily } else { load };
            take(&engine, &modules).map_err(|error| error.to_string())?;
        }
        if !are_first {
            define().map_err(|error| error.to_string())?;
        }
        let answers = program.calls.iter().map(|call| answer(&engine, call)).collect();
        let data = compared_data(&program.module)
            .map(|name| Ok((name.into(), read(&engine, program, name)?)))
            .collect::<Result<_, String>>()?;
        Ok(Observation { answers, data, host: state.digest() })
    }
}

fn load(engine: &brolga::Engine, modules: &[Module]) -> Result<(), LoadError> {
    if modules.iter().all(|module| require_safe(module).is_ok()) {
        return engine.load_modules(modules);
    }
    // SAFETY: generated programs access live objects only, declare C functions
    // as they are, and break no promise: the interpreter, which sees when they
    // do, has run each of them before.
    unsafe { engine.load_modules_unsafe(modules) }
}

fn define_lazily(engine: &brolga::Engine, modules: &[Module]) -> Result<(), LoadError> {
    modules.iter().try_for_each(|module| {
        if require_safe(module).is_ok() {
            return engine.define_module(module.clone());
        }
        // SAFETY: as in `load`.
        unsafe { engine.define_module_unsafe(module.clone()) }
    })
}

fn answer(engine: &brolga::Engine, call: &Call) -> Answer {
    match engine.call(&call.function, &call.args) {
        Ok(results) => Answer::Returned(results),
        Err(CallError::Trap(trap)) => Answer::from(&*trap),
        Err(CallError::Host { trap, error }) => {
            let detail = Some(error.to_string().into());
            Answer::from(&Trap { detail, ..*trap })
        }
        Err(error) => Answer::Failed(error.to_string()),
    }
}

fn read(engine: &brolga::Engine, program: &Generated, name: &str) -> Result<Vec<u8>, String> {
    let size = program
        .module
        .data_objects()
        .find(|(_, object)| &*object.name == name)
        .map_or(0, |(_, object)| object.size);
    let mut bytes = vec![0u8; size as usize];
    engine.read_data(name, 0, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
