//! Loops whose rounds are checked, as front ends check indices of arrays.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{ExitData, ExitKind};
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::writer::{Sort, Writer};

/// After how many rounds a loop ends, whatever its numbers say.
pub(super) const MOST_ROUNDS: u64 = 12;

const CONDITIONS: &[IntCond] = &[
    IntCond::Ult,
    IntCond::Ule,
    IntCond::Ugt,
    IntCond::Uge,
    IntCond::Slt,
    IntCond::Sle,
    IntCond::Sgt,
    IntCond::Sge,
    IntCond::Ne,
];

/// What is the same of loops in a row.
#[derive(Clone, Copy)]
struct Kind {
    ty: Type,
    /// Whether numbers, steps and conditions may be any, so that checks fail.
    is_wild: bool,
}

/// How many loops stand in a row at most.
const MOST_IN_A_ROW: usize = 3;

impl Writer<'_> {
    /// Loops in a row, each of which may begin or end by what the ones before have come to.
    pub(super) fn checked_loops(&mut self) {
        let is_wild = self.has_hazard() || self.random().percent(20);
        let ty = self.random().pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let count = match self.random().percent(60) {
            true => 1,
            false => self.random().between(2, MOST_IN_A_ROW),
        };
        let mut found = Vec::new();
        for _ in 0..count {
            let results = self.checked_loop(Kind { ty, is_wild }, &found);
            found.extend(results);
        }
    }

    /// Counts, checks the number in each round, and writes to a slot between the checks. Gives
    /// the last number and the sum of all.
    fn checked_loop(&mut self, kind: Kind, found: &[Value]) -> [Value; 2] {
        let Kind { ty, is_wild } = kind;
        let (header, latch, behind) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let start = self.start_of(kind, found);
        let [bound, other, end] = [(); 3].map(|()| self.length(kind, found));
        let round = self.index(0);
        self.jump(header, &[start, round, start]);
        self.start(header);
        let scope = self.open_scope();
        let index = self.param(header, ty, Sort::Plain);
        let round = self.param(header, Type::I64, Sort::Plain);
        let sum = self.param(header, ty, Sort::Plain);
        let weight = self.weight;
        self.weight *= MOST_ROUNDS;
        self.mark_loop();
        self.check_index(kind, index, bound);
        self.write_round(round, sum);
        if self.random().percent(60) {
            self.check_index(kind, index, other);
        }
        let sum = self.compute(Op::Add, ty, &[sum, index]);
        let one = self.index(1);
        let next_round = self.compute(Op::Add, Type::I64, &[round, one]);
        let most = self.index(MOST_ROUNDS);
        let payload = Payload::IntCond(IntCond::Ult);
        let goes_on = self.compute_with(Op::Icmp, Type::I64, &[next_round, most], payload);
        match is_wild {
            true => {
                self.check_that(goes_on);
                self.jump(latch, &[]);
            }
            false => self.branch(goes_on, (latch, &[]), (behind, &[index, sum])),
        }
        self.start(latch);
        let (step, condition) = self.step_of_loop(is_wild);
        let step = self.number_of(ty, step);
        let next = self.compute(Op::Add, ty, &[index, step]);
        let more = self.compute_with(Op::Icmp, ty, &[next, end], Payload::IntCond(condition));
        self.branch(more, (header, &[next, next_round, sum]), (behind, &[next, sum]));
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        [(); 2].map(|()| self.param(behind, ty, Sort::Plain))
    }

    fn step_of_loop(&mut self, is_wild: bool) -> (u128, IntCond) {
        match is_wild {
            true => {
                let step = self.random().pick(&[1, 1, 2, 100, u128::MAX, u128::MAX - 2]);
                (step, self.random().pick(CONDITIONS))
            }
            false => (1, self.random().pick(&[IntCond::Ult, IntCond::Slt, IntCond::Ne])),
        }
    }

    fn start_of(&mut self, kind: Kind, found: &[Value]) -> Value {
        let Kind { ty, is_wild } = kind;
        if is_wild && !found.is_empty() && self.random().percent(60) {
            return self.random().pick(found);
        }
        match is_wild && self.random().percent(60) {
            true => self.constant(ty),
            false => {
                let number = self.random().below(3) as u128;
                self.number_of(ty, number)
            }
        }
    }

    /// A number that no round changes: at least that of the rounds, unless any will do.
    fn length(&mut self, kind: Kind, found: &[Value]) -> Value {
        let Kind { ty, is_wild } = kind;
        if is_wild && !found.is_empty() && self.random().percent(30) {
            return self.random().pick(found);
        }
        match is_wild && self.random().percent(50) {
            true => self.constant(ty),
            false => {
                let number = self.small(ty, 31);
                let least = self.number_of(ty, if is_wild { 4 } else { 32 });
                self.compute(Op::Or, ty, &[number, least])
            }
        }
    }

    fn check_index(&mut self, kind: Kind, index: Value, bound: Value) {
        let Kind { ty, is_wild } = kind;
        let (offset, condition) = match is_wild {
            true => {
                let offset = self.random().pick(&[0, 1, 2, u128::MAX, u128::MAX - 1, 100]);
                (offset, self.random().pick(CONDITIONS))
            }
            false => (self.random().below(3) as u128, IntCond::Ult),
        };
        let offset = self.number_of(ty, offset);
        let moved = self.compute(Op::Add, ty, &[index, offset]);
        let payload = Payload::IntCond(condition);
        let holds = self.compute_with(Op::Icmp, ty, &[moved, bound], payload);
        if self.random().percent(50) {
            return self.check_that(holds);
        }
        let (on, bad): (Block, Block) = (self.body.make_block(), self.body.make_block());
        self.branch(holds, (on, &[]), (bad, &[]));
        self.start(bad);
        self.push(Op::Trap, Type::NONE, &[], Payload::Trap(TrapCode::Bounds));
        self.start(on);
    }

    pub(super) fn check_that(&mut self, holds: Value) {
        let code = self.random().pick(&[TrapCode::Bounds, TrapCode::User(1), TrapCode::User(2)]);
        let exit = self.body.make_exit(ExitData { kind: ExitKind::Trap(code), types: Vec::new() });
        self.push(Op::Check, Type::NONE, &[holds], Payload::Exit(exit));
    }

    /// Leaves in a slot how far the loop has come.
    fn write_round(&mut self, round: Value, sum: Value) {
        let (seven, slot) = (self.index(7), self.slots[0].slot);
        let at = self.compute(Op::And, Type::I64, &[round, seven]);
        let ty = self.body.value_type(sum);
        self.push(Op::SlotStore, ty, &[sum, at], Payload::Slot(slot));
    }
}
