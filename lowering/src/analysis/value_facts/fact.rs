//! What is known of a number: which bits it has, and between which bounds it lies, read
//! as unsigned and as signed. The three say together what none says alone, and each is
//! made as narrow as the others let it be.
//!
//! Of a number of more than 64 bits nothing is known: they are rare, and words are computed
//! with in a third of the instructions that numbers of 128 bits take.

use brolga_ir::attribute::IntCond;

/// The low bits of a number of that width.
pub(in crate::analysis) const fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The widest number of which anything is known.
const WIDEST: u32 = 64;

/// What is known of a number of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    width: u32,
    /// Of a number of more than [`WIDEST`] bits, this and all below are zero.
    zeros: u64,
    ones: u64,
    unsigned: (u64, u64),
    signed: (i64, i64),
}

/// The low bits of a number of that width, of up to 64.
const fn low_bits(width: u32) -> u64 {
    if width >= u64::BITS { u64::MAX } else { (1 << width) - 1 }
}

impl Fact {
    /// Of any number of that width.
    pub fn any(width: u32) -> Fact {
        if width > WIDEST {
            return Fact { width, zeros: 0, ones: 0, unsigned: (0, 0), signed: (0, 0) };
        }
        let unsigned = (0, low_bits(width));
        let signed = (Fact::least(width) as i64, Fact::greatest(width) as i64);
        Fact { width, zeros: !low_bits(width), ones: 0, unsigned, signed }
    }

    /// Of one number, by its bits.
    pub fn constant(width: u32, bits: u128) -> Fact {
        if width > WIDEST {
            return Fact::any(width);
        }
        let bits = bits as u64 & low_bits(width);
        let signed = extended(width, bits);
        let (unsigned, signed) = ((bits, bits), (signed, signed));
        Fact { width, zeros: !bits, ones: bits, unsigned, signed }
    }

    /// Of the numbers between those bounds, read as unsigned; of any, if that is none.
    pub fn unsigned_between(width: u32, least: u128, most: u128) -> Fact {
        Fact::any(width).within_unsigned(least, most).settled()
    }

    /// Of the numbers between those bounds, read as signed; of any, if that is none.
    pub fn signed_between(width: u32, least: i128, most: i128) -> Fact {
        Fact::any(width).within_signed(least, most).settled()
    }

    /// Of the numbers that have none of those bits and all of these; of any, if that is
    /// none.
    pub fn with_bits(width: u32, zeros: u128, ones: u128) -> Fact {
        Fact::any(width).and_bits(zeros, ones).settled()
    }

    /// As [`unsigned_between`](Self::unsigned_between) besides what is known, and not settled.
    #[must_use]
    pub(super) fn within_unsigned(mut self, least: u128, most: u128) -> Fact {
        if self.width <= WIDEST {
            let most = most.min(mask(self.width)) as u64;
            // Of bounds between which no number of the width stands, settling makes any.
            let least = u64::try_from(least).unwrap_or(u64::MAX);
            self.unsigned = common(self.unsigned, (least, most));
        }
        self
    }

    /// As [`signed_between`](Self::signed_between) besides what is known, and not settled.
    #[must_use]
    pub(super) fn within_signed(mut self, least: i128, most: i128) -> Fact {
        if self.width <= WIDEST {
            let least = i64::try_from(least).unwrap_or(if least < 0 { i64::MIN } else { i64::MAX });
            let most = i64::try_from(most).unwrap_or(if most < 0 { i64::MIN } else { i64::MAX });
            self.signed = common(self.signed, (least, most));
        }
        self
    }

    /// As [`with_bits`](Self::with_bits) besides what is known, and not settled.
    #[must_use]
    pub(super) fn and_bits(mut self, zeros: u128, ones: u128) -> Fact {
        if self.width <= WIDEST {
            self.zeros |= zeros as u64 & low_bits(self.width);
            self.ones |= ones as u64 & low_bits(self.width);
        }
        self
    }

    /// The least number of that width, read as signed.
    pub(in crate::analysis) fn least(width: u32) -> i128 {
        if width == 0 { 0 } else { i128::MIN >> (128 - width) }
    }

    /// The greatest number of that width, read as signed.
    pub(in crate::analysis) fn greatest(width: u32) -> i128 {
        if width == 0 { 0 } else { i128::MAX >> (128 - width) }
    }

    /// How many bits the number has.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bits that it has not; all above its width are among them.
    pub fn zeros(&self) -> u128 {
        u128::from(self.zeros) | !mask(self.width)
    }

    /// The bits that it has.
    pub fn ones(&self) -> u128 {
        self.ones.into()
    }

    /// The least and the greatest that it may be, read as unsigned.
    pub fn unsigned(&self) -> (u128, u128) {
        match self.width > WIDEST {
            true => (0, mask(self.width)),
            false => (self.unsigned.0.into(), self.unsigned.1.into()),
        }
    }

