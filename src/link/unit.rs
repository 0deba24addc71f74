//! What a compiler hands over: the code of a function, and what linking that takes.

use brolga_ir::entity::FuncId;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};

use super::standing::Seat;
use crate::runtime::Facts;

/// A function of a module, compiled.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    /// Which one.
    pub(crate) id: FuncId,
    /// What was made.
    pub(crate) form: Form,
}

impl Unit {
    /// The code of a function.
    pub(crate) fn new(id: FuncId, code: Box<CompiledUnit>) -> Unit {
        Unit { id, form: Form::of(code) }
    }
}

/// What was made of a function or a thunk.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// What is to be written. Boxed, since it goes through several lists on its way into code
    /// memory. What it needs is asked while the processor has it at hand.
    Whole(Box<CompiledUnit>, Needs),
    /// What has been written already.
    Standing(Seat, Facts),
}

impl Form {
    /// Code that is not written yet.
    pub(super) fn of(unit: Box<CompiledUnit>) -> Form {
        let needs = Needs::of(&unit);
        Form::Whole(unit, needs)
    }

    /// The unit, if it is to be written.
    pub(super) fn whole(&self) -> Option<&CompiledUnit> {
        match self {
            Form::Whole(unit, _) => Some(unit),
            Form::Standing(..) => None,
        }
    }

    /// The same if linking it takes so much.
    pub(super) fn that_needs(&self, needs: Needs) -> Option<&CompiledUnit> {
        match self {
            Form::Whole(unit, found) if *found == needs => Some(unit),
            _ => None,
        }
    }
}

/// What linking a unit takes, beyond writing it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needs {
    /// Nothing: it calls functions of modules and the runtime.
    Nothing,
    /// Slots, thunks, entries by the platform's convention, or functions of the prelude.
    More,
}

impl Needs {
    /// What a unit needs.
    pub(super) fn of(unit: &CompiledUnit) -> Needs {
        let is_there = |symbol: &UnitSymbol| {
            use UnitSymbol::{Budget, Call, EngineSlot, Runtime};
            matches!(symbol, Call(_) | Runtime(_) | EngineSlot | Budget)
        };
        match unit.relocations.iter().all(|relocation| is_there(&relocation.symbol)) {
            true if unit.thunks.is_empty() => Needs::Nothing,
            _ => Needs::More,
        }
    }
}
