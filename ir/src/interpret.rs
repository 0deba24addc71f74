//! The reference interpreter: the meaning of the IR.
//!
//! It executes any verified module, over [`Checked`] memory that reports every
//! access outside of a live object, or over the [`Host`]'s own. What it gives
//! is what compiled code must give. Everything is a value: results, traps, and
//! what is wrong with a module that the verifier would not have accepted.
//!
//! It checks the promises that it can see: `assume`, alignment, `nonnull`,
//! `invariant`, `uninit` slots, what a function's attributes say of memory and
//! of returning, signatures of functions called through addresses. It does not
//! see alias classes, scopes and `ivdep`.

mod code;
pub mod eval;
mod host;
mod libc;
mod machine;
mod meaning;
mod memory;
mod program;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use self::machine::{Machine, Stop};
use self::program::{Parts, Program};
use crate::datum::Datum;
use crate::entity::{FuncId, Inst};
use crate::module::{Content, Module};
use crate::op::Op;
use crate::report::Trap;
use crate::text::{display_datum, print_inst};
use crate::trap::TrapCode;

pub use host::{HostCall, HostError, HostFunction, HostFunctions};
pub use memory::{
    AccessKind, BASE, Checked, Fault, Host, Memory, MemoryError, NewObject, ObjectInfo, ObjectKind,
    Placement, REGION_SIZE,
};
pub use program::LinkError;

/// What a program may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions in one call from outside; work on many bytes counts as
    /// more. Beyond it the call traps `out_of_fuel`.
    pub steps: u64,
    /// Bytes of live objects, and as many again of values on the stack.
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

/// How often each op was executed.
#[derive(Clone, PartialEq, Eq)]
pub struct OpCounts([u64; Op::ALL.len()]);

impl OpCounts {
    fn count(&mut self, op: Op) {
        self.0[op as usize] += 1;
    }

    /// How often `op` was executed.
    pub fn of(&self, op: Op) -> u64 {
        self.0[op as usize]
    }

    /// Adds what another execution counted.
    pub fn merge(&mut self, other: &OpCounts) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own += other;
        }
    }

    /// Every op and how often it was executed, in table order.
    pub fn iter(&self) -> impl Iterator<Item = (Op, u64)> + '_ {
        Op::ALL.iter().map(|&op| (op, self.of(op)))
    }
}

impl Default for OpCounts {
    fn default() -> OpCounts {
        OpCounts([0; Op::ALL.len()])
    }
}

impl fmt::Debug for OpCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().filter(|(_, count)| *count > 0)).finish()
    }
}

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
        Setup {
            modules: Vec::new(),
            host: HostFunctions::new(),
            data: Vec::new(),
            limits: Limits::default(),
            memory: None,
        }
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

    fn error(&self, stop: Stop) -> CallError {
        match stop {
            Stop::Trap(trap) | Stop::Located(trap) => CallError::Trap(trap),
            Stop::Memory(error) => CallError::Trap(Box::new(Trap::new(error.code()))),
            Stop::Throw(_) => CallError::Trap(Box::new(Trap::new(TrapCode::UncaughtException))),
            Stop::Exit(status) => CallError::Exited { status },
            Stop::Broken(reason) => CallError::BrokenModule { reason },
        }
    }

    fn check_arguments(&self, function: usize, args: &[Datum]) -> Result<(), CallError> {
        let program = &self.machine.program;
        let linked = &program.functions[function];
        let (types, signature) = (program.types(linked.module), program.signature(function));
        let wanted = signature.params.len();
        let unfit = signature.param_types().zip(args).position(|(ty, arg)| !arg.fits(types, ty));
        let reason = if args.len() != wanted {
            format!("it takes {wanted}, not {}", args.len())
        } else if let Some(index) = unfit {
            format!("{:?} is no {}", args[index], types.display(signature.params[index].ty))
        } else {
            return Ok(());
        };
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = types.write_signature(&mut text, signature);
        Err(CallError::Arguments { name: linked.name.into(), signature: text, reason })
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
            name: data.name.clone(),
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
