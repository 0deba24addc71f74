//! Bounds of sums, products, quotients and extremes. A bound that 128 bits do not hold
//! is none.

use brolga_ir::op::Op;

use super::fact::{Fact, mask};

/// The number of that width nearest to `bound`: of a sum that 128 bits hold not, the end.
fn clamp(width: u32, bound: i128) -> i128 {
    bound.clamp(Fact::least(width), Fact::greatest(width))
}

/// Of a number that is held at the ends of its type, or traps there.
pub(in crate::analysis) fn clamped_signed(width: u32, (least, most): (i128, i128)) -> Fact {
    Fact::signed_between(width, clamp(width, least), clamp(width, most))
}

/// Bounds of a number, unless 128 bits or its width do not hold them.
type Bounds<T> = Option<(T, T)>;

/// What bounds and bits say of one number.
fn of_all(unsigned: Bounds<u128>, signed: Bounds<i128>, bits: Fact) -> Fact {
    let fact = unsigned.map_or(bits, |(least, most)| bits.within_unsigned(least, most));
    signed.map_or(fact, |(least, most)| fact.within_signed(least, most)).settled()
}

fn unsigned(width: u32, least: Option<u128>, most: Option<u128>) -> Bounds<u128> {
    Some((least?, most.filter(|&most| most <= mask(width))?))
}

fn signed(width: u32, least: Option<i128>, most: Option<i128>) -> Bounds<i128> {
    let fits = |bound: &i128| (Fact::least(width)..=Fact::greatest(width)).contains(bound);
    Some((least.filter(fits)?, most.filter(fits)?))
}

/// The bits of a sum, not settled: those whose operands and carry are known. `carry` comes
/// in below.
fn sum_bits(a: &Fact, (zeros, ones): (u128, u128), carry: u128) -> Fact {
    let width = a.width();
    let most = (!a.zeros()).wrapping_add(!zeros).wrapping_add(carry);
    let least = a.ones().wrapping_add(ones).wrapping_add(carry);
    let carry_zero = !(most ^ a.zeros() ^ zeros);
    let carry_one = least ^ a.ones() ^ ones;
    let known = (a.zeros() | a.ones()) & (zeros | ones) & (carry_zero | carry_one) & mask(width);
    Fact::any(width).and_bits(!most & known, least & known)
}

pub(in crate::analysis) fn add(a: &Fact, b: &Fact) -> Fact {
    let width = a.width();
    // What wraps anywhere may be anything: most sums are of such numbers.
    if a.is_any() || b.is_any() {
        return Fact::any(width);
    }
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let as_unsigned = unsigned(width, al.checked_add(bl), am.checked_add(bm));
    let ((al, am), (bl, bm)) = (a.signed(), b.signed());
    let as_signed = signed(width, al.checked_add(bl), am.checked_add(bm));
    of_all(as_unsigned, as_signed, sum_bits(a, (b.zeros(), b.ones()), 0))
}

pub(in crate::analysis) fn sub(a: &Fact, b: &Fact) -> Fact {
    let width = a.width();
    if a.is_any() || b.is_any() {
        return Fact::any(width);
    }
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let as_unsigned = unsigned(width, al.checked_sub(bm), am.checked_sub(bl));
    let ((al, am), (bl, bm)) = (a.signed(), b.signed());
    let as_signed = signed(width, al.checked_sub(bm), am.checked_sub(bl));
    // A difference is the sum with every bit inverted, and one.
    let inverted = (b.ones() | !mask(width), b.zeros() & mask(width));
    of_all(as_unsigned, as_signed, sum_bits(a, inverted, 1))
}

pub(in crate::analysis) fn mul(a: &Fact, b: &Fact) -> Fact {
    let width = a.width();
    let is_even = |fact: &Fact| fact.trailing_zeros() > 0;
    if (a.is_any() && !is_even(b)) || (b.is_any() && !is_even(a)) {
        return Fact::any(width);
    }
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let as_unsigned = unsigned(width, al.checked_mul(bl), am.checked_mul(bm));
    let ((al, am), (bl, bm)) = (a.signed(), b.signed());
    let corners = [al.checked_mul(bl), al.checked_mul(bm), am.checked_mul(bl), am.checked_mul(bm)];
    let all_fit = corners.iter().all(Option::is_some);
    let least = corners.iter().flatten().min().copied().filter(|_| all_fit);
    let most = corners.iter().flatten().max().copied().filter(|_| all_fit);
    let zeros = (a.trailing_zeros() + b.trailing_zeros()).min(width);
    of_all(as_unsigned, signed(width, least, most), Fact::any(width).and_bits(mask(zeros), 0))
}

