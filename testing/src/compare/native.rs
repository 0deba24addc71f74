//! Compiled, linked and run in this process.

use brolga::Config;
use brolga_ir::verify::require_safe;

use super::{Answer, Engine, Observation, compared_data};
use crate::generate::{Call, Generated};

/// Runs programs as native code, each in an engine of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// Bytes of address space for the code and data of one program.
const RESERVATION: usize = 16 << 20;

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let config = Config {
            reservation: RESERVATION,
            allow_symbols: vec!["*".to_owned()],
            ..Config::default()
        };
        let engine = brolga::Engine::new(config).map_err(|error| error.to_string())?;
        let modules = std::slice::from_ref(&program.module);
        let loaded = if require_safe(&program.module).is_ok() {
            engine.load_modules(modules)
        } else {
            // SAFETY: generated programs access live objects only, declare C
            // functions as they are, and break no promise: the interpreter,
            // which sees when they do, has run each of them before.
            unsafe { engine.load_modules_unsafe(modules) }
        };
        loaded.map_err(|error| error.to_string())?;
        let answers = program.calls.iter().map(|call| answer(&engine, call)).collect();
        let data = compared_data(&program.module)
            .map(|name| Ok((name.into(), read(&engine, program, name)?)))
            .collect::<Result<_, String>>()?;
        Ok(Observation { answers, data })
    }
}

fn answer(engine: &brolga::Engine, call: &Call) -> Answer {
    match engine.call(&call.function, &call.args) {
        Ok(results) => Answer::Returned(results),
        Err(error) => match error.trap() {
            Some(trap) => Answer::from(trap),
            None => Answer::Failed(error.to_string()),
        },
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
