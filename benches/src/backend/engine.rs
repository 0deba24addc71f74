//! Ourselves, at a level.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use brolga::ir::module::Module;
use brolga::{Config, Engine, Function, Level, LoadStep, Observer};

use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::source::Source;

/// Our engine.
#[derive(Clone, Copy, Debug)]
pub struct Brolga {
    /// How hard it works on code.
    pub level: Level,
}

impl Backend for Brolga {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        let (level, module) = (self.level, source.module()?);
        Ok(Box::new(Loadable { level, module, symbol: &source.symbol }))
    }
}

struct Loadable<'a> {
    level: Level,
    module: Module,
    symbol: &'a str,
}

impl Input for Loadable<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let clock = Arc::new(Clock::default());
        let config = Config {
            level: self.level,
            reservation: 1 << 30,
            allow_symbols: vec!["*".to_owned()],
            observer: Some(Arc::clone(&clock) as _),
            ..Config::default()
        };
        let engine = Engine::new(config)?;
        let before = engine.books().live_code;
        // SAFETY: the module is one of the suite, or what whoever races us trusts.
        unsafe { engine.load_modules_unsafe(std::slice::from_ref(&self.module))? };
        let function = engine.func::<(i64,), i64>(self.symbol)?;
        let phases = std::mem::take(&mut *clock.0.lock().unwrap_or_else(PoisonError::into_inner));
        let code_bytes = (engine.books().live_code - before) as u64;
        Ok(Compiled { phases, code_bytes, kernel: Box::new(Native(function)) })
    }
}

struct Native(Function<(i64,), i64>);

impl Callable for Native {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        Ok(self.0.call((n,))?)
    }
}

/// What the steps of loading took.
#[derive(Debug, Default)]
struct Clock(Mutex<Phases>);

impl Observer for Clock {
    fn loaded(&self, step: LoadStep, took: Duration) {
        // Compiling was told part by part.
        if step != LoadStep::Compile {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(step.name(), took);
        }
    }

    fn compiled(&self, part: &'static str, took: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(part, took);
    }
}
