//! How symbols are called in an object.

use crate::unit::UnitSymbol;

/// The function or data object beside which something of that name stands in an object, if
/// there is any.
pub(super) fn belongs_to(name: &str) -> Option<&str> {
    let parts = [".code", ".callback", ".entry", ".address", ".offset"];
    let part = parts.iter().find_map(|part| name.strip_suffix(part));
    let thunk = || Some(name.rsplit_once(".foreign.")?.0);
    part.or_else(thunk)
}

/// The internal code of a function, which only its own object names.
pub(super) fn code_symbol(function: &str) -> String {
    format!("{function}.code")
}

/// The thunk behind the platform's entry of a function.
pub(super) fn callback_symbol(function: &str) -> String {
    format!("{function}.callback")
}

/// What a unit refers to. A call is of the function's stub here: whether its
/// code is in the same object, the writer knows.
pub(super) fn symbol(symbol: &UnitSymbol) -> String {
    match symbol {
        UnitSymbol::Call(function) | UnitSymbol::Stub(function) => function.name.to_string(),
        UnitSymbol::EntrySlot(function) => format!("{}.entry", function.name),
        UnitSymbol::Data(name) => name.to_string(),
        UnitSymbol::AddressSlot(name) => format!("{name}.address"),
        UnitSymbol::ThreadLocalOffset(name) => format!("{name}.offset"),
        UnitSymbol::ForeignThunk(function) => {
            format!("{}.foreign.{:016x}", function.name, function.signature.0)
        }
        UnitSymbol::PointerThunk(hash) => format!("brolga.pointer.{:016x}", hash.0),
        UnitSymbol::EngineSlot => "brolga_engine".to_owned(),
        UnitSymbol::Budget => "brolga_budget".to_owned(),
        UnitSymbol::Runtime(entry) => entry.name().to_owned(),
        UnitSymbol::Prelude(name) => code_symbol(name),
    }
}
