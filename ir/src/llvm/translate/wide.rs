//! Integers of more than 128 bits: arrays of words, the lowest first, with zeros above
//! the bits that count.

mod division;
mod overflow;
mod shift;

pub(super) use overflow::Sign;
use smallvec::SmallVec;

use super::cast::FromTo;
use super::function::Translator;
use super::types::Carrier;
use crate::attribute::IntCond;
use crate::body::ValueDef;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{BinaryOp, CastOp};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// The bits of a word.
pub(super) const WORD: u32 = 64;

/// Words, the lowest first.
pub(super) type Words = SmallVec<[Value; 8]>;

/// How many words an integer has.
pub(super) fn word_count(bits: u32) -> usize {
    bits.div_ceil(WORD) as usize
}

/// The words of an integer as the text holds it, without end.
pub(super) fn all_words(pairs: &[u128]) -> impl Iterator<Item = u64> {
    let sign = pairs.last().map_or(0, |&last| (last.cast_signed() >> 127) as u64);
    let halves = |&pair: &u128| [pair as u64, (pair >> WORD) as u64];
    pairs.iter().flat_map(halves).chain(std::iter::repeat(sign))
}

/// Words as values.
impl Translator<'_, '_> {
    /// The words of an integer.
    pub(super) fn words(&mut self, carrier: Carrier, value: Value) -> Words {
        let count = word_count(carrier.bits);
        if self.body.as_constant(value).is_some() {
            return SmallVec::from_elem(self.word(0), count);
        }
        // What has just been put together need not be taken apart.
        if let ValueDef::Result(inst, 0) = self.body.value_def(value)
            && self.body.inst(inst).op == Op::MakeAggregate
        {
            return self.body.args(inst).into();
        }
        (0..count as u32)
            .map(|index| {
                let payload = Payload::Immediates(self.body.immediate_list(&[index]));
                self.emit_one(Op::ExtractValue, carrier.ty, &[value], payload, Type::I64)
            })
            .collect()
    }

    /// The integer of words, whose bits above those that count are cut off.
    pub(super) fn of_words(&mut self, carrier: Carrier, mut words: Words) -> Value {
        let zero = self.word(0);
        words.resize(word_count(carrier.bits), zero);
        let above = carrier.bits % WORD;
        if above != 0
            && let Some(top) = words.last_mut()
        {
            *top = self.cut(Carrier { ty: Type::I64, bits: above }, *top);
        }
        self.op(Op::MakeAggregate, carrier.ty, &words)
    }

    /// The word with those bits.
    pub(super) fn word(&mut self, bits: u64) -> Value {
        self.number(Type::I64, bits.into())
    }

    pub(super) fn word_op(&mut self, op: Op, x: Value, y: Value) -> Value {
        self.op(op, Type::I64, &[x, y])
    }

    /// All ones if the integer is negative, all zeros else.
    fn sign_word(&mut self, carrier: Carrier, words: &[Value]) -> Value {
        let Some(&top) = words.last() else { return self.word(0) };
        let left = self.word(u64::from((WORD - carrier.bits % WORD) % WORD));
        let sign = self.word_op(Op::Shl, top, left);
        let all = self.word(u64::from(WORD - 1));
        self.word_op(Op::Ashr, sign, all)
    }

    /// The words with copies of the sign above the bits that count.
    fn with_sign(&mut self, carrier: Carrier, mut words: Words) -> Words {
        let above = carrier.bits % WORD;
        if above != 0
            && let Some(top) = words.last_mut()
        {
            *top = self.sign_extended(Carrier { ty: Type::I64, bits: above }, *top);
        }
        words
    }

    /// So many words, more than the signed number has.
    fn lengthened(&mut self, carrier: Carrier, words: Words, count: usize) -> Words {
        let sign = self.sign_word(carrier, &words);
        let mut words = self.with_sign(carrier, words);
        words.resize(count, sign);
        words
    }
}

