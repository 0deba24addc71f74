//! Whether arithmetic on integers of more than 128 bits wraps.

use super::{WORD, Words, word_count};
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::syntax::BinaryOp;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::text::Parsed;

/// Whether numbers are signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::llvm::translate) enum Sign {
    Signed,
    Unsigned,
}

impl Translator<'_, '_> {
    /// A sum, difference or product, and whether it is another number than without a
    /// limit of bits: it is found with so many more bits that it cannot wrap.
    pub(in crate::llvm::translate) fn wide_overflow(
        &mut self,
        (op, sign): (BinaryOp, Sign),
        carrier: Carrier,
        x: Value,
        y: Value,
    ) -> Parsed<(Value, Value)> {
        let bits = if op == BinaryOp::Mul { 2 * carrier.bits } else { carrier.bits + WORD };
        let count = word_count(bits);
        let cost = if op == BinaryOp::Mul { count * count } else { count };
        self.shared.charge(4 * cost as u64, self.at)?;
        let (a, b) = (self.words(carrier, x), self.words(carrier, y));
        let a = self.with_more_words(sign, carrier, a, count);
        let b = self.with_more_words(sign, carrier, b, count);
        let whole = match op {
            BinaryOp::Add => self.add_words(&a, &b).0,
            BinaryOp::Sub => self.subtract_words(&a, &b).0,
            _ => self.multiply_words(&a, &b),
        };
        let kept = whole.iter().copied().take(word_count(carrier.bits)).collect();
        let result = self.of_words(carrier, kept);
        let number = self.words(carrier, result);
        let number = self.with_more_words(sign, carrier, number, count);
        Ok((result, self.compare_words(IntCond::Ne, &number, &whole)))
    }

    fn with_more_words(
        &mut self,
        sign: Sign,
        carrier: Carrier,
        mut words: Words,
        count: usize,
    ) -> Words {
        if sign == Sign::Signed {
            return self.lengthened(carrier, words, count);
        }
        let zero = self.word(0);
        words.resize(count, zero);
        words
    }
}
