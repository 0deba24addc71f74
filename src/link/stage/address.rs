//! The address of whatever a unit refers to.

use brolga_lowering::unit::UnitSymbol;

use super::{Drafts, SlotOwner, Stage};
use crate::link::prepare::Purpose;
use crate::link::scope::{FunctionRef, Incoming, Names};

impl Stage<'_> {
    /// The address of `symbol` for a unit of that purpose; nothing for a name
    /// that the module does not have.
    pub(super) fn address_of(
        &self,
        symbol: &UnitSymbol,
        purpose: &Purpose,
        (modules, names): (&[Incoming<'_>], &Names),
        drafts: &Drafts,
    ) -> Option<usize> {
        let function_named = |name: &str| {
            let module = purpose.module()?;
            names.scopes.get(module)?.function_named(modules.get(module)?.module, name)
        };
        let scope = purpose.module().and_then(|module| names.scopes.get(module));
        match symbol {
            UnitSymbol::Call(function) => {
                self.entry_address(function_named(&function.name)?, drafts)
            }
            UnitSymbol::EntrySlot(function) => {
                self.entry_slot(function_named(&function.name)?, drafts)
            }
            UnitSymbol::Stub(function) => {
                self.stub_address(function_named(&function.name)?, drafts)
            }
            UnitSymbol::Data(name) => self.data_address(scope?.data.get(name)?, drafts),
            UnitSymbol::AddressSlot(name) => self.slot_of(name, purpose, names, drafts),
            UnitSymbol::ThreadLocalOffset(name) => match purpose {
                Purpose::Function(module, _)
                | Purpose::Lazy(module, _)
                | Purpose::Continuation(module, _) => {
                    let key = (SlotOwner::ThreadLocal(*module), name.clone());
                    Some(drafts.slots.get(&key)?.address())
                }
                _ => None,
            },
            UnitSymbol::ForeignThunk(..) | UnitSymbol::PointerThunk(_) => {
                match self.symbols.thunks.get(symbol) {
                    Some(placed) => Some(placed.address()),
                    None => drafts.unit_address(*drafts.thunks.get(symbol)?),
                }
            }
            UnitSymbol::EngineSlot => Some(self.resident.engine()),
            UnitSymbol::Budget => names.budget,
            UnitSymbol::Runtime(entry) => Some(self.resident.entry(*entry)),
            UnitSymbol::Prelude(name) => {
                let found = match self.symbols.prelude.get(name) {
                    Some(&number) => FunctionRef::Known(number),
                    None => FunctionRef::New(*drafts.prelude.get(name)?),
                };
                self.entry_address(found, drafts)
            }
        }
    }

    fn slot_of(
        &self,
        name: &str,
        purpose: &Purpose,
        names: &Names,
        drafts: &Drafts,
    ) -> Option<usize> {
        let owner = match purpose {
            Purpose::Host(..) => SlotOwner::Host,
            Purpose::Function(module, _)
            | Purpose::Lazy(module, _)
            | Purpose::Continuation(module, _) => SlotOwner::Data(*module),
            _ => SlotOwner::Data(usize::MAX),
        };
        let own = drafts.slots.get(&(owner, name.into()));
        let foreign = || names.foreign.get(name).or_else(|| self.symbols.foreign.get(name));
        Some(own.or_else(foreign)?.address())
    }
}
