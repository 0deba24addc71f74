//! Loads in a loop of what the round before has stored at another address.
//!
//! The address of such a load is computed from parameters of the loop's header. With what
//! an edge gives for these it is another address, whose parts the code around the edge has
//! mostly computed too: they are looked up, op by op. Or it is this round's address and a
//! constant more, where the parameter goes up by a constant. If the round ends with a store
//! of the whole place as the last one that touches it, what was stored comes along in a
//! parameter (the loop-carried part of Callahan, Carr and Kennedy, "Improving register
//! allocation for subscripted variables", 1990). What loads alone know of the place is not
//! carried: rounds that only read stay independent of each other, for vectors.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::Walk;
use crate::analysis::access::{Location, Variable};
use crate::analysis::addresses::Base;
use crate::analysis::memory_ssa::{Origin, Version};

/// How many ops deep an address is followed to parameters.
const MOST_DEEP: u32 = 4;

/// A load that finds memory as it was where `header` began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) load: Inst,
    pub(super) header: Block,
    /// Whether a round comes to the load before anything that leaves.
    pub(super) is_certain: bool,
}

/// An edge to a header, and what is taken on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) edge: Edge,
    pub(super) from: Block,
    /// A condition, and the operand that selects by it are taken to give.
    pub(super) arm: Option<(Value, usize)>,
}

impl Way {
    pub(super) fn along((edge, from): (Edge, Block)) -> Way {
        Way { edge, from, arm: None }
    }
}

/// A number of bytes, or of things, if it is constant.
fn word(body: &Body, value: Value) -> Option<i64> {
    body.as_scalar_constant(value).map(|number| number as u64 as i64)
}

impl Walk {
    /// Lets parameters stand for loads of what the rounds before have stored.
    pub(super) fn carry_loads(&mut self, body: &mut Body) {
        for carried in std::mem::take(&mut self.carried) {
            if let Some(value) = self.carry_load(body, carried) {
                self.counts.carried_loads += 1;
                self.replace(body, carried.load, &[value]);
            }
        }
    }

    fn carry_load(&mut self, body: &mut Body, carried: Carried) -> Option<Value> {
        let Carried { load, header, .. } = carried;
        let location = self.steady_object(body, carried)?;
        let (back, entering) = self.back_and_entering(body, header)?;
        if back.is_empty() {
            return None;
        }
        let ty = body.inst(load).ty;
        let mut values: SmallVec<[(Edge, Value); 4]> = SmallVec::new();
        for &(edge, from) in &back {
            let way = Way::along((edge, from));
            values.push((edge, self.stored_in_round(body, way, ty, &location)?));
        }
        for &entry in &entering {
            values.push((entry.0, self.loaded_on_entry(body, carried, Way::along(entry))?));
        }
        let param = body.append_param(header, ty);
        for (edge, value) in values {
            body.push_target_arg(edge.inst, edge.index as usize, value);
        }
        Some(param)
    }

    /// Where a load reads, if that is in the same object in all rounds.
    pub(super) fn steady_object(&self, body: &Body, carried: Carried) -> Option<Location> {
        let location = *self.memory.as_ref()?.accesses.reads(carried.load).location()?;
        match location.base {
            Base::Fresh(object) if !self.is_above(body, object, carried.header) => None,
            _ => Some(location),
        }
    }

    /// What a load gives in the first round: known, or loaded before the loop.
    pub(super) fn loaded_on_entry(
        &mut self,
        body: &mut Body,
        carried: Carried,
        way: Way,
    ) -> Option<Value> {
        let location = *self.memory.as_ref()?.accesses.reads(carried.load).location()?;
        let ty = body.inst(carried.load).ty;
        match self.known_before(body, way, ty, &location) {
            None if carried.is_certain => self.load_on_entry(body, carried.load, way),
            known => known,
        }
    }

    /// What a round stores last, where the next one loads.
    fn stored_in_round(
        &mut self,
        body: &mut Body,
        way: Way,
        ty: Type,
        location: &Location,
    ) -> Option<Value> {
        let named = self.on_edge(body, location, way);
        let shifted = self.rounds_on(body, location, way);
        let memory = self.memory.clone()?;
        let end = memory.ssa.at_end(way.from)?;
        named.into_iter().chain(shifted).find_map(|location| {
            let version = memory.clobber(body, end, &location);
            self.stored_at(body, version, ty, &location)
        })
    }

