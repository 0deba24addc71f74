//! What expressions are in one round of a loop.

use super::expression::{Expr, Kind, Recurrence, parts};
use super::{Loop, ScalarEvolution, Value};

impl ScalarEvolution {
    /// What an expression is in the round of that number of a loop, the first one being
    /// zero, in terms of what stands before the loop: nothing if it has values that the
    /// loop computes anew. The number counts as unsigned; it is one of a round that the
    /// loop does get to, as what is known of recurrences holds in such only.
    pub fn at_round(&mut self, expr: Expr, of: Loop, round: Expr) -> Option<Expr> {
        if self.is_invariant(expr, of) {
            return Some(expr);
        }
        Some(match self.kind(expr).clone() {
            Kind::Constant(_) => expr,
            Kind::Value(_) => return None,
            Kind::Sum(constant, terms) => {
                let terms =
                    terms.iter().map(|&(term, by)| Some((self.at_round(term, of, round)?, by)));
                let terms: Vec<(Expr, u128)> = terms.collect::<Option<_>>()?;
                self.sum(self.width(expr), constant, &terms)
            }
            Kind::Product(a, b) => {
                let (a, b) = (self.at_round(a, of, round)?, self.at_round(b, of, round)?);
                self.product(a, b)
            }
            Kind::Triangle(a) => {
                let a = self.at_round(a, of, round)?;
                self.triangle(a)
            }
            Kind::Quotient(a, divisor) => {
                let a = self.at_round(a, of, round)?;
                self.quotient(a, divisor)
            }
            Kind::Extended(reading, a) => {
                let a = self.at_round(a, of, round)?;
                self.extended(reading, self.width(expr), a)
            }
            Kind::Truncated(a) => {
                let a = self.at_round(a, of, round)?;
                self.truncated(self.width(expr), a)
            }
            Kind::Extreme(op, a, b) => {
                let (a, b) = (self.at_round(a, of, round)?, self.at_round(b, of, round)?);
                self.extreme(op, a, b)
            }
            Kind::Recurrence(recurrence) => self.recurrence_at(recurrence, of, round)?,
        })
    }

    /// `start + n*step`, or `start + n*first + n*(n - 1)/2*more` where the step grows.
    fn recurrence_at(&mut self, recurrence: Recurrence, of: Loop, round: Expr) -> Option<Expr> {
        if recurrence.of != of {
            return None;
        }
        let width = self.width(recurrence.start);
        let times = self.resized(width, round);
        let Some(growing) = self.as_recurrence(recurrence.step).filter(|step| step.of == of) else {
            let way = self.product(recurrence.step, times);
            return Some(self.add(recurrence.start, way));
        };
        if !self.is_invariant(growing.step, of) {
            return None;
        }
        let first = self.product(growing.start, times);
        // The triangle of the whole number: its low bits are not the triangle of its low bits.
        let whole = self.resized(width.max(self.width(round)), round);
        let triangle = self.triangle(whole);
        let triangle = self.truncated(width, triangle);
        let more = self.product(growing.step, triangle);
        Some(self.sum(width, 0, &[(recurrence.start, 1), (first, 1), (more, 1)]))
    }

    /// Whether it may be known what a value of a loop is when the loop has been left: a look
    /// that makes no expressions.
    pub fn may_be_known_at_exit(&self, value: Value, of: Loop) -> bool {
        let is_counted = self.trips(of).is_some_and(|trips| trips.exact.is_some());
        is_counted && self.of(value).is_some_and(|expr| !self.is_computed_anew(expr, of))
    }

    /// Whether the loop computes a part of an expression anew in each round, and not along a
    /// recurrence.
    fn is_computed_anew(&self, expr: Expr, of: Loop) -> bool {
        match self.kind(expr) {
            Kind::Value(_) => !self.is_invariant(expr, of),
            Kind::Recurrence(_) => false,
            kind => parts(kind).any(|part| self.is_computed_anew(part, of)),
        }
    }

    /// Whether an expression has to do with a loop for which that holds: it has a value that is
    /// computed there and in none inside, or goes along with its rounds.
    pub fn touches(&self, expr: Expr, is_it: &dyn Fn(Loop) -> bool) -> bool {
        let is_own = match self.kind(expr) {
            Kind::Value(_) => self.arena.home(expr).is_some_and(is_it),
            Kind::Recurrence(recurrence) => is_it(recurrence.of),
            _ => false,
        };
        is_own || parts(self.kind(expr)).any(|part| self.touches(part, is_it))
    }

    /// What a value of a loop is when the loop has been left by an edge, in terms of what
    /// stands before it: where it is known how often the loop goes back.
    pub fn at_exit(&mut self, value: Value, of: Loop) -> Option<Expr> {
        let (expr, count) = (self.of(value)?, self.trips(of)?.exact?);
        self.at_round(expr, of, count)
    }
}
