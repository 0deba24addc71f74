//! Reciprocals of divisors, as whole numbers to multiply by.
//!
//! Granlund and Montgomery, "Division by invariant integers using multiplication", 1994:
//! where `m * d` lies above `2^(b + s)` by no more than `2^s`, the quotient of a number
//! below `2^b` and `d` is its product with `m`, shifted right by `b + s`.

/// The widest products that machines give: in two halves of 64 bits.
pub(super) const WORD: u32 = 64;

/// A factor and a shift that divide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reciprocal {
    /// It has one bit more than the dividends at most.
    pub(super) factor: u128,
    /// By how much the product is shifted right.
    pub(super) shift: u32,
}

impl Reciprocal {
    /// The least one for dividends below `2^bits`, which are 64 at most; read as signed,
    /// for those of twice that on both sides of zero, as it is never exact. The divisor
    /// is no power of two, and below `2^bits`.
    pub(super) fn of(divisor: u64, bits: u32) -> Reciprocal {
        let divisor = u128::from(divisor);
        let mut slack = 0;
        loop {
            let shift = bits + slack;
            let power = 1_u128 << shift;
            let factor = power / divisor + 1;
            if factor * divisor - power <= 1 << slack {
                return Reciprocal { factor, shift };
            }
            slack += 1;
        }
    }

    /// How many bits the factor has.
    pub(super) fn factor_bits(self) -> u32 {
        u128::BITS - self.factor.leading_zeros()
    }

    /// The same with a shift of one word at least, so that the lower half of a product
    /// need not be looked at.
    pub(super) fn above_a_word(self) -> Reciprocal {
        let missing = WORD.saturating_sub(self.shift);
        Reciprocal { factor: self.factor << missing, shift: self.shift + missing }
    }
}