    /// What is known of a place where an edge leaves, as the loop behind it names it.
    pub(super) fn known_before(
        &mut self,
        body: &mut Body,
        way: Way,
        ty: Type,
        location: &Location,
    ) -> Option<Value> {
        let location = self.on_edge(body, location, way)?;
        let memory = self.memory.clone()?;
        let end = memory.ssa.at_end(way.from)?;
        let version = memory.clobber(body, end, &location);
        self.stored_at(body, version, ty, &location)
            .or_else(|| self.known_at(body, way.from, (ty, &location, version)))
    }

    /// What the store that made a version has stored at a place, by the names that values
    /// have by now.
    fn stored_at(
        &mut self,
        body: &Body,
        version: Version,
        ty: Type,
        location: &Location,
    ) -> Option<Value> {
        let memory = self.memory.as_ref()?;
        let Origin::Write(store) = memory.ssa.origin(version) else { return None };
        let data = body.inst(store);
        let written = *memory.accesses.overwrites(body, store)?;
        let is_store = matches!(data.op, Op::Store | Op::SlotStore | Op::DataStore);
        if !is_store || data.ty != ty || written.size != location.size {
            return None;
        }
        let wanted = self.place(ty, location, version)?;
        let is_same = self.place(ty, &written, version)? == wanted;
        let &value = body.args(store).first().filter(|_| is_same)?;
        Some(self.renames.resolve(value))
    }

    /// The place behind an edge, by what that gives for the parameters.
    fn on_edge(&mut self, body: &mut Body, location: &Location, way: Way) -> Option<Location> {
        let moved = |variable, added: i64| {
            let offset = location.offset.wrapping_add(added);
            Some(Location { variable, offset, ..*location })
        };
        match location.variable {
            Variable::Start => Some(*location),
            Variable::Index(value) => {
                let value = self.translated(body, value, way, MOST_DEEP)?;
                match word(body, value) {
                    Some(index) => moved(Variable::Start, index),
                    None => moved(Variable::Index(value), 0),
                }
            }
            Variable::Address(value) => {
                let (value, added) = self.address_on_edge(body, value, way)?;
                let (variable, inside) = self.taken_apart(body, value);
                moved(variable, added.wrapping_add(inside))
            }
            Variable::Anything => None,
        }
    }

    /// An address behind an edge, as one that is there and a constant.
    fn address_on_edge(
        &mut self,
        body: &mut Body,
        address: Value,
        way: Way,
    ) -> Option<(Value, i64)> {
        let address = self.renames.resolve(address);
        if let ValueDef::Result(inst, _) = body.value_def(address)
            && body.inst(inst).op == Op::PtrAdd
            && let &[base, added] = body.args(inst)
            && let Some(added) = self.translated(body, added, way, MOST_DEEP)
            && let Some(added) = word(body, added)
        {
            return Some((self.translated(body, base, way, MOST_DEEP)?, added));
        }
        Some((self.translated(body, address, way, MOST_DEEP)?, 0))
    }

    /// An address as the accesses know it.
    fn taken_apart(&mut self, body: &Body, mut address: Value) -> (Variable, i64) {
        let mut offset = 0_i64;
        loop {
            address = self.renames.resolve(address);
            let ValueDef::Result(inst, _) = body.value_def(address) else { break };
            match (body.inst(inst).op, body.args(inst)) {
                (Op::SlotAddr | Op::DataAddr, _) => return (Variable::Start, offset),
                (Op::PtrAdd, &[base, added]) if let Some(added) = word(body, added) => {
                    offset = offset.wrapping_add(added);
                    address = base;
                }
                _ => break,
            }
        }
        (Variable::Address(address), offset)
    }

    /// The same place one round on, as this round's address and a constant.
    fn rounds_on(
        &mut self,
        body: &Body,
        location: &Location,
        Way { edge, from, .. }: Way,
    ) -> Option<Location> {
        let (Variable::Address(value) | Variable::Index(value)) = location.variable else {
            return None;
        };
        let home = body.defining_block(value)?;
        let step = self.step(body, value, edge, MOST_DEEP)?;
        let is_there = self.dominators.dominates(home, from);
        let offset = location.offset.wrapping_add(step);
        is_there.then_some(Location { offset, ..*location })
    }

