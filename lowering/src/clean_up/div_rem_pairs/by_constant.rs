//! Divisions by constants as products.
//!
//! A division takes ten to twenty steps of the machine, a product three. Numbers of up
//! to 32 bits are multiplied in 64, where most products fit; of 64 bits the upper half
//! of the product is taken. What is known of the dividend makes the factor smaller, and
//! of signed divisions of no negative number unsigned ones. Warren, "Hacker's Delight",
//! 2nd edition 2012, chapter 10, has the corrections for factors that do not fit.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::reciprocal::{Reciprocal, WORD};
use crate::analysis::{Fact, ValueFacts};
use crate::pass::{Editor, Renames};

/// A division that needs none, because its divisor is a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    inst: Inst,
    ty: Type,
    dividend: Value,
    /// The divisor without its sign.
    divisor: u64,
    signs: Signs,
    /// The greatest that the dividend may be, if it has no sign.
    most: u64,
    gives: Gives,
}

/// What the operands are read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Signs {
    /// As unsigned, or as signed where neither is negative.
    None,
    /// As signed.
    Dividend,
    /// As signed; the divisor is negative.
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gives {
    Quotient,
    Rest,
}

impl Site {
    /// What `inst` divides, if by a constant that it never traps for and up to 64 bits.
    pub(super) fn of(body: &Body, facts: &ValueFacts, inst: Inst) -> Option<Site> {
        let data = body.inst(inst);
        let (is_signed, gives) = match data.op {
            Op::Udiv => (false, Gives::Quotient),
            Op::Urem => (false, Gives::Rest),
            Op::Sdiv => (true, Gives::Quotient),
            Op::Srem => (true, Gives::Rest),
            _ => return None,
        };
        let &[dividend, divisor] = body.args(inst) else { return None };
        let bits = u64::try_from(body.as_scalar_constant(divisor)?).ok()?;
        let width = data.ty.as_scalar()?.bits();
        if width > WORD {
            return None;
        }
        let fact = facts.of(body, dividend).unwrap_or(Fact::any(width));
        let is_negative = is_signed && bits >> (width - 1) == 1;
        let magnitude = if is_negative {
            bits.wrapping_neg() << (WORD - width) >> (WORD - width)
        } else {
            bits
        };
        let signs = match () {
            () if is_negative => Signs::Both,
            () if is_signed && fact.signed().0 < 0 => Signs::Dividend,
            () => Signs::None,
        };
        let most = u64::try_from(fact.unsigned().1).ok()?;
        let fits = magnitude > 1;
        fits.then_some(Site { inst, ty: data.ty, dividend, divisor: magnitude, signs, most, gives })
    }

    /// Writes what the division gives before it, and takes it out.
    pub(super) fn expand(self, editor: &mut Editor<'_, '_>, renames: &mut Renames) {
        let Some(result) = editor.body.result(self.inst) else { return };
        editor.stand_before(self.inst);
        let value = match self.gives {
            Gives::Quotient => self.quotient(editor),
            Gives::Rest => self.rest(editor),
        };
        renames.rename(result, value);
        editor.body.remove_inst(self.inst);
    }

    /// Its sign is the dividend's, whatever the divisor's.
    fn rest(self, editor: &mut Editor<'_, '_>) -> Value {
        let Site { ty, dividend, divisor, .. } = self;
        if self.divisor.is_power_of_two() && self.signs == Signs::None {
            let mask = editor.constant(ty, (divisor - 1).into());
            return editor.op(Op::And, ty, &[dividend, mask]);
        }
        if self.signs == Signs::None && self.most < divisor {
            return dividend;
        }
        let signs = if self.signs == Signs::Both { Signs::Dividend } else { self.signs };
        let quotient = Site { signs, ..self }.quotient(editor);
        let (op, factor) = match divisor.is_power_of_two() {
            true => (Op::Shl, divisor.trailing_zeros().into()),
            false => (Op::Mul, divisor.into()),
        };
        let factor = editor.constant(ty, factor);
        let product = editor.op(op, ty, &[quotient, factor]);
        editor.op(Op::Sub, ty, &[dividend, product])
    }

    fn quotient(self, editor: &mut Editor<'_, '_>) -> Value {
        match (self.signs, self.divisor.is_power_of_two()) {
            (Signs::None, true) => {
                let amount = editor.constant(self.ty, self.divisor.trailing_zeros().into());
                editor.op(Op::Lshr, self.ty, &[self.dividend, amount])
            }
            (Signs::None, false) => self.unsigned(editor),
            (_, true) => self.signed_shift(editor),
            (_, false) => self.signed(editor),
        }
    }

    /// Rounds towards zero by adding the divisor less one to what is negative.
    fn signed_shift(self, editor: &mut Editor<'_, '_>) -> Value {
        let Site { ty, dividend, .. } = self;
        let width = ty.as_scalar().map_or(WORD, |scalar| scalar.bits());
        let exponent = self.divisor.trailing_zeros();
        let [top, rest, exponent] =
            [width - 1, width - exponent, exponent].map(|n| editor.constant(ty, n.into()));
        let sign = editor.op(Op::Ashr, ty, &[dividend, top]);
        let bias = editor.op(Op::Lshr, ty, &[sign, rest]);
        let sum = editor.op(Op::Add, ty, &[dividend, bias]);
        let quotient = editor.op(Op::Ashr, ty, &[sum, exponent]);
        match self.signs {
            Signs::Both => editor.op(Op::Neg, ty, &[quotient]),
            _ => quotient,
        }
    }

