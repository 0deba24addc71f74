//! Loops that go round a number of times that is known when they begin.

use brolga_ir::attribute::{IntCond, LoopFlags};
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::generate::writer::{Sort, Writer};

/// How a loop counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) ty: Type,
    /// How many rounds, and how many there are at most.
    pub(super) rounds: Value,
    pub(super) most: u64,
    start: i64,
    step: i64,
    end: End,
}

/// Where the test of a loop stands, and what it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Before each round.
    First(IntCond),
    /// Behind each round, and there is one at least.
    Last(IntCond),
}

/// A round in the making.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) ty: Type,
    /// The number of the round, of `range`, ends included.
    pub(super) index: Value,
    pub(super) range: (i64, i64),
    /// What the round before has handed on.
    pub(super) carried: Vec<Value>,
    /// Where the loop ends: it is given what would be handed on.
    pub(super) behind: Block,
}

/// What is said of a loop at its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    None,
    With(LoopFlags),
}

impl Count {
    /// What the index of a round may be, ends included.
    pub(super) fn range(&self) -> (i64, i64) {
        let most = self.most.max(1) as i64;
        match self.step {
            -1 => (0, most - 1),
            step => (self.start, self.start + step * (most - 1)),
        }
    }

    /// The same, from zero on at least; the index is then less than twice the number of rounds
    /// and that.
    pub(super) fn begun_at_zero(self) -> (Count, i64) {
        let start = self.start.max(0);
        (Count { start, ..self }, start + 1)
    }

    /// How much further the index of the next round is.
    pub(super) fn step(&self) -> i64 {
        self.step
    }

    /// The first index and the step to the next, where both are known.
    pub(super) fn known(&self) -> Option<(i64, i64)> {
        (self.step > 0).then_some((self.start, self.step))
    }
}

