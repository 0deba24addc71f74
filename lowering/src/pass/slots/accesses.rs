//! What instructions do with slots.

use brolga_ir::attribute::{AccessFlags, IntCond};
use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, Inst, SecondaryMap, Slot, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Type, TypePool};
use smallvec::{SmallVec, smallvec};

use super::addresses::{Addresses, Place, Places};
use crate::pass::bytes::size_of;

/// Bytes of a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Range {
    /// So many bytes at a place.
    pub(super) fn at(place: Place, size: u32) -> Range {
        Range { start: place.offset, end: place.offset + size }
    }
}

/// What an instruction does at its places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// Reads a value.
    Load(Type),
    /// Puts its first operand.
    Store(Type),
    /// Sets so many bytes to its second operand.
    Fill(u32),
    /// Makes all bytes of the slot zero.
    Clear,
    /// Copies so many bytes, at its first operand or at a place of a slot, from
    /// its second operand or a place of another slot.
    Copy {
        /// Where to, if that is known to be a slot.
        to: Option<Place>,
        /// Where from, if that is known to be a slot.
        from: Option<Place>,
        /// How many.
        size: u32,
    },
    /// Gives what a compare of an address in a slot with null gives.
    CompareNull {
        /// Whether they are different.
        differ: u8,
    },
    /// Nothing that can be seen.
    Nothing,
}

/// An instruction that does something with slots, and that can go if they do.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) inst: Inst,
    pub(super) deed: Deed,
    /// Where: of a load or store one of these places, of anything else all.
    pub(super) places: Places,
    /// The address that says which of two places it is.
    pub(super) address: Option<Value>,
    /// Bytes of the value that is loaded or stored.
    pub(super) size: u32,
}

/// Whether a slot can be taken apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Stay {
    /// Wholly, as far as is known.
    #[default]
    No,
    /// Wholly, but something names it that reaches none of its bytes.
    Named,
    /// It stays as it is.
    Whole,
}

/// What is done with a slot.
#[derive(Clone, Debug, Default)]
pub(super) struct SlotFacts {
    pub(super) size: u32,
    pub(super) stay: Stay,
    /// Bytes that must stay in memory.
    pub(super) pins: Vec<Range>,
    /// What is loaded and stored, in the order of the blocks.
    pub(super) values: Vec<(Range, Type)>,
    /// The copies to or from it, by the index of their access.
    pub(super) copies: Vec<u32>,
    /// How many fills, clears and copies there are.
    pub(super) bulk: u32,
}

/// What is done with the slots of a body.
#[derive(Debug)]
pub(super) struct Uses {
    /// In the order of the blocks.
    pub(super) accesses: Vec<Access>,
    /// The access of an instruction, by its index.
    pub(super) of: SecondaryMap<Inst, Option<u32>>,
    pub(super) facts: SecondaryMap<Slot, SlotFacts>,
}

impl Uses {
    /// What is done with the slots of a body; those in `refused` stay.
    pub(super) fn new(
        body: &Body,
        types: &TypePool,
        addresses: &Addresses,
        refused: &EntitySet<Slot>,
    ) -> Uses {
        let uses =
            Uses { accesses: Vec::new(), of: SecondaryMap::new(), facts: SecondaryMap::new() };
        let mut search = Search { body, types, addresses, uses };
        for (slot, data) in body.slots() {
            let stay = if refused.contains(slot) { Stay::Whole } else { Stay::No };
            search.uses.facts[slot] = SlotFacts { size: data.size, stay, ..SlotFacts::default() };
        }
        for block in body.layout.blocks() {
            for inst in body.layout.insts(block) {
                search.visit(inst);
            }
        }
        search.uses
    }
}

struct Search<'a> {
    body: &'a Body,
    types: &'a TypePool,
    addresses: &'a Addresses,
    uses: Uses,
}

