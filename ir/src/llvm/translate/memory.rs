//! Loads and stores: each value at the bytes where LLVM has it.

use super::bits::LARGEST_WHOLE;
use super::function::Translator;
use super::layout::Room;
use super::pieces::Pieced;
use super::types::Carrier;
use super::wide::{WORD, Words};
use crate::attribute::AccessFlags;
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{Instruction, Reach, TypeData, TypeId, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// The bytes of a word.
const WORD_BYTES: u64 = WORD as u64 / 8;

/// Some bytes from an address on.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) address: Value,
    /// What is said of all bytes from the address on.
    pub(super) access: Access,
    /// Where the bytes are, counted from the address.
    pub(super) offset: u64,
}

impl Place {
    /// The bytes that begin so much further.
    pub(super) fn behind(self, bytes: u64) -> Place {
        Place { offset: self.offset + bytes, ..self }
    }
}

impl Translator<'_, '_> {
    /// What an instruction says of the bytes from `address` on.
    pub(super) fn place(
        &mut self,
        inst: &Instruction,
        ty: TypeId,
        address: Typed,
        reach: Reach,
    ) -> Parsed<Place> {
        let align = match reach.align {
            0 => self.shared.room(ty, self.at)?.align,
            align => u64::from(align),
        };
        let mut access = self.access(inst)?;
        access.align_log2 = align.trailing_zeros().min(31) as u8;
        access.flags.set(AccessFlags::VOLATILE, reach.volatile);
        let address = self.value(address)?;
        if self.body.value_type(address) == Type::CALLEE {
            return Err(self.unsupported("a `ptr addrspace(12)` can only be passed to a call"));
        }
        Ok(Place { address, access, offset: 0 })
    }

    /// The value of an operand that must be an address, of which the text makes no sure.
    pub(super) fn address(&mut self, address: Typed) -> Parsed<Value> {
        let value = self.value(address)?;
        match self.body.value_type(value).as_scalar() {
            Some(lane) if lane.is_address() => Ok(value),
            _ => Err(self.invalid("the address is no pointer")),
        }
    }

    /// The value of an operand that must be an address of the process.
    pub(super) fn process_address(&mut self, address: Typed) -> Parsed<Value> {
        let value = self.value(address)?;
        match self.body.value_type(value) == Type::PTR {
            true => Ok(value),
            false => Err(self.invalid("the address is no plain pointer")),
        }
    }

    /// The value of type `ty` at a place.
    pub(super) fn load(&mut self, ty: TypeId, place: Place) -> Parsed<Value> {
        let carrier = self.shared.carrier(ty, self.at)?;
        let room = self.shared.room(ty, self.at)?;
        if let Some(pieced) = self.pieced(ty)? {
            return self.load_pieced(pieced, room, place);
        }
        if carrier.ty.is_aggregate() && !carrier.is_wide() {
            return self.load_parts(ty, carrier.ty, place);
        }
        if room.bits > LARGEST_WHOLE && !self.stands_as_it_is(carrier, room.size()) {
            let words = self.load_words(room.size(), place)?;
            return Ok(self.unpacked_words(carrier, words));
        }
        self.check_memory(ty, carrier)?;
        if self.stands_as_it_is(carrier, room.size()) {
            return Ok(self.load_piece(carrier.ty, place));
        }
        let whole = self.whole(ty, room.bits)?;
        let bits = self.load_bits(whole, room.size(), place);
        self.unpacked(ty, carrier, bits)
    }

    /// So many bytes as an integer that is at least as wide.
    fn load_bits(&mut self, whole: Type, bytes: u64, place: Place) -> Value {
        let mut all = None;
        for (offset, piece) in pieces(bytes) {
            let value = self.load_piece(piece, place.behind(offset));
            let value = self.resized(value, Carrier { ty: whole, bits: 0 });
            all = Some(match all {
                None => value,
                Some(lower) => {
                    let amount = self.number(whole, u128::from(offset) * 8);
                    let value = self.op(Op::Shl, whole, &[value, amount]);
                    self.op(Op::Or, whole, &[lower, value])
                }
            });
        }
        all.unwrap_or_else(|| self.number(whole, 0))
    }

