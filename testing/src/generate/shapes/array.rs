//! Arrays that shapes go over, and places in them.

use brolga_ir::body::SlotData;
use brolga_ir::entity::{DataId, Slot, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::counted::Round;
use crate::generate::memory::Wish;
use crate::generate::writer::{LEAST_OBJECT, Writer};

/// Bytes of an array.
pub(in crate::generate) const ROOM: u64 = 512;

/// How many floats stand in an array of such.
pub(in crate::generate) const REALS: u64 = 48;

/// How far apart the first elements of two places are at most.
const MOST_APART: i64 = 9;

/// An array, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Array {
    pub(super) base: Value,
    origin: Origin,
    /// Bytes from there on.
    room: u64,
}

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Slot(Slot),
    Data(DataId),
    /// In one of several.
    Any,
}

impl Array {
    /// Whether it lies in another object than `other`, as far as is known here.
    pub(super) fn is_apart(&self, other: &Array) -> bool {
        self.origin != Origin::Any && other.origin != Origin::Any && self.origin != other.origin
    }

    /// Bytes from its base on.
    pub(super) fn room(&self) -> u64 {
        self.room
    }

    /// A part of it that begins at `base`, with so many bytes less.
    pub(super) fn part(self, base: Value, less: u64) -> Array {
        Array { base, room: self.room.saturating_sub(less), ..self }
    }
}

/// A place that goes on from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) array: Array,
    pub(super) ty: Type,
    /// Elements from one round to the next; where the index is 0, and where it is least.
    stride: i64,
    first: i64,
    /// Whether the constant part is in the offset of the access.
    has_offset: bool,
    /// The number of the value that is handed on from round to round and is its address.
    walking: Option<usize>,
}

impl Place {
    /// Whether each round comes to the same element of both, and to none of another round.
    pub(super) fn is_same(&self, other: &Place) -> bool {
        let key = |place: &Place| (place.array.base, place.ty, place.stride, place.first);
        key(self) == key(other) && self.stride != 0
    }

    /// The place that many elements on; the caller knows that it lies in the array.
    pub(super) fn moved(self, elements: i64) -> Place {
        Place { first: self.first + elements, walking: None, ..self }
    }

    /// How many elements it goes on with an index that goes on by `step`.
    pub(super) fn advance(&self, step: i64) -> i64 {
        self.stride * step
    }

    /// The same place in another array.
    pub(super) fn inside(self, array: Array) -> Place {
        Place { array, ..self }
    }

    /// Whether it comes to an element in each round that no other round comes to.
    pub(super) fn moves(&self) -> bool {
        self.stride != 0
    }
}

