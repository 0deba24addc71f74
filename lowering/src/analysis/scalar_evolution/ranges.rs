//! Between which bounds expressions lie, and which recurrences never wrap.
//!
//! No hint is believed: that a recurrence does not wrap follows from where it starts, how
//! often its loop goes back at most, and what the compares that end the loop say of it.

use super::expression::{Expr, Kind, Reading, Recurrence};
use super::{Loop, ScalarEvolution};
use crate::analysis::value_facts::{Fact, arithmetic, mask, sign_extended};

/// What is known of a recurrence by the compare that ends its loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proved {
    pub(super) fact: Fact,
    pub(super) unsigned: bool,
    pub(super) signed: bool,
}

impl Proved {
    pub(super) fn nothing(width: u32) -> Proved {
        Proved { fact: Fact::any(width), unsigned: false, signed: false }
    }
}

impl ScalarEvolution {
    /// What is known of an expression wherever it is computed.
    pub fn fact(&self, expr: Expr) -> Fact {
        self.fact_with(expr, &|expr| self.arena.value_fact(expr))
    }

    /// The same, where `of_value` says what is known of the values in it.
    pub(super) fn fact_with(&self, expr: Expr, of_value: &dyn Fn(Expr) -> Fact) -> Fact {
        let width = self.width(expr);
        let of = |part: Expr| self.fact_with(part, of_value);
        match self.kind(expr) {
            Kind::Constant(bits) => Fact::constant(width, *bits),
            Kind::Value(_) => of_value(expr),
            Kind::Sum(constant, terms) => {
                let start = Fact::constant(width, *constant);
                terms.iter().fold(start, |sum, &(term, by)| match by == mask(width) {
                    true => arithmetic::sub(&sum, &of(term)),
                    false => {
                        let product = arithmetic::mul(&of(term), &Fact::constant(width, by));
                        arithmetic::add(&sum, &product)
                    }
                })
            }
            Kind::Product(a, b) => arithmetic::mul(&of(*a), &of(*b)),
            Kind::Triangle(_) => Fact::any(width),
            Kind::Quotient(a, divisor) => {
                let (least, most) = of(*a).unsigned();
                Fact::unsigned_between(width, least / divisor, most / divisor)
            }
            Kind::Extended(Reading::Unsigned, a) => {
                let inner = of(*a);
                let bits = Fact::with_bits(width, inner.zeros(), inner.ones());
                Fact::unsigned_between(width, inner.unsigned().0, inner.unsigned().1)
                    .narrowed(&bits)
            }
            Kind::Extended(Reading::Signed, a) => {
                let (least, most) = of(*a).signed();
                Fact::signed_between(width, least, most)
            }
            Kind::Truncated(a) => {
                let inner = of(*a);
                let bits = Fact::with_bits(width, inner.zeros() & mask(width), inner.ones());
                match inner.unsigned() {
                    (least, most) if most <= mask(width) => {
                        bits.narrowed(&Fact::unsigned_between(width, least, most))
                    }
                    _ => bits,
                }
            }
            Kind::Extreme(op, a, b) => arithmetic::extreme(*op, &of(*a), &of(*b)),
            Kind::Recurrence(recurrence) => {
                let found = self.recurrence_fact(recurrence, of_value);
                match self.proved.get(&expr) {
                    Some(proved) => found.narrowed(&proved.fact),
                    None => found,
                }
            }
        }
    }

    /// How often a loop goes back at most, as a number that 127 bits hold.
    fn most_rounds(&self, of: Loop) -> Option<i128> {
        i128::try_from(self.trips(of)?.most?).ok()
    }

    fn recurrence_fact(&self, recurrence: &Recurrence, of_value: &dyn Fn(Expr) -> Fact) -> Fact {
        let width = self.width(recurrence.start);
        let start = self.fact_with(recurrence.start, of_value);
        let step = self.fact_with(recurrence.step, of_value);
        // Below the lowest bit of the step, nothing changes.
        let below = mask(step.trailing_zeros().min(width));
        let mut fact = Fact::with_bits(width, start.zeros() & below, start.ones() & below);
        let (unsigned, signed) = self.travelled(recurrence, &start, &step);
        if let Some((least, most)) = unsigned {
            fact = fact.narrowed(&Fact::unsigned_between(width, least, most));
        }
        if let Some((least, most)) = signed {
            fact = fact.narrowed(&Fact::signed_between(width, least, most));
        }
        fact
    }

