//! Why execution stops, from the instruction to the caller outside.

use super::Machine;
use super::jump::Jump;
use super::stack::ALLOCATED_TAG;
use super::variadic::ARGUMENTS_TAG;
use crate::datum::Datum;
use crate::interpret::eval::Datums;
use crate::interpret::memory::{MemoryError, ObjectInfo, ObjectKind};
use crate::module::Returns;
use crate::report::{Trap, frames_at};
use crate::trap::TrapCode;

/// What ends a run before it is through.
#[derive(Debug)]
pub(in crate::interpret) enum Stop {
    /// A trap whose place is the present one.
    Trap(Box<Trap>),
    /// An access to memory that is not there, at the present place.
    Memory(MemoryError),
    /// A trap whose place is known.
    Located(Box<Trap>),
    /// A throw that is looking for its handler.
    Throw(u64),
    /// A call that has returned is to return again.
    Jump(Jump),
    /// The program wants to end.
    Exit(i32),
    /// The module is none that the verifier accepts.
    Broken(Box<str>),
}

impl Stop {
    pub(in crate::interpret) fn trap(code: TrapCode, detail: impl Into<Box<str>>) -> Stop {
        let mut trap = Trap::new(code);
        trap.detail = Some(detail.into());
        Stop::Trap(Box::new(trap))
    }

    /// A promise that does not hold.
    pub(in crate::interpret) fn broken_promise(detail: impl Into<Box<str>>) -> Stop {
        Stop::trap(TrapCode::BrokenPromise, detail)
    }

    pub(in crate::interpret) fn with_values(code: TrapCode, values: Datums) -> Stop {
        let mut trap = Trap::new(code);
        trap.values = values.into_vec();
        Stop::Trap(Box::new(trap))
    }

    pub(in crate::interpret) fn uncaught(exception: u64) -> Stop {
        Stop::with_values(TrapCode::UncaughtException, Datums::from_elem(Datum::from(exception), 1))
    }
}

impl From<TrapCode> for Stop {
    fn from(code: TrapCode) -> Stop {
        Stop::Trap(Box::new(Trap::new(code)))
    }
}

impl From<MemoryError> for Stop {
    fn from(error: MemoryError) -> Stop {
        Stop::Memory(error)
    }
}

impl Machine<'_> {
    /// Tells a trap where it happened, and by which calls.
    pub(super) fn locate(&self, stop: Stop) -> Stop {
        let mut trap = match stop {
            Stop::Trap(trap) => trap,
            Stop::Memory(error) => {
                let name = error.object.map_or(String::new(), |object| self.object_name(&object));
                let mut trap = Box::new(Trap::new(error.code()));
                trap.detail = Some(error.describe(&name).into());
                trap
            }
            other => return other,
        };
        for activation in self.activations.iter().rev() {
            let code = &activation.code;
            let loc = code.steps.get(activation.at).and_then(|step| step.data.loc.expand());
            let module = self.program.modules[code.module].module;
            frames_at(module, code.id, loc.into()).for_each(|frame| trap.push_frame(frame));
        }
        self.check_returns(&mut trap);
        Stop::Located(trap)
    }

    /// A trap through a function that promised to return is its broken promise.
    fn check_returns(&self, trap: &mut Trap) {
        if !is_own_deed(trap.code) {
            return;
        }
        let always = |returns: Returns| returns == Returns::Always;
        let breaker = self.activations.iter().rev().find(|a| always(a.code.attributes.returns));
        if let Some(activation) = breaker {
            let name = activation.code.name;
            let detail = format!("@{name} promises to return always, and ran into `{}`", trap.code);
            trap.detail = Some(detail.into());
            trap.code = TrapCode::BrokenPromise;
        }
    }

    fn object_name(&self, object: &ObjectInfo) -> String {
        let number = object.tag as usize;
        let function = |number: usize| self.program.functions.get(number).map_or("", |f| f.name);
        match object.kind {
            ObjectKind::Data => self
                .program
                .data
                .get(number)
                .map_or(String::new(), |data| format!("@{}", data.name)),
            ObjectKind::Function => format!("@{}", function(number)),
            ObjectKind::Slot => {
                let (owner, slot) = ((object.tag >> 32) as usize, object.tag as u32);
                match slot {
                    ALLOCATED_TAG => format!("that `stack_alloc` gave @{}", function(owner)),
                    ARGUMENTS_TAG => format!("with arguments of @{}", function(owner)),
                    _ => format!("ss{slot} of @{}", function(owner)),
                }
            }
            ObjectKind::Heap | ObjectKind::Managed => String::new(),
        }
    }
}

/// Whether the program itself runs into the trap, rather than out of what the
/// embedder grants it.
fn is_own_deed(code: TrapCode) -> bool {
    !matches!(
        code,
        TrapCode::StackOverflow
            | TrapCode::Interrupted
            | TrapCode::OutOfFuel
            | TrapCode::DeadlineExceeded
            | TrapCode::OutOfMemory
            | TrapCode::MissingFunction
            | TrapCode::HostError
            | TrapCode::InvalidAccess
            | TrapCode::BrokenPromise
    )
}