    fn load_words(&mut self, bytes: u64, place: Place) -> Parsed<Words> {
        self.shared.charge(bytes / WORD_BYTES, self.at)?;
        let starts = (0..bytes).step_by(WORD_BYTES as usize);
        Ok(starts
            .map(|start| {
                let size = WORD_BYTES.min(bytes - start);
                self.load_bits(Type::I64, size, place.behind(start))
            })
            .collect())
    }

    fn store_words(&mut self, words: &[Value], bytes: u64, place: Place) -> Parsed<()> {
        self.shared.charge(bytes / WORD_BYTES, self.at)?;
        for (start, &word) in (0..).step_by(WORD_BYTES as usize).zip(words) {
            self.store_bits(word, WORD_BYTES.min(bytes - start), place.behind(start));
        }
        Ok(())
    }

    /// A vector in pieces: lanes of odd widths follow each other bit by bit.
    fn load_pieced(&mut self, pieced: Pieced, room: Room, place: Place) -> Parsed<Value> {
        if fills_bytes(pieced) {
            return self.load_pieces(pieced, place);
        }
        let words = self.load_words(room.size(), place)?;
        let width = pieced.piece.width();
        let lane = Carrier { ty: pieced.piece.ty.lane_type(), ..pieced.piece };
        let lanes: Words =
            (0..pieced.lanes).map(|index| self.taken(&words, index * width, lane)).collect();
        self.pieces_of_lanes(pieced, &lanes)
    }

    fn store_pieced(
        &mut self,
        pieced: Pieced,
        room: Room,
        value: Value,
        place: Place,
    ) -> Parsed<()> {
        if fills_bytes(pieced) {
            self.store_pieces(pieced, value, place);
            return Ok(());
        }
        let lanes = self.lanes_of_pieces(pieced, value);
        let words = self.joined(&lanes, pieced.piece.width());
        self.store_words(&words, room.size(), place)
    }

    /// Puts the low bytes of an integer at a place.
    fn store_bits(&mut self, value: Value, bytes: u64, place: Place) {
        let whole = self.body.value_type(value);
        for (offset, piece) in pieces(bytes) {
            let part = match offset {
                0 => value,
                offset => {
                    let amount = self.number(whole, u128::from(offset) * 8);
                    self.op(Op::Lshr, whole, &[value, amount])
                }
            };
            let part = self.resized(part, Carrier { ty: piece, bits: 0 });
            self.store_piece(piece, part, place.behind(offset));
        }
    }

    /// Puts a value of type `ty` at a place.
    pub(super) fn store(&mut self, ty: TypeId, value: Value, place: Place) -> Parsed<()> {
        let carrier = self.shared.carrier(ty, self.at)?;
        let room = self.shared.room(ty, self.at)?;
        if let Some(pieced) = self.pieced(ty)? {
            return self.store_pieced(pieced, room, value, place);
        }
        if carrier.ty.is_aggregate() && !carrier.is_wide() {
            return self.store_parts(ty, carrier.ty, value, place);
        }
        if room.bits > LARGEST_WHOLE && !self.stands_as_it_is(carrier, room.size()) {
            let words = self.packed_words(carrier, value);
            return self.store_words(&words, room.size(), place);
        }
        self.check_memory(ty, carrier)?;
        if self.stands_as_it_is(carrier, room.size()) {
            self.store_piece(carrier.ty, value, place);
            return Ok(());
        }
        let packed = self.packed(ty, carrier, value)?;
        self.store_bits(packed, room.size(), place);
        Ok(())
    }

    fn check_memory(&mut self, ty: TypeId, carrier: Carrier) -> Parsed<()> {
        match Op::Load.info().suffix.contains(carrier.ty) && carrier.ty != Type::DERIVED {
            true => Ok(()),
            false => {
                let name = self.shared.show_type(ty);
                Err(self.unsupported(format_args!("`{name}` does not stand in memory")))
            }
        }
    }

