//! Telling what is executed.

use std::fmt;

use crate::datum::Datum;
use crate::entity::{FuncId, Inst};
use crate::module::Module;
use crate::text::{display_datum, print_inst};

/// An instruction that was executed, and what it gave. Calls come when they
/// have returned; terminators do not come.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'a> {
    /// Its module.
    pub module: &'a Module,
    /// Its function.
    pub function: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// How many activations there are.
    pub depth: usize,
    /// Its results.
    pub results: &'a [Datum],
}

impl fmt::Display for Traced<'_> {
    /// The instruction as text, and its results behind a semicolon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(function) = self.module.function(self.function) else { return Ok(()) };
        let Some(body) = &function.body else { return Ok(()) };
        write!(f, "@{}: {}", function.name, print_inst(self.module, body, self.inst))?;
        for (index, (datum, &value)) in self.results.iter().zip(body.results(self.inst)).enumerate()
        {
            let separator = if index == 0 { " ; " } else { ", " };
            let ty = body.value_type(value);
            write!(f, "{separator}{}", display_datum(&self.module.types, ty, datum))?;
        }
        Ok(())
    }
}

/// Who is told of every instruction.
pub trait Trace {
    /// An instruction was executed.
    fn executed(&mut self, step: &Traced<'_>);
}
