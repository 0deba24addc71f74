//! The reference interpreter: the meaning of the IR.
//!
//! It executes any verified module. What it gives is what compiled code must
//! give. Everything is a value: results, traps with their place and calls, and
//! what is wrong with a module that the verifier would not have accepted.
//!
//! ```
//! use brolga_ir::datum::Datum;
//! use brolga_ir::interpret::Interpreter;
//! use brolga_ir::text::parse_module;
//! use brolga_ir::trap::TrapCode;
//!
//! let text = "func @third(i64) -> i64 {\nentry(%x: i64):\n    %y = sdiv.i64 3, %x\n    return %y\n}";
//! let module = parse_module(text).unwrap();
//! let mut interpreter = Interpreter::new(&[&module]).unwrap();
//! assert_eq!(interpreter.call("third", &[Datum::from(3i64)]), Ok(vec![Datum::from(1i64)]));
//!
//! let error = interpreter.call("third", &[Datum::from(0i64)]).unwrap_err();
//! let trap = error.trap().unwrap();
//! assert_eq!(trap.code, TrapCode::DivisionByZero);
//! assert_eq!((trap.function(), trap.line()), ("third", 3));
//! ```
//!
//! Programs run over [`Checked`] memory, unless told otherwise: addresses
//! start at [`BASE`] and are the same every time and never used twice, objects
//! stand apart, and an access outside of a live one is a trap that says what
//! it missed. [`Host`] memory is that of the process, shared with compiled code.
//!
//! It checks the promises that it can see: `assume`, alignment, `nonnull`,
//! `invariant`, `uninit` slots, alias classes and scopes, what a function's
//! attributes say of memory and of returning, signatures of functions called
//! through addresses. It does not see `ivdep`.
//!
//! Imports lead to other modules and to [`HostFunctions`], and foreign
//! functions to these and to models of common [C functions](c_functions);
//! a call of any other traps `missing_function` and names it.

mod code;
mod counts;
pub mod eval;
mod host;
mod libc;
mod machine;
mod meaning;
mod memory;
mod program;
mod setup;
mod trace;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use self::machine::{Machine, Stop};
use self::program::signature_text;
use crate::datum::Datum;
use crate::module::{Content, Module};
use crate::report::Trap;
use crate::trap::TrapCode;

pub use counts::OpCounts;
pub use host::{HostCall, HostError, HostFunction, HostFunctions};
pub use memory::{
    AccessKind, BASE, Checked, Fault, Host, Memory, MemoryError, NewObject, ObjectInfo, ObjectKind,
    REGION_SIZE,
};
pub use program::LinkError;
pub use setup::Setup;
pub use trace::{Trace, Traced};

/// What a program may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions in one call from outside; work on many bytes counts as
    /// more. Beyond it the call traps `out_of_fuel`.
    pub steps: u64,
    /// Bytes of live objects, each counted as [`Checked`] counts it, and as many
    /// again of values on the stack, and of constants that are structs, arrays
    /// and vectors.
    /// Beyond it the call traps `out_of_memory` or `stack_overflow`.
    pub memory: u64,
    /// Activations at one time. Beyond it the call traps `stack_overflow`.
    pub depth: usize,
    /// Bytes of output. Beyond it the call traps `out_of_memory`.
    pub output: usize,
}

impl Default for Limits {
    /// A thousand million steps, 1 GiB, 100,000 activations, 16 MiB of output.
    fn default() -> Limits {
        Limits { steps: 1_000_000_000, memory: 1 << 30, depth: 100_000, output: 16 << 20 }
    }
}

/// Why a call gave no results.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CallError {
    /// Execution stopped.
    #[error(transparent)]
    Trap(Box<Trap>),
    /// The program ended itself, by `exit`.
    #[error("the program exited with status {status}")]
    Exited {
        /// The status.
        status: i32,
    },
    /// No function of that name has a body.
    #[error("no function `@{name}` is defined in these modules")]
    NoFunction {
        /// The name.
        name: Box<str>,
    },
    /// The arguments are not those of the signature.
    #[error("`@{name}{signature}` cannot be called with these arguments: {reason}")]
    Arguments {
        /// The function.
        name: Box<str>,
        /// Its signature.
        signature: String,
        /// What does not fit.
        reason: String,
    },
    /// The module is none that the verifier accepts.
    #[error("the module is broken, verify it: {reason}")]
    BrokenModule {
        /// What is wrong.
        reason: Box<str>,
    },
}

impl CallError {
    /// The trap, if it is one.
    pub fn trap(&self) -> Option<&Trap> {
        match self {
            CallError::Trap(trap) => Some(trap),
            _ => None,
        }
    }

    /// The code of the trap, if it is one.
    pub fn code(&self) -> Option<TrapCode> {
        self.trap().map(|trap| trap.code)
    }
}

/// A data object of a program in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataPlace {
    /// Its name.
    pub name: Box<str>,
    /// Where it starts.
    pub address: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Whether it may change.
    pub content: Content,
}

/// Executes functions of one or more modules.
#[derive(Debug)]
pub struct Interpreter<'m> {
    machine: Machine<'m>,
}