/// Arithmetic.
impl Translator<'_, '_> {
    /// An operation on two integers of one wide type.
    pub(super) fn wide_binary(
        &mut self,
        op: BinaryOp,
        carrier: Carrier,
        x: Value,
        y: Value,
    ) -> Parsed<Value> {
        let count = word_count(carrier.bits) as u64;
        let cost = if op == BinaryOp::Mul { count * count } else { count };
        self.shared.charge(4 * cost, self.at)?;
        let (a, b) = (self.words(carrier, x), self.words(carrier, y));
        let words = match op {
            BinaryOp::Add => self.add_words(&a, &b).0,
            BinaryOp::Sub => self.subtract_words(&a, &b).0,
            BinaryOp::Mul => self.multiply_words(&a, &b),
            BinaryOp::And => self.each_word(Op::And, &a, &b),
            BinaryOp::Or => self.each_word(Op::Or, &a, &b),
            BinaryOp::Xor => self.each_word(Op::Xor, &a, &b),
            BinaryOp::Shl => self.shift_left(&a, b[0]),
            BinaryOp::LShr => {
                let zero = self.word(0);
                self.shift_right(&a, b[0], zero)
            }
            BinaryOp::AShr => {
                let sign = self.sign_word(carrier, &a);
                let a = self.with_sign(carrier, a);
                self.shift_right(&a, b[0], sign)
            }
            // No op on floats has integers.
            _ => return Ok(self.wide_division(op, carrier, a, b)),
        };
        Ok(self.of_words(carrier, words))
    }

    fn each_word(&mut self, op: Op, a: &[Value], b: &[Value]) -> Words {
        a.iter().zip(b).map(|(&x, &y)| self.word_op(op, x, y)).collect()
    }

    /// The sum, and whether a bit is carried out of it.
    fn add_words(&mut self, a: &[Value], b: &[Value]) -> (Words, Value) {
        self.chain(Op::UaddOverflow, a, b)
    }

    /// The difference, and whether the second is more than the first.
    pub(super) fn subtract_words(&mut self, a: &[Value], b: &[Value]) -> (Words, Value) {
        self.chain(Op::UsubOverflow, a, b)
    }

    fn chain(&mut self, op: Op, a: &[Value], b: &[Value]) -> (Words, Value) {
        let mut carry = self.number(Type::I1, 0);
        let words = a.iter().zip(b).enumerate().map(|(index, (&x, &y))| {
            let (word, first) = self.overflow(op, x, y);
            if index == 0 {
                carry = first;
                return word;
            }
            let carried = self.op(Op::Zext, Type::I64, &[carry]);
            let (word, second) = self.overflow(op, word, carried);
            carry = self.op(Op::Or, Type::I1, &[first, second]);
            word
        });
        let words = words.collect();
        (words, carry)
    }

    fn overflow(&mut self, op: Op, x: Value, y: Value) -> (Value, Value) {
        let results = [Type::I64, Type::I1];
        let inst = self.emit(op, Type::I64, &[x, y], Payload::None, &results);
        (self.body.results(inst)[0], self.body.results(inst)[1])
    }

    /// The low words of the product.
    fn multiply_words(&mut self, a: &[Value], b: &[Value]) -> Words {
        let zero = self.word(0);
        let mut sum: Words = SmallVec::from_elem(zero, a.len());
        for (place, &x) in a.iter().enumerate() {
            let rest = a.len() - place;
            let low: Words = b[..rest].iter().map(|&y| self.word_op(Op::Mul, x, y)).collect();
            let high = b[..rest - 1].iter().map(|&y| self.word_op(Op::Umulhi, x, y));
            let high: Words = std::iter::once(zero).chain(high).collect();
            let (first, _) = self.add_words(&sum[place..], &low);
            let (second, _) = self.add_words(&first, &high);
            sum.truncate(place);
            sum.extend(second);
        }
        sum
    }

