//! What an interpreter is made from.

use super::host::HostFunctions;
use super::machine::Machine;
use super::memory::{Checked, Memory};
use super::program::{LinkError, Parts, Program};
use super::{Interpreter, Limits};
use crate::module::Module;

/// What to interpret, and with what.
#[derive(Debug)]
pub struct Setup<'m> {
    modules: Vec<&'m Module>,
    host: HostFunctions,
    data: Vec<(Box<str>, Vec<u8>)>,
    limits: Limits,
    memory: Option<Box<dyn Memory>>,
}

impl<'m> Setup<'m> {
    pub(super) fn new() -> Setup<'m> {
        let (modules, host) = (Vec::new(), HostFunctions::new());
        Setup { modules, host, data: Vec::new(), limits: Limits::default(), memory: None }
    }

    /// Links a module with the others, which may call each other in any order.
    pub fn module(mut self, module: &'m Module) -> Setup<'m> {
        self.modules.push(module);
        self
    }

    /// Gives the program the functions of a host.
    pub fn host(mut self, host: HostFunctions) -> Setup<'m> {
        self.host = host;
        self
    }

    /// Gives an imported data object its bytes.
    pub fn data(mut self, name: &str, bytes: &[u8]) -> Setup<'m> {
        self.data.push((name.into(), bytes.to_vec()));
        self
    }

    /// Limits what the program uses up.
    pub fn limits(mut self, limits: Limits) -> Setup<'m> {
        self.limits = limits;
        self
    }

    /// Runs over that memory instead of a [`Checked`] one of the limit's size.
    pub fn memory(mut self, memory: Box<dyn Memory>) -> Setup<'m> {
        self.memory = Some(memory);
        self
    }

    /// Links everything and fills the data objects.
    pub fn build(self) -> Result<Interpreter<'m>, LinkError> {
        let Setup { modules, host, data, limits, memory } = self;
        let mut memory = memory.unwrap_or_else(|| Box::new(Checked::new(limits.memory)));
        let parts = Parts { modules: &modules, host: &host, data: &data };
        let program = Program::link(&parts, &mut *memory)?;
        Ok(Interpreter { machine: Machine::new(program, memory, limits) })
    }
}
