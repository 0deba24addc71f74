//! Numbers of loads.

use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::Walk;
use super::carried::Carried;
use crate::analysis::Accesses;
use crate::analysis::access::{Location, Overlap, Variable};
use crate::analysis::addresses::Base;
use crate::analysis::memory_ssa::{MemorySsa, Origin, Version, Walker};
use crate::pass::{Expression, PassContext};

/// What is loaded, in a state of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    loaded: Loaded,
    version: Version,
}

/// A type, and where it is loaded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Loaded {
    At(Expression),
    /// Behind the start of an object and a number of bytes.
    In(Type, Base, Option<Value>, i64),
}

/// What is known of memory.
pub(super) struct Memory {
    dominators: Rc<Dominators>,
    pub(super) accesses: Rc<Accesses>,
    pub(super) ssa: Rc<MemorySsa>,
}

impl Memory {
    /// Of a body that loads something; nobody else asks.
    pub(super) fn new(body: &Body, context: &mut PassContext<'_>) -> Option<Rc<Memory>> {
        if !body.layout.all_insts().any(|inst| is_load(body, inst)) {
            return None;
        }
        let memory = Memory {
            dominators: context.analyses.dominators(body),
            accesses: context.analyses.accesses(body, context.module),
            ssa: context.analyses.memory_ssa(body, context.module),
        };
        Some(Rc::new(memory))
    }

    /// The version that last changed a place, seen from another one.
    pub(super) fn clobber(&self, body: &Body, from: Version, location: &Location) -> Version {
        let walker = Walker::new(body, &self.dominators, &self.accesses, &self.ssa, Walker::BOUND);
        walker.clobber(from, location)
    }

    /// What a version holds at a place, if the instruction that made it has stored that.
    pub(super) fn stored(
        &self,
        body: &Body,
        version: Version,
        location: &Location,
        ty: Type,
    ) -> Option<Value> {
        let Origin::Write(store) = self.ssa.origin(version) else { return None };
        let is_store = matches!(body.inst(store).op, Op::Store | Op::SlotStore | Op::DataStore);
        let written = self.accesses.overwrites(body, store)?;
        let is_same = self.accesses.overlap(written, location) == Overlap::Same;
        let &value = body.args(store).first()?;
        (is_store && is_same && body.inst(store).ty == ty).then_some(value)
    }
}

/// Whether an instruction loads, and does nothing else but trap.
pub(super) fn is_load(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let access = data.access();
    let is_volatile = access.is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE));
    matches!(data.op, Op::Load | Op::SlotLoad | Op::DataLoad)
        && !is_volatile
        && !data.ty.is_aggregate()
}

impl Walk {
    /// The key of a place.
    pub(super) fn place(
        &mut self,
        ty: Type,
        location: &Location,
        version: Version,
    ) -> Option<Place> {
        let offset = location.offset;
        let loaded = match location.variable {
            Variable::Address(value) => {
                Loaded::At(Expression::load(ty, self.renames.resolve(value), offset))
            }
            Variable::Start => Loaded::In(ty, location.base, None, offset),
            Variable::Index(value) => {
                Loaded::In(ty, location.base, Some(self.renames.resolve(value)), offset)
            }
            Variable::Anything => return None,
        };
        Some(Place { loaded, version })
    }

    /// What a place holds at the end of `block`, or where the walk is in it.
    pub(super) fn known_at(
        &mut self,
        body: &Body,
        block: Block,
        (ty, location, version): (Type, &Location, Version),
    ) -> Option<Value> {
        if let Some(value) = self.memory.as_ref()?.stored(body, version, location, ty) {
            return Some(self.renames.resolve(value));
        }
        let place = self.place(ty, location, version)?;
        let values = self.places.find(&place, block, &self.dominators)?;
        values.first().copied()
    }

    /// Removes a load of what is known, or notes what it gives.
    pub(super) fn load(&mut self, body: &mut Body, block: Block, load: Inst) {
        let Some(memory) = self.memory.clone() else { return };
        let Some(&location) = memory.accesses.reads(load).location() else { return };
        let Some(found) = memory.ssa.found(load) else { return };
        let ty = body.inst(load).ty;
        let version = memory.clobber(body, found, &location);
        if let Some(value) = memory.stored(body, version, &location, ty) {
            let value = self.renames.resolve(value);
            self.counts.stored += 1;
            return self.replace(body, load, &[value]);
        }
        let Some(place) = self.place(ty, &location, version) else { return };
        if let Some(values) = self.places.find(&place, block, &self.dominators) {
            self.counts.loads += 1;
            return self.replace(body, load, &values);
        }
        if let Origin::Meeting(header) = memory.ssa.origin(version) {
            let is_certain = self.is_certain && self.since == Some(header);
            if is_certain
                && header == block
                && let Some(value) = self.merged_load(body, block, load, &location)
            {
                self.counts.merged_loads += 1;
                self.places.insert(place, block, &[value]);
                return self.replace(body, load, &[value]);
            }
            self.carried.push(Carried { load, header, is_certain });
        }
        self.note_choosing(body, (load, version));
        let values = body.results(load).to_vec();
        self.places.insert(place, block, &values);
    }
}
