//! Our reference interpreter.

use brolga::ir::datum::Datum;
use brolga::ir::interpret::{self, Limits};
use brolga::ir::module::Module;
use brolga::ir::verify::{Options, verify_module};

use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::source::Source;

/// The reference interpreter, over memory of its own in which it checks every access.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter;

impl Backend for Interpreter {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        Ok(Box::new(Program { module: source.module_for_checking()?, symbol: &source.symbol }))
    }
}

struct Program<'a> {
    module: Module,
    symbol: &'a str,
}

impl Input for Program<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let mut phases = Phases::default();
        phases.time("verify", || verify_module(&self.module, &Options::default()))?;
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        let setup = interpret::Interpreter::setup().module(&self.module).limits(limits);
        let interpreter = phases.time("link", || setup.build())?;
        let kernel = Box::new(Interpreted { interpreter, symbol: self.symbol });
        Ok(Compiled { phases, code_bytes: 0, kernel })
    }
}

struct Interpreted<'a> {
    interpreter: interpret::Interpreter<'a>,
    symbol: &'a str,
}

impl Callable for Interpreted<'_> {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        let results = self.interpreter.call(self.symbol, &[Datum::Scalar(u128::from(n as u64))])?;
        match results.as_slice() {
            [Datum::Scalar(bits)] => Ok(*bits as i64),
            _ => Err(format!("@{} does not give one i64", self.symbol).into()),
        }
    }
}