    /// The product rounds down, and what is negative then lacks one.
    fn signed(self, editor: &mut Editor<'_, '_>) -> Value {
        let width = self.ty.as_scalar().map_or(WORD, |scalar| scalar.bits());
        let reciprocal = Reciprocal::of(self.divisor, width - 1);
        let x = Wide::of(editor, Op::Sext, self.ty, self.dividend);
        let shifted = if width == WORD {
            let Reciprocal { factor, shift } = reciprocal.above_a_word();
            let product = x.by(editor, Op::Smulhi, factor);
            // A factor above the greatest number stands for itself less `2^64`.
            let product = match factor >> (WORD - 1) {
                0 => product,
                _ => editor.op(Op::Add, Type::I64, &[product.0, x.0]).into(),
            };
            product.shifted(editor, Op::Ashr, shift - WORD)
        } else {
            let product = x.by(editor, Op::Mul, reciprocal.factor);
            product.shifted(editor, Op::Ashr, reciprocal.shift)
        };
        let sign = x.shifted(editor, Op::Ashr, WORD - 1);
        let parts = match self.signs {
            Signs::Both => [sign.0, shifted.0],
            _ => [shifted.0, sign.0],
        };
        let quotient = editor.op(Op::Sub, Type::I64, &parts);
        Wide(quotient).narrowed(editor, self.ty)
    }

    fn unsigned(self, editor: &mut Editor<'_, '_>) -> Value {
        let Site { ty, dividend, divisor, most, .. } = self;
        if most < divisor {
            return editor.zero(ty);
        }
        if most / divisor < 2 {
            let divisor = editor.constant(ty, divisor.into());
            let is_one = editor.icmp(IntCond::Uge, ty, dividend, divisor);
            return editor.op(Op::Zext, ty, &[is_one]);
        }
        let x = Wide::of(editor, Op::Zext, ty, dividend);
        let bits = WORD - most.leading_zeros();
        let quotient = x.divided(editor, divisor, bits);
        quotient.narrowed(editor, ty)
    }
}

/// A number of 64 bits.
#[derive(Clone, Copy, Debug)]
struct Wide(Value);

impl From<Value> for Wide {
    fn from(value: Value) -> Wide {
        Wide(value)
    }
}

impl Wide {
    fn of(editor: &mut Editor<'_, '_>, op: Op, ty: Type, value: Value) -> Wide {
        if ty == Type::I64 { Wide(value) } else { Wide(editor.op(op, Type::I64, &[value])) }
    }

    fn narrowed(self, editor: &mut Editor<'_, '_>, ty: Type) -> Value {
        if ty == Type::I64 { self.0 } else { editor.op(Op::Trunc, ty, &[self.0]) }
    }

    fn shifted(self, editor: &mut Editor<'_, '_>, op: Op, amount: u32) -> Wide {
        if amount == 0 {
            return self;
        }
        let amount = editor.constant(Type::I64, amount.into());
        Wide(editor.op(op, Type::I64, &[self.0, amount]))
    }

    /// A product with the low word of `factor`.
    fn by(self, editor: &mut Editor<'_, '_>, op: Op, factor: u128) -> Wide {
        let factor = editor.constant(Type::I64, factor & u128::from(u64::MAX));
        Wide(editor.op(op, Type::I64, &[self.0, factor]))
    }

    /// The number, which is below `2^bits`, divided by what is no power of two.
    fn divided(self, editor: &mut Editor<'_, '_>, divisor: u64, bits: u32) -> Wide {
        let reciprocal = Reciprocal::of(divisor, bits);
        if reciprocal.factor_bits() + bits <= WORD {
            let product = self.by(editor, Op::Mul, reciprocal.factor);
            return product.shifted(editor, Op::Lshr, reciprocal.shift);
        }
        let Reciprocal { factor, shift } = reciprocal.above_a_word();
        if factor >> WORD == 0 {
            let product = self.by(editor, Op::Umulhi, factor);
            return product.shifted(editor, Op::Lshr, shift - WORD);
        }
        let zeros = divisor.trailing_zeros();
        if zeros > 0 {
            let halved = self.shifted(editor, Op::Lshr, zeros);
            return halved.divided(editor, divisor >> zeros, bits - zeros);
        }
        // The factor is `2^64` and the rest of it: the sum with the number itself would
        // not fit, half of it does.
        let product = self.by(editor, Op::Umulhi, factor);
        let difference = Wide(editor.op(Op::Sub, Type::I64, &[self.0, product.0]));
        let half = difference.shifted(editor, Op::Lshr, 1);
        let sum = Wide(editor.op(Op::Add, Type::I64, &[half.0, product.0]));
        sum.shifted(editor, Op::Lshr, shift - WORD - 1)
    }
}