    /// The least and the greatest that it may be, read as signed.
    pub fn signed(&self) -> (i128, i128) {
        match self.width > WIDEST {
            true => (Fact::least(self.width), Fact::greatest(self.width)),
            false => (self.signed.0.into(), self.signed.1.into()),
        }
    }

    /// The number, if it can be one only.
    pub fn as_constant(&self) -> Option<u128> {
        let is_one = self.unsigned.0 == self.unsigned.1 && self.width <= WIDEST;
        is_one.then_some(self.unsigned.0.into())
    }

    /// Whether nothing is known of it.
    pub(crate) fn is_any(&self) -> bool {
        // Bounds tell most numbers apart from any.
        self.unsigned.0 == 0 && *self == Fact::any(self.width)
    }

    /// Whether it cannot be zero.
    pub fn is_nonzero(&self) -> bool {
        self.unsigned.0 > 0
    }

    /// How many of its lowest bits are known to be zero.
    pub fn trailing_zeros(&self) -> u32 {
        // Above numbers that are less wide stand zeros.
        self.zeros.trailing_ones().min(self.width)
    }

    /// Whether it may be that number.
    pub fn contains(&self, bits: u128) -> bool {
        let ((ul, um), (sl, sm)) = (self.unsigned(), self.signed());
        bits & self.zeros() == 0
            && bits & self.ones() == self.ones()
            && (ul..=um).contains(&bits)
            && (sl..=sm).contains(&sign_extended(self.width, bits))
    }

    /// What holds of both, the other being of the same width.
    #[must_use]
    pub fn joined(&self, other: &Fact) -> Fact {
        Fact {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            unsigned: hull(self.unsigned, other.unsigned),
            signed: hull(self.signed, other.signed),
        }
    }

    /// What is known of a number of which both are known; what is known by this one, if
    /// there is no such number.
    #[must_use]
    pub fn narrowed(&self, other: &Fact) -> Fact {
        self.and(other).consistent().unwrap_or(*self)
    }

    /// What both say, not settled.
    #[must_use]
    pub(super) fn and(&self, other: &Fact) -> Fact {
        Fact {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            unsigned: common(self.unsigned, other.unsigned),
            signed: common(self.signed, other.signed),
        }
    }

    /// What is known if bounds that are not those of `before` are given up, and all bits
    /// from the lowest that is not: what is met on the way to the end of a loop that counts.
    #[must_use]
    pub(crate) fn widened(&self, before: &Fact) -> Fact {
        let any = Fact::any(self.width);
        let (u, v) = (self.unsigned, before.unsigned);
        let (s, t) = (self.signed, before.signed);
        // What carries upward changes one bit after the other, from the lowest.
        let lost = (before.zeros & !self.zeros) | (before.ones & !self.ones);
        let steady = low_bits(lost.trailing_zeros());
        Fact {
            zeros: self.zeros & steady | any.zeros,
            ones: self.ones & steady,
            unsigned: (
                if u.0 == v.0 { u.0 } else { any.unsigned.0 },
                if u.1 == v.1 { u.1 } else { any.unsigned.1 },
            ),
            signed: (
                if s.0 == t.0 { s.0 } else { any.signed.0 },
                if s.1 == t.1 { s.1 } else { any.signed.1 },
            ),
            ..*self
        }
    }

    /// What a compare of two numbers gives, if that is known.
    pub fn compare(&self, condition: IntCond, other: &Fact) -> Option<bool> {
        let (a, b) = (self, other);
        match condition {
            IntCond::Eq => match (a.as_constant(), b.as_constant()) {
                (Some(a), Some(b)) if a == b => Some(true),
                _ => a.is_apart(b).then_some(false),
            },
            // Of bounds that say nothing, none decides.
            IntCond::Ult => decide(a.unsigned(), b.unsigned()),
            IntCond::Slt => decide(a.signed(), b.signed()),
            IntCond::Ugt | IntCond::Sgt => b.compare(condition.swapped(), a),
            IntCond::Ne | IntCond::Uge | IntCond::Sge | IntCond::Ule | IntCond::Sle => {
                Some(!a.compare(condition.inverted(), b)?)
            }
        }
    }

    /// What is known of a number of which the condition holds against `other`.
    #[must_use]
    pub fn narrowed_by(&self, condition: IntCond, other: &Fact) -> Fact {
        let (width, (ul, um), (sl, sm)) = (self.width, other.unsigned(), other.signed());
        let unsigned = |least, most| Fact::unsigned_between(width, least, most);
        let signed = |least, most| Fact::signed_between(width, least, most);
        let bounds = match condition {
            IntCond::Eq => Some(*other),
            IntCond::Ne => other.as_constant().map(|number| self.without(number)),
            IntCond::Ult => um.checked_sub(1).map(|most| unsigned(0, most)),
            IntCond::Ule => Some(unsigned(0, um)),
            IntCond::Ugt => ul.checked_add(1).map(|least| unsigned(least, u128::MAX)),
            IntCond::Uge => Some(unsigned(ul, u128::MAX)),
            IntCond::Slt => sm.checked_sub(1).map(|most| signed(i128::MIN, most)),
            IntCond::Sle => Some(signed(i128::MIN, sm)),
            IntCond::Sgt => sl.checked_add(1).map(|least| signed(least, i128::MAX)),
            IntCond::Sge => Some(signed(sl, i128::MAX)),
        };
        bounds.map_or(*self, |bounds| self.narrowed(&bounds))
    }

