//! Shifts of wide integers.

use super::{WORD, Words};
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::translate::function::Translator;
use crate::op::Op;
use crate::types::Type;

impl Translator<'_, '_> {
    /// The words shifted left. Words are moved by powers of two as the bits of the amount
    /// ask for, and then bits within them.
    pub(super) fn shift_left(&mut self, words: &[Value], amount: Value) -> Words {
        let zero = self.word(0);
        let turned: Words = words.iter().rev().copied().collect();
        let moved: Words = self.moved(&turned, amount, zero).into_iter().rev().collect();
        let within = self.within(amount);
        (0..moved.len())
            .map(|place| {
                let lower = place.checked_sub(1).map_or(zero, |below| moved[below]);
                self.op(Op::Fshl, Type::I64, &[moved[place], lower, within])
            })
            .collect()
    }

    /// The words shifted right; `above` comes in.
    pub(super) fn shift_right(&mut self, words: &[Value], amount: Value, above: Value) -> Words {
        let moved = self.moved(words, amount, above);
        let within = self.within(amount);
        (0..moved.len())
            .map(|place| {
                let upper = moved.get(place + 1).copied().unwrap_or(above);
                self.op(Op::Fshr, Type::I64, &[upper, moved[place], within])
            })
            .collect()
    }

    /// How far bits move within a word.
    fn within(&mut self, amount: Value) -> Value {
        let mask = self.word(u64::from(WORD - 1));
        match self.body.as_scalar_constant(amount) {
            Some(bits) => self.word(bits as u64 % u64::from(WORD)),
            None => self.word_op(Op::And, amount, mask),
        }
    }

    /// The words moved down by whole words; `above` comes in.
    fn moved(&mut self, words: &[Value], amount: Value, above: Value) -> Words {
        let at = |words: &[Value], place: usize| words.get(place).copied().unwrap_or(above);
        if let Some(bits) = self.body.as_scalar_constant(amount) {
            let by = usize::try_from(bits / u128::from(WORD)).unwrap_or(usize::MAX);
            return (0..words.len()).map(|place| at(words, place.saturating_add(by))).collect();
        }
        let mut words: Words = words.into();
        let mut by = 1;
        while by < words.len() {
            let bit = self.word(by as u64 * u64::from(WORD));
            let bit = self.word_op(Op::And, amount, bit);
            let zero = self.word(0);
            let is_set = self.holds(IntCond::Ne, Type::I64, bit, zero);
            words = (0..words.len())
                .map(|place| {
                    let args = [is_set, at(&words, place + by), words[place]];
                    self.op(Op::Select, Type::I64, &args)
                })
                .collect();
            by *= 2;
        }
        words
    }
}
