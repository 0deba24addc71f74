//! Making expressions: each in one form, so that equal ones are mostly the same.
//!
//! What stands in an expression is bounded (see [`MOST_PARTS`](super::MOST_PARTS)), and so
//! is the depth of calls here.

use brolga_ir::attribute::IntCond;
use brolga_ir::op::Op;
use smallvec::SmallVec;

use super::expression::{Expr, Kind, Line, Reading, Recurrence, parts};
use super::{Loop, ScalarEvolution, Value};
use crate::analysis::value_facts::{mask, sign_extended};

/// The terms of a sum, with their factors.
type Terms = SmallVec<[(Expr, u128); 4]>;

impl ScalarEvolution {
    /// The number of those bits.
    pub fn constant(&mut self, width: u32, bits: u128) -> Expr {
        self.arena.constant(width, bits)
    }

    /// The bits of an expression that is one number.
    pub fn as_constant(&self, expr: Expr) -> Option<u128> {
        match self.kind(expr) {
            Kind::Constant(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The bits of the number that stands in an expression as a part of a sum.
    pub fn constant_of(&self, expr: Expr) -> u128 {
        match *self.kind(expr) {
            Kind::Constant(bits) | Kind::Sum(bits, _) => bits,
            _ => 0,
        }
    }

    /// The same, also of where a recurrence starts.
    pub fn number_in(&self, expr: Expr) -> u128 {
        match self.as_recurrence(expr) {
            Some(recurrence) => self.number_in(recurrence.start),
            None => self.constant_of(expr),
        }
    }

    /// The same as [`as_constant`](Self::as_constant), read as signed.
    pub fn as_signed(&self, expr: Expr) -> Option<i128> {
        Some(sign_extended(self.width(expr), self.as_constant(expr)?))
    }

    /// The recurrence that an expression is.
    pub fn as_recurrence(&self, expr: Expr) -> Option<Recurrence> {
        match self.kind(expr) {
            Kind::Recurrence(recurrence) => Some(*recurrence),
            _ => None,
        }
    }

    /// The recurrence of `of` that an expression is, if its step is always the same.
    pub fn as_affine(&self, expr: Expr, of: Loop) -> Option<Recurrence> {
        let recurrence = self.as_recurrence(expr).filter(|recurrence| recurrence.of == of)?;
        self.is_invariant(recurrence.step, of).then_some(recurrence)
    }

    /// Whether an expression is the same number in all rounds of one run of a loop.
    pub fn is_invariant(&self, expr: Expr, of: Loop) -> bool {
        match self.kind(expr) {
            Kind::Value(_) => {
                self.arena.home(expr).is_none_or(|home| !self.loops.encloses(of, home))
            }
            Kind::Recurrence(recurrence) if self.loops.encloses(of, recurrence.of) => false,
            kind => parts(kind).all(|part| self.is_invariant(part, of)),
        }
    }

    /// The same, where values of the loop of which `is_steady` says so count as such, too.
    pub fn is_steady(&self, expr: Expr, of: Loop, is_steady: &dyn Fn(Value) -> bool) -> bool {
        match *self.kind(expr) {
            Kind::Value(value) => self.is_invariant(expr, of) || is_steady(value),
            Kind::Recurrence(recurrence) if self.loops.encloses(of, recurrence.of) => false,
            ref kind => parts(kind).all(|part| self.is_steady(part, of, is_steady)),
        }
    }

    /// The line that an expression goes along in a loop, where values of the loop of which
    /// `is_steady` says so stay the same in it: a sum of recurrences and of what is steady.
    pub fn line(
        &mut self,
        expr: Expr,
        of: Loop,
        is_steady: &dyn Fn(Value) -> bool,
    ) -> Option<Line> {
        if self.is_steady(expr, of, is_steady) {
            return Some(Line { start: expr, step: 0 });
        }
        let width = self.width(expr);
        match self.kind(expr).clone() {
            Kind::Recurrence(recurrence) if recurrence.of == of => {
                Some(Line { start: recurrence.start, step: self.as_signed(recurrence.step)? })
            }
            Kind::Sum(constant, terms) => {
                let (mut starts, mut step) = (Vec::with_capacity(terms.len()), 0_u128);
                for &(term, by) in &terms {
                    // What stands in a sum is none: this goes no deeper.
                    let line = self.line(term, of, is_steady)?;
                    starts.push((line.start, by));
                    step = step.wrapping_add(by.wrapping_mul(line.step as u128));
                }
                let start = self.sum(width, constant, &starts);
                Some(Line { start, step: sign_extended(width, step & mask(width)) })
            }
            _ => None,
        }
    }

    /// The sum of two.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.sum(self.width(a), 0, &[(a, 1), (b, 1)])
    }

    /// The difference of two.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.sum(self.width(a), 0, &[(a, 1), (b, u128::MAX)])
    }

    /// The sum with a number.
    pub fn add_constant(&mut self, a: Expr, bits: u128) -> Expr {
        self.sum(self.width(a), bits, &[(a, 1)])
    }

    /// The product with a number.
    pub fn scale(&mut self, a: Expr, factor: u128) -> Expr {
        self.sum(self.width(a), 0, &[(a, factor)])
    }

    /// Every bit inverted: what turns the order of numbers around.
    pub fn inverted(&mut self, a: Expr) -> Expr {
        self.sum(self.width(a), u128::MAX, &[(a, u128::MAX)])
    }

    /// The sum of a number and multiples.
    pub(super) fn sum(&mut self, width: u32, constant: u128, addends: &[(Expr, u128)]) -> Expr {
        let (mut constant, mut terms) = (constant, Terms::new());
        for &(expr, factor) in addends {
            match self.kind(expr) {
                Kind::Constant(bits) => {
                    constant = constant.wrapping_add(bits.wrapping_mul(factor));
                }
                Kind::Sum(number, inner) => {
                    constant = constant.wrapping_add(number.wrapping_mul(factor));
                    terms.extend(inner.iter().map(|&(term, by)| (term, by.wrapping_mul(factor))));
                }
                _ => terms.push((expr, factor)),
            }
        }
        merge(width, &mut terms);
        let constant = constant & mask(width);
        if let Some(folded) = self.folded_recurrence(width, constant, &terms) {
            return folded;
        }
        match *terms.as_slice() {
            [] => self.constant(width, constant),
            [(only, 1)] if constant == 0 => only,
            ref terms => self.arena.sum(width, constant, terms),
        }
    }

    /// A sum in which recurrences stand: those of the innermost loop become one, which
    /// takes up whatever is the same all through that loop.
    fn folded_recurrence(
        &mut self,
        width: u32,
        constant: u128,
        terms: &[(Expr, u128)],
    ) -> Option<Expr> {
        let loops = terms.iter().filter_map(|&(term, _)| Some(self.as_recurrence(term)?.of));
        let of = loops.max_by_key(|&of| (self.loops.get(of).map(|data| data.depth), of))?;
        let (mut starts, mut steps, mut rest) = (Terms::new(), Terms::new(), Terms::new());
        for &(term, factor) in terms {
            match self.as_recurrence(term) {
                Some(recurrence) if recurrence.of == of => {
                    starts.push((recurrence.start, factor));
                    steps.push((recurrence.step, factor));
                }
                _ if self.is_invariant(term, of) => starts.push((term, factor)),
                _ => rest.push((term, factor)),
            }
        }
        let is_settled = constant == 0 && starts.len() == 1 && starts[0].1 == 1;
        if is_settled && steps.len() == 1 {
            return None;
        }
        let start = self.sum(width, constant, &starts);
        let step = self.sum(width, 0, &steps);
        let whole = self.recurrence(Recurrence { of, start, step });
        rest.push((whole, 1));
        Some(self.sum(width, 0, &rest))
    }

    /// What starts with a number and grows by a step in each round.
    pub(super) fn recurrence(&mut self, recurrence: Recurrence) -> Expr {
        match self.as_constant(recurrence.step) {
            Some(0) => recurrence.start,
            _ => {
                let width = self.width(recurrence.start);
                self.arena.intern(width, Kind::Recurrence(recurrence))
            }
        }
    }

    /// The product of two.
    pub fn product(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(factor) = self.as_constant(a) {
            return self.scale(b, factor);
        }
        if let Some(factor) = self.as_constant(b) {
            return self.scale(a, factor);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(recurrence) = self.as_recurrence(one)
                && self.is_invariant(other, recurrence.of)
            {
                let start = self.product(recurrence.start, other);
                let step = self.product(recurrence.step, other);
                return self.recurrence(Recurrence { of: recurrence.of, start, step });
            }
        }
        if let Some(product) = self.product_of_recurrences(a, b) {
            return product;
        }
        let (a, b) = (a.min(b), a.max(b));
        self.arena.intern(self.width(a), Kind::Product(a, b))
    }

    /// The same with products of sums as sums of products, if that is shorter: of those, more
    /// may drop out of each other.
    pub fn expanded(&mut self, expr: Expr) -> Expr {
        let made = match self.kind(expr).clone() {
            Kind::Sum(constant, terms) => {
                let mut parts = Terms::new();
                for (term, by) in terms {
                    self.expand(term, by, &mut parts);
                }
                self.sum(self.width(expr), constant, &parts)
            }
            Kind::Product(..) => {
                let mut parts = Terms::new();
                self.expand(expr, 1, &mut parts);
                self.sum(self.width(expr), 0, &parts)
            }
            Kind::Recurrence(Recurrence { of, start, step }) => {
                let (start, step) = (self.expanded(start), self.expanded(step));
                self.recurrence(Recurrence { of, start, step })
            }
            _ => expr,
        };
        if self.size(made) < self.size(expr) { made } else { expr }
    }

    /// Adds the products that a multiple of a term is the sum of.
    fn expand(&mut self, term: Expr, by: u128, parts: &mut Terms) {
        let Kind::Product(a, b) = *self.kind(term) else {
            parts.push((term, by));
            return;
        };
        for (sum, other) in [(a, b), (b, a)] {
            if let Kind::Sum(constant, terms) = self.kind(sum).clone() {
                parts.push((other, by.wrapping_mul(constant)));
                for (term, factor) in terms {
                    let product = self.product(term, other);
                    parts.push((product, by.wrapping_mul(factor)));
                }
                return;
            }
        }
        parts.push((term, by));
    }

    /// `(a + n*b) * (c + n*d)`: starts at `a*c`, and grows by `a*d + b*c + b*d` at first and
    /// by `2*b*d` more each time.
    fn product_of_recurrences(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let of = self.as_recurrence(a)?.of;
        let (one, other) = (self.as_affine(a, of)?, self.as_affine(b, of)?);
        let start = self.product(one.start, other.start);
        let squares = self.product(one.step, other.step);
        let across = self.product(one.start, other.step);
        let along = self.product(one.step, other.start);
        let first = self.sum(self.width(a), 0, &[(squares, 1), (across, 1), (along, 1)]);
        let more = self.scale(squares, 2);
        let step = self.recurrence(Recurrence { of, start: first, step: more });
        Some(self.recurrence(Recurrence { of, start, step }))
    }

    /// `n * (n - 1) / 2`, the product not wrapped.
    pub fn triangle(&mut self, n: Expr) -> Expr {
        let width = self.width(n);
        match self.as_constant(n) {
            // One of the factors is even: see the pass that writes it as code.
            Some(n) => self.constant(width, (n >> 1).wrapping_mul(n.wrapping_sub(1) | 1)),
            None => self.arena.intern(width, Kind::Triangle(n)),
        }
    }

    /// What `shl`, `lshr` and `udiv` make of a number and a constant.
    pub(super) fn by_number(&mut self, op: Op, a: Expr, by: u128) -> Option<Expr> {
        let shift = u32::try_from(by).ok().filter(|&by| by < self.width(a));
        match op {
            Op::Shl => Some(self.scale(a, shift.map_or(0, |by| 1 << by))),
            Op::Lshr => Some(self.quotient(a, 1 << shift?)),
            _ => (by != 0).then(|| self.quotient(a, by)),
        }
    }

    /// The unsigned quotient by a number; of zero, none is taken.
    pub fn quotient(&mut self, a: Expr, divisor: u128) -> Expr {
        let width = self.width(a);
        match (self.as_constant(a), divisor) {
            (_, 0 | 1) => a,
            (Some(bits), _) => self.constant(width, bits / divisor),
            _ if self.fact(a).unsigned().1 < divisor => self.constant(width, 0),
            _ => self.arena.intern(width, Kind::Quotient(a, divisor)),
        }
    }

    /// The low bits.
    pub fn truncated(&mut self, width: u32, a: Expr) -> Expr {
        if width >= self.width(a) {
            return a;
        }
        match self.kind(a).clone() {
            Kind::Constant(bits) => self.constant(width, bits),
            Kind::Sum(constant, terms) => {
                let terms = terms.iter().map(|&(term, by)| (self.truncated(width, term), by));
                let terms: Terms = terms.collect();
                self.sum(width, constant, &terms)
            }
            Kind::Product(a, b) => {
                let (a, b) = (self.truncated(width, a), self.truncated(width, b));
                self.product(a, b)
            }
            Kind::Recurrence(Recurrence { of, start, step }) => {
                let (start, step) = (self.truncated(width, start), self.truncated(width, step));
                let low = self.recurrence(Recurrence { of, start, step });
                self.prove_low_bits(a, low);
                low
            }
            Kind::Truncated(inner) => self.truncated(width, inner),
            Kind::Extended(reading, inner) => match width > self.width(inner) {
                true => self.extended(reading, width, inner),
                false => self.truncated(width, inner),
            },
            _ => self.arena.intern(width, Kind::Truncated(a)),
        }
    }

    /// The number in more bits. Goes into sums and recurrences that never wrap.
    pub fn extended(&mut self, reading: Reading, width: u32, a: Expr) -> Expr {
        let narrow = self.width(a);
        if width <= narrow {
            return a;
        }
        // What has no sign is the same, read either way.
        let reading = match self.fact(a).signed().0 >= 0 {
            true => Reading::Unsigned,
            false => reading,
        };
        match self.kind(a).clone() {
            Kind::Constant(bits) => {
                let bits = read(reading, narrow, bits);
                self.constant(width, bits)
            }
            Kind::Extended(Reading::Unsigned, inner) => {
                self.extended(Reading::Unsigned, width, inner)
            }
            Kind::Extended(Reading::Signed, inner) if reading == Reading::Signed => {
                self.extended(Reading::Signed, width, inner)
            }
            // Low bits above which there are none.
            Kind::Truncated(inner)
                if reading == Reading::Unsigned
                    && self.fact(inner).unsigned().1 <= mask(narrow) =>
            {
                self.resized(width, inner)
            }
            Kind::Sum(constant, terms) if self.sum_fits(reading, narrow, constant, &terms) => {
                let terms = terms.iter().map(|&(term, by)| {
                    (self.extended(reading, width, term), sign_extended(narrow, by) as u128)
                });
                let terms: Terms = terms.collect();
                self.sum(width, sign_extended(narrow, constant) as u128, &terms)
            }
            Kind::Recurrence(Recurrence { of, start, step }) if self.never_wraps(a, reading) => {
                let start = self.extended(reading, width, start);
                let step = self.extended(Reading::Signed, width, step);
                self.recurrence(Recurrence { of, start, step })
            }
            _ => self.arena.intern(width, Kind::Extended(reading, a)),
        }
    }

    /// The number, read as unsigned, in that many bits, or its low bits.
    pub fn resized(&mut self, width: u32, a: Expr) -> Expr {
        match width < self.width(a) {
            true => self.truncated(width, a),
            false => self.extended(Reading::Unsigned, width, a),
        }
    }

    /// The smaller or larger of two; the op is `smin`, `smax`, `umin` or `umax`.
    pub fn extreme(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let (a, b) = (a.min(b), a.max(b));
        let condition = match op {
            Op::Smin | Op::Smax => IntCond::Sle,
            _ => IntCond::Ule,
        };
        let is_least = matches!(op, Op::Smin | Op::Umin);
        let (one, other) = (self.fact(a), self.fact(b));
        if a == b || one.compare(condition, &other) == Some(true) {
            return if is_least { a } else { b };
        }
        if other.compare(condition, &one) == Some(true) {
            return if is_least { b } else { a };
        }
        self.arena.intern(self.width(a), Kind::Extreme(op, a, b))
    }
}

/// A number of `width` bits, read.
fn read(reading: Reading, width: u32, bits: u128) -> u128 {
    match reading {
        Reading::Unsigned => bits,
        Reading::Signed => sign_extended(width, bits) as u128,
    }
}

/// Each term once, in order, without those that vanish.
fn merge(width: u32, terms: &mut Terms) {
    if terms.len() > 1 {
        terms.sort_unstable_by_key(|&(term, _)| term);
        terms.dedup_by(|(term, factor), (before, sum)| {
            let is_same = term == before;
            if is_same {
                *sum = sum.wrapping_add(*factor);
            }
            is_same
        });
    }
    for (_, factor) in terms.iter_mut() {
        *factor &= mask(width);
    }
    terms.retain(|&mut (_, factor)| factor != 0);
}
