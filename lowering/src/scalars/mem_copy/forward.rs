//! Where the bytes come from that a copy or load reads.

use std::cell::OnceCell;
use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, Initial, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Slot, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::{Scalar, Type};

use super::readers::Readers;
use crate::analysis::Accesses;
use crate::analysis::access::{Location, Overlap, Variable};
use crate::analysis::addresses::Base;
use crate::analysis::memory_ssa::{MemorySsa, Origin, Version, Walker};
use crate::pass::{PassContext, constant_of, effects_of};

/// What was done with an instruction.
pub(super) enum Step {
    /// Nothing.
    Nothing,
    /// It reads what a copy has read.
    Copied,
    /// The copy is a fill.
    Filled,
    /// The copy changes nothing.
    Useless,
    /// The load gives this.
    Constant(Value),
}

/// How many instructions are looked at between a copy and what reads what it has copied.
const MOST_BETWEEN: usize = 64;

/// What a copy reads.
#[derive(Clone, Copy, Debug)]
struct Source {
    address: Value,
    /// The bytes behind the address.
    offset: i64,
    place: Location,
    align_log2: u8,
}

/// Where bytes come from that were copied.
#[derive(Clone, Copy, Debug)]
struct Copied {
    by: Inst,
    from: Source,
}

/// Memory as it was before the pass, which leaves the contents as they are.
pub(super) struct Forwarding {
    graph: Rc<FlowGraph>,
    dominators: Rc<Dominators>,
    accesses: Rc<Accesses>,
    ssa: Rc<MemorySsa>,
    /// What copies read that were changed.
    sources: SecondaryMap<Inst, Option<Source>>,
    readers: OnceCell<Readers>,
    /// The zero of a byte.
    zero: Option<Value>,
    /// Whether there may be objects that a collector moves or frees.
    is_managed: bool,
}

impl Forwarding {
    pub(super) fn new(body: &mut Body, context: &mut PassContext<'_>) -> Forwarding {
        let zero = Constant::zero(Type::I8).map(|zero| body.constant(zero));
        Forwarding {
            zero,
            graph: context.analyses.flow(body),
            dominators: context.analyses.dominators(body),
            accesses: context.analyses.accesses(body, context.module),
            ssa: context.analyses.memory_ssa(body, context.module),
            sources: SecondaryMap::new(),
            readers: OnceCell::new(),
            is_managed: body.values().any(|(ty, _)| ty.lane().is_some_and(Scalar::is_managed)),
        }
    }

    /// The blocks, each behind those that dominate it.
    pub(super) fn blocks(&self) -> Vec<Block> {
        self.graph.reverse_postorder().collect()
    }

    /// Looks at an instruction, and lets it read where the bytes come from.
    pub(super) fn step(&mut self, body: &mut Body, module: &Module, inst: Inst) -> Step {
        match body.inst(inst).op {
            _ if is_volatile(body, inst) => Step::Nothing,
            Op::MemCopy => self.copy(body, inst),
            Op::Load | Op::SlotLoad if !traps(module, body, inst) => self.load(body, module, inst),
            _ => Step::Nothing,
        }
    }

    fn clobber(&self, body: &Body, inst: Inst, location: &Location) -> Option<Version> {
        let walker = Walker::new(body, &self.dominators, &self.accesses, &self.ssa, Walker::BOUND);
        Some(walker.clobber(self.ssa.found(inst)?, location))
    }

    /// What `copy` reads, and is known to be an address that can be computed with.
    fn source(&self, body: &Body, copy: Inst) -> Option<Source> {
        if let Some(source) = self.sources[copy] {
            return Some(source);
        }
        let &[to, address, _] = body.args(copy) else { return None };
        let access = *body.inst(copy).access()?;
        let is_plain = [to, address].iter().all(|&at| body.value_type(at) == Type::PTR);
        let place = *self.accesses.reads(copy).location()?;
        let align_log2 = access.align_log2;
        let found = Source { address, offset: 0, place, align_log2 };
        (is_plain && access.offset == 0 && place.size.is_some()).then_some(found)
    }

    /// Where the bytes of `place` come from that `reader` finds in it: those of a copy
    /// whose source holds them still.
    fn copied_from(
        &self,
        body: &Body,
        reader: Inst,
        place: &Location,
        version: Version,
    ) -> Option<Copied> {
        let Origin::Write(copy) = self.ssa.origin(version) else { return None };
        if body.inst(copy).op != Op::MemCopy || is_volatile(body, copy) {
            return None;
        }
        let written = self.accesses.writes(copy).location()?;
        let distance = written.distance(place).filter(|_| written.covers(place))?;
        let source = self.source(body, copy)?;
        let start = u64::try_from(distance).ok()?;
        let read = source.place.part(start, start + place.size?);
        if self.clobber(body, reader, &read) != self.clobber(body, copy, &read) {
            return None;
        }
        let align_log2 = source.align_log2.min(start.trailing_zeros() as u8);
        let offset = source.offset.wrapping_add(distance);
        let found = Source { offset, place: read, align_log2, ..source };
        self.lasts(body, &found, copy, reader).then_some(Copied { by: copy, from: found })
    }

