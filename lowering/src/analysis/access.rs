//! What instructions read and write, and whether two of them may touch the same bytes.
//!
//! An access has a [`Location`]: the object that its address was made from, what is
//! added to that, and how many bytes follow. Addresses are followed through constant
//! offsets and casts, each once, in O(values); a question is answered in constant time
//! but for the scopes of the two and the depth of their alias classes. Two locations are
//! apart when
//! - they are in objects that are not the same: slots, data objects of this module,
//!   and objects made here are none of each other; what was made here is none that the
//!   function was given, and none that code outside can point to unless it escapes;
//! - they are at known distances from the same place, and do not reach each other;
//! - their classes are on no common path of the class tree, or one says `noalias` of a
//!   scope of the other, which are promises.
//!
//! Two questions about the same value of an address hold where it is the same value: one
//! that is computed anew in each round of a loop may differ between rounds. Who compares
//! an access with one of an earlier round first takes [`Location::at_any_time`].
//!
//! Calls do what their declarations promise, others anything that code outside could. But to
//! a function with references each safepoint, also that of a call which touches nothing, reads
//! what code outside can: the collector follows the references in objects, and what these keep
//! alive may be used by its plain address. Where a region or a call keeps objects alive, it
//! reads all there is, as these may be objects that nobody outside knows.
//! Acquire, release and fences order everything that others may see; volatile accesses
//! are ordered among themselves.
//!
//! Does not try: what callees of this module do (see `effects`); distances by the ranges
//! of values; the `invariant` promise, which speaks of loads and not of stores.

mod location;
mod overlap;
mod reach;

use brolga_ir::body::Body;
use brolga_ir::entity::{
    AliasClass, DataId, EntityRef, Inst, PackedOption, Scope, SecondaryMap, Value, dense_map,
};
use brolga_ir::flow::FlowGraph;
use brolga_ir::module::{Content, Linkage, Module};
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Scalar;

use super::addresses::Base;
use super::escape::Escapes;

pub use location::{Location, Variable};
pub use overlap::Overlap;
pub use reach::Reach;

/// What is known of a data object that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct DataFacts {
    /// No other name stands for it.
    alone: bool,
    /// Nothing writes to it.
    constant: bool,
}

/// What instructions read, or what they write: most access nothing, and a reach takes a line
/// of the cache.
#[derive(Clone, PartialEq, Debug)]
struct Reaches {
    /// Which of `all` it is.
    of: SecondaryMap<Inst, u32>,
    /// That of nothing is the first.
    all: Vec<Reach>,
}

impl Reaches {
    fn of_nothing(body: &Body) -> Reaches {
        Reaches { of: dense_map(body.inst_count()), all: vec![Reach::Nothing] }
    }

    fn note(&mut self, inst: Inst, reach: Reach) {
        if !reach.is_nothing() {
            self.of[inst] = self.all.len() as u32;
            self.all.push(reach);
        }
    }

    fn of(&self, inst: Inst) -> &Reach {
        &self.all[self.of[inst] as usize]
    }
}

/// What the instructions of a body read and write.
#[derive(Clone, PartialEq, Debug)]
pub struct Accesses {
    escapes: Escapes,
    reads: Reaches,
    writes: Reaches,
    data: SecondaryMap<DataId, DataFacts>,
    /// The class above each that is named, and above those.
    parents: SecondaryMap<AliasClass, PackedOption<AliasClass>>,
    scopes: Vec<Box<[Scope]>>,
}

impl Accesses {
    /// Of all instructions of a body of that module.
    pub fn new(body: &Body, graph: &FlowGraph, module: &Module) -> Accesses {
        let mut accesses = Accesses {
            escapes: Escapes::new(body),
            reads: Reaches::of_nothing(body),
            writes: Reaches::of_nothing(body),
            data: SecondaryMap::new(),
            parents: SecondaryMap::new(),
            scopes: body.scope_sets().map(|(_, scopes)| scopes.into()).collect(),
        };
        let places = location::Places::new(body, graph);
        let insts = || body.layout.all_insts();
        let followed = followed(body);
        let telling = Effects::READ | Effects::WRITE | Effects::SAFEPOINT;
        for inst in insts() {
            let effects = body.inst(inst).op.info().effects;
            if effects.intersects(telling) {
                let (mut reads, writes) = match effects.intersects(Effects::READ | Effects::WRITE) {
                    true => reach::of(body, module, &accesses.escapes, &places, inst),
                    false => (Reach::Nothing, Reach::Nothing),
                };
                if effects.contains(Effects::SAFEPOINT)
                    && (reads.is_nothing() || followed == Reach::Everything)
                {
                    reads = followed.clone();
                }
                accesses.note(module, &reads);
                accesses.note(module, &writes);
                accesses.reads.note(inst, reads);
                accesses.writes.note(inst, writes);
            }
        }
        accesses
    }

