//! Which stores put what is there already.

use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, Initial, ValueDef};
use brolga_ir::datum::Datum;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Op;

use crate::analysis::Accesses;
use crate::analysis::access::{Location, Overlap};
use crate::analysis::addresses::Base;
use crate::analysis::memory_ssa::{MemorySsa, Origin, Version, Walker};
use crate::pass::PassContext;
use crate::pass::bytes::holds_bytes;

/// What is known of memory.
pub(super) struct Memory<'a> {
    module: &'a Module,
    dominators: Rc<Dominators>,
    accesses: Rc<Accesses>,
    ssa: Rc<MemorySsa>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(body: &Body, context: &'a mut PassContext<'_>) -> Memory<'a> {
        let dominators = context.analyses.dominators(body);
        let accesses = context.analyses.accesses(body, context.module);
        let ssa = context.analyses.memory_ssa(body, context.module);
        Memory { module: context.module, dominators, accesses, ssa }
    }

    fn clobber(&self, body: &Body, inst: Inst, location: &Location) -> Option<Version> {
        let (accesses, ssa) = (&self.accesses, &self.ssa);
        let walker = Walker::new(body, &self.dominators, accesses, ssa, Walker::BOUND);
        Some(walker.clobber(ssa.found(inst)?, location))
    }

    /// Whether the place that `store` writes holds what it puts there.
    pub(super) fn holds_already(&self, body: &Body, store: Inst) -> bool {
        let Some(location) = self.accesses.overwrites(body, store) else { return false };
        match self.clobber(body, store, location) {
            Some(version) => {
                self.was_loaded(body, store, location, version)
                    || self.was_stored(body, store, location, version)
            }
            None => false,
        }
    }

    /// Whether the value was loaded from the place, in the same state of it.
    fn was_loaded(&self, body: &Body, store: Inst, location: &Location, version: Version) -> bool {
        let Some(value) = stored_value(body, store) else { return false };
        let ValueDef::Result(load, 0) = body.value_def(value) else { return false };
        let data = body.inst(load);
        let is_volatile =
            data.access().is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE));
        let is_load = matches!(data.op, Op::Load | Op::SlotLoad | Op::DataLoad) && !is_volatile;
        let Some(read) = self.accesses.reads(load).location() else { return false };
        is_load
            && holds_bytes(data.ty)
            && self.accesses.overlap(read, location) == Overlap::Same
            && self.clobber(body, load, read) == Some(version)
    }

    /// Whether what last wrote to the place has put the same bytes there.
    fn was_stored(&self, body: &Body, store: Inst, location: &Location, version: Version) -> bool {
        let write = match self.ssa.origin(version) {
            Origin::Entry => {
                return self.is_fresh_slot(body, location) && self.byte(body, store) == Some(0);
            }
            Origin::Write(write) => write,
            Origin::Meeting(_) => return false,
        };
        let Some(written) = self.accesses.overwrites(body, write) else { return false };
        let is_same_value = stored_value(body, write).is_some_and(|value| {
            stored_value(body, store) == Some(value)
                && self.accesses.overlap(written, location) == Overlap::Same
        });
        let byte = self.byte(body, store);
        is_same_value
            || (byte.is_some() && byte == self.byte(body, write) && written.covers(location))
    }

    /// Whether nothing but zeros is in the place when the function begins.
    fn is_fresh_slot(&self, body: &Body, location: &Location) -> bool {
        let Base::Slot(slot) = location.base else { return false };
        body.slot(slot).is_some_and(|slot| slot.initial == Initial::Zeroed)
    }

    /// The byte that all bytes are which an instruction writes, if they are known and equal.
    fn byte(&self, body: &Body, write: Inst) -> Option<u8> {
        let args = body.args(write);
        match (body.inst(write).op, body.inst(write).payload) {
            // Nobody may look at a slot that is not zeroed before something else is stored.
            (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) => {
                body.slot(slot).filter(|slot| slot.initial == Initial::Zeroed).map(|_| 0)
            }
            (Op::MemFill, _) => Some(body.as_scalar_constant(*args.get(1)?)? as u8),
            _ => {
                let constant = body.as_constant(stored_value(body, write)?)?;
                let types = &self.module.types;
                let ty = constant.ty();
                let mut bytes = vec![0; types.layout(ty).size as usize];
                Datum::from_constant(types, constant).write_bytes(types, ty, &mut bytes);
                let first = *bytes.first()?;
                bytes.iter().all(|&byte| byte == first).then_some(first)
            }
        }
    }
}

/// The value that a store puts into memory as it is.
fn stored_value(body: &Body, store: Inst) -> Option<Value> {
    let is_store =
        matches!(body.inst(store).op, Op::Store | Op::SlotStore | Op::DataStore | Op::AtomicStore);
    body.args(store).first().copied().filter(|_| is_store)
}