    /// Whether `reader` may read what was copied to `place` where that was read: if another thread
    /// may store there, this must be the only one who reads it, once.
    fn may_read_again(&self, body: &Body, it: &Copied, place: &Location, reader: Inst) -> bool {
        let is_once = || {
            let readers = self.readers.get_or_init(|| Readers::of(body, &self.accesses));
            let is_beside = body.layout.block_of(it.by) == body.layout.block_of(reader);
            is_beside && readers.is_only(&self.accesses, reader, place)
        };
        self.accesses.is_steady(it.from.place.base) || is_once()
    }

    /// Whether what a copy has read is there when `reader` reads. A plain address may be that of
    /// a managed object, which need not outlive the next safepoint, or the region that kept it
    /// alive for the copy.
    fn lasts(&self, body: &Body, source: &Source, copy: Inst, reader: Inst) -> bool {
        if !self.is_managed || matches!(source.place.base, Base::Slot(_) | Base::Data(_)) {
            return true;
        }
        let after = std::iter::successors(Some(copy), |&inst| body.layout.next_inst(inst));
        let mut between = after.skip(1).take(MOST_BETWEEN);
        let ends = |inst: Inst| {
            let op = body.inst(inst).op;
            op == Op::PreserveEnd || op.info().effects.contains(Effects::SAFEPOINT)
        };
        between.find(|&inst| inst == reader || ends(inst)) == Some(reader)
    }

    /// The byte that all bytes of `place` are in that version of memory, if it is known.
    fn filled_with(&self, body: &Body, place: &Location, version: Version) -> Option<Value> {
        let zeroed = |slot| body.slot(slot).is_some_and(|data| data.initial == Initial::Zeroed);
        let write = match (self.ssa.origin(version), place.base) {
            (Origin::Entry, Base::Slot(slot)) if zeroed(slot) => return self.zero,
            (Origin::Write(write), _) => write,
            _ => return None,
        };
        if is_volatile(body, write) || !self.accesses.overwrites(body, write)?.covers(place) {
            return None;
        }
        match (body.inst(write).op, body.inst(write).payload) {
            (Op::MemFill, _) => body.args(write).get(1).copied(),
            (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) if zeroed(slot) => self.zero,
            _ => None,
        }
    }

    fn copy(&mut self, body: &mut Body, copy: Inst) -> Step {
        let Some(source) = self.source(body, copy) else { return Step::Nothing };
        let Some(written) = self.accesses.writes(copy).location().copied() else {
            return Step::Nothing;
        };
        if source.place.size == Some(0)
            || self.accesses.overlap(&source.place, &written) == Overlap::Same
        {
            return Step::Useless;
        }
        let Some(version) = self.clobber(body, copy, &source.place) else { return Step::Nothing };
        if let Some(byte) = self.filled_with(body, &source.place, version) {
            fill(body, copy, byte);
            return Step::Filled;
        }
        let Some(further) = self.copied_from(body, copy, &source.place, version) else {
            return Step::Nothing;
        };
        if self.accesses.overlap(&further.from.place, &written) == Overlap::Same {
            return Step::Useless;
        }
        if !self.may_read_again(body, &further, &source.place, copy) {
            return Step::Nothing;
        }
        self.read_elsewhere(body, copy, further.from);
        Step::Copied
    }

    /// Lets a copy read from another place.
    fn read_elsewhere(&mut self, body: &mut Body, copy: Inst, source: Source) {
        let address = at(body, copy, source.address, source.offset);
        let &[to, _, length] = body.args(copy) else { return };
        let args = body.list(&[to, address, length]);
        body.inst_mut(copy).args = args;
        if let Some(access) = body.inst_mut(copy).access_mut() {
            let align_log2 = access.align_log2.min(source.align_log2);
            // What it promised of the bytes that it read, it says of others now.
            *access = Access { align_log2, flags: access.flags, ..Access::default() };
        }
        self.sources[copy] = Some(source);
    }

    fn load(&mut self, body: &mut Body, module: &Module, load: Inst) -> Step {
        let Some(&place) = self.accesses.reads(load).location() else { return Step::Nothing };
        let Some(version) = self.clobber(body, load, &place) else { return Step::Nothing };
        if let Some(constant) = self.constant(body, module, load, &place, version) {
            return Step::Constant(constant);
        }
        if !self.accesses.escapes().is_private(place.base) {
            return Step::Nothing;
        }
        if self.load_at_index(body, load, &place, version).is_some() {
            return Step::Copied;
        }
        let copied = self.copied_from(body, load, &place, version);
        let copied = copied.filter(|it| self.may_read_again(body, it, &place, load));
        match copied.and_then(|it| Some((it.from, i32::try_from(it.from.offset).ok()?))) {
            Some((source, offset)) => {
                read_from(body, load, source, offset);
                Step::Copied
            }
            None => Step::Nothing,
        }
    }

