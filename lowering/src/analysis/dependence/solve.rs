//! Whether a sum of multiples gets to where two accesses meet.

use super::affine::{Address, Step};
use super::{Dependences, Directions, Level, Loop};
use crate::analysis::scalar_evolution::{Expr, Kind};
use crate::analysis::value_facts::sign_extended;

/// Sums below this are no farther than addresses are, and wrap nowhere.
const SAFE: i128 = 1 << 62;

/// How often what is known of loops is held against that of the others.
const MOST_TURNS: usize = 4;

/// The difference of two addresses: what it is a multiple of beside a constant, and its
/// bounds; none if it may wrap.
#[derive(Clone, Copy, Debug)]
struct Difference {
    constant: i128,
    divisor: u128,
    bounds: Option<(i128, i128)>,
}

impl Difference {
    fn of(constant: i128) -> Difference {
        Difference { constant, divisor: 0, bounds: Some((constant, constant)) }
    }

    /// The same, and a multiple of some number between those.
    #[must_use]
    fn with(self, by: i128, numbers: Option<(i128, i128)>) -> Difference {
        if by == 0 || numbers == Some((0, 0)) {
            return self;
        }
        let ends =
            numbers.and_then(|(least, most)| Some((by.checked_mul(least)?, by.checked_mul(most)?)));
        let bounds = self.bounds.zip(ends).and_then(|((low, high), (a, b))| {
            Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
        });
        Difference { divisor: gcd(self.divisor, by.unsigned_abs()), bounds, ..self }
    }

    /// The same, and a number that is known.
    #[must_use]
    fn moved(self, by: i128) -> Difference {
        let bounds =
            self.bounds.and_then(|(low, high)| Some((low.checked_add(by)?, high.checked_add(by)?)));
        Difference { constant: self.constant.saturating_add(by), bounds, ..self }
    }

    /// Whether it may be a number between those.
    fn may_be(&self, (least, most): (i128, i128)) -> bool {
        let safe = self.bounds.filter(|&(low, high)| low > -SAFE && high < SAFE);
        match safe {
            Some((low, high)) => {
                meets(self.constant, self.divisor, (least.max(low), most.min(high)))
            }
            // Only a power of two divides what wraps.
            None => {
                let power = 1_u128 << self.divisor.trailing_zeros().min(64);
                meets(self.constant, power, (least, most))
            }
        }
    }
}

/// Whether a number between those is the constant and a multiple of the divisor.
fn meets(constant: i128, divisor: u128, (least, most): (i128, i128)) -> bool {
    if divisor == 0 {
        return (least..=most).contains(&constant);
    }
    let Ok(divisor) = i128::try_from(divisor) else { return true };
    least <= most && least + (constant - least).rem_euclid(divisor) <= most
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What the two addresses grow by in a loop around both.
#[derive(Clone, Copy, Debug)]
struct Common {
    of: Loop,
    one: i128,
    other: i128,
    rounds: Option<i128>,
}

impl Common {
    /// The difference with what this loop adds to it when the second access is in such a
    /// round; nothing if there is none.
    fn add(&self, to: Difference, directions: Directions) -> Option<Difference> {
        let Common { one, other, rounds, .. } = *self;
        let behind = rounds.map(|rounds| rounds - 1);
        let is_other_round = [Directions::LATER, Directions::EARLIER].contains(&directions);
        if is_other_round && behind.is_some_and(|behind| behind < 0) {
            return None;
        }
        let from_zero = |most: Option<i128>| most.map(|most| (0, most));
        Some(match directions {
            Directions::SAME => to.with(other - one, from_zero(rounds)),
            // `n` and `n + 1 + e`, where `n + e` is less than the rounds.
            Directions::LATER => triangle(to.moved(other), (other - one, other), behind),
            Directions::EARLIER => triangle(to.moved(-one), (other - one, -one), behind),
            _ if one == other => to.with(one, rounds.map(|rounds| (-rounds, rounds))),
            _ => to.with(-one, from_zero(rounds)).with(other, from_zero(rounds)),
        })
    }
}

/// A difference and multiples of two numbers, not negative and together at most so much.
fn triangle(to: Difference, (one, other): (i128, i128), most: Option<i128>) -> Difference {
    if one == 0 || other == 0 {
        return to.with(one + other, most.map(|most| (0, most)));
    }
    let apart = to.with(one, most.map(|most| (0, most))).with(other, most.map(|most| (0, most)));
    let corners = most.and_then(|most| {
        let (one, other) = (one.checked_mul(most)?, other.checked_mul(most)?);
        Some((one.min(other).min(0), one.max(other).max(0)))
    });
    let bounds = to.bounds.zip(corners).and_then(|((low, high), (least, most))| {
        Some((low.checked_add(least)?, high.checked_add(most)?))
    });
    Difference { bounds, ..apart }
}

impl Dependences<'_> {
    /// When two addresses that are counted from the same place meet; nothing if never.
    pub(super) fn solve(
        &mut self,
        one: &Address,
        other: &Address,
        common: &[Loop],
    ) -> Option<Vec<Level>> {
        let window = (1 - other.size, one.size - 1);
        let difference = self.evolution.sub(other.rest, one.rest);
        let mut start = self.fixed(difference);
        for (address, sign) in [(one, -1), (other, 1)] {
            for step in address.steps.iter().filter(|step| !common.contains(&step.of)) {
                start = start.with(sign * step.by, step.rounds.map(|rounds| (0, rounds)));
            }
        }
        let levels: Vec<Common> = common
            .iter()
            .map(|&of| {
                let step =
                    |address: &Address| address.steps.iter().copied().find(|step| step.of == of);
                let (own, its) = (step(one), step(other));
                let by = |step: Option<Step>| step.map_or(0, |step| step.by);
                let known = [own, its].into_iter().flatten().filter_map(|step| step.rounds);
                let most = self.evolution.trips(of).and_then(|trips| trips.most);
                let most = most.and_then(|most| i128::try_from(most).ok());
                let rounds = known.chain(most).min();
                Common { of, one: by(own), other: by(its), rounds }
            })
            .collect();
        let known = narrowed(start, &levels, window)?;
        let distances = (0..levels.len()).map(|index| {
            let others = without(start, &levels, &known, index)?;
            distance(&levels[index], &others, window)
        });
        let distances: Vec<Option<i64>> = distances.collect();
        let all = levels.iter().zip(known).zip(distances);
        let found =
            all.map(|((level, directions), distance)| Level { of: level.of, directions, distance });
        let found = found.collect();
        Some(found)
    }

    /// A difference that is the same while the loop runs: a constant, and multiples of what
    /// is known between bounds.
    fn fixed(&self, difference: Expr) -> Difference {
        match self.evolution.kind(difference) {
            Kind::Constant(bits) => Difference::of(sign_extended(64, *bits)),
            Kind::Sum(constant, terms) => {
                let start = Difference::of(sign_extended(64, *constant));
                terms.iter().fold(start, |sum, &(term, by)| {
                    sum.with(sign_extended(64, by), Some(self.evolution.fact(term).signed()))
                })
            }
            _ => Difference::of(0).with(1, Some(self.evolution.fact(difference).signed())),
        }
    }
}