impl Writer<'_> {
    /// A way to count to `most` at most.
    pub(super) fn count(&mut self, most: u64) -> Count {
        let ty = self.random().pick(&[
            Type::I64,
            Type::I64,
            Type::I64,
            Type::I64,
            Type::I32,
            Type::I32,
            Type::I16,
            Type::I8,
        ]);
        let tests_last = self.random().percent(45);
        let rounds = self.rounds(ty, most);
        let rounds = match tests_last {
            true => {
                let one = self.int(ty, 1);
                self.compute(Op::Umax, ty, &[rounds, one])
            }
            false => rounds,
        };
        let step = self.random().pick(&[1, 1, 1, 1, 1, -1, -1, 2]);
        let start = match step {
            -1 => 0,
            _ => self.random().pick(&[0, 0, 0, 0, 1, 3, -2]),
        };
        let signed = [IntCond::Slt, IntCond::Ne, IntCond::Sle];
        let any = [IntCond::Ult, IntCond::Ult, IntCond::Slt, IntCond::Ne, IntCond::Sle];
        let condition = match start < 0 {
            true => self.random().pick(&signed),
            false => self.random().pick(&any),
        };
        let end = if tests_last { End::Last(condition) } else { End::First(condition) };
        Count { ty, rounds, most, start, step, end }
    }

    /// A way to count to a number that is known, of at least two thirds of `most`, one by one.
    pub(super) fn known_count(&mut self, most: u64) -> Count {
        let less = self.random().below(most as usize / 3 + 1) as u64;
        let count = self.count(most);
        let rounds = self.int(count.ty, (most - less) as i64);
        Count { rounds, most: most - less, step: count.step.signum(), ..count }
    }

    /// A number of `0..=most`.
    fn rounds(&mut self, ty: Type, most: u64) -> Value {
        if self.random().percent(40) {
            let known = self.random().below(most as usize + 1) as i64;
            return self.int(ty, known);
        }
        let mask =
            (most + 1).next_power_of_two() / if (most + 1).is_power_of_two() { 1 } else { 2 };
        let some = self.small(ty, u128::from(mask - 1));
        let rest = most + 1 - mask;
        match rest > 0 && self.random().percent(60) {
            true => {
                let more = self.int(ty, rest as i64);
                self.compute(Op::Add, ty, &[some, more])
            }
            false => some,
        }
    }

    /// A loop: `work` writes a round, and gives what it hands on. What the last one has handed
    /// on comes out.
    pub(super) fn counted(
        &mut self,
        count: &Count,
        mark: Mark,
        first: &[Value],
        work: impl FnOnce(&mut Self, &Round) -> Vec<Value>,
    ) -> Vec<Value> {
        let bound = self.bound(count);
        let (header, behind) = (self.body.make_block(), self.body.make_block());
        let begin = match count.step {
            -1 => count.rounds,
            _ => self.int(count.ty, count.start),
        };
        let mut args = vec![begin];
        args.extend(first);
        self.jump(header, &args);
        self.start(header);
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= count.most + 1;
        let counter = self.body.append_param(header, count.ty);
        let carried: Vec<Value> = first.iter().map(|&value| self.carried(header, value)).collect();
        self.say(mark);
        if let End::First(condition) = count.end {
            let inside = self.body.make_block();
            let goes_on = self.goes_on(count, condition, counter, bound);
            self.branch(goes_on, (inside, &[]), (behind, &carried));
            self.start(inside);
        }
        let round = self.round_of(count, counter, carried, behind);
        let handed = work(self, &round);
        let mut next = vec![self.next(count, counter)];
        next.extend(&handed);
        match count.end {
            End::First(_) => self.jump(header, &next),
            End::Last(condition) => {
                let goes_on = self.goes_on(count, condition, next[0], bound);
                self.branch(goes_on, (header, &next), (behind, &handed));
            }
        }
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        let types: Vec<Type> = first.iter().map(|&value| self.body.value_type(value)).collect();
        let mut one = |ty: Type| match ty.lane().is_some_and(|lane| lane.is_address()) {
            // Where objects lie is looked at by nothing.
            true => self.body.append_param(behind, ty),
            false => self.param(behind, ty, Sort::Plain),
        };
        types.into_iter().map(&mut one).collect()
    }

    fn carried(&mut self, header: Block, first: Value) -> Value {
        let ty = self.body.value_type(first);
        let value = self.body.append_param(header, ty);
        if ty.lane().is_some_and(|lane| lane.is_float()) {
            self.taint(value);
        }
        value
    }

    /// What the counter is compared with.
    fn bound(&mut self, count: &Count) -> Value {
        let Count { ty, rounds, start, step, .. } = *count;
        let distance = match step {
            -1 => return self.int(ty, 0),
            1 => rounds,
            _ => {
                let step = self.int(ty, step);
                self.compute(Op::Mul, ty, &[rounds, step])
            }
        };
        // Of `sle`, the last number itself.
        let is_inclusive = matches!(count.end, End::First(IntCond::Sle) | End::Last(IntCond::Sle));
        let start = start - i64::from(is_inclusive);
        match start {
            0 => distance,
            _ => {
                let start = self.int(ty, start);
                self.compute(Op::Add, ty, &[distance, start])
            }
        }
    }

    fn goes_on(&mut self, count: &Count, condition: IntCond, counter: Value, end: Value) -> Value {
        let condition = match (count.step, condition) {
            (-1, IntCond::Ult) => IntCond::Ugt,
            (-1, IntCond::Slt | IntCond::Sle) => IntCond::Sgt,
            (_, condition) => condition,
        };
        if self.random().percent(20) {
            return self.icmp(condition.swapped(), count.ty, [end, counter]);
        }
        self.icmp(condition, count.ty, [counter, end])
    }

    fn round_of(
        &mut self,
        count: &Count,
        counter: Value,
        carried: Vec<Value>,
        behind: Block,
    ) -> Round {
        let index = match count.step {
            // What is left, less one.
            -1 => {
                let less = self.int(count.ty, -1);
                self.compute(Op::Add, count.ty, &[counter, less])
            }
            _ => counter,
        };
        Round { ty: count.ty, index, range: count.range(), carried, behind }
    }

    fn next(&mut self, count: &Count, counter: Value) -> Value {
        let step = self.int(count.ty, count.step);
        self.compute(Op::Add, count.ty, &[counter, step])
    }

    /// Says that at the beginning of a loop.
    pub(super) fn say(&mut self, mark: Mark) {
        if self.random().percent(8) {
            self.push(Op::Poll, Type::NONE, &[], Payload::None);
        }
        if let Mark::With(flags) = mark {
            let unroll = self.random().pick(&[0, 0, 1, 2, 3, 4, 8]);
            self.push(Op::LoopMark, Type::NONE, &[], Payload::LoopMark { flags, unroll });
        }
    }

    /// A mark that promises nothing.
    pub(super) fn plain_mark(&mut self) -> Mark {
        match self.random().percent(20) {
            true => Mark::With(LoopFlags::empty()),
            false => Mark::None,
        }
    }

    /// Leaves the loop where the condition holds.
    pub(super) fn leave_if(&mut self, condition: Value, round: &Round, handed: &[Value]) {
        let on = self.body.make_block();
        self.branch(condition, (round.behind, handed), (on, &[]));
        self.start(on);
    }
}