impl Search<'_> {
    fn visit(&mut self, inst: Inst) {
        let body = self.body;
        let data = body.inst(inst);
        match data.op {
            Op::SlotAddr => {}
            Op::SlotStart | Op::SlotEnd => self.clear(inst, data),
            Op::SlotLoad | Op::SlotStore => self.by_name(inst, data),
            Op::PtrAdd | Op::Select => self.step(inst),
            Op::Load | Op::Store => self.load_or_store(inst, data),
            Op::MemFill => self.fill(inst, data),
            Op::MemCopy => self.copy(inst, data),
            Op::MemCompare => self.compare(inst),
            Op::MemFind => self.find(inst),
            Op::Icmp => self.compare_addresses(inst, data),
            Op::Prefetch => {
                if self.addresses.places(body.args(inst)[0]).is_some() {
                    self.add(inst, Deed::Nothing, Places::new(), None);
                }
            }
            Op::MaskedLoad => self.in_memory(inst, data, 1),
            Op::MaskedStore => self.in_memory(inst, data, 2),
            Op::AtomicLoad | Op::AtomicRmw | Op::AtomicCas | Op::AtomicModify => {
                self.in_memory(inst, data, 0);
            }
            Op::AtomicStore => self.in_memory(inst, data, 1),
            _ => self.other(inst),
        }
    }

    fn add(&mut self, inst: Inst, deed: Deed, places: Places, address: Option<Value>) -> u32 {
        let index = self.uses.accesses.len() as u32;
        self.uses.accesses.push(Access { inst, deed, places, address, size: 0 });
        self.uses.of[inst] = Some(index);
        index
    }

    /// All that `value` leads to stays in memory.
    fn escape(&mut self, value: Value) {
        for place in self.addresses.places(value).into_iter().flatten() {
            self.uses.facts[place.slot].stay = Stay::Whole;
        }
    }

    fn pin(&mut self, place: Place, size: u32) {
        let facts = &mut self.uses.facts[place.slot];
        facts.pins.push(Range::at(place, size));
        // Even if it has no bytes, what pins them needs the address.
        facts.stay = facts.stay.max(Stay::Named);
    }

    /// What is behind a place stays in memory.
    fn pin_rest(&mut self, place: Place) {
        let size = self.uses.facts[place.slot].size;
        self.pin(place, size - place.offset);
    }

    /// The places that an access of `size` bytes reaches `offset` bytes behind
    /// `address`. Nothing if these are not known; what may be reached stays.
    fn reached(&mut self, address: Value, offset: i32, size: u64) -> Option<Places> {
        let mut places = self.addresses.places(address)?.clone();
        for place in &mut places {
            let moved = u32::try_from(i64::from(place.offset) + i64::from(offset)).ok();
            let room = u64::from(self.uses.facts[place.slot].size);
            let is_inside =
                |&moved: &u32| u64::from(moved).checked_add(size).is_some_and(|end| end <= room);
            match moved.filter(is_inside) {
                Some(moved) => place.offset = moved,
                None => {
                    self.escape(address);
                    return None;
                }
            }
        }
        Some(places)
    }

    /// The bytes that a constant says; none where it is no constant.
    fn count(&self, value: Value) -> Option<u64> {
        self.body.as_scalar_constant(value).map(|bits| bits as u64)
    }

    fn clear(&mut self, inst: Inst, data: &InstData) {
        if let Payload::Slot(slot) = data.payload {
            self.uses.facts[slot].bulk += 1;
            self.add(inst, Deed::Clear, smallvec![Place { slot, offset: 0 }], None);
        }
    }

    /// An access that names its slot and is checked against its bounds.
    fn by_name(&mut self, inst: Inst, data: &InstData) {
        let Payload::Slot(slot) = data.payload else { return };
        let is_store = data.op == Op::SlotStore;
        let offset = self.body.args(inst)[usize::from(is_store)];
        let (size, facts) = (size_of(self.types, data.ty), &mut self.uses.facts[slot]);
        let Some(offset) = self.body.as_scalar_constant(offset).map(|bits| bits as u64) else {
            facts.stay = Stay::Whole;
            return;
        };
        let end = offset.checked_add(size);
        if end.is_none_or(|end| end > u64::from(facts.size)) {
            // It traps and reaches nothing.
            facts.stay = facts.stay.max(Stay::Named);
            return;
        }
        let place = Place { slot, offset: offset as u32 };
        self.value(inst, data, smallvec![place], None);
        if is_store {
            self.escape(self.body.args(inst)[0]);
        }
    }

    /// A load or a store of a value at places that are inside of their slots.
    fn value(&mut self, inst: Inst, data: &InstData, places: Places, address: Option<Value>) {
        let size = size_of(self.types, data.ty) as u32;
        let is_volatile =
            data.access().is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE));
        let is_held = TypeClass::Memory.contains(data.ty) && size > 0;
        if is_volatile || !is_held {
            places.iter().for_each(|&place| self.pin(place, size));
            return;
        }
        for &place in &places {
            self.uses.facts[place.slot].values.push((Range::at(place, size), data.ty));
        }
        let deed = match data.op {
            Op::Load | Op::SlotLoad => Deed::Load(data.ty),
            _ => Deed::Store(data.ty),
        };
        let index = self.add(inst, deed, places, address);
        self.uses.accesses[index as usize].size = size;
    }

    /// An address made of others: what leads elsewhere as well is lost.
    fn step(&mut self, inst: Inst) {
        let result = self.body.result(inst);
        if result.is_none_or(|result| self.addresses.places(result).is_none()) {
            self.other(inst);
        }
    }

    fn load_or_store(&mut self, inst: Inst, data: &InstData) {
        let args = self.body.args(inst);
        let is_store = data.op == Op::Store;
        if is_store {
            self.escape(args[0]);
        }
        let address = args[usize::from(is_store)];
        let offset = data.access().map_or(0, |access| access.offset);
        let size = size_of(self.types, data.ty);
        if let Some(places) = self.reached(address, offset, size) {
            self.value(inst, data, places, Some(address));
        }
    }

    /// An access that needs memory, by the operand of that index.
    fn in_memory(&mut self, inst: Inst, data: &InstData, index: usize) {
        for (at, &arg) in self.body.args(inst).iter().enumerate() {
            if at != index {
                self.escape(arg);
            }
        }
        let offset = data.access().map_or(0, |access| access.offset);
        let size = size_of(self.types, data.ty);
        let address = self.body.args(inst)[index];
        for place in self.reached(address, offset, size).unwrap_or_default() {
            self.pin(place, size as u32);
        }
    }

    /// The places of an operand of an op on many bytes, if how many is known;
    /// if it is not, or none of them may be taken apart, these bytes stay.
    fn bulk(&mut self, inst: Inst, index: usize, size: Option<u64>) -> Option<Places> {
        let address = self.body.args(inst)[index];
        let Some(size) = size else {
            let places = self.addresses.places(address).cloned().unwrap_or_default();
            places.into_iter().for_each(|place| self.pin_rest(place));
            return None;
        };
        let places = self.reached(address, 0, size)?;
        let flags = self.body.inst(inst).access().map_or(AccessFlags::empty(), |it| it.flags);
        if places.len() == 1 && !flags.contains(AccessFlags::VOLATILE) {
            return Some(places);
        }
        places.iter().for_each(|&place| self.pin(place, size as u32));
        None
    }

    fn fill(&mut self, inst: Inst, _: &InstData) {
        let size = self.count(self.body.args(inst)[2]);
        let Some(places) = self.bulk(inst, 0, size) else { return };
        self.uses.facts[places[0].slot].bulk += 1;
        match size {
            Some(0) | None => self.add(inst, Deed::Nothing, Places::new(), None),
            Some(size) => self.add(inst, Deed::Fill(size as u32), places, None),
        };
    }

    fn copy(&mut self, inst: Inst, _: &InstData) {
        let args: SmallVec<[Value; 3]> = self.body.args(inst).into();
        let size = self.count(args[2]);
        let to = self.bulk(inst, 0, size).map(|places| places[0]);
        let from = self.bulk(inst, 1, size).map(|places| places[0]);
        let sides = [to, from];
        let Some(size) = size.filter(|_| to.is_some() || from.is_some()) else { return };
        let size = size as u32;
        let is_same = to.zip(from).is_some_and(|(to, from)| to.slot == from.slot);
        let is_plain = |value: Value| self.body.value_type(value) == Type::PTR;
        if is_same || !is_plain(args[0]) || !is_plain(args[1]) {
            sides.into_iter().flatten().for_each(|place| self.pin(place, size));
            return;
        }
        if size == 0 {
            self.add(inst, Deed::Nothing, Places::new(), None);
            return;
        }
        let places: Places = sides.into_iter().flatten().collect();
        let index = self.add(inst, Deed::Copy { to, from, size }, places.clone(), None);
        for place in places {
            let facts = &mut self.uses.facts[place.slot];
            facts.copies.push(index);
            facts.bulk += 1;
        }
    }

    fn compare(&mut self, inst: Inst) {
        let size = self.count(self.body.args(inst)[2]);
        for index in [0, 1] {
            for place in self.bulk(inst, index, size).unwrap_or_default() {
                self.pin(place, size.unwrap_or(0) as u32);
            }
        }
    }

    /// A search goes to where it finds something.
    fn find(&mut self, inst: Inst) {
        let places = self.addresses.places(self.body.args(inst)[0]).cloned().unwrap_or_default();
        places.into_iter().for_each(|place| self.pin_rest(place));
    }

    /// No address in a slot is null.
    fn compare_addresses(&mut self, inst: Inst, data: &InstData) {
        let args = self.body.args(inst);
        let is_null = |&value: &Value| self.body.as_scalar_constant(value) == Some(0);
        let is_place = |&value: &Value| self.addresses.places(value).is_some();
        let is_decided = args.iter().any(is_null) && args.iter().any(is_place);
        match data.payload {
            Payload::IntCond(IntCond::Eq) if is_decided => {
                self.add(inst, Deed::CompareNull { differ: 0 }, Places::new(), None);
            }
            Payload::IntCond(IntCond::Ne) if is_decided => {
                self.add(inst, Deed::CompareNull { differ: 1 }, Places::new(), None);
            }
            _ => self.other(inst),
        }
    }

    /// Whatever is not known to leave an address alone; an edge may hand it to
    /// a parameter that is followed.
    fn other(&mut self, inst: Inst) {
        let body = self.body;
        body.args(inst).iter().for_each(|&arg| self.escape(arg));
        for target in body.targets(inst) {
            for (&param, &arg) in body.params(target.block).iter().zip(body.target_args(target)) {
                if self.addresses.places(param).is_none() {
                    self.escape(arg);
                }
            }
        }
    }
}
