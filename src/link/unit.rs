//! What a compiler hands over: the code of a function, and what linking that takes.

use brolga_ir::entity::FuncId;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};

/// A function of a module, compiled.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    /// Which one.
    pub(crate) id: FuncId,
    /// Boxed, since it goes through several lists on its way into code memory, and lives in a
    /// place of its own there: a load moves a word for each.
    pub(crate) code: Box<CompiledUnit>,
    /// Asked while the processor has the code at hand.
    pub(crate) needs: Needs,
}

impl Unit {
    /// The code of a function.
    pub(crate) fn new(id: FuncId, code: Box<CompiledUnit>) -> Unit {
        let needs = Needs::of(&code);
        Unit { id, code, needs }
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
