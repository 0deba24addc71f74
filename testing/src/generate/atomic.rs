//! Atomic accesses and fences.

use brolga_ir::attribute::{Order, RmwOp};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::memory::{Place, Wish};
use super::writer::{Sort, Writer};

const LOAD: &[Order] =
    &[Order::Unordered, Order::Relaxed, Order::Acquire, Order::SequentiallyConsistent];
const STORE: &[Order] =
    &[Order::Unordered, Order::Relaxed, Order::Release, Order::SequentiallyConsistent];
const MODIFY: &[Order] = &[
    Order::Relaxed,
    Order::Acquire,
    Order::Release,
    Order::AcquireRelease,
    Order::SequentiallyConsistent,
];
const FENCE: &[Order] =
    &[Order::Acquire, Order::Release, Order::AcquireRelease, Order::SequentiallyConsistent];

/// The orders that a compare-exchange may fail with: no release, none stronger.
fn failures(success: Order) -> &'static [Order] {
    match success {
        Order::Relaxed | Order::Release => &[Order::Relaxed],
        Order::SequentiallyConsistent => {
            &[Order::Relaxed, Order::Acquire, Order::SequentiallyConsistent]
        }
        _ => &[Order::Relaxed, Order::Acquire],
    }
}

impl Writer<'_> {
    /// A place that an atomic access of `ty` can go to; where the program is
    /// hazardous, any.
    fn atomic_place(&mut self, wish: Wish, ty: Type) -> Place {
        let size = self.program.module.types.layout(ty).size;
        // Code reads 128 bits as one by a write.
        let wish = if ty == Type::I128 { Wish::Write } else { wish };
        let step = if self.has_hazard() { 1 } else { size };
        let place = self.place(wish, size, step);
        if !self.random().percent(20) {
            return place;
        }
        let other = self.place(wish, size, step);
        self.one_of([place, other])
    }

    /// One of two places: what is promised of an access of either is promised of none. The first,
    /// if they are not both plain.
    fn one_of(&mut self, places: [Place; 2]) -> Place {
        if places.iter().any(|place| self.body.value_type(place.address) != Type::PTR) {
            let [first, _] = places;
            return first;
        }
        let [one, other] = places.map(|Place { address, access }| {
            let offset = self.index(i64::from(access.offset).cast_unsigned());
            self.compute(Op::PtrAdd, Type::NONE, &[address, offset])
        });
        let condition = self.any(Type::I1);
        let address = self.compute(Op::Select, Type::PTR, &[condition, one, other]);
        Place { address, access: Access::default() }
    }

    pub(super) fn emit_atomic_load(&mut self) -> Option<()> {
        let ty = self.atomic_type();
        let place = self.atomic_place(Wish::Read, ty);
        let payload = Payload::Atomic { order: self.random().pick(LOAD), access: place.access };
        let inst = self.push(Op::AtomicLoad, ty, &[place.address], payload);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_atomic_store(&mut self) -> Option<()> {
        let ty = self.atomic_type();
        let value = self.steady(ty);
        let place = self.atomic_place(Wish::Write, ty);
        let payload = Payload::Atomic { order: self.random().pick(STORE), access: place.access };
        self.push(Op::AtomicStore, ty, &[value, place.address], payload);
        Some(())
    }

    pub(super) fn emit_atomic_rmw(&mut self) -> Option<()> {
        let ty = self.atomic_type();
        let is_float = ty.lane().is_some_and(Scalar::is_float);
        let fits = |op: &RmwOp| *op == RmwOp::Exchange || op.is_float() == is_float;
        let kinds: Vec<RmwOp> = RmwOp::ALL.iter().copied().filter(fits).collect();
        let op = self.random().pick(&kinds);
        let value = self.steady(ty);
        let place = self.atomic_place(Wish::Write, ty);
        let order = self.random().pick(MODIFY);
        let payload = Payload::AtomicRmw { op, order, access: place.access };
        let inst = self.push(Op::AtomicRmw, ty, &[place.address, value], payload);
        self.keep(inst);
        if op.is_float() {
            self.steady_memory(ty, &place);
        }
        Some(())
    }

    /// Arithmetic may have left a NaN of any bits behind.
    fn steady_memory(&mut self, ty: Type, place: &Place) {
        let access = Access { offset: place.access.offset, ..Access::default() };
        let payload = Payload::Access(access);
        let left = self.compute_with(Op::Load, ty, &[place.address], payload);
        self.taint(left);
        let steady = self.steadied(left);
        self.push(Op::Store, ty, &[steady, place.address], payload);
    }

    pub(super) fn emit_atomic_cas(&mut self) -> Option<()> {
        let ty = self.atomic_type();
        let new = self.steady(ty);
        let place = self.atomic_place(Wish::Write, ty);
        let access = Access { offset: place.access.offset, ..Access::default() };
        // Mostly what is there, so that the exchange is made.
        let expected = match self.random().percent(60) {
            true => self.compute_with(Op::Load, ty, &[place.address], Payload::Access(access)),
            false => self.steady(ty),
        };
        let order = self.random().pick(MODIFY);
        let failure = self.random().pick(failures(order));
        let payload = Payload::AtomicCas { order, failure, access: place.access };
        let inst = self.push(Op::AtomicCas, ty, &[place.address, expected, new], payload);
        self.keep(inst);
        Some(())
    }

    /// A loop that exchanges what is there for what is made of it, until nobody was faster.
    pub(super) fn exchange_loop(&mut self) {
        let ty = self.random().pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let operand = self.any(ty);
        let place = self.atomic_place(Wish::Write, ty);
        let access = Access { offset: place.access.offset, ..Access::default() };
        let payload = Payload::Atomic { order: Order::Relaxed, access };
        let first = self.compute_with(Op::AtomicLoad, ty, &[place.address], payload);
        let (again, behind) = (self.body.make_block(), self.body.make_block());
        self.jump(again, &[first]);
        self.start(again);
        let weight = self.weight;
        self.weight *= 2;
        let old = self.body.append_param(again, ty);
        let ops = [Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor, Op::Smin, Op::Umax, Op::Mul];
        let op = self.random().pick(&ops);
        let swaps = self.random().percent(30);
        let new = self.compute(op, ty, &if swaps { [operand, old] } else { [old, operand] });
        let new = match self.random().percent(15) {
            true => self.compute(Op::Not, ty, &[new]),
            false => new,
        };
        let order = self.random().pick(MODIFY);
        let failure = self.random().pick(failures(order));
        let payload = Payload::AtomicCas { order, failure, access };
        let inst = self.push(Op::AtomicCas, ty, &[place.address, old, new], payload);
        let (seen, is_done) = (self.body.results(inst)[0], self.body.results(inst)[1]);
        self.branch(is_done, (behind, &[]), (again, &[seen]));
        self.weight = weight;
        self.start(behind);
        self.keep_as(old, Sort::Plain);
        self.keep_as(new, Sort::Plain);
    }

    pub(super) fn emit_atomic_modify(&mut self) -> Option<()> {
        let (function, ty) = self.program.modifiers[..].first().copied()?;
        let count = self.program.modifiers.len();
        let index = self.random().below(count);
        let (function, ty) = self.program.modifiers.get(index).copied().unwrap_or((function, ty));
        let value = self.steady(ty);
        let place = self.atomic_place(Wish::Write, ty);
        let order = self.random().pick(MODIFY);
        let payload = Payload::AtomicModify { function, order, access: place.access };
        let inst = self.push(Op::AtomicModify, ty, &[place.address, value], payload);
        self.cost += self.weight * 8;
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_fence(&mut self) -> Option<()> {
        let order = self.random().pick(FENCE);
        self.push(Op::Fence, Type::NONE, &[], Payload::Order(order));
        Some(())
    }
}
