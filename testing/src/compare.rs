//! Running one program in several ways, and comparing what can be seen of it:
//! results, traps and where they happened, and what is left in data objects.

mod difference;
mod native;
mod passes;
mod text;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter, Limits, OpCounts};
use brolga_ir::module::{DataItem, Module};
use brolga_ir::report::{Frame, Trap};
use brolga_ir::trap::TrapCode;

use crate::generate::{Call, Generated};
use crate::host::{HostState, models};

pub(crate) use difference::describe;
pub use difference::{difference, with_kinds_of_frames};
pub use native::Native;
pub use passes::{Passes, TARGETS};
pub use text::Text;

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// With results.
    Returned(Vec<Datum>),
    /// With a trap.
    Trapped {
        /// Why.
        code: TrapCode,
        /// The function that was being executed and the calls that led there,
        /// each with file, line and column, inlined ones too.
        frames: Vec<Frame>,
        /// How many more calls there were.
        omitted: u64,
        /// What the exit took along.
        values: Vec<Datum>,
        /// The number of the side exit.
        side_exit: Option<u32>,
        /// What a function of the host said when it failed.
        message: Option<Box<str>>,
    },
    /// In a way that no generated program has: the engine's or the interpreter's fault.
    Failed(String),
}

impl Answer {
    /// Whether the interpreter has seen the program do what no engine needs to
    /// survive, or the program has not come to an end.
    pub fn is_astray(&self) -> bool {
        match self {
            Answer::Returned(_) => false,
            Answer::Trapped { code, .. } => matches!(
                code,
                TrapCode::BrokenPromise
                    | TrapCode::InvalidAccess
                    | TrapCode::OutOfFuel
                    | TrapCode::OutOfMemory
                    | TrapCode::StackOverflow
            ),
            Answer::Failed(_) => true,
        }
    }
}

impl From<&Trap> for Answer {
    fn from(trap: &Trap) -> Answer {
        let message = trap.detail.clone().filter(|_| trap.code == TrapCode::HostError);
        Answer::Trapped {
            code: trap.code,
            frames: trap.frames.clone(),
            omitted: trap.omitted,
            values: trap.values.clone(),
            side_exit: trap.side_exit,
            message,
        }
    }
}

/// All that can be seen of a program that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// How each call ended.
    pub answers: Vec<Answer>,
    /// The bytes of the data objects that hold no address, in the order of
    /// their declaration, after the last call.
    pub data: Vec<(Box<str>, Vec<u8>)>,
    /// What the functions of the host were called with.
    pub host: u64,
}

/// A way to run programs that must agree with the reference interpreter.
pub trait Engine: std::fmt::Debug {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// Runs the program.
    ///
    /// # Errors
    /// What it has against the program, which the verifier has accepted.
    fn observe(&mut self, program: &Generated) -> Result<Observation, String>;
}

/// The data objects that every run must leave alike: those without addresses.
pub(crate) fn compared_data(module: &Module) -> impl Iterator<Item = &str> {
    let is_compared =
        |items: &[DataItem]| !items.iter().any(|item| matches!(item, DataItem::Address { .. }));
    module
        .data_objects()
        .filter(move |(_, object)| object.linkage.is_defined_here() && is_compared(&object.items))
        .map(|(_, object)| &*object.name)
}

/// What a call of a generated program may use up, far more than one does.
pub(crate) const LIMITS: Limits =
    Limits { steps: 20_000_000, memory: 64 << 20, depth: 10_000, output: 1 << 20 };

/// What the reference interpreter makes of a program, and what it has executed.
///
/// # Errors
/// If the program does not link.
pub fn reference(program: &Generated) -> Result<(Observation, OpCounts), String> {
    interpret(&[&program.module], &program.module, &program.calls)
}

/// What the reference interpreter makes of calls into modules, and what it has
/// executed. Data objects are those that `whole` declares.
///
/// # Errors
/// If the modules do not link.
pub fn interpret(
    modules: &[&Module],
    whole: &Module,
    calls: &[Call],
) -> Result<(Observation, OpCounts), String> {
    let setup = modules.iter().fold(Interpreter::setup(), |setup, module| setup.module(module));
    let state = HostState::default();
    let setup = setup.limits(LIMITS).host(models(&state));
    let mut interpreter = setup.build().map_err(|error| error.to_string())?;
    let answers = calls
        .iter()
        .map(|call| match interpreter.call(&call.function, &call.args) {
            Ok(results) => Answer::Returned(results),
            Err(CallError::Trap(trap)) => Answer::from(&*trap),
            Err(error) => Answer::Failed(error.to_string()),
        })
        .collect();
    let data = compared_data(whole)
        .map(|name| (name.into(), interpreter.data(name).unwrap_or_default()))
        .collect();
    let observation = Observation { answers, data, host: state.digest() };
    Ok((observation, interpreter.counts().clone()))
}