impl<'m> Interpreter<'m> {
    /// An interpreter of those modules, linked with each other and the models
    /// of C functions, with [default limits](Limits::default).
    pub fn new(modules: &[&'m Module]) -> Result<Interpreter<'m>, LinkError> {
        let setup = Interpreter::setup();
        modules.iter().fold(setup, |setup, module| setup.module(module)).build()
    }

    /// The way to an interpreter with a host, limits or a memory of its own.
    pub fn setup() -> Setup<'m> {
        Setup::new()
    }

    /// Calls the exported function of that name, or the first of that name
    /// that is defined. Data objects, output and the last exception stay what
    /// earlier calls have left.
    pub fn call(&mut self, name: &str, args: &[Datum]) -> Result<Vec<Datum>, CallError> {
        let missing = || CallError::NoFunction { name: name.into() };
        let function = self.machine.program.function_named(name).ok_or_else(missing)?;
        self.check_arguments(function, args)?;
        self.machine.fuel = self.machine.limits.steps;
        let result = self.machine.run(function, args.into());
        result.map(|results| results.into_vec()).map_err(|stop| self.error(stop))
    }

    /// Calls what the program has given to C's `atexit`, the last first, as its end does;
    /// `exit` has done so already.
    pub fn call_at_exit(&mut self) -> Result<(), CallError> {
        self.machine.fuel = self.machine.limits.steps;
        while let Some(function) = self.machine.c_state.at_exit.pop() {
            let result = self.machine.call_back(function, &[]);
            result.map_err(|stop| self.error(stop))?;
        }
        Ok(())
    }

    fn error(&self, stop: Stop) -> CallError {
        match stop {
            Stop::Trap(trap) | Stop::Located(trap) => CallError::Trap(trap),
            Stop::Memory(error) => CallError::Trap(Box::new(Trap::new(error.code()))),
            Stop::Jump(_) => CallError::Trap(Box::new(Trap::new(TrapCode::HostError))),
            Stop::Throw(_) => CallError::Trap(Box::new(Trap::new(TrapCode::UncaughtException))),
            Stop::Exit(status) => CallError::Exited { status },
            Stop::Broken(reason) => CallError::BrokenModule { reason },
        }
    }

    fn check_arguments(&self, function: usize, args: &[Datum]) -> Result<(), CallError> {
        let program = &self.machine.program;
        let Some(reason) = program.misfit(function, args) else { return Ok(()) };
        let linked = &program.functions[function];
        let signature = signature_text(program.types(linked.module), program.signature(function));
        Err(CallError::Arguments { name: linked.name.into(), signature, reason })
    }

    /// What the program has printed.
    pub fn output(&self) -> &[u8] {
        &self.machine.output
    }

    /// Takes what the program has printed.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.machine.output)
    }

    /// The memory of the program.
    pub fn memory(&mut self) -> &mut dyn Memory {
        &mut *self.machine.memory
    }

    /// Every data object, in the order of the modules and their declarations,
    /// then those that no module defines.
    pub fn data_objects(&self) -> impl Iterator<Item = DataPlace> + '_ {
        self.machine.program.data.iter().map(|data| DataPlace {
            name: (*data.name).into(),
            address: data.address,
            size: data.layout.size,
            content: data.content,
        })
    }

    /// The bytes of the first data object of that name.
    pub fn data(&self, name: &str) -> Option<Vec<u8>> {
        let data = self.machine.program.data.iter().find(|data| *data.name == *name)?;
        let mut bytes = vec![0; usize::try_from(data.layout.size).ok()?];
        self.machine.memory.read(data.address, &mut bytes).ok()?;
        Some(bytes)
    }

    /// Every data object with its bytes, as [`data_objects`](Self::data_objects)
    /// orders them.
    pub fn snapshot(&self) -> Vec<(DataPlace, Vec<u8>)> {
        let bytes = |place: &DataPlace| {
            let mut bytes = vec![0; place.size as usize];
            // A data object lives as long as the program.
            let _ = self.machine.memory.read(place.address, &mut bytes);
            bytes
        };
        self.data_objects().map(|place| (place.clone(), bytes(&place))).collect()
    }

    /// How often each op was executed so far.
    pub fn counts(&self) -> &OpCounts {
        &self.machine.counts
    }

    /// How many steps the last call has left.
    pub fn steps_left(&self) -> u64 {
        self.machine.fuel
    }

    /// Set it from any thread, and a running call traps `interrupted` at its
    /// next jump, poll or call of the host. Who set it clears it.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        self.machine.interrupt.clone()
    }

    /// Tells every instruction to `trace` from now on.
    pub fn trace(&mut self, trace: Box<dyn Trace>) {
        self.machine.trace = Some(trace);
    }
}

/// The names of the C functions that a program may call without a host: there
/// is a model of each.
///
/// What C leaves without a meaning traps here where it can be seen, though the
/// platform's function may crash or go on: memory that is not there is
/// `invalid_access`, a comparison that is null `null_function`.
pub fn c_functions() -> impl Iterator<Item = &'static str> {
    libc::names()
}

/// The data objects of modules, as [`Checked`] memory would place them: the
/// addresses at which native memory can be mapped to be compared.
pub fn checked_layout(modules: &[&Module], limit: u64) -> Result<Vec<DataPlace>, LinkError> {
    let limits = Limits { memory: limit, ..Limits::default() };
    let setup = modules.iter().fold(Interpreter::setup(), |setup, module| setup.module(module));
    let interpreter = setup.limits(limits).build()?;
    Ok(interpreter.data_objects().collect())
}

#[cfg(test)]
mod tests;