    /// What is known if it is not that number: more where it stands at an end.
    fn without(&self, number: u128) -> Fact {
        let (least, most) = self.unsigned();
        let unsigned = match number {
            _ if least == most => return *self,
            number if number == least => Fact::unsigned_between(self.width, least + 1, most),
            number if number == most => Fact::unsigned_between(self.width, least, most - 1),
            _ => *self,
        };
        let ((least, most), number) = (self.signed(), sign_extended(self.width, number));
        let signed = match number {
            number if number == least => Fact::signed_between(self.width, least + 1, most),
            number if number == most => Fact::signed_between(self.width, least, most - 1),
            _ => *self,
        };
        unsigned.narrowed(&signed)
    }

    fn is_apart(&self, other: &Fact) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.unsigned.1 < other.unsigned.0
            || other.unsigned.1 < self.unsigned.0
            || self.signed.1 < other.signed.0
            || other.signed.1 < self.signed.0
    }

    /// Each of the three made as narrow as the others let it be; of any number, if none
    /// is left.
    #[must_use]
    pub(super) fn settled(self) -> Fact {
        self.consistent().unwrap_or(Fact::any(self.width))
    }

    fn consistent(mut self) -> Option<Fact> {
        // Nothing is known of most.
        if self.width > WIDEST || self == Fact::any(self.width) {
            return Some(self);
        }
        // Bounds move bits, bits move bounds, and those move the other bounds.
        for _ in 0..2 {
            let before = self;
            self = before.exchanged();
            let is_empty = self.zeros & self.ones != 0
                || self.unsigned.0 > self.unsigned.1
                || self.signed.0 > self.signed.1;
            if is_empty {
                return None;
            }
            if self == before {
                break;
            }
        }
        Some(self)
    }

    fn exchanged(mut self) -> Fact {
        let all = low_bits(self.width);
        let sign = all ^ (all >> 1);
        let bounds = (self.ones, !self.zeros & all);
        self.unsigned = common(self.unsigned, bounds);
        // The least has the sign wherever it may, the greatest only where it must.
        let least = if self.zeros & sign == 0 { bounds.0 | sign } else { bounds.0 };
        let most = if self.ones & sign == 0 { bounds.1 & !sign } else { bounds.1 };
        let read = |bits| extended(self.width, bits);
        self.signed = common(self.signed, (read(least), read(most)));
        // Bounds of one sign are in the same order, read either way.
        if (self.unsigned.0 ^ self.unsigned.1) & sign == 0 {
            let read = (read(self.unsigned.0), read(self.unsigned.1));
            self.signed = common(self.signed, read);
        }
        if (self.signed.0 < 0) == (self.signed.1 < 0) {
            let read = (self.signed.0 as u64 & all, self.signed.1 as u64 & all);
            self.unsigned = common(self.unsigned, read);
        }
        // What stands above the highest bit in which the bounds differ.
        let differ = self.unsigned.0 ^ self.unsigned.1;
        let alike = !low_bits(u64::BITS - differ.leading_zeros());
        self.zeros |= !self.unsigned.0 & alike;
        self.ones |= self.unsigned.0 & alike;
        self
    }
}

/// The number with those bits, of up to 64, read as signed.
fn extended(width: u32, bits: u64) -> i64 {
    if width == 0 { 0 } else { ((bits << (u64::BITS - width)) as i64) >> (u64::BITS - width) }
}

/// The number with those bits, read as signed.
pub(crate) fn sign_extended(width: u32, bits: u128) -> i128 {
    if width == 0 { 0 } else { ((bits << (128 - width)) as i128) >> (128 - width) }
}

fn hull<T: Ord>(one: (T, T), other: (T, T)) -> (T, T) {
    (one.0.min(other.0), one.1.max(other.1))
}

fn common<T: Ord>(one: (T, T), other: (T, T)) -> (T, T) {
    (one.0.max(other.0), one.1.min(other.1))
}

/// Whether all of the first are less than all of the second, or none is.
fn decide<T: Ord + Copy>(one: (T, T), other: (T, T)) -> Option<bool> {
    if one.1 < other.0 {
        Some(true)
    } else if one.0 >= other.1 {
        Some(false)
    } else {
        None
    }
}