    /// Lets a load at an index of a slot that is not known read where all bytes of the slot
    /// come from.
    fn load_at_index(
        &self,
        body: &mut Body,
        load: Inst,
        place: &Location,
        version: Version,
    ) -> Option<()> {
        let Base::Slot(slot) = place.base else { return None };
        let index = index_into(body, slot, place.variable)?;
        let Origin::Write(copy) = self.ssa.origin(version) else { return None };
        let whole = *self.accesses.writes(copy).location()?;
        let size = u64::from(body.slot(slot)?.size);
        let is_whole = (whole.base, whole.variable) == (place.base, Variable::Start)
            && (whole.offset, whole.size) == (0, Some(size));
        let copied = self.copied_from(body, load, &whole, version).filter(|_| is_whole)?;
        let source = self.may_read_again(body, &copied, &whole, load).then_some(copied.from)?;
        let offset = i32::try_from(place.offset).ok()?;
        let start = at(body, load, source.address, source.offset);
        let address = behind(body, load, start, index);
        read_from(body, load, Source { address, align_log2: 0, ..source }, offset);
        Some(())
    }

    /// What a load gives of bytes that are all alike.
    fn constant(
        &self,
        body: &mut Body,
        module: &Module,
        load: Inst,
        place: &Location,
        version: Version,
    ) -> Option<Value> {
        let ty = body.inst(load).ty;
        let byte = self.filled_with(body, place, version)?;
        let byte = body.as_scalar_constant(byte)? as u8;
        let is_number = ty.lane().is_some_and(|lane| !lane.is_address()) || byte == 0;
        if ty.is_aggregate() || !is_number {
            return None;
        }
        let bytes = vec![byte; module.types.layout(ty).size as usize];
        let constant = constant_of(ty, &Datum::from_bytes(&module.types, ty, &bytes))?;
        Some(body.constant(constant))
    }
}

/// What is added to the start of a slot, if it is no constant.
fn index_into(body: &Body, slot: Slot, variable: Variable) -> Option<Value> {
    let address = match variable {
        Variable::Index(index) => return Some(index),
        Variable::Address(address) => address,
        Variable::Start | Variable::Anything => return None,
    };
    let made_by = |value: Value, op: Op| match body.value_def(value) {
        ValueDef::Result(inst, _) => Some(inst).filter(|&inst| body.inst(inst).op == op),
        _ => None,
    };
    let &[start, index] = body.args(made_by(address, Op::PtrAdd)?) else { return None };
    let start = made_by(start, Op::SlotAddr)?;
    (body.inst(start).payload == Payload::Slot(slot)).then_some(index)
}

fn traps(module: &Module, body: &Body, inst: Inst) -> bool {
    effects_of(module, body, inst).contains(Effects::TRAP)
}

fn is_volatile(body: &Body, inst: Inst) -> bool {
    let access = body.inst(inst).access();
    access.is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE))
}

/// Makes a fill of a copy.
fn fill(body: &mut Body, copy: Inst, byte: Value) {
    let &[to, _, length] = body.args(copy) else { return };
    let args = body.list(&[to, byte, length]);
    let data = body.inst_mut(copy);
    (data.op, data.args) = (Op::MemFill, args);
}

/// The address that many bytes behind another one, computed before `inst`.
pub(super) fn at(body: &mut Body, inst: Inst, address: Value, bytes: i64) -> Value {
    if bytes == 0 {
        return address;
    }
    let bits = u128::from(bytes as u64);
    let Some(bytes) = Constant::scalar(Type::I64, bits) else {
        return address;
    };
    let bytes = body.constant(bytes);
    behind(body, inst, address, bytes)
}

/// The same for a number of bytes that is computed.
fn behind(body: &mut Body, inst: Inst, address: Value, bytes: Value) -> Value {
    let args = body.list(&[address, bytes]);
    let loc = body.loc(inst);
    let data = InstData { loc, ..InstData::new(Op::PtrAdd, Type::NONE, args, Payload::None) };
    let added = body.insert_inst(inst, data, &[Type::PTR]);
    body.result(added).unwrap_or(address)
}

/// Lets a load read from another place, of which it promises nothing.
fn read_from(body: &mut Body, load: Inst, source: Source, offset: i32) {
    let args = body.list(&[source.address]);
    let access = Access { offset, align_log2: source.align_log2, ..Access::default() };
    let data = body.inst_mut(load);
    (data.op, data.args, data.payload) = (Op::Load, args, Payload::Access(access));
}