    /// Whether a value stands in that many bytes of memory as its carrier does.
    fn stands_as_it_is(&self, carrier: Carrier, bytes: u64) -> bool {
        carrier.bits == 0 && self.shared.module.types.layout(carrier.ty).size == bytes
    }

    fn load_parts(&mut self, ty: TypeId, carrier: Type, place: Place) -> Parsed<Value> {
        let count = self.part_count(ty)?;
        let mut parts = Vec::with_capacity(count);
        for index in 0..count {
            let (part, offset) = self.part(ty, index)?;
            parts.push(self.pay_for(1, |this| this.load(part, place.behind(offset)))?);
        }
        Ok(self.op(Op::MakeAggregate, carrier, &parts))
    }

    fn store_parts(&mut self, ty: TypeId, carrier: Type, value: Value, place: Place) -> Parsed<()> {
        for index in 0..self.part_count(ty)? {
            let (part, offset) = self.part(ty, index)?;
            let result = self.ty(part)?;
            let payload = Payload::Immediates(self.body.immediate_list(&[index as u32]));
            self.pay_for(1, |this| {
                let value = this.emit_one(Op::ExtractValue, carrier, &[value], payload, result);
                this.store(part, value, place.behind(offset))
            })?;
        }
        Ok(())
    }

    /// How many fields or elements an aggregate has, each of which costs an instruction.
    fn part_count(&mut self, ty: TypeId) -> Parsed<usize> {
        let count = match self.shared.type_data(ty) {
            TypeData::Array { length, .. } => *length,
            TypeData::Struct { fields, .. } => fields.len() as u64,
            _ => 0,
        };
        self.shared.charge(count, self.at)?;
        Ok(count as usize)
    }

    /// A field or element of an aggregate, which has one of that index, and its offset.
    pub(super) fn part(&mut self, ty: TypeId, index: usize) -> Parsed<(TypeId, u64)> {
        match self.shared.type_data(ty) {
            TypeData::Struct { fields, .. } => {
                Ok((fields[index], self.shared.field_offset(ty, index)))
            }
            &TypeData::Array { element, .. } | &TypeData::Vector { element, .. } => {
                let stride = self.shared.room(element, self.at)?.stride();
                Ok((element, stride.saturating_mul(index as u64)))
            }
            // Nothing leads into another type.
            _ => Ok((ty, 0)),
        }
    }

    pub(super) fn load_piece(&mut self, ty: Type, place: Place) -> Value {
        let (address, access) = self.reach(place);
        self.emit_one(Op::Load, ty, &[address], Payload::Access(access), ty)
    }

    pub(super) fn store_piece(&mut self, ty: Type, value: Value, place: Place) {
        let (address, access) = self.reach(place);
        self.emit(Op::Store, ty, &[value, address], Payload::Access(access), &[]);
    }

    /// The address of a place, and what is said of it alone.
    fn reach(&mut self, place: Place) -> (Value, Access) {
        let Place { address, mut access, offset } = place;
        if offset == 0 {
            return (address, access);
        }
        access.align_log2 = access.align_log2.min(offset.trailing_zeros().min(31) as u8);
        // Values have at most 2 GiB, and an offset up to that.
        access.offset = i32::try_from(offset).unwrap_or(i32::MAX);
        (address, access)
    }
}

/// Whether the lanes fill whole bytes as they are carried.
fn fills_bytes(pieced: Pieced) -> bool {
    pieced.piece.bits == 0 && pieced.piece.ty.lane() != Some(Scalar::I1)
}

/// The powers of two that make up a number of bytes, each with its offset.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, Type)> {
    let integers = [Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8];
    let mut offset = 0;
    std::iter::from_fn(move || {
        let fits = |scalar: &&Scalar| scalar.layout().size <= bytes - offset;
        let piece = integers.iter().find(fits)?;
        let start = offset;
        offset += piece.layout().size;
        Some((start, Type::scalar(*piece)))
    })
}
