//! What code refers to.

use brolga_ir::entity::FuncId;
use brolga_lowering::unit::UnitSymbol;

/// A place in code that is 32 bits: the target plus the addend minus the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// In bytes from the start of the code.
    pub offset: u32,
    /// To what.
    pub referent: Referent,
    /// Plus that many bytes.
    pub addend: i64,
}

/// What code refers to: functions of the module, by their ids, and what a unit would.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Referent {
    /// As [`UnitSymbol::Call`].
    Call(FuncId),
    /// As [`UnitSymbol::EntrySlot`].
    EntrySlot(FuncId),
    /// As [`UnitSymbol::Stub`].
    Stub(FuncId),
    /// Anything else.
    Symbol(UnitSymbol),
}

impl From<UnitSymbol> for Referent {
    fn from(symbol: UnitSymbol) -> Referent {
        Referent::Symbol(symbol)
    }
}