    /// How much more a value is behind an edge, modulo 2^64.
    fn step(&mut self, body: &Body, value: Value, edge: Edge, deep: u32) -> Option<i64> {
        let header = body.targets(edge.inst).get(edge.index as usize)?.block;
        if body.value_type(value).as_scalar()?.bits() != 64 {
            return None;
        }
        let value = self.renames.resolve(value);
        match body.value_def(value) {
            ValueDef::Param(block, index) if block == header => {
                let given = edge.arg(body, index as usize)?;
                self.added(body, value, given)
            }
            ValueDef::Result(inst, _) if deep > 0 && !self.is_above(body, value, header) => {
                let &[x, y] = body.args(inst) else { return None };
                match body.inst(inst).op {
                    Op::Add | Op::PtrAdd => {
                        let x = self.step(body, x, edge, deep - 1)?;
                        Some(x.wrapping_add(self.step(body, y, edge, deep - 1)?))
                    }
                    Op::Mul => {
                        Some(self.step(body, x, edge, deep - 1)?.wrapping_mul(word(body, y)?))
                    }
                    Op::Shl => {
                        let count =
                            u32::try_from(word(body, y)?).ok().filter(|&count| count < 64)?;
                        Some(self.step(body, x, edge, deep - 1)? << count)
                    }
                    _ => None,
                }
            }
            _ if self.is_above(body, value, header) => Some(0),
            _ => None,
        }
    }

    /// The constant that `given` is more than `param`.
    fn added(&mut self, body: &Body, param: Value, given: Value) -> Option<i64> {
        let given = self.renames.resolve(given);
        let ValueDef::Result(inst, _) = body.value_def(given) else { return None };
        let &[x, y] = body.args(inst) else { return None };
        let is_sum = matches!(body.inst(inst).op, Op::Add | Op::PtrAdd);
        let is_next = is_sum && self.renames.resolve(x) == param;
        word(body, y).filter(|_| is_next)
    }

    /// What `value` is behind an edge, if the code before the edge has computed that.
    fn translated(&mut self, body: &mut Body, value: Value, way: Way, deep: u32) -> Option<Value> {
        let edge = way.edge;
        let header = body.targets(edge.inst).get(edge.index as usize)?.block;
        let value = self.renames.resolve(value);
        if self.is_above(body, value, header) {
            return Some(value);
        }
        match body.value_def(value) {
            ValueDef::Param(block, index) if block == header => {
                let given = edge.arg(body, index as usize)?;
                Some(self.taken(body, given, way))
            }
            ValueDef::Result(inst, 0) if deep > 0 && self.is_address_op(body, inst) => {
                let args: SmallVec<[Value; 3]> = SmallVec::from_slice(body.args(inst));
                let args: Option<SmallVec<[Value; 3]>> =
                    args.into_iter().map(|arg| self.translated(body, arg, way, deep - 1)).collect();
                self.known_op(body, inst, &args?, way.from)
            }
            _ => None,
        }
    }

    /// What is given, on a way that takes one operand of selects.
    fn taken(&mut self, body: &Body, given: Value, way: Way) -> Value {
        let given = self.renames.resolve(given);
        if let Some((condition, operand)) = way.arm
            && let Some((by, operands)) = self.choice(body, given)
            && by == condition
        {
            return operands[operand];
        }
        given
    }

    /// Whether an address may be computed of other numbers before the loop, at no risk.
    fn is_address_op(&self, body: &Body, inst: Inst) -> bool {
        let data = body.inst(inst);
        data.op.info().effects == Effects::PURE && body.results(inst).len() == 1
    }

    /// Loads before the loop what its first round would load at once.
    fn load_on_entry(&mut self, body: &mut Body, load: Inst, way: Way) -> Option<Value> {
        let edge = way.edge;
        let data = *body.inst(load);
        let &[address] = body.args(load) else { return None };
        if data.op != Op::Load || body.inst(edge.inst).op != Op::Jump {
            return None;
        }
        let address = self.computed(body, address, way, MOST_DEEP)?;
        let args = body.list(&[address]);
        let loaded = InstData { args, payload: Payload::Access(*data.access()?), ..data };
        let inserted = body.insert_inst(edge.inst, loaded, &[data.ty]);
        self.counts.inserted += 1;
        body.result(inserted)
    }

    /// What `value` is behind an edge, computed before it where nobody has.
    fn computed(&mut self, body: &mut Body, value: Value, way: Way, deep: u32) -> Option<Value> {
        if let Some(known) = self.translated(body, value, way, deep) {
            return Some(known);
        }
        let value = self.renames.resolve(value);
        let ValueDef::Result(inst, 0) = body.value_def(value) else { return None };
        if deep == 0 || !self.is_address_op(body, inst) {
            return None;
        }
        let args: SmallVec<[Value; 3]> = SmallVec::from_slice(body.args(inst));
        let args: Option<SmallVec<[Value; 3]>> =
            args.into_iter().map(|arg| self.computed(body, arg, way, deep - 1)).collect();
        let (data, ty) = (*body.inst(inst), body.value_type(value));
        let args = body.list(&args?);
        let inserted = body.insert_inst(way.edge.inst, InstData { args, ..data }, &[ty]);
        body.result(inserted)
    }
}
