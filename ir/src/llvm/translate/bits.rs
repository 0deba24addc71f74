//! Values as bits: what `bitcast` looks at, and memory holds of lanes of odd widths.

use smallvec::SmallVec;

use super::cast::FromTo;
use super::function::Translator;
use super::memory::Place;
use super::types::Carrier;
use super::wide::{WORD, Words, word_count};
use crate::constant::mask;
use crate::entity::Value;
use crate::instruction::{Access, Payload, ZERO_LANE};
use crate::llvm::syntax::TypeId;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// The bits of the float that fills no power of two of bytes.
const X87_BITS: u64 = 80;

/// The bits of the widest integer that is one value.
pub(super) const LARGEST_WHOLE: u64 = Scalar::I128.bits() as u64;

/// The type with integers of as many bits as its lanes have, which may be truth values.
fn numbers_of(ty: Type) -> Type {
    let lane = match ty.lane() {
        Some(Scalar::F16 | Scalar::Bf16) => Scalar::I16,
        Some(Scalar::F32) => Scalar::I32,
        Some(Scalar::F64 | Scalar::Ptr) => Scalar::I64,
        _ => return ty,
    };
    ty.with_lane(lane).unwrap_or(ty)
}

impl Translator<'_, '_> {
    /// The same bits as another type.
    pub(super) fn bitcast(
        &mut self,
        value: Value,
        (from, to): (TypeId, TypeId),
        (source, target): FromTo,
    ) -> Parsed<Value> {
        if source == target {
            return Ok(value);
        }
        let room = self.shared.room(from, self.at)?;
        let carried = |ty: Type| u64::from(ty.lane().map_or(0, Scalar::bits) * ty.lanes());
        let is_whole = |carrier: Carrier| carrier.bits == 0 && carried(carrier.ty) == room.bits;
        let is_one = !source.ty.is_aggregate() && !target.ty.is_aggregate();
        if is_one && is_whole(source) && is_whole(target) && room.bits != X87_BITS {
            return Ok(self.op(Op::Bitcast, target.ty, &[value]));
        }
        let is_pieced = self.pieced(from)?.is_some() || self.pieced(to)?.is_some();
        if is_pieced || source.ty == Type::X86_FP80 || target.ty == Type::X86_FP80 {
            return self.through_memory(value, from, to);
        }
        if room.bits <= LARGEST_WHOLE {
            let packed = self.packed(from, source, value)?;
            return self.unpacked(to, target, packed);
        }
        let words = self.packed_words(source, value);
        Ok(self.unpacked_words(target, words))
    }

    /// The bits of a value that a type finds where the value stands in memory.
    fn through_memory(&mut self, value: Value, from: TypeId, to: TypeId) -> Parsed<Value> {
        let room = self.shared.room(from, self.at)?;
        let address = self.own_slot(room.size(), room.align)?;
        let place = Place { address, access: Access::default(), offset: 0 };
        self.store(from, value, place)?;
        self.load(to, place)
    }

    /// The bits of a value, lane behind lane, as an integer of the next wider carrier.
    pub(super) fn packed(&mut self, ty: TypeId, carrier: Carrier, value: Value) -> Parsed<Value> {
        let bits = self.shared.room(ty, self.at)?.bits;
        let whole = self.whole(ty, bits)?;
        let width = carrier.width();
        if !carrier.ty.is_vector() {
            return Ok(match carrier.ty.lane() {
                Some(lane) if lane.is_int() => value,
                Some(Scalar::I1) => self.op(Op::Zext, whole, &[value]),
                Some(Scalar::Ptr) => self.address_bits(value),
                _ => self.op(Op::Bitcast, whole, &[value]),
            });
        }
        if carrier.bits == 0
            && let Some(padded) = self.padded(carrier.ty, whole)
        {
            let lanes: Vec<u32> = (0..padded.lanes())
                .map(|lane| if lane < carrier.ty.lanes() { lane } else { ZERO_LANE })
                .collect();
            let value = self.relaned(value, padded, &lanes);
            return Ok(self.op(Op::Bitcast, whole, &[value]));
        }
        let mut all = self.number(whole, 0);
        for lane in 0..carrier.ty.lanes() {
            let part = self.lane(value, lane);
            let part = self.resized(part, Carrier { ty: whole, bits: 0 });
            let amount = self.number(whole, u128::from(lane) * u128::from(width));
            let part = self.op(Op::Shl, whole, &[part, amount]);
            all = self.op(Op::Or, whole, &[all, part]);
        }
        Ok(all)
    }

    /// The value whose bits, lane behind lane, are those of an integer; its bits above
    /// are not looked at.
    pub(super) fn unpacked(&mut self, ty: TypeId, carrier: Carrier, value: Value) -> Parsed<Value> {
        let bits = self.shared.room(ty, self.at)?.bits;
        let whole = self.whole(ty, bits)?;
        if !carrier.ty.is_vector() {
            return Ok(match carrier.ty.lane() {
                Some(lane) if lane.is_int() => self.cut(carrier, value),
                Some(Scalar::I1) => self.op(Op::Trunc, carrier.ty, &[value]),
                Some(Scalar::Ptr) => self.address_of_bits(value),
                _ => self.op(Op::Bitcast, carrier.ty, &[value]),
            });
        }
        if carrier.bits == 0
            && let Some(padded) = self.padded(carrier.ty, whole)
        {
            let value = self.op(Op::Bitcast, padded, &[value]);
            let lanes: Vec<u32> = (0..carrier.ty.lanes()).collect();
            return Ok(self.relaned(value, carrier.ty, &lanes));
        }
        let (lane, width) = (carrier.ty.lane_type(), carrier.width());
        let lanes: Vec<Value> = (0..carrier.ty.lanes())
            .map(|index| {
                let amount = self.number(whole, u128::from(index) * u128::from(width));
                let part = self.op(Op::Lshr, whole, &[value, amount]);
                self.resized(part, Carrier { ty: lane, ..carrier })
            })
            .collect();
        Ok(self.op(Op::MakeVector, carrier.ty, &lanes))
    }

