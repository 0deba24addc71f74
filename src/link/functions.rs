//! Every function of an engine by its number: what it is, where its callers go, and what has
//! become of its definition.

use std::sync::{Arc, Weak};

use brolga_ir::entity::{Block, FuncId};
use brolga_lifecycle::life::{Life, Slot};
use brolga_lifecycle::table::Table;

use super::callback::Callback;
use super::definition::Definition;
use super::symbols::FunctionSymbol;
use crate::error::LoadError;
use crate::runtime::Placed;

/// What a function is compiled from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// It was compiled together with a module, which nobody has kept.
    Loaded,
    /// A function that others see keeps its module.
    Global(Arc<Definition>, FuncId),
    /// One that its module alone sees goes with that.
    Local(Weak<Definition>, FuncId),
    /// What is left of a function from the start of a block on, for those who are in its code
    /// of the first tier: that code keeps what it must, as the function's own.
    Continuation(Weak<Definition>, FuncId, Block),
    /// Whatever its name means by now in the library whose code names it.
    Elsewhere,
    /// A module that somebody makes when it is asked for.
    Callback(Arc<Callback>),
}

impl Source {
    /// The module and the function in it, while the module is there.
    pub(crate) fn definition(&self) -> Option<(Arc<Definition>, FuncId)> {
        match self {
            Source::Loaded | Source::Elsewhere | Source::Callback(_) => None,
            Source::Global(definition, id) => Some((Arc::clone(definition), *id)),
            Source::Local(definition, id) | Source::Continuation(definition, id, _) => {
                Some((definition.upgrade()?, *id))
            }
        }
    }
}

/// The life of a function, whose callers go by the slot of its symbol. Most are defined and
/// never called: they have none.
pub(crate) type FunctionLife = Life<Source, Arc<Placed>, Arc<LoadError>, Arc<FunctionSymbol>>;

/// The functions of an engine, by number.
pub(crate) type Functions = Table<FunctionLife>;

/// Shows the name of a function that has a symbol or a definition. Looking must not come back to
/// the function.
pub(crate) fn with_name<R>(life: &FunctionLife, look: impl Fn(&str) -> R) -> R {
    let seen = life.with_slot(|symbol| symbol.map(|symbol| look(&symbol.name)));
    seen.unwrap_or_else(|| {
        let definition = life.source().and_then(|(source, _)| source.definition());
        let function =
            definition.as_ref().and_then(|(definition, id)| definition.module.function(*id));
        look(function.map_or("", |function| &function.name))
    })
}

impl Slot<Arc<Placed>> for FunctionSymbol {
    fn lead_through(&self) {
        FunctionSymbol::lead_through(self);
    }

    fn lead_to(&self, code: &Arc<Placed>) {
        FunctionSymbol::lead_to(self, code.address());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_nobody_calls_takes_little() {
        assert!(size_of::<FunctionLife>() <= 64, "{}", size_of::<FunctionLife>());
    }
}
