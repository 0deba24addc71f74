//! Loops over numbers alone: what they come to has a formula, mostly, wherever it wraps.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::counted::Round;
use crate::generate::writer::{Sort, Writer};

const MOST: u64 = 24;

const TYPES: &[Type] = &[Type::I8, Type::I16, Type::I32, Type::I64];

/// How a number changes in each round.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// By a constant.
    Step(i64),
    /// By a number that no round changes.
    Invariant(Value),
    /// By the index, times that.
    Index(i64),
    /// By what another comes to.
    Other(usize),
    Product(i64),
    Xor(i64),
    Shift,
}

impl Writer<'_> {
    /// A loop that counts and adds up.
    pub(super) fn sums(&mut self) {
        if self.random().percent(40) {
            return self.wrapping_loop();
        }
        let count = self.count(MOST);
        let (first, changes) = self.changes();
        let mark = self.plain_mark();
        self.counted(&count, mark, &first, |writer, round| {
            let index = (round.index, round.ty);
            writer.changed(&changes, round, index)
        });
    }

    fn changes(&mut self) -> (Vec<Value>, Vec<Change>) {
        let (mut first, mut changes) = (Vec::new(), Vec::new());
        for number in 0..self.random().between(1, 3) {
            let ty = self.random().pick(TYPES);
            let value = if self.random().percent(40) { self.zero(ty) } else { self.any(ty) };
            first.push(value);
            let constant = self.random().pick(&[1, 1, 2, 3, 7, -1, -5, 100, 4096]);
            changes.push(match self.random().below(100) {
                0..20 => Change::Step(constant),
                20..30 => Change::Invariant(self.any(ty)),
                30..60 => Change::Index(constant),
                60..80 if number > 0 => Change::Other(self.random().below(number)),
                80..86 => Change::Product(constant),
                86..92 => Change::Xor(constant),
                92..96 => Change::Shift,
                _ => Change::Index(1),
            });
        }
        (first, changes)
    }

    fn changed(&mut self, changes: &[Change], round: &Round, index: (Value, Type)) -> Vec<Value> {
        let mut handed: Vec<Value> = Vec::with_capacity(changes.len());
        for (&old, &change) in round.carried.iter().zip(changes) {
            let ty = self.body.value_type(old);
            let (op, other) = match change {
                Change::Step(step) => (Op::Add, self.int(ty, step)),
                Change::Invariant(value) => (Op::Sub, value),
                Change::Index(factor) => {
                    let index = self.converted(index.0, ty);
                    let factor = self.int(ty, factor);
                    (Op::Add, self.compute(Op::Mul, ty, &[index, factor]))
                }
                Change::Other(number) => {
                    let new = self.random().percent(50);
                    let other = if new { handed[number] } else { round.carried[number] };
                    (Op::Add, self.converted(other, ty))
                }
                Change::Product(factor) => (Op::Mul, self.int(ty, factor)),
                Change::Xor(number) => (Op::Xor, self.int(ty, number)),
                Change::Shift => (Op::Shl, self.int(ty, 1)),
            };
            handed.push(self.compute(op, ty, &[old, other]));
        }
        handed
    }

    /// A loop whose counter begins anywhere, goes on by any step, and may wrap on its way to
    /// where it ends.
    fn wrapping_loop(&mut self) {
        let ty = self.random().pick(TYPES);
        let tests_last = self.random().percent(50);
        let start = match self.random().percent(60) {
            true => self.any(ty),
            false => self.constant(ty),
        };
        let by = self.random().pick(&[1, 1, 1, -1, -1, 2, 3, 5, -4, 37, 100]);
        let step = self.int(ty, by);
        let rounds = self.small(ty, 15);
        let least = self.int(ty, i64::from(tests_last));
        let rounds = self.compute(Op::Umax, ty, &[rounds, least]);
        let distance = self.compute(Op::Mul, ty, &[rounds, step]);
        let end = self.compute(Op::Add, ty, &[start, distance]);
        let condition = match by {
            1 => self.random().pick(&[IntCond::Ne, IntCond::Ult, IntCond::Slt]),
            -1 => self.random().pick(&[IntCond::Ne, IntCond::Ugt, IntCond::Sgt]),
            _ => IntCond::Ne,
        };
        let (first, changes) = self.changes();
        let (header, inside, behind) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let mut args = vec![start];
        args.extend(&first);
        self.jump(header, &args);
        self.start(header);
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= 16;
        let counter = self.body.append_param(header, ty);
        let types: Vec<Type> = first.iter().map(|&value| self.body.value_type(value)).collect();
        let carried: Vec<Value> =
            types.iter().map(|&ty| self.body.append_param(header, ty)).collect();
        let mark = self.plain_mark();
        self.say(mark);
        if !tests_last {
            let goes_on = self.icmp(condition, ty, [counter, end]);
            let mut out = vec![counter];
            out.extend(&carried);
            self.branch(goes_on, (inside, &[]), (behind, &out));
            self.start(inside);
        }
        let round = Round { ty, index: counter, range: (0, 0), carried, behind };
        let mut next = self.changed(&changes, &round, (counter, ty));
        next.insert(0, self.compute(Op::Add, ty, &[counter, step]));
        if tests_last {
            let goes_on = self.icmp(condition, ty, [next[0], end]);
            self.branch(goes_on, (header, &next), (behind, &next));
        } else {
            self.jump(header, &next);
        }
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        self.param(behind, ty, Sort::Plain);
        for ty in types {
            self.param(behind, ty, Sort::Plain);
        }
    }
}