    /// Whether a condition holds of two integers of one wide type.
    pub(super) fn wide_compare(
        &mut self,
        condition: IntCond,
        carrier: Carrier,
        x: Value,
        y: Value,
    ) -> Value {
        let (mut a, mut b) = (self.words(carrier, x), self.words(carrier, y));
        if matches!(condition, IntCond::Eq | IntCond::Ne) {
            return self.compare_words(condition, &a, &b);
        }
        if condition != condition.unsigned() {
            // With the signs turned, signed order is unsigned order.
            let sign = self.word(1 << ((carrier.bits - 1) % WORD));
            for top in [a.last_mut(), b.last_mut()].into_iter().flatten() {
                *top = self.word_op(Op::Xor, *top, sign);
            }
        }
        let (less, negated) = match condition.unsigned() {
            IntCond::Ult => (self.subtract_words(&a, &b).1, false),
            IntCond::Uge => (self.subtract_words(&a, &b).1, true),
            IntCond::Ugt => (self.subtract_words(&b, &a).1, false),
            _ => (self.subtract_words(&b, &a).1, true),
        };
        if negated { self.op(Op::Not, Type::I1, &[less]) } else { less }
    }
}

impl Translator<'_, '_> {
    /// Whether all words are the same, or not all are.
    fn compare_words(&mut self, condition: IntCond, a: &[Value], b: &[Value]) -> Value {
        let zero = self.word(0);
        let differences = self.each_word(Op::Xor, a, b);
        let all = differences.into_iter().fold(zero, |all, word| {
            if all == zero { word } else { self.word_op(Op::Or, all, word) }
        });
        self.holds(condition, Type::I64, all, zero)
    }
}

/// Conversions.
impl Translator<'_, '_> {
    /// A conversion of which at least one type is wide.
    pub(super) fn wide_cast(
        &mut self,
        op: CastOp,
        value: Value,
        (from, to): FromTo,
    ) -> Parsed<Value> {
        self.shared.charge(2 * word_count(from.bits.max(to.bits)) as u64, self.at)?;
        let mut words = match op {
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                SmallVec::from_elem(self.address_bits(value), 1)
            }
            CastOp::FpToSi | CastOp::FpToUi | CastOp::SiToFp | CastOp::UiToFp => {
                let message = "no float becomes an integer of more than 128 bits, or comes of one";
                return Err(self.unsupported(message));
            }
            _ if from.is_wide() => self.words(from, value),
            _ => self.words_of_narrow(from, value, op == CastOp::SExt),
        };
        if op == CastOp::SExt {
            let bits = if from.is_wide() { from.bits } else { WORD * words.len() as u32 };
            words = self.lengthened(Carrier { bits, ..from }, words, word_count(to.bits));
        }
        if op == CastOp::IntToPtr {
            return Ok(self.address_of_bits(words[0]));
        }
        Ok(match to.is_wide() {
            true => self.of_words(to, words),
            false => self.narrow_of_words(to, &words),
        })
    }

    /// The words of an integer of at most 128 bits.
    pub(super) fn words_of_narrow(&mut self, from: Carrier, value: Value, signed: bool) -> Words {
        let value = if signed { self.sign_extended(from, value) } else { value };
        let extend = if signed { Op::Sext } else { Op::Zext };
        match from.ty.lane() {
            Some(Scalar::I64) => SmallVec::from_elem(value, 1),
            Some(Scalar::I128) => {
                let low = self.op(Op::Trunc, Type::I64, &[value]);
                let amount = self.number(Type::I128, WORD.into());
                let high = self.op(Op::Lshr, Type::I128, &[value, amount]);
                let high = self.op(Op::Trunc, Type::I64, &[high]);
                [low, high].into_iter().collect()
            }
            _ => SmallVec::from_elem(self.op(extend, Type::I64, &[value]), 1),
        }
    }

    /// The low bits of words as an integer of at most 128 bits.
    pub(super) fn narrow_of_words(&mut self, to: Carrier, words: &[Value]) -> Value {
        match (to.ty, words) {
            (Type::I128, &[low, high, ..]) => {
                let low = self.op(Op::Zext, Type::I128, &[low]);
                let high = self.op(Op::Zext, Type::I128, &[high]);
                let amount = self.number(Type::I128, WORD.into());
                let high = self.op(Op::Shl, Type::I128, &[high, amount]);
                let all = self.op(Op::Or, Type::I128, &[low, high]);
                self.cut(to, all)
            }
            (_, words) => self.resized(words[0], to),
        }
    }
}