    /// The carrier of an integer of that many bits.
    pub(super) fn whole(&mut self, ty: TypeId, bits: u64) -> Parsed<Type> {
        let carriers = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::I128];
        let carrier = carriers.into_iter().find(|scalar| u64::from(scalar.bits()) >= bits);
        carrier.map(Type::scalar).ok_or_else(|| {
            let name = self.shared.show_type(ty);
            self.unsupported(format_args!("the {bits} bits of `{name}` fit no integer"))
        })
    }

    /// The vector of lanes as `vector` has that fills the integer `whole`.
    fn padded(&self, vector: Type, whole: Type) -> Option<Type> {
        let (lane, whole) = (vector.lane()?, whole.lane()?.bits());
        (whole % lane.bits() == 0).then(|| Type::vector(lane, whole / lane.bits()))?
    }

    /// The named lanes of a vector.
    pub(super) fn relaned(&mut self, value: Value, ty: Type, lanes: &[u32]) -> Value {
        if self.body.value_type(value) == ty {
            return value;
        }
        let payload = Payload::Immediates(self.body.immediate_list(lanes));
        self.emit_one(Op::Shuffle, ty, &[value, value], payload, ty)
    }
}

/// Bits of values, each behind the other.
impl Translator<'_, '_> {
    /// Words of the bits of numbers of `width` bits each, which have zeros above.
    pub(super) fn joined(&mut self, numbers: &[Value], width: u32) -> Words {
        let zero = self.word(0);
        let total = width * numbers.len() as u32;
        let mut words: Words = SmallVec::from_elem(zero, word_count(total));
        for (index, &number) in numbers.iter().enumerate() {
            let carrier = Carrier { ty: self.body.value_type(number), bits: 0 };
            let mut offset = width * index as u32;
            for part in self.words_of_narrow(carrier, number, false) {
                let (place, amount) = ((offset / WORD) as usize, offset % WORD);
                self.add_bits(&mut words, place, part, Op::Shl, amount);
                if amount != 0 {
                    self.add_bits(&mut words, place + 1, part, Op::Lshr, WORD - amount);
                }
                offset += WORD;
            }
        }
        words
    }

    /// The words of the bits of a value of more than [`LARGEST_WHOLE`] bits.
    pub(super) fn packed_words(&mut self, carrier: Carrier, value: Value) -> Words {
        if carrier.is_wide() {
            return self.words(carrier, value);
        }
        let numbers = numbers_of(carrier.ty);
        let value =
            if numbers == carrier.ty { value } else { self.op(Op::Bitcast, numbers, &[value]) };
        let lanes: Words = (0..numbers.lanes()).map(|lane| self.lane(value, lane)).collect();
        self.joined(&lanes, carrier.width())
    }

    /// The value of more than [`LARGEST_WHOLE`] bits whose bits words are.
    pub(super) fn unpacked_words(&mut self, carrier: Carrier, words: Words) -> Value {
        if carrier.is_wide() {
            return self.of_words(carrier, words);
        }
        let numbers = numbers_of(carrier.ty);
        let lane = Carrier { ty: numbers.lane_type(), ..carrier };
        let lanes: Words = (0..numbers.lanes())
            .map(|index| self.taken(&words, index * carrier.width(), lane))
            .collect();
        let value = self.op(Op::MakeVector, numbers, &lanes);
        if numbers == carrier.ty { value } else { self.op(Op::Bitcast, carrier.ty, &[value]) }
    }

    /// Sets the bits of a part, once it is shifted, in a word, if there is one.
    fn add_bits(&mut self, words: &mut Words, place: usize, part: Value, op: Op, amount: u32) {
        let Some(&word) = words.get(place) else { return };
        let amount_word = self.word(amount.into());
        let part = if amount == 0 { part } else { self.word_op(op, part, amount_word) };
        let is_free = self.body.as_scalar_constant(word) == Some(0);
        words[place] = if is_free { part } else { self.word_op(Op::Or, word, part) };
    }

    /// The number of the bits from `offset` on; `to` says of how many.
    pub(super) fn taken(&mut self, words: &[Value], offset: u32, to: Carrier) -> Value {
        let parts: Words = (0..word_count(to.width()))
            .map(|part| self.word_at(words, offset + WORD * part as u32))
            .collect();
        if to.width() > WORD {
            return self.narrow_of_words(to, &parts);
        }
        // The carrier may have no more bits than count, and the word more.
        let bits = self.number(Type::I64, mask(to.width()));
        let part = self.word_op(Op::And, parts[0], bits);
        self.resized(part, Carrier { bits: 0, ..to })
    }

    /// The word of the bits from `offset` on, with zeros behind the last.
    fn word_at(&mut self, words: &[Value], offset: u32) -> Value {
        let (place, amount) = ((offset / WORD) as usize, offset % WORD);
        let zero = self.word(0);
        let low = words.get(place).copied().unwrap_or(zero);
        if amount == 0 {
            return low;
        }
        let high = words.get(place + 1).copied().unwrap_or(zero);
        let amount = self.word(amount.into());
        self.op(Op::Fshr, Type::I64, &[high, low, amount])
    }
}