    /// The bounds of a recurrence whose step, read as signed, takes it nowhere past the
    /// ends of its type: as unsigned, and as signed.
    #[expect(clippy::type_complexity, reason = "two pairs of bounds, each of which may lack")]
    fn travelled(
        &self,
        recurrence: &Recurrence,
        start: &Fact,
        step: &Fact,
    ) -> (Option<(u128, u128)>, Option<(i128, i128)>) {
        let width = start.width();
        // A step that itself changes is between its own bounds in every round.
        let Some(rounds) = self.most_rounds(recurrence.of) else { return (None, None) };
        let (slowest, fastest) = step.signed();
        let ways = slowest.checked_mul(rounds).zip(fastest.checked_mul(rounds));
        let Some((down, up)) = ways.map(|(down, up)| (down.min(0), up.max(0))) else {
            return (None, None);
        };
        let between = |(least, most): (i128, i128), ends: (i128, i128)| {
            let bounds = (least.checked_add(down)?, most.checked_add(up)?);
            (bounds.0 >= ends.0 && bounds.1 <= ends.1).then_some(bounds)
        };
        let signed = between(start.signed(), (Fact::least(width), Fact::greatest(width)));
        let (least, most) = start.unsigned();
        let start = i128::try_from(least).ok().zip(i128::try_from(most).ok());
        let end = i128::try_from(mask(width)).unwrap_or(i128::MAX);
        let unsigned = start.and_then(|start| between(start, (0, end)));
        (unsigned.map(|(least, most)| (least as u128, most as u128)), signed)
    }

    /// Whether a recurrence, read so, goes through numbers that differ by its step, read
    /// as signed, in all rounds of its loop: it wraps nowhere on the way.
    pub fn never_wraps(&self, expr: Expr, reading: Reading) -> bool {
        let Some(recurrence) = self.as_recurrence(expr) else { return false };
        if !self.is_invariant(recurrence.step, recurrence.of) {
            return false;
        }
        let proved = self.proved.get(&expr);
        let is_proved = |reading: Reading| {
            proved.is_some_and(|proved| match reading {
                Reading::Unsigned => proved.unsigned,
                Reading::Signed => proved.signed,
            })
        };
        // What has no sign bit is the same number, read either way.
        let other = match reading {
            Reading::Unsigned => Reading::Signed,
            Reading::Signed => Reading::Unsigned,
        };
        is_proved(reading) || (is_proved(other) && self.fact(expr).signed().0 >= 0) || {
            let (start, step) = (self.fact(recurrence.start), self.fact(recurrence.step));
            let (unsigned, signed) = self.travelled(&recurrence, &start, &step);
            match reading {
                Reading::Unsigned => unsigned.is_some(),
                Reading::Signed => signed.is_some(),
            }
        }
    }

    /// Whether a sum, read so, is the sum of its terms read so: the factors count as signed.
    pub(super) fn sum_fits(
        &self,
        reading: Reading,
        width: u32,
        constant: u128,
        terms: &[(Expr, u128)],
    ) -> bool {
        let constant = sign_extended(width, constant);
        let bounds = terms.iter().try_fold((constant, constant), |(least, most), &(term, by)| {
            let fact = self.fact(term);
            let (low, high) = match reading {
                Reading::Signed => fact.signed(),
                Reading::Unsigned => {
                    let (low, high) = fact.unsigned();
                    (i128::try_from(low).ok()?, i128::try_from(high).ok()?)
                }
            };
            let by = sign_extended(width, by);
            let ends = (low.checked_mul(by)?, high.checked_mul(by)?);
            let least = least.checked_add(ends.0.min(ends.1))?;
            Some((least, most.checked_add(ends.0.max(ends.1))?))
        });
        let ends = match reading {
            Reading::Signed => (Fact::least(width), Fact::greatest(width)),
            Reading::Unsigned => (0, i128::try_from(mask(width)).unwrap_or(i128::MAX)),
        };
        bounds.is_some_and(|(least, most)| least >= ends.0 && most <= ends.1)
    }

    /// What holds of a recurrence whose numbers all have few bits holds of its low bits: that
    /// it wraps nowhere does where these go by the same number, read as signed.
    pub(super) fn prove_low_bits(&mut self, whole: Expr, low: Expr) {
        let (Some(moving), Some(_)) = (self.as_recurrence(whole), self.as_recurrence(low)) else {
            return;
        };
        let (fact, width) = (self.fact(whole), self.width(low));
        let (slowest, fastest) = self.fact(moving.step).signed();
        let has_step = slowest >= Fact::least(width) && fastest <= Fact::greatest(width);
        let mut proved = Proved::nothing(width);
        let (least, most) = fact.signed();
        if least >= Fact::least(width) && most <= Fact::greatest(width) {
            proved.signed = has_step && self.never_wraps(whole, Reading::Signed);
            proved.fact = Fact::signed_between(width, least, most);
        }
        let (least, most) = fact.unsigned();
        if most <= mask(width) {
            proved.unsigned = has_step && self.never_wraps(whole, Reading::Unsigned);
            proved.fact = proved.fact.narrowed(&Fact::unsigned_between(width, least, most));
        }
        self.prove(low, proved);
    }

    /// Adds to what is known of a recurrence.
    pub(super) fn prove(&mut self, expr: Expr, what: Proved) {
        if self.as_recurrence(expr).is_none() {
            return;
        }
        let known = self.proved.entry(expr).or_insert(Proved::nothing(what.fact.width()));
        known.fact = known.fact.narrowed(&what.fact);
        known.unsigned |= what.unsigned;
        known.signed |= what.signed;
    }
}
