//! Loops that make an object in each round, and tell the collector the same again and again.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::counted::Round;
use crate::generate::memory::Wish;
use crate::generate::writer::{Sort, Writer};

/// Bytes for references, behind those for numbers.
const REFERENCES: u64 = 16;

/// What a loop knows of objects.
#[derive(Clone, Copy, Debug)]
struct Objects {
    /// Two from outside.
    outside: [Value; 2],
    /// The one that the round makes, and the bytes in it that hold numbers.
    made: Value,
    numbers: u64,
}

impl Writer<'_> {
    /// A loop over objects that rounds make, of which the last may be used behind it.
    pub(super) fn object_loop(&mut self) {
        let outside = [self.object_reference(), self.object_reference()];
        let first = [self.any(Type::I64), self.zero(Type::REF)];
        let count = self.count(5);
        let mark = self.plain_mark();
        let came_out = self.counted(&count, mark, &first, |writer, round| {
            if writer.random().percent(10) {
                let leaves = writer.rare_condition();
                writer.leave_if(leaves, round, &round.carried.clone());
            }
            writer.object_round(round, outside)
        });
        if self.random().percent(30) {
            let number = self.number_in(came_out[1], outside[0]);
            self.keep_as(number, Sort::Plain);
        }
        // Where everybody can see it.
        let data = self.program.some_data(Wish::Write);
        let start = self.index(0);
        self.push(Op::DataStore, Type::I64, &[came_out[0], start], Payload::Data(data.id));
    }

    /// What a round does with its object; gives a number and an object.
    fn object_round(&mut self, round: &Round, outside: [Value; 2]) -> Vec<Value> {
        let [before, last] = [round.carried[0], round.carried[1]];
        let numbers = self.random().pick(&[8, 16, 32]);
        let kind = if self.random().percent(50) { outside[0] } else { self.zero(Type::REF) };
        let size = self.index(numbers + REFERENCES);
        let made = self.compute(Op::AllocObject, Type::NONE, &[kind, size]);
        let objects = Objects { outside, made, numbers };
        let place = self.number_place(round, &objects);
        let mut sum = self.mixed(before, place, 0);
        self.push(Op::Store, Type::I64, &[sum, place], Payload::Access(Access::default()));
        if self.random().percent(15) {
            let number = self.number_in(last, outside[0]);
            sum = self.compute(Op::Xor, Type::I64, &[sum, number]);
        }
        if self.random().percent(50) {
            sum = self.reference_in(&objects, sum);
        }
        self.tell_collector(round, &objects, sum);
        let sum = self.mixed(sum, made, 0);
        let handed = match self.random().below(4) {
            0 | 1 => made,
            2 => last,
            _ => self.zero(Type::REF),
        };
        vec![sum, handed]
    }

    /// A place for numbers that depends on the round.
    fn number_place(&mut self, round: &Round, objects: &Objects) -> Value {
        let index = self.converted(round.index, Type::I64);
        let [three, mask] = [self.index(3), self.index(objects.numbers - 8)];
        let at = self.compute(Op::Shl, Type::I64, &[index, three]);
        let at = self.compute(Op::And, Type::I64, &[at, mask]);
        let derived = self.compute(Op::AddressCast, Type::DERIVED, &[objects.made]);
        self.compute(Op::DerivedAdd, Type::NONE, &[derived, at])
    }

    /// A number with the one that stands in an object.
    fn mixed(&mut self, number: Value, place: Value, offset: i32) -> Value {
        let access = Payload::Access(Access { offset, ..Access::default() });
        let found = self.compute_with(Op::Load, Type::I64, &[place], access);
        let three = self.index(3);
        let turned = self.compute(Op::Rotl, Type::I64, &[number, three]);
        self.compute(Op::Add, Type::I64, &[turned, found])
    }

    /// The first number in an object, or in another one where that is null.
    fn number_in(&mut self, object: Value, other: Value) -> Value {
        let null = self.zero(Type::REF);
        let is_null = self.icmp(IntCond::Eq, Type::REF, [object, null]);
        let object = self.compute(Op::Select, Type::REF, &[is_null, other, object]);
        self.compute_with(Op::Load, Type::I64, &[object], Payload::Access(Access::default()))
    }

    /// Puts a reference into the object in some rounds, and adds whether one is there.
    fn reference_in(&mut self, objects: &Objects, sum: Value) -> Value {
        let [to, from] = [0, 1].map(|_| self.random().below(2) as u64 * 8);
        let at =
            |more: u64| Access { offset: (objects.numbers + more) as i32, ..Access::default() };
        let (yes, join) = (self.body.make_block(), self.body.make_block());
        let condition = self.any(Type::I1);
        self.branch(condition, (yes, &[]), (join, &[]));
        self.start(yes);
        let stored = objects.outside[1];
        self.push(Op::Store, Type::REF, &[stored, objects.made], Payload::Access(at(to)));
        if self.random().percent(50) {
            self.push(Op::WriteBarrier, Type::NONE, &[objects.made, stored], Payload::None);
        }
        self.jump(join, &[]);
        self.start(join);
        let payload = Payload::Access(at(from));
        let found = self.compute_with(Op::Load, Type::REF, &[objects.made], payload);
        let is_there = self.icmp(IntCond::Eq, Type::REF, [found, stored]);
        let is_there = self.compute(Op::Zext, Type::I64, &[is_there]);
        self.compute(Op::Add, Type::I64, &[sum, is_there])
    }

    /// Barriers, and regions that keep objects alive, which a way out may leave open.
    fn tell_collector(&mut self, round: &Round, objects: &Objects, sum: Value) {
        let Objects { outside, made, .. } = *objects;
        if self.random().percent(40) {
            self.push(Op::WriteBarrier, Type::NONE, &outside, Payload::None);
        }
        if self.random().percent(50) {
            let also = self.random().percent(50);
            let kept = if also { &[outside[1], made][..] } else { &outside[..1] };
            let token = self.compute(Op::PreserveBegin, Type::NONE, kept);
            self.push(Op::Safepoint, Type::NONE, &[], Payload::None);
            if self.random().percent(25) {
                let leaves = self.rare_condition();
                self.leave_if(leaves, round, &[sum, made]);
            }
            self.push(Op::PreserveEnd, Type::NONE, &[token], Payload::None);
        }
    }
}
