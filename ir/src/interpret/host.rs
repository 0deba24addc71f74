//! Functions of the host that a program may call.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::machine::{Machine, Stop};
use super::memory::{Memory, MemoryError};
use crate::datum::Datum;
use crate::trap::TrapCode;
use crate::types::{Signature, Type};

/// Why a function of the host did not return.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HostError {
    /// It failed; becomes the trap `host_error` with this message.
    #[error("{0}")]
    Failed(Box<str>),
    /// It traps.
    #[error("{}", .0.message())]
    Trap(TrapCode),
    /// It throws the reference.
    #[error("an exception was thrown")]
    Throw(u64),
    /// It ends the program with the status.
    #[error("the program exits with status {0}")]
    Exit(i32),
    /// It accessed memory that is not there.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A call back into the program did not return; why is known.
    #[error("a call back into the program did not return")]
    Pending,
}

impl HostError {
    /// A failure of the host's own.
    pub fn failed(message: impl Into<Box<str>>) -> HostError {
        HostError::Failed(message.into())
    }
}

type Body = dyn Fn(&mut HostCall<'_, '_>, &[Datum]) -> Result<Vec<Datum>, HostError> + Send + Sync;

/// A function of the host.
#[derive(Clone)]
pub struct HostFunction {
    params: Vec<Type>,
    results: Vec<Type>,
    body: Arc<Body>,
}

impl HostFunction {
    pub(super) fn signature(&self) -> Signature {
        Signature::internal(&self.params, &self.results)
    }

    pub(super) fn agrees(&self, signature: &Signature) -> bool {
        signature.param_types().eq(self.params.iter().copied())
            && signature.result_types().eq(self.results.iter().copied())
    }

    pub(super) fn call(
        &self,
        call: &mut HostCall<'_, '_>,
        args: &[Datum],
    ) -> Result<Vec<Datum>, HostError> {
        (self.body)(call, args)
    }
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostFunction({:?} -> {:?})", self.params, self.results)
    }
}

/// Functions of the host, by name: what a program's imports and foreign
/// functions lead to when no module defines them.
#[derive(Clone, Debug, Default)]
pub struct HostFunctions {
    // A few names, looked up once for each import.
    functions: Vec<(Box<str>, HostFunction)>,
}

impl HostFunctions {
    /// No functions.
    pub fn new() -> HostFunctions {
        HostFunctions::default()
    }

    /// Gives `name` a meaning, in place of an earlier one. Scalars and vectors
    /// can be taken and given.
    pub fn define<F>(&mut self, name: &str, params: &[Type], results: &[Type], body: F)
    where
        F: Fn(&mut HostCall<'_, '_>, &[Datum]) -> Result<Vec<Datum>, HostError>
            + Send
            + Sync
            + 'static,
    {
        let (params, results) = (params.to_vec(), results.to_vec());
        let function = HostFunction { params, results, body: Arc::new(body) };
        self.functions.retain(|(known, _)| **known != *name);
        self.functions.push((name.into(), function));
    }

    pub(super) fn get(&self, name: &str) -> Option<&HostFunction> {
        self.functions.iter().find(|(known, _)| **known == *name).map(|(_, function)| function)
    }
}

/// What a function of the host sees of the program that calls it.
#[derive(Debug)]
pub struct HostCall<'a, 'm> {
    machine: &'a mut Machine<'m>,
}

impl<'a, 'm> HostCall<'a, 'm> {
    pub(super) fn new(machine: &'a mut Machine<'m>) -> HostCall<'a, 'm> {
        HostCall { machine }
    }

    pub(super) fn machine(&mut self) -> &mut Machine<'m> {
        self.machine
    }

    /// The memory of the program.
    pub fn memory(&mut self) -> &mut dyn Memory {
        &mut *self.machine.memory
    }

    /// Appends to the program's output.
    pub fn print(&mut self, bytes: &[u8]) -> Result<(), HostError> {
        self.machine.print(bytes)
    }

    /// Uses up that many steps, for work that takes about as long.
    pub fn charge(&mut self, steps: u64) -> Result<(), HostError> {
        self.machine.charge(steps).map_err(HostError::Trap)
    }

    /// Calls the function of the program at `address`.
    /// Once it has failed, so do further calls, and so does the call out.
    pub fn call(&mut self, address: u64, args: &[Datum]) -> Result<Vec<Datum>, HostError> {
        if self.machine.pending.is_some() {
            return Err(HostError::Pending);
        }
        let results = self.machine.call_back(address, args);
        results.map(|results| results.into_vec()).map_err(|stop| {
            // What stopped the callback also stops the call out, whatever the
            // function of the host makes of it.
            self.machine.pending = Some(stop);
            HostError::Pending
        })
    }
}

impl From<HostError> for Stop {
    fn from(error: HostError) -> Stop {
        match error {
            HostError::Failed(message) => Stop::trap(TrapCode::HostError, message),
            HostError::Trap(code) => code.into(),
            HostError::Throw(exception) => Stop::Throw(exception),
            HostError::Exit(status) => Stop::Exit(status),
            HostError::Memory(error) => error.into(),
            HostError::Pending => Stop::Broken("a callback is pending without a reason".into()),
        }
    }
}