impl Writer<'_> {
    /// So many arrays, some of which may be one and the same.
    pub(super) fn arrays(&mut self, count: usize) -> Vec<Array> {
        let mut arrays: Vec<Array> = Vec::with_capacity(count);
        for _ in 0..count {
            let array = match self.random().below(100) {
                0..12 if !arrays.is_empty() => self.random().pick(&arrays),
                12..22 if arrays.len() > 1 => self.either(arrays[0], arrays[1]),
                22..60 if !self.program.fields.is_empty() => self.data_array(),
                _ => self.slot_array(),
            };
            arrays.push(array);
        }
        arrays
    }

    fn slot_array(&mut self) -> Array {
        let slot = self.body.make_slot(SlotData::new(ROOM as u32));
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        self.fill_here_and_there(base);
        let base = self.disguised(base);
        Array { base, origin: Origin::Slot(slot), room: ROOM }
    }

    fn data_array(&mut self) -> Array {
        let fields = self.program.fields.clone();
        let data = self.random().pick(&fields);
        let base = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data));
        if self.random().percent(50) {
            self.fill_here_and_there(base);
        }
        let base = self.disguised(base);
        Array { base, origin: Origin::Data(data), room: ROOM }
    }

    /// An array of floats that are small whole numbers, to which nobody writes.
    pub(super) fn reals(&mut self, ty: Type) -> Array {
        let [narrow, wide] = self.program.reals;
        let data = if ty == Type::F32 { narrow } else { wide };
        let base = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data));
        let base = self.disguised(base);
        Array { base, origin: Origin::Data(data), room: REALS * self.size_in_bytes(ty) }
    }

    fn either(&mut self, one: Array, other: Array) -> Array {
        let condition = self.any(Type::I1);
        let base = self.compute(Op::Select, Type::PTR, &[condition, one.base, other.base]);
        Array { base, origin: Origin::Any, room: ROOM }
    }

    /// So that nobody knows where it points, sometimes.
    fn disguised(&mut self, base: Value) -> Value {
        match self.random().percent(30) {
            true => self.compute(Op::Opaque, Type::PTR, &[base]),
            false => base,
        }
    }

    fn fill_here_and_there(&mut self, base: Value) {
        let access = Payload::Access(Access::default());
        for _ in 0..self.random().between(1, 3) {
            let data = self.program.some_data(Wish::Read);
            let from = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data.id));
            let at = self.random().below(((ROOM - LEAST_OBJECT) / 8) as usize) as u64 * 8;
            let (at, size) = (self.index(at), self.index(LEAST_OBJECT));
            let to = self.compute(Op::PtrAdd, Type::NONE, &[base, at]);
            self.push(Op::MemCopy, Type::NONE, &[to, from, size], access);
        }
        for _ in 0..self.random().between(0, 3) {
            let ty = self.random().pick(&[Type::I64, Type::I32, Type::F32, Type::F64, Type::I8]);
            let offset = self.random().below(ROOM as usize / 8) as i32 * 8;
            let value = self.steady(ty);
            let access = Access { offset, ..Access::default() };
            self.push(Op::Store, ty, &[value, base], Payload::Access(access));
        }
    }

    /// Leaves what is in the array where everybody can see it.
    pub(super) fn leave_array(&mut self, array: Array) {
        let Origin::Slot(slot) = array.origin else { return };
        let Some(&field) = self.program.fields.first() else { return };
        let from = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        if self.random().percent(35) {
            return self.checksum(from);
        }
        let to = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(field));
        let size = self.index(ROOM);
        let access = Payload::Access(Access::default());
        self.push(Op::MemCopy, Type::NONE, &[to, from, size], access);
    }

    /// Puts all bytes of an object together.
    fn checksum(&mut self, object: Value) {
        let words = ROOM / 8;
        let (header, behind) = (self.body.make_block(), self.body.make_block());
        let zero = self.index(0);
        self.jump(header, &[zero, zero]);
        self.start(header);
        let weight = self.weight;
        self.weight *= words;
        let at = self.body.append_param(header, Type::I64);
        let sum = self.body.append_param(header, Type::I64);
        let place = self.compute(Op::PtrAdd, Type::NONE, &[object, at]);
        let access = Payload::Access(Access::default());
        let word = self.compute_with(Op::Load, Type::I64, &[place], access);
        let (three, eight, end) = (self.index(3), self.index(8), self.index(ROOM));
        let turned = self.compute(Op::Rotl, Type::I64, &[sum, three]);
        let sum = self.compute(Op::Add, Type::I64, &[turned, word]);
        let next = self.compute(Op::Add, Type::I64, &[at, eight]);
        let goes_on = self.icmp(brolga_ir::attribute::IntCond::Ult, Type::I64, [next, end]);
        self.branch(goes_on, (header, &[next, sum]), (behind, &[]));
        self.weight = weight;
        self.start(behind);
        let data = self.program.some_data(Wish::Write);
        let offset = self.index(0);
        self.push(Op::DataStore, Type::I64, &[sum, offset], Payload::Data(data.id));
        self.keep_as(sum, crate::generate::writer::Sort::Plain);
    }

    /// A place of `ty` in the array for indices of `low..=high`, at least `margin` elements
    /// from its ends.
    pub(super) fn place_for(
        &mut self,
        array: Array,
        ty: Type,
        (low, high): (i64, i64),
        margin: i64,
    ) -> Place {
        let strides = [1, 1, 1, 1, 1, 1, 1, -1, -1, 2, 2, 3, -2, 0];
        self.place_by(&strides, array, ty, (low, high), margin)
    }

    /// The same, by one of those strides.
    pub(super) fn place_by(
        &mut self,
        strides: &[i64],
        array: Array,
        ty: Type,
        (low, high): (i64, i64),
        margin: i64,
    ) -> Place {
        let count = (array.room / self.size_in_bytes(ty)) as i64;
        let mut stride: i64 = self.random().pick(strides);
        if (high - low) * stride.abs() + 2 * margin >= count {
            stride = stride.signum();
        }
        let least = (low * stride).min(high * stride);
        let span = (high - low) * stride.abs();
        let apart = (count - span - 1 - 2 * margin).clamp(0, MOST_APART) as usize;
        let first = margin + self.random().below(apart + 1) as i64 - least;
        debug_assert!(first + least >= margin && first + least + span + margin < count);
        let has_offset = self.random().percent(30);
        Place { array, ty, stride, first, has_offset, walking: None }
    }

    /// Has the address of the place handed on from round to round, as the value of that number,
    /// in a loop whose index begins with `begin`; gives the first.
    pub(super) fn walk(&mut self, place: &mut Place, number: usize, begin: i64) -> Value {
        place.walking = Some(number);
        let size = self.size_in_bytes(place.ty) as i64;
        let offset = self.int(Type::I64, (place.first + place.stride * begin) * size);
        self.compute(Op::PtrAdd, Type::NONE, &[place.array.base, offset])
    }

    /// The address that such a place has in the round behind this one.
    pub(super) fn walk_on(&mut self, place: &Place, round: &Round, step: i64) -> Option<Value> {
        let address = round.carried[place.walking?];
        let size = self.size_in_bytes(place.ty) as i64;
        let step = self.int(Type::I64, place.stride * step * size);
        Some(self.compute(Op::PtrAdd, Type::NONE, &[address, step]))
    }

    /// The address of the place in this round, and its access.
    pub(super) fn address(&mut self, place: &Place, round: &Round) -> (Value, Access) {
        if let Some(number) = place.walking {
            return (round.carried[number], Access::default());
        }
        let size = self.size_in_bytes(place.ty) as i64;
        let is_negative = round.range.0 < 0;
        // Sums of small numbers in the counter's own type do not wrap.
        let adds_early = !place.has_offset && place.stride > 0 && self.random().percent(25);
        let mut index = round.index;
        let scale = size * place.stride;
        let mut first = place.first * size;
        if adds_early && round.ty != Type::I8 && place.first % place.stride == 0 {
            let more = self.int(round.ty, place.first / place.stride);
            index = self.compute(Op::Add, round.ty, &[index, more]);
            first = 0;
        }
        if round.ty != Type::I64 {
            let signed = is_negative || self.random().percent(50);
            let op = if signed { Op::Sext } else { Op::Zext };
            index = self.compute(op, Type::I64, &[index]);
        }
        let offset = match (scale.count_ones(), self.random().percent(50)) {
            (1, true) => {
                let shift = self.index(scale.trailing_zeros().into());
                self.compute(Op::Shl, Type::I64, &[index, shift])
            }
            _ => {
                let factor = self.int(Type::I64, scale);
                self.compute(Op::Mul, Type::I64, &[index, factor])
            }
        };
        let mut access = Access::default();
        let mut base = place.array.base;
        if place.has_offset {
            access.offset = first as i32;
        } else if first != 0 {
            let first = self.int(Type::I64, first);
            base = self.compute(Op::PtrAdd, Type::NONE, &[base, first]);
        }
        (self.compute(Op::PtrAdd, Type::NONE, &[base, offset]), access)
    }

    /// What stands at the place.
    pub(super) fn read(&mut self, place: &Place, round: &Round) -> Value {
        let (address, access) = self.address(place, round);
        self.compute_with(Op::Load, place.ty, &[address], Payload::Access(access))
    }

    /// Puts a number there, of its type.
    pub(super) fn write(&mut self, place: &Place, round: &Round, value: Value) {
        let value = self.steadied(value);
        let (address, access) = self.address(place, round);
        self.push(Op::Store, place.ty, &[value, address], Payload::Access(access));
    }
}
