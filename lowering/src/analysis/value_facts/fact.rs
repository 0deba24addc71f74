//! What is known of a number: which bits it has, and between which bounds it lies, read
//! as unsigned and as signed. The three say together what none says alone, and each is
//! made as narrow as the others let it be.

use brolga_ir::attribute::IntCond;

/// The low bits of a number of that width.
pub(in crate::analysis) const fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// What is known of a number of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    width: u32,
    zeros: u128,
    ones: u128,
    unsigned: (u128, u128),
    signed: (i128, i128),
}

impl Fact {
    /// Of any number of that width.
    pub fn any(width: u32) -> Fact {
        let unsigned = (0, mask(width));
        let signed = (Fact::least(width), Fact::greatest(width));
        Fact { width, zeros: !mask(width), ones: 0, unsigned, signed }
    }

    /// Of one number, by its bits.
    pub fn constant(width: u32, bits: u128) -> Fact {
        let bits = bits & mask(width);
        let signed = sign_extended(width, bits);
        let (unsigned, signed) = ((bits, bits), (signed, signed));
        Fact { width, zeros: !bits, ones: bits, unsigned, signed }
    }

    /// Of the numbers between those bounds, read as unsigned; of any, if that is none.
    pub fn unsigned_between(width: u32, least: u128, most: u128) -> Fact {
        let most = most.min(mask(width));
        Fact { unsigned: (least, most), ..Fact::any(width) }.settled()
    }

    /// Of the numbers between those bounds, read as signed; of any, if that is none.
    pub fn signed_between(width: u32, least: i128, most: i128) -> Fact {
        let signed = (least.max(Fact::least(width)), most.min(Fact::greatest(width)));
        Fact { signed, ..Fact::any(width) }.settled()
    }

    /// Of the numbers that have none of those bits and all of these; of any, if that is
    /// none.
    pub fn with_bits(width: u32, zeros: u128, ones: u128) -> Fact {
        let zeros = zeros | !mask(width);
        Fact { zeros, ones: ones & mask(width), ..Fact::any(width) }.settled()
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
        self.zeros
    }

    /// The bits that it has.
    pub fn ones(&self) -> u128 {
        self.ones
    }

    /// The least and the greatest that it may be, read as unsigned.
    pub fn unsigned(&self) -> (u128, u128) {
        self.unsigned
    }

    /// The least and the greatest that it may be, read as signed.
    pub fn signed(&self) -> (i128, i128) {
        self.signed
    }

    /// The number, if it can be one only.
    pub fn as_constant(&self) -> Option<u128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// Whether it cannot be zero.
    pub fn is_nonzero(&self) -> bool {
        self.unsigned.0 > 0
    }

    /// How many of its lowest bits are known to be zero.
    pub fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones().min(self.width)
    }

    /// Whether it may be that number.
    pub fn contains(&self, bits: u128) -> bool {
        let signed = sign_extended(self.width, bits);
        bits & self.zeros == 0
            && bits & self.ones == self.ones
            && (self.unsigned.0..=self.unsigned.1).contains(&bits)
            && (self.signed.0..=self.signed.1).contains(&signed)
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
        let both = Fact {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            unsigned: common(self.unsigned, other.unsigned),
            signed: common(self.signed, other.signed),
        };
        both.consistent().unwrap_or(*self)
    }

    /// What is known if bounds that are not those of `before` are given up, and all bits
    /// from the lowest that is not: what is met on the way to the end of a loop that counts.
    #[must_use]
    pub(super) fn widened(&self, before: &Fact) -> Fact {
        let any = Fact::any(self.width);
        let pick = |same: bool, bound: u128, end: u128| if same { bound } else { end };
        let pick_signed = |same: bool, bound: i128, end: i128| if same { bound } else { end };
        let (u, v) = (self.unsigned, before.unsigned);
        let (s, t) = (self.signed, before.signed);
        // What carries upward changes one bit after the other, from the lowest.
        let lost = (before.zeros & !self.zeros) | (before.ones & !self.ones);
        let steady = mask(lost.trailing_zeros());
        Fact {
            zeros: self.zeros & steady | !mask(self.width),
            ones: self.ones & steady,
            unsigned: (pick(u.0 == v.0, u.0, 0), pick(u.1 == v.1, u.1, any.unsigned.1)),
            signed: (
                pick_signed(s.0 == t.0, s.0, any.signed.0),
                pick_signed(s.1 == t.1, s.1, any.signed.1),
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
            IntCond::Ult => decide(a.unsigned, b.unsigned),
            IntCond::Slt => decide(a.signed, b.signed),
            IntCond::Ugt | IntCond::Sgt => b.compare(condition.swapped(), a),
            IntCond::Ne | IntCond::Uge | IntCond::Sge | IntCond::Ule | IntCond::Sle => {
                Some(!a.compare(condition.inverted(), b)?)
            }
        }
    }

    /// What is known of a number of which the condition holds against `other`.
    #[must_use]
    pub fn narrowed_by(&self, condition: IntCond, other: &Fact) -> Fact {
        let (width, (ul, um), (sl, sm)) = (self.width, other.unsigned, other.signed);
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
        let (least, most) = self.unsigned;
        let unsigned = match number {
            _ if least == most => return *self,
            number if number == least => Fact::unsigned_between(self.width, least + 1, most),
            number if number == most => Fact::unsigned_between(self.width, least, most - 1),
            _ => *self,
        };
        let ((least, most), number) = (self.signed, sign_extended(self.width, number));
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
    pub(super) fn settled(self) -> Fact {
        self.consistent().unwrap_or(Fact::any(self.width))
    }

    fn consistent(mut self) -> Option<Fact> {
        // Nothing is known of most.
        if self.ones == 0 && self == Fact::any(self.width) {
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
        let all = mask(self.width);
        let sign = all ^ (all >> 1);
        let bounds = (self.ones, !self.zeros & all);
        self.unsigned = common(self.unsigned, bounds);
        // The least has the sign wherever it may, the greatest only where it must.
        let least = if self.zeros & sign == 0 { bounds.0 | sign } else { bounds.0 };
        let most = if self.ones & sign == 0 { bounds.1 & !sign } else { bounds.1 };
        let extended = |bits| sign_extended(self.width, bits);
        self.signed = common(self.signed, (extended(least), extended(most)));
        // Bounds of one sign are in the same order, read either way.
        if (self.unsigned.0 ^ self.unsigned.1) & sign == 0 {
            let read = (extended(self.unsigned.0), extended(self.unsigned.1));
            self.signed = common(self.signed, read);
        }
        if (self.signed.0 < 0) == (self.signed.1 < 0) {
            let read = (self.signed.0 as u128 & all, self.signed.1 as u128 & all);
            self.unsigned = common(self.unsigned, read);
        }
        // What stands above the highest bit in which the bounds differ.
        let differ = self.unsigned.0 ^ self.unsigned.1;
        let alike = !mask(128 - differ.leading_zeros());
        self.zeros |= !self.unsigned.0 & alike;
        self.ones |= self.unsigned.0 & alike;
        self
    }
}

/// The number with those bits, read as signed.
pub(in crate::analysis) fn sign_extended(width: u32, bits: u128) -> i128 {
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