    /// Keeps what comparing a location needs of the module.
    fn note(&mut self, module: &Module, reach: &Reach) {
        for location in reach.locations() {
            if let Base::Data(id) = location.base
                && let Some(data) = module.data(id)
            {
                let alone = matches!(data.linkage, Linkage::Export | Linkage::Local);
                let constant = data.content == Content::Constant;
                self.data[id] = DataFacts { alone, constant };
            }
            let mut class = location.class;
            while let Some(below) = class.expand().filter(|&below| self.parents[below].is_none()) {
                let above = module.class(below).and_then(|data| data.parent.expand());
                // A parent behind its part is a breach that the verifier reports.
                class = above.filter(|&above| above < below).into();
                self.parents[below] = class;
            }
        }
    }

    /// What `inst` may read.
    pub fn reads(&self, inst: Inst) -> &Reach {
        self.reads.of(inst)
    }

    /// What `inst` may write.
    pub fn writes(&self, inst: Inst) -> &Reach {
        self.writes.of(inst)
    }

    /// The place of which `inst` writes every byte whenever execution gets past it.
    pub fn overwrites(&self, body: &Body, inst: Inst) -> Option<&Location> {
        let data = body.inst(inst);
        let is_whole = match data.op {
            Op::Store | Op::SlotStore | Op::DataStore | Op::AtomicStore => !data.ty.is_aggregate(),
            Op::MemFill | Op::MemCopy | Op::SlotStart | Op::SlotEnd => true,
            _ => false,
        };
        self.writes.of(inst).location().filter(|location| is_whole && location.size.is_some())
    }

    /// Which addresses get out.
    pub fn escapes(&self) -> &Escapes {
        &self.escapes
    }

    /// Whether `inst` may read a byte of the location.
    pub fn may_read(&self, inst: Inst, location: &Location) -> bool {
        self.reaches(self.reads.of(inst), location)
    }

    /// Whether `inst` may write a byte of the location.
    pub fn may_write(&self, inst: Inst, location: &Location) -> bool {
        self.reaches(self.writes.of(inst), location) && !self.is_constant(location.base)
    }

    /// Whether two instructions may touch the same byte, whether they read or write.
    pub fn may_alias(&self, one: Inst, other: Inst) -> bool {
        let both = |inst: Inst| [self.reads.of(inst), self.writes.of(inst)];
        both(one).iter().any(|a| both(other).iter().any(|b| self.meet(a, b)))
    }

    /// Whether the order of two instructions matters to memory: one writes what the
    /// other may read or write.
    pub fn conflict(&self, one: Inst, other: Inst) -> bool {
        let [reads, writes] = [&self.reads, &self.writes];
        self.meet(writes.of(one), writes.of(other))
            || self.meet(writes.of(one), reads.of(other))
            || self.meet(reads.of(one), writes.of(other))
    }

    /// Whether nothing writes to the object.
    pub fn is_constant(&self, base: Base) -> bool {
        matches!(base, Base::Data(data) if self.data[data].constant)
    }

    /// Whether no other thread writes to the object while the function runs: what is read of it
    /// may be read again.
    pub fn is_steady(&self, base: Base) -> bool {
        self.escapes.is_private(base) || self.is_constant(base)
    }

    fn reaches(&self, reach: &Reach, location: &Location) -> bool {
        match reach {
            Reach::Nothing => false,
            Reach::One(own) => self.overlap(own, location) != Overlap::Never,
            Reach::Two(both) => {
                both.iter().any(|own| self.overlap(own, location) != Overlap::Never)
            }
            Reach::Shared => !self.escapes.is_private(location.base),
            Reach::Everything => true,
        }
    }

    fn meet(&self, one: &Reach, other: &Reach) -> bool {
        match (one, other) {
            (Reach::Nothing, _) | (_, Reach::Nothing) => false,
            (Reach::Shared | Reach::Everything, Reach::Shared | Reach::Everything) => true,
            (Reach::One(_) | Reach::Two(_), reach) => {
                one.locations().any(|location| self.reaches(reach, location))
            }
            (reach, _) => other.locations().any(|location| self.reaches(reach, location)),
        }
    }
}

/// What the collector looks at when a function has come to a safepoint, as far as that
/// function knows of it.
fn followed(body: &Body) -> Reach {
    let keeps = |inst: Inst| {
        let data = body.inst(inst);
        data.op == Op::PreserveBegin || data.roots() > 0
    };
    let is_managed = |index: usize| {
        let lane = body.value_type(Value::new(index)).lane();
        lane.is_some_and(Scalar::is_managed)
    };
    let insts = || body.layout.all_insts();
    match () {
        () if !(0..body.value_count()).any(is_managed) => Reach::Nothing,
        () if insts().any(keeps) => Reach::Everything,
        () => Reach::Shared,
    }
}

#[cfg(test)]
mod tests;