/// A signed sum or difference that is held at the ends of the type, or traps there.
pub(in crate::analysis) fn held_signed(op: Op, a: &Fact, b: &Fact) -> Fact {
    let ((al, am), (bl, bm)) = (a.signed(), b.signed());
    let bounds = match op {
        Op::SaddTrap | Op::SaddSat => (al.saturating_add(bl), am.saturating_add(bm)),
        _ => (al.saturating_sub(bm), am.saturating_sub(bl)),
    };
    clamped_signed(a.width(), bounds)
}

/// An unsigned sum or difference that is held at the ends of the type, or traps there.
pub(in crate::analysis) fn held_unsigned(op: Op, a: &Fact, b: &Fact) -> Fact {
    let most = mask(a.width());
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let (low, high) = match op {
        Op::UaddTrap | Op::UaddSat => (al.saturating_add(bl), am.saturating_add(bm)),
        _ => (al.saturating_sub(bm), am.saturating_sub(bl)),
    };
    Fact::unsigned_between(a.width(), low.min(most), high)
}

/// Whether a sum, difference or product wraps, where it never does.
pub(in crate::analysis) fn overflow(op: Op, a: &Fact, b: &Fact) -> Option<Fact> {
    let width = a.width();
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let ((sl, sm), (tl, tm)) = (a.signed(), b.signed());
    let fits = match op {
        Op::UaddOverflow => unsigned(width, al.checked_add(bl), am.checked_add(bm)).is_some(),
        Op::UsubOverflow => unsigned(width, al.checked_sub(bm), am.checked_sub(bl)).is_some(),
        Op::UmulOverflow => unsigned(width, al.checked_mul(bl), am.checked_mul(bm)).is_some(),
        Op::SaddOverflow => signed(width, sl.checked_add(tl), sm.checked_add(tm)).is_some(),
        Op::SsubOverflow => signed(width, sl.checked_sub(tm), sm.checked_sub(tl)).is_some(),
        _ => false,
    };
    fits.then(|| Fact::constant(1, 0))
}

pub(in crate::analysis) fn extreme(op: Op, a: &Fact, b: &Fact) -> Fact {
    let width = a.width();
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let ((sl, sm), (tl, tm)) = (a.signed(), b.signed());
    let bounds = match op {
        Op::Umin => Fact::unsigned_between(width, al.min(bl), am.min(bm)),
        Op::Umax => Fact::unsigned_between(width, al.max(bl), am.max(bm)),
        Op::Smin => Fact::signed_between(width, sl.min(tl), sm.min(tm)),
        _ => Fact::signed_between(width, sl.max(tl), sm.max(tm)),
    };
    // It is one of the two.
    bounds.narrowed(&a.joined(b))
}

pub(in crate::analysis) fn abs(a: &Fact) -> Fact {
    let (least, most) = a.signed();
    if least >= 0 {
        return *a;
    }
    let farthest = least.unsigned_abs().max(most.unsigned_abs());
    let nearest = if most < 0 { most.unsigned_abs() } else { 0 };
    Fact::unsigned_between(a.width(), nearest, farthest)
}

/// Nothing where the divisor is always zero.
pub(in crate::analysis) fn udiv(a: &Fact, b: &Fact) -> Option<Fact> {
    let ((al, am), (bl, bm)) = (a.unsigned(), b.unsigned());
    let least = al.checked_div(bm)?;
    Some(Fact::unsigned_between(a.width(), least, am / bl.max(1)))
}

/// Nothing where the divisor is always zero.
pub(in crate::analysis) fn urem(a: &Fact, b: &Fact) -> Option<Fact> {
    let most = a.unsigned().1;
    let below = b.unsigned().1.checked_sub(1)?;
    match most < b.unsigned().0 {
        true => Some(*a),
        false => Some(Fact::unsigned_between(a.width(), 0, most.min(below))),
    }
}

/// Nothing where the divisor is always zero.
pub(in crate::analysis) fn srem(a: &Fact, b: &Fact) -> Option<Fact> {
    let (least, most) = a.signed();
    let farthest = b.signed().0.unsigned_abs().max(b.signed().1.unsigned_abs()).checked_sub(1)?;
    let farthest = i128::try_from(farthest).unwrap_or(i128::MAX);
    // It has the sign of the dividend, and is no farther from zero.
    let low = if least < 0 { least.max(-farthest) } else { 0 };
    let high = if most > 0 { most.min(farthest) } else { 0 };
    Some(Fact::signed_between(a.width(), low, high))
}
