//! Values on their way between homes and registers.

use brolga_ir::entity::Value;

use super::{Emitted, Emitter, Last};
use crate::assembler::{Place, Register, Word};
use crate::error::Unsupported;
use crate::key::Class;

/// What moves pass through: no argument and no result is in it.
pub(super) const SCRATCH: Place = Place::Integer(Register::R11);

impl Emitter<'_> {
    #[inline]
    pub(super) fn class_of(&self, value: Value) -> Emitted<Class> {
        self.buffers.homes.class(value).ok_or(Unsupported::Value)
    }

    /// The bits of a constant.
    #[inline]
    pub(super) fn constant(&self, value: Value) -> Option<u64> {
        self.body.as_scalar_constant(value).map(|bits| bits as u64)
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
    pub(super) fn keep(&mut self) {
        if let Some(last) = &mut self.last
            && !last.is_stored
        {
            last.is_stored = true;
            let (value, place) = (last.value, last.place);
            let home = self.buffers.homes.home(value);
            self.assembler().store(place, Word::Frame(home));
        }
    }

    /// Brings values to registers, all at once: each is taken before its register is needed.
    #[inline]
    pub(super) fn fetch(&mut self, wanted: &[(Value, Place)]) {
        let last = self.last.map(|last| last.value);
        if let Some(Last { value, place, .. }) = self.last {
            for &(it, into) in wanted {
                if it == value {
                    self.assembler().transfer(into, place);
                }
            }
        }
        for &(it, into) in wanted {
            if Some(it) != last {
                self.bring(it, into);
            }
        }
    }

    /// From its home, or out of nothing.
    #[inline]
    fn bring(&mut self, value: Value, into: Place) {
        match (self.constant(value), into) {
            (Some(bits), Place::Integer(register)) => self.assembler().number(register, bits),
            (Some(bits), Place::Float(register)) => self.assembler().float(register, bits),
            (None, _) => {
                let home = self.buffers.homes.home(value);
                self.assembler().load(into, Word::Frame(home));
            }
        }
    }

    /// A value to a word of memory; changes no register but the scratch one.
    pub(super) fn put(&mut self, value: Value, word: Word) {
        match self.last {
            Some(last) if last.value == value => self.assembler().store(last.place, word),
            _ => {
                self.bring(value, SCRATCH);
                self.assembler().store(SCRATCH, word);
            }
        }
    }

    /// From one word of memory to another.
    pub(super) fn move_word(&mut self, from: Word, to: Word) {
        self.assembler().load(SCRATCH, from);
        self.assembler().store(SCRATCH, to);
    }

    /// The only result of an instruction, in its register. It goes home later if one
    /// instruction alone wants it, which may be the next.
    pub(super) fn define(&mut self, value: Value, place: Place) {
        let uses = self.buffers.homes.uses(value);
        self.last = Some(Last { value, place, is_stored: uses == 0 });
        if uses > 1 {
            self.keep();
        }
    }

    /// One of several results.
    pub(super) fn define_at_home(&mut self, value: Value, place: Place) {
        if self.buffers.homes.uses(value) > 0 {
            let home = self.buffers.homes.home(value);
            self.assembler().store(place, Word::Frame(home));
        }
    }
}
