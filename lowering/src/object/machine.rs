//! How symbols are called in an object.

use crate::runtime::RuntimeEntry;
use crate::unit::UnitSymbol;

/// What stands behind the name of a function in that of its code.
const CODE: &str = ".code";

/// What leads the runtime to its engine.
const ENGINE: &str = "brolga_engine";

/// What code counts down as it runs.
const BUDGET: &str = "brolga_budget";

/// What the names of thunks for calls of addresses begin with.
const POINTER: &str = "brolga.pointer.";

/// What the names of functions of the prelude begin with.
const PRELUDE: &str = "brolga.";

/// Whether any object may refer to something of that name that no module defines.
pub(super) fn is_runtimes_own(name: &str) -> bool {
    let entries = RuntimeEntry::ALL.iter().map(|entry| entry.name());
    let is_prelude = || name.starts_with(PRELUDE) && name.ends_with(CODE);
    name.starts_with(POINTER)
        || is_prelude()
        || entries.chain([ENGINE, BUDGET]).any(|own| own == name)
}

/// The function or data object beside which something of that name stands in an object, if
/// there is any.
pub(super) fn belongs_to(name: &str) -> Option<&str> {
    let parts = [CODE, ".callback", ".entry", ".address", ".offset"];
    let part = parts.iter().find_map(|part| name.strip_suffix(part));
    let thunk = || Some(name.rsplit_once(".foreign.")?.0);
    part.or_else(thunk)
}

/// The internal code of a function, which only its own object names.
pub(super) fn code_symbol(function: &str) -> String {
    format!("{function}{CODE}")
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
        UnitSymbol::ForeignThunk(name, call) => format!("{name}.foreign.{call}"),
        UnitSymbol::PointerThunk(call) => format!("{POINTER}{call}"),
        UnitSymbol::EngineSlot => ENGINE.to_owned(),
        UnitSymbol::Budget => BUDGET.to_owned(),
        UnitSymbol::Runtime(entry) => entry.name().to_owned(),
        UnitSymbol::Prelude(name) => code_symbol(name),
    }
}
