//! Division of wide integers, bit by bit: rare enough to be short.

use smallvec::SmallVec;

use super::{WORD, Words, word_count};
use crate::attribute::IntCond;
use crate::entity::Value;
use crate::llvm::syntax::BinaryOp;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::Type;

impl Translator<'_, '_> {
    /// The quotient or the rest. Divisor 0 traps as that of a narrower integer does.
    pub(super) fn wide_division(
        &mut self,
        op: BinaryOp,
        carrier: Carrier,
        a: Words,
        b: Words,
    ) -> Value {
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if !signed {
            let (quotient, rest) = self.divided(carrier, &a, &b);
            let words = if op == BinaryOp::UDiv { quotient } else { rest };
            return self.of_words(carrier, words);
        }
        let signs = (self.sign_word(carrier, &a), self.sign_word(carrier, &b));
        let (a, b) = (self.size(carrier, a, signs.0), self.size(carrier, b, signs.1));
        let (quotient, rest) = self.divided(carrier, &a, &b);
        let words = match op {
            BinaryOp::SDiv => {
                let sign = self.word_op(Op::Xor, signs.0, signs.1);
                self.turned(&quotient, sign)
            }
            _ => self.turned(&rest, signs.0),
        };
        self.of_words(carrier, words)
    }

    /// The size of an integer whose sign is spread over a word.
    fn size(&mut self, carrier: Carrier, words: Words, sign: Value) -> Words {
        let words = self.with_sign(carrier, words);
        self.turned(&words, sign)
    }

    /// The words negated if `sign` is all ones, as they are if it is zero.
    fn turned(&mut self, words: &[Value], sign: Value) -> Words {
        let flipped: Words = words.iter().map(|&word| self.word_op(Op::Xor, word, sign)).collect();
        let signs: Words = SmallVec::from_elem(sign, flipped.len());
        self.subtract_words(&flipped, &signs).0
    }

    /// The quotient and the rest of unsigned integers.
    fn divided(&mut self, carrier: Carrier, a: &[Value], b: &[Value]) -> (Words, Words) {
        self.refuse_zero(b);
        let count = word_count(carrier.bits);
        let zero = self.word(0);
        let (again, behind) = (self.new_block(), self.new_block());
        let state: Words =
            (0..3 * count + 1).map(|_| self.body.append_param(again, Type::I64)).collect();
        // The dividend, of which a bit at a time moves from the top into the rest; the
        // quotient fills it from below.
        let mut first: Words = a.into();
        first.resize(3 * count + 1, zero);
        self.jump(again, &first);
        self.switch_to(again);
        let (dividend, rest) = (&state[..count], &state[count..2 * count]);
        let (quotient, rounds) = (&state[2 * count..3 * count], state[3 * count]);
        let top = self.word(u64::from((carrier.bits - 1) % WORD));
        let bit = self.word_op(Op::Lshr, dividend[count - 1], top);
        let one = self.word(1);
        let bit = self.word_op(Op::And, bit, one);
        let (next_dividend, _) = self.doubled(dividend, zero);
        let (doubled, carried) = self.doubled(rest, bit);
        let (less, is_less) = self.subtract_words(&doubled, b);
        let carried = self.op(Op::Trunc, Type::I1, &[carried]);
        let fits = self.op(Op::Not, Type::I1, &[is_less]);
        let fits = self.op(Op::Or, Type::I1, &[carried, fits]);
        let next_rest: Words = (0..count)
            .map(|i| self.op(Op::Select, Type::I64, &[fits, less[i], doubled[i]]))
            .collect();
        let digit = self.op(Op::Zext, Type::I64, &[fits]);
        let (next_quotient, _) = self.doubled(quotient, digit);
        let next_rounds = self.word_op(Op::Add, rounds, one);
        let all = self.word(carrier.bits.into());
        let is_more = self.holds(IntCond::Ult, Type::I64, next_rounds, all);
        let mut next = next_dividend;
        next.extend(next_rest.iter().chain(&next_quotient).copied());
        next.push(next_rounds);
        self.branch(is_more, (again, &next), (behind, &[]));
        self.switch_to(behind);
        (next_quotient, next_rest)
    }

    fn refuse_zero(&mut self, words: &[Value]) {
        let zero = self.word(0);
        let any = words.iter().skip(1).fold(words[0], |all, &word| self.word_op(Op::Or, all, word));
        let some = self.holds(IntCond::Ne, Type::I64, any, zero);
        let (divides, traps) = (self.new_block(), self.new_block());
        self.branch(some, (divides, &[]), (traps, &[]));
        self.switch_to(traps);
        self.end_by_trap(TrapCode::DivisionByZero);
        self.switch_to(divides);
    }

    /// The words shifted left by one, with a bit coming in, and the bit that goes out.
    fn doubled(&mut self, words: &[Value], bit: Value) -> (Words, Value) {
        let (one, last) = (self.word(1), self.word(u64::from(WORD - 1)));
        let mut carried = bit;
        let words = words.iter().map(|&word| {
            let up = self.word_op(Op::Shl, word, one);
            let doubled = self.word_op(Op::Or, up, carried);
            carried = self.word_op(Op::Lshr, word, last);
            doubled
        });
        let words = words.collect();
        (words, carried)
    }
}
