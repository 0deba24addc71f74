//! Loops over elements in memory, by address, that can be done several rounds at once:
//! counted, of one element after the other, up or down, over objects that may be one and
//! the same, with arms that meet again, sums, and values of the round before.

use brolga_ir::attribute::{FloatCond, InstFlags, IntCond};
use brolga_ir::body::SlotData;
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::memory::Wish;
use super::writer::{Sort, Writer};

/// The most rounds, and how far apart two accesses of a round are at most.
const MOST_ROUNDS: u64 = 48;
const MOST_APART: u64 = 12;

/// Bytes of an object: room for all rounds of the widest elements on either side.
const ROOM: u64 = 8 * (MOST_ROUNDS + 2 * MOST_APART);

/// What a loop goes over.
struct Elements {
    ty: Type,
    size: u64,
    /// Of the addresses of the first round.
    bases: [Value; 2],
    rounds: Value,
    counter: Type,
    is_down: bool,
}

impl Writer<'_> {
    /// A loop over elements, and what it has left.
    pub(super) fn element_loop(&mut self) {
        let types = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];
        let ty = self.random().pick(&types);
        let size = self.program.module.types.layout(ty).size;
        let objects = [self.filled_object(), self.filled_object()];
        let rounds = match self.random().percent(50) {
            true => self.program.random.between(1, MOST_ROUNDS as usize) as u64,
            false => MOST_ROUNDS,
        };
        let is_down = self.random().percent(20);
        let bases = [self.base(&objects, size, is_down), self.base(&objects, size, is_down)];
        let counter = self.random().pick(&[Type::I64, Type::I64, Type::I32]);
        let is_known = self.random().percent(40);
        let rounds = match is_known {
            true => self.number_of(counter, rounds.into()),
            false => {
                let some = self.small(counter, 15);
                let more = self.number_of(counter, u128::from(rounds.saturating_sub(16).max(1)));
                self.compute(Op::Add, counter, &[some, more])
            }
        };
        let elements = Elements { ty, size, bases, rounds, counter, is_down };
        self.over(&elements);
        for object in objects {
            self.checksum(object);
        }
    }

    /// A new object with numbers here and there.
    fn filled_object(&mut self) -> Value {
        let slot = self.body.make_slot(SlotData::new(ROOM as u32));
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        for _ in 0..self.random().between(4, 10) {
            let ty = self.random().pick(&[Type::I64, Type::I32, Type::F32, Type::F64]);
            let offset = self.random().below(ROOM as usize / 8) as i32 * 8;
            let value = self.constant(ty);
            let access = Access { offset, ..Access::default() };
            self.push(Op::Store, ty, &[value, base], Payload::Access(access));
        }
        match self.random().percent(40) {
            true => self.compute(Op::Opaque, Type::PTR, &[base]),
            false => base,
        }
    }

    /// Where the first round is in one of the objects.
    fn base(&mut self, objects: &[Value; 2], size: u64, is_down: bool) -> Value {
        let object = objects[self.random().below(2)];
        let apart = self.random().below(MOST_APART as usize + 1) as u64;
        let first = if is_down { MOST_ROUNDS + apart } else { MOST_APART - apart };
        let offset = self.index(first * size);
        self.compute(Op::PtrAdd, Type::NONE, &[object, offset])
    }

    fn over(&mut self, elements: &Elements) {
        let (header, behind) = (self.body.make_block(), self.body.make_block());
        let (sum_type, sum_op) = self.sum_of(elements.ty);
        let tests_first = self.random().percent(50);
        let first = [self.zero(elements.counter), self.zero(sum_type), self.zero(elements.ty)];
        self.jump(header, &first);
        self.start(header);
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= MOST_ROUNDS + 1;
        let round = self.body.append_param(header, elements.counter);
        let sum = self.body.append_param(header, sum_type);
        let before = self.body.append_param(header, elements.ty);
        for value in [sum, before] {
            self.taint_float(value);
        }
        let payload = Payload::IntCond(IntCond::Ult);
        if tests_first {
            let inside = self.body.make_block();
            let operands = [round, elements.rounds];
            let goes_on = self.compute_with(Op::Icmp, elements.counter, &operands, payload);
            self.branch(goes_on, (inside, &[]), (behind, &[sum]));
            self.start(inside);
        }
        let (made, next) = self.element_round(elements, round, before);
        let one = self.number_of(elements.counter, 1);
        let count = self.compute(Op::Add, elements.counter, &[round, one]);
        let sum = self.added(sum_type, sum_op, elements.ty, [sum, made]);
        let nexts = [count, sum, next];
        match tests_first {
            true => self.jump(header, &nexts),
            false => {
                let operands = [count, elements.rounds];
                let goes_on = self.compute_with(Op::Icmp, elements.counter, &operands, payload);
                self.branch(goes_on, (header, &nexts), (behind, &[sum]));
            }
        }
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        self.param(behind, sum_type, Sort::Plain);
    }

    /// Of floats, what comes in may be a NaN of any bits.
    fn taint_float(&mut self, value: Value) {
        if matches!(self.body.value_type(value), Type::F32 | Type::F64) {
            self.taint(value);
        }
    }

    /// In which type elements are added up, and by which op: every order gives the same.
    fn sum_of(&mut self, ty: Type) -> (Type, Op) {
        match ty {
            Type::F32 | Type::F64 => (ty, self.random().pick(&[Op::Fmin, Op::Fmax])),
            Type::I8 | Type::I16 if self.random().percent(30) => (Type::F64, Op::Fadd),
            _ => {
                let wide = self.random().pick(&[ty, ty, Type::I32, Type::I64]);
                let wide = if wide.lane() < ty.lane() { ty } else { wide };
                let ops = [Op::Add, Op::Xor, Op::Or, Op::And, Op::Umax, Op::Smin, Op::Mul, Op::Sub];
                (wide, self.random().pick(&ops))
            }
        }
    }

    fn added(&mut self, ty: Type, op: Op, from: Type, [sum, made]: [Value; 2]) -> Value {
        let made = match (ty.lane(), from.lane()) {
            _ if ty == from => made,
            _ if op == Op::Fadd => self.compute(Op::Sitofp, ty, &[made]),
            _ => {
                let op = self.random().pick(&[Op::Zext, Op::Sext]);
                self.compute(op, ty, &[made])
            }
        };
        // Whole numbers of a few bits: no order rounds.
        let flags = if op == Op::Fadd { InstFlags::REASSOCIATE } else { InstFlags::empty() };
        let inst = self.push_with(op, ty, &[sum, made], Payload::None, flags);
        self.body.results(inst)[0]
    }

    /// What a round computes, and what it hands on.
    fn element_round(
        &mut self,
        elements: &Elements,
        round: Value,
        before: Value,
    ) -> (Value, Value) {
        let ty = elements.ty;
        let places = elements.bases.map(|base| self.element_place(elements, base, round));
        let access = Payload::Access(Access::default());
        let own = self.compute_with(Op::Load, ty, &[places[0]], access);
        let mut made = own;
        for _ in 0..self.random().between(1, 4) {
            let other = match self.random().below(10) {
                0..2 => self.compute_with(Op::Load, ty, &[places[1]], access),
                2 => before,
                3..5 => own,
                5 if ty == elements.counter => round,
                _ => self.constant(ty),
            };
            made = self.element_op(ty, [made, other]);
            if self.random().percent(20) {
                made = self.arms(ty, [made, other]);
            }
        }
        let made = self.steadied(made);
        if self.random().percent(85) {
            let to = self.random().below(2);
            self.push(Op::Store, ty, &[made, places[to]], access);
        }
        let next = match self.random().percent(30) {
            true => made,
            false => own,
        };
        (made, next)
    }

    fn element_place(&mut self, elements: &Elements, base: Value, round: Value) -> Value {
        let wide = match elements.counter == Type::I64 {
            true => round,
            false => {
                let op = self.random().pick(&[Op::Zext, Op::Sext]);
                self.compute(op, Type::I64, &[round])
            }
        };
        let step = if elements.is_down { 0_u64.wrapping_sub(elements.size) } else { elements.size };
        let step = self.index(step);
        let offset = self.compute(Op::Mul, Type::I64, &[wide, step]);
        self.compute(Op::PtrAdd, Type::NONE, &[base, offset])
    }

    fn element_op(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        let ints = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Xor, Op::Smax, Op::Umin, Op::Shl];
        let floats = [Op::Fadd, Op::Fsub, Op::Fmul, Op::Fmax, Op::Fdiv, Op::Fcopysign];
        let is_float = matches!(ty, Type::F32 | Type::F64);
        let op = if is_float { self.random().pick(&floats) } else { self.random().pick(&ints) };
        let [one, other] = operands;
        let other = if op == Op::Fcopysign { self.steadied(other) } else { other };
        self.compute(op, ty, &[one, other])
    }

    fn compared(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        let floats = [FloatCond::Olt, FloatCond::Uge, FloatCond::Ueq, FloatCond::One];
        let ints = [IntCond::Slt, IntCond::Uge, IntCond::Eq, IntCond::Ugt];
        match ty {
            Type::F32 | Type::F64 => {
                let condition = self.random().pick(&floats);
                self.compute_with(Op::Fcmp, ty, &operands, Payload::FloatCond(condition))
            }
            _ => {
                let condition = self.random().pick(&ints);
                self.compute_with(Op::Icmp, ty, &operands, Payload::IntCond(condition))
            }
        }
    }

    /// One value or another, by a branch or two.
    fn arms(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        let condition = self.compared(ty, operands);
        if self.random().percent(30) {
            return self.compute(Op::Select, ty, &[condition, operands[0], operands[1]]);
        }
        let (yes, no, join) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let merged = self.body.append_param(join, ty);
        self.taint_float(merged);
        let skips = self.random().percent(40);
        let other: (Block, &[Value]) = if skips { (join, &operands[1..]) } else { (no, &[]) };
        self.branch(condition, (yes, &[]), other);
        self.start(yes);
        let made = self.element_op(ty, operands);
        if self.random().percent(30) {
            let (further, constant) = (self.body.make_block(), self.constant(ty));
            let condition = self.compared(ty, [made, constant]);
            self.branch(condition, (further, &[]), (join, &[made]));
            self.start(further);
        }
        let constant = self.constant(ty);
        let made = self.element_op(ty, [made, constant]);
        self.jump(join, &[made]);
        if !skips {
            self.start(no);
            let made = self.element_op(ty, [operands[1], operands[0]]);
            self.jump(join, &[made]);
        }
        self.start(join);
        merged
    }

    /// Puts all bytes of an object together, where everybody can see it.
    fn checksum(&mut self, object: Value) {
        let (header, behind) = (self.body.make_block(), self.body.make_block());
        let zero = self.index(0);
        self.jump(header, &[zero, zero]);
        self.start(header);
        let weight = self.weight;
        self.weight *= ROOM / 8;
        let at = self.body.append_param(header, Type::I64);
        let sum = self.body.append_param(header, Type::I64);
        let place = self.compute(Op::PtrAdd, Type::NONE, &[object, at]);
        let access = Payload::Access(Access::default());
        let word = self.compute_with(Op::Load, Type::I64, &[place], access);
        let (three, eight, end) = (self.index(3), self.index(8), self.index(ROOM));
        let turned = self.compute(Op::Rotl, Type::I64, &[sum, three]);
        let sum = self.compute(Op::Add, Type::I64, &[turned, word]);
        let next = self.compute(Op::Add, Type::I64, &[at, eight]);
        let payload = Payload::IntCond(IntCond::Ult);
        let goes_on = self.compute_with(Op::Icmp, Type::I64, &[next, end], payload);
        self.branch(goes_on, (header, &[next, sum]), (behind, &[]));
        self.weight = weight;
        self.start(behind);
        let data = self.program.some_data(Wish::Write);
        let offset = self.index(0);
        self.push(Op::DataStore, Type::I64, &[sum, offset], Payload::Data(data.id));
        self.keep_as(sum, Sort::Plain);
    }
}
