//! Values on their way between homes and registers.

use brolga_ir::constant::ConstantBits;
use brolga_ir::entity::Value;

use super::{Emitted, Emitter, Last};
use crate::assembler::{Home, Place, Register, Word};
use crate::error::Unsupported;
use crate::key::{Bank, Class};

/// What moves of words pass through: no argument and no result is in it.
pub(super) const SCRATCH: Place = Place::Integer(Register::R11);

/// What moves of vectors pass through: arguments come later to it, and a lone result is in
/// another.
const VECTOR_SCRATCH: Place = Place::Vector(7);

impl Emitter<'_> {
    #[inline]
    pub(super) fn class_of(&self, value: Value) -> Emitted<Class> {
        self.buffers.homes.class(value).ok_or(Unsupported::Value)
    }

    /// The bits of a constant that is a word.
    #[inline]
    pub(super) fn constant(&self, value: Value) -> Option<u64> {
        if !self.buffers.homes.is_constant(value) {
            return None;
        }
        self.body.as_scalar_constant(value).map(|bits| bits as u64)
    }

    /// The bits of a constant vector, as a register holds it.
    fn vector_constant(&self, value: Value) -> Option<u128> {
        let class = self.buffers.homes.class(value)?;
        let bits = 128 / class.lanes().max(1);
        match self.body.as_constant(value)?.bits() {
            ConstantBits::Lanes(lanes) => {
                Some((0..).zip(&**lanes).fold(0, |all, (index, lane)| {
                    let lane = match (class.lane(), lane & 1) {
                        (Class::I1, 1) => u128::MAX >> (128 - bits),
                        _ => *lane,
                    };
                    all | lane << (index * bits)
                }))
            }
            ConstantBits::Zero => Some(0),
            ConstantBits::Scalar(_) => None,
        }
    }

    /// Brings what only a register has home, unless it is among the values that are taken next.
    #[inline]
    pub(super) fn keep_for(&mut self, taken: &[Value]) {
        if let Some(Last { value, is_stored: false, .. }) = self.last
            && !taken.contains(&value)
        {
            self.keep();
        }
    }

    /// Brings what only a register has home.
    #[inline(never)]
    pub(super) fn keep(&mut self) {
        if let Some(last) = &mut self.last
            && !last.is_stored
        {
            last.is_stored = true;
            let (value, place) = (last.value, last.place);
            self.bring_home(value, place);
        }
    }

    /// Brings what is in a register home.
    #[inline(never)]
    pub(super) fn bring_home(&mut self, value: Value, from: Place) {
        match self.buffers.homes.home(value) {
            Home::Register(place) => self.assembler().transfer(place, from),
            Home::Word(word) => self.assembler().store(from, word),
        }
    }

    /// Brings values to registers, all at once: each is taken before its register is needed.
    #[inline]
    pub(super) fn fetch(&mut self, wanted: &[(Value, Place)]) {
        let Some(Last { value: last, place, .. }) = self.last else {
            return wanted.iter().for_each(|&(it, into)| self.bring(it, into));
        };
        for &(it, into) in wanted {
            if it == last {
                self.assembler().transfer(into, place);
            }
        }
        for &(it, into) in wanted {
            if it != last {
                self.bring(it, into);
            }
        }
    }

    /// The same of two values. What only a register has goes home before, unless it is one.
    #[inline(always)]
    pub(super) fn fetch_two(
        &mut self,
        (first, into): (Value, Place),
        (second, other): (Value, Place),
    ) {
        let Some(last) = self.last else {
            self.bring(first, into);
            return self.bring(second, other);
        };
        let (is_first, is_second) = (first == last.value, second == last.value);
        if is_first {
            self.assembler().transfer(into, last.place);
        } else if !is_second && !last.is_stored {
            self.keep();
        }
        if is_second {
            self.assembler().transfer(other, last.place);
        }
        if !is_first {
            self.bring(first, into);
        }
        if !is_second {
            self.bring(second, other);
        }
    }

    /// The same of one value.
    #[inline(always)]
    pub(super) fn fetch_one(&mut self, value: Value, into: Place) {
        match self.last {
            Some(last) if last.value == value => self.assembler().transfer(into, last.place),
            Some(Last { is_stored: false, .. }) => {
                self.keep();
                self.bring(value, into);
            }
            _ => self.bring(value, into),
        }
    }

    /// From its home, or out of nothing. Calling this takes as long as doing it: it goes into its
    /// callers, as does what is done for each operand and result, but for what is rare.
    #[inline(always)]
    fn bring(&mut self, value: Value, into: Place) {
        match self.buffers.homes.home_unless_constant(value) {
            Some(Home::Register(place)) => self.assembler().transfer(into, place),
            Some(Home::Word(word)) => self.assembler().load(into, word),
            None => self.bring_constant(value, into),
        }
    }

    /// Out of nothing, or from its home if no register holds such a constant.
    #[inline(never)]
    fn bring_constant(&mut self, value: Value, into: Place) {
        if self.make(value, into) {
            return;
        }
        match self.buffers.homes.home(value) {
            Home::Register(place) => self.assembler().transfer(into, place),
            Home::Word(word) => self.assembler().load(into, word),
        }
    }

    /// A constant, out of nothing; false if it is not one that a register holds.
    fn make(&mut self, value: Value, into: Place) -> bool {
        match into {
            Place::Vector(register) => {
                let bits = self.vector_constant(value);
                bits.map(|bits| self.assembler().vector(register, bits)).is_some()
            }
            Place::Integer(register) => {
                let bits = self.constant(value);
                bits.map(|bits| self.assembler().number(register, bits)).is_some()
            }
            Place::Float(register) => {
                let bits = self.constant(value);
                bits.map(|bits| self.assembler().float(register, bits)).is_some()
            }
        }
    }

    /// A value to a word of memory; changes no register but the scratch one.
    pub(super) fn put(&mut self, value: Value, word: Word) {
        let place = self.in_register(value);
        self.assembler().store(place, word);
    }

    /// The same to the home of another value of its type.
    pub(super) fn hand_to(&mut self, value: Value, to: Value) {
        match self.buffers.homes.home(to) {
            Home::Register(place) => match self.last {
                Some(last) if last.value == value => self.assembler().transfer(place, last.place),
                _ => self.bring(value, place),
            },
            Home::Word(word) => self.put(value, word),
        }
    }

    /// A register that has a value: the scratch one if it is in no other.
    fn in_register(&mut self, value: Value) -> Place {
        if let Some(last) = self.last
            && last.value == value
        {
            return last.place;
        }
        if let Some(place) = self.buffers.homes.register(value) {
            return place;
        }
        let scratch = self.scratch_for(value);
        self.bring(value, scratch);
        scratch
    }

    /// What a move of a value passes through.
    #[inline]
    fn scratch_for(&self, value: Value) -> Place {
        match self.buffers.homes.class(value).map(Class::bank) {
            Some(Bank::Vector) => VECTOR_SCRATCH,
            _ => SCRATCH,
        }
    }

    /// What a word of memory has to the home of a value.
    pub(super) fn take_from(&mut self, word: Word, value: Value) {
        match self.buffers.homes.home(value) {
            Home::Register(place) => self.assembler().load(place, word),
            Home::Word(home) => {
                let scratch = self.scratch_for(value);
                self.assembler().load(scratch, word);
                self.assembler().store(scratch, home);
            }
        }
    }

    /// The only result of an instruction, in its register, which is used so often. It goes home
    /// later if one instruction alone wants it, which may be the next.
    #[inline]
    pub(super) fn define(&mut self, value: Value, place: Place, uses: u32) {
        self.last = Some(Last { value, place, is_stored: uses != 1 });
        if uses > 1 {
            self.bring_home(value, place);
        }
    }

    /// One of several results.
    pub(super) fn define_at_home(&mut self, value: Value, place: Place) {
        if self.buffers.homes.uses(value) > 0 {
            self.bring_home(value, place);
        }
    }
}
