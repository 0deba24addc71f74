//! Placing prepared units: everything or nothing.

mod address;
mod commit;
mod draft;
mod write;

pub(super) use draft::code_request;

use std::collections::BTreeMap;
use std::sync::Arc;

use brolga_ir::module::Name;
use brolga_lifecycle::life::Change;
use brolga_lowering::unit::UnitSymbol;
use rustc_hash::FxHashMap;

use super::functions::Source;
use super::namespace::Replaced;
use super::prepare::{Prepared, Purpose};
use super::resident::Resident;
use super::scope::{Incoming, Names};
use super::standing::{Made, Seat, Standing};
use super::symbols::{DataSymbol, Kept, Symbols};
use crate::error::LoadError;
use crate::memory::{Batch, MemoryError, Reservation, Slot, SlotPair};
use crate::runtime::{Environment, Keep, Placed};

/// Why units were not linked.
#[derive(Debug)]
pub(crate) enum LinkFailure {
    /// The engine changed since the units were prepared: prepare them again.
    Stale,
    /// They cannot be.
    Refused(LoadError),
}

impl<E: Into<LoadError>> From<E> for LinkFailure {
    fn from(error: E) -> LinkFailure {
        LinkFailure::Refused(error.into())
    }
}

impl From<MemoryError> for LoadError {
    fn from(error: MemoryError) -> LoadError {
        LoadError::Memory(error.into())
    }
}

/// The parts of an engine that linking changes.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    pub symbols: &'a mut Symbols,
    pub resident: &'a Resident,
    pub reservation: &'a Reservation,
    pub environment: &'a Environment,
}

/// A function symbol whose stub has no bytes yet.
struct DraftFunction {
    slots: SlotPair,
    /// Its place in the batch.
    stub: usize,
}

/// What has been linked beside what the names of the engine stand for.
#[derive(Default)]
pub(super) struct Linked {
    /// The code of a lazy unit, which nobody is led to yet.
    pub(super) lazy: Option<Arc<Placed>>,
    /// New data objects, in the order of their names.
    pub(super) data: Vec<Arc<DataSymbol>>,
    /// Slots that units read which are not lazy.
    pub(super) slots: Vec<Arc<Slot>>,
    /// The numbers of new functions, in the order of their names.
    pub(super) numbers: Vec<u32>,
    /// What functions that have code now have left over.
    pub(super) left: LeftOver,
}

/// What loading has left over: what the functions were that have been loaded. Who looks for
/// those names in other libraries, or has their bodies in its code, is to be told.
#[must_use = "code is to be retired, and dependents to be told"]
#[derive(Debug)]
pub(crate) struct LeftOver {
    pub(crate) changes: Vec<Change<Source, Arc<Placed>>>,
    /// The names, where anybody looks for any in other libraries.
    pub(crate) names: Vec<Name>,
    pub(crate) replaced: Replaced,
}

impl Default for LeftOver {
    fn default() -> Self {
        LeftOver { changes: Vec::new(), names: Vec::new(), replaced: Replaced::NoAlias }
    }
}

/// Everything that has an address but is not published.
struct Drafts {
    batch: Batch,
    /// Those of the functions.
    numbers: Vec<u32>,
    functions: Vec<DraftFunction>,
    /// Where the data objects begin in the batch, or their thread-local index.
    data: Vec<DraftData>,
    /// Code that was written before.
    standing: Vec<Standing>,
    /// Where the code of each unit stands.
    places: Vec<CodePlace>,
    codes: Codes,
    prelude: FxHashMap<Name, usize>,
    /// The units of thunks.
    thunks: FxHashMap<UnitSymbol, usize>,
    /// Slots that units read, by who reads them and the name.
    slots: BTreeMap<(SlotOwner, Name), Arc<Slot>>,
}

/// Where code stands.
#[derive(Clone, Copy)]
enum CodePlace {
    /// In the batch.
    Batch(usize),
    /// Where it was written before.
    Standing(Seat),
}

/// The units of functions that come in for good.
#[derive(Default)]
struct Codes {
    /// Of new functions, by their indices.
    new: Vec<Option<usize>>,
    /// Of others, which had been named before, by their numbers.
    known: FxHashMap<u32, usize>,
}

/// Whose name a slot goes by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SlotOwner {
    /// The address of a data object that the module names.
    Data(usize),
    /// The place of a thread-local object that the module names.
    ThreadLocal(usize),
    /// A closure of the host.
    Host,
}

#[derive(Clone, Copy)]
enum DraftData {
    Shared(usize),
    ThreadLocal(usize),
}

impl Stage<'_> {
    /// Links units of `modules`, whose names mean `names`, for good.
    pub(crate) fn link(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: Made<Prepared>,
    ) -> Result<LeftOver, LinkFailure> {
        let linked = self.link_units(modules, names, prepared, |_| ())?;
        // The code stays, and so does what it names.
        for number in names.numbers(&linked.numbers) {
            self.symbols.numbers.escape(number);
        }
        let data = linked.data.into_iter().chain(names.known_data());
        self.symbols.kept.extend(data.map(Kept::Data));
        self.symbols.kept.extend(linked.slots.into_iter().map(Kept::Slot));
        Ok(linked.left)
    }

    /// Links units: all, or none. What a lazy one among them keeps is made of the slots that it
    /// reads.
    pub(super) fn link_units<T: Keep + 'static>(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        mut prepared: Made<Prepared>,
        keep: impl FnOnce(Vec<Arc<Slot>>) -> T,
    ) -> Result<Linked, LinkFailure> {
        prepared.units.retain(|prepared| match prepared.purpose {
            Purpose::Function(module, id) => !names.overridden.contains(&(module, id)),
            _ => !self.is_superfluous(modules, prepared),
        });
        let mut drafts = self.draft(modules, names, &mut prepared)?;
        let (mut prepared, given) = (prepared.units, drafts.numbers.clone());
        let linked = self
            .fill(modules, names, &mut prepared, &mut drafts)
            .and_then(|()| self.commit(modules, names, prepared, drafts, keep));
        if linked.is_err() {
            self.symbols.take_back(&given);
        }
        linked
    }

    fn fill(
        &mut self,
        modules: &[Incoming<'_>],
        names: &Names,
        prepared: &mut [Prepared],
        drafts: &mut Drafts,
    ) -> Result<(), LinkFailure> {
        self.make_slots(modules, names, prepared, drafts)?;
        self.write_stubs(drafts)?;
        self.write_data(modules, names, drafts)?;
        self.write_units(modules, names, prepared, drafts)?;
        self.fill_calls(modules, names, prepared, drafts)
    }

    /// Whether a unit is the way to a function of the host that another load
    /// has linked since the unit was asked for.
    fn is_superfluous(&self, modules: &[Incoming<'_>], prepared: &Prepared) -> bool {
        let Purpose::Host(module, id) = prepared.purpose else { return false };
        let function = modules[module].module.function(id);
        let main = self.symbols.names.main().library;
        function.is_some_and(|it| self.symbols.defined_function(main, &it.name).is_some())
    }
}