/// In which rounds of each loop the two may meet; nothing if in none. What is known of one
/// narrows the sums of the others: where rows do not reach into each other, two accesses
/// that meet are in the same row, and then what is left of the sum is the place in it.
fn narrowed(start: Difference, levels: &[Common], window: (i128, i128)) -> Option<Vec<Directions>> {
    let mut known = vec![Directions::all(); levels.len()];
    if !without(start, levels, &known, levels.len())?.may_be(window) {
        return None;
    }
    for _ in 0..MOST_TURNS {
        let before = known.clone();
        for (index, level) in levels.iter().enumerate() {
            let others = without(start, levels, &known, index)?;
            let singles = [Directions::SAME, Directions::LATER, Directions::EARLIER];
            let possible = singles.into_iter().filter(|&single| {
                let sum = level.add(others, single);
                known[index].contains(single) && sum.is_some_and(|sum| sum.may_be(window))
            });
            known[index] = possible.collect();
            if known[index].is_empty() {
                return None;
            }
        }
        if known == before {
            break;
        }
    }
    Some(known)
}

/// The difference without what the loop of that index adds to it.
fn without(
    start: Difference,
    levels: &[Common],
    known: &[Directions],
    index: usize,
) -> Option<Difference> {
    let others = levels.iter().zip(known).enumerate().filter(|&(other, _)| other != index);
    others.map(|(_, of)| of).try_fold(start, |sum, (level, &directions)| level.add(sum, directions))
}

/// How many rounds later the second access is whenever they meet, if only the rounds of
/// this loop count and it is one number.
fn distance(level: &Common, others: &Difference, (least, most): (i128, i128)) -> Option<i64> {
    let Common { one: by, other, rounds, .. } = *level;
    if by != other || by == 0 || others.divisor != 0 {
        return None;
    }
    let rounds = rounds?;
    let all = level.add(*others, Directions::all())?;
    all.bounds.filter(|&(low, high)| low > -SAFE && high < SAFE)?;
    // The second is that much farther in the same round: `by` times the rounds between
    // makes up for it.
    let (a, b) = (least - others.constant, most - others.constant);
    let (low, high) = if by > 0 { (a, b) } else { (-b, -a) };
    let length = by.abs();
    let first = low.div_euclid(length) + i128::from(low.rem_euclid(length) != 0);
    let last = high.div_euclid(length);
    let (first, last) = (first.max(-rounds), last.min(rounds));
    (first == last).then(|| i64::try_from(first).ok())?
}
