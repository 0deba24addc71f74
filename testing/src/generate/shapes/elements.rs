//! Loops over the elements of arrays: what comes out of some goes into others, sums go along,
//! and ways out, checks and other things stand between.

use brolga_ir::attribute::{InstFlags, LoopFlags};
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::{Array, Place, ROOM};
use super::counted::{Count, Mark, Round};
use super::expression::{ELEMENTS, Ingredients};
use super::reduction::{Permission, Reduction};
use crate::generate::flow::MOST_NEST;
use crate::generate::writer::Writer;

/// The most rounds: vectors of bytes need many.
const MOST_ROUNDS: u64 = 20;
const MANY_ROUNDS: u64 = 44;

/// How far a place lies from the ends of its array, so that others lie beside it.
const MARGIN: i64 = 4;

/// What a loop does.
struct Work {
    loads: Vec<Place>,
    stores: Vec<Place>,
    reductions: Vec<Reduction>,
    known: Ingredients,
    /// What its mark promises and permits.
    flags: LoopFlags,
    /// The places whose addresses go from round to round, and the step of the index.
    walks: Vec<Place>,
    step: i64,
}

impl Work {
    fn permission(&self) -> Permission {
        match self.flags.contains(LoopFlags::SIMD) {
            true => Permission::Simd,
            false => Permission::None,
        }
    }
}

impl Writer<'_> {
    /// A loop over elements, and what it has left.
    pub(super) fn element_loop(&mut self) {
        let count = self.random().between(1, 3);
        let arrays = self.arrays(count);
        let ty = self.random().pick(ELEMENTS);
        let is_small = self.size_in_bytes(ty) < 4;
        let most = if is_small && self.random().percent(50) { MANY_ROUNDS } else { MOST_ROUNDS };
        let count = self.count(most);
        let mut work = self.work(&arrays, ty, &count);
        let mark = self.mark_of(&work);
        work.flags = match mark {
            Mark::With(flags) => flags,
            Mark::None => LoopFlags::empty(),
        };
        let mut first = Vec::new();
        for _ in 0..self.random().pick(&[0, 0, 1, 1, 1, 2]) {
            let (reduction, value) = self.reduction(ty, work.permission());
            work.reductions.push(reduction);
            first.push(value);
        }
        self.walk_sometimes(&mut work, &count, &mut first);
        self.counted(&count, mark, &first, |writer, round| writer.element_round(&work, round));
        for array in arrays {
            self.leave_array(array);
        }
    }

    /// The sum over the products of floats, or over floats, in any order.
    pub(super) fn dot_loop(&mut self) {
        let ty = self.random().pick(&[Type::F32, Type::F64]);
        let count = self.count(MOST_ROUNDS);
        let places = [(); 2].map(|()| {
            let array = self.reals(ty);
            self.place_for(array, ty, count.range(), 0)
        });
        let is_simd = self.random().percent(50);
        let (mark, sum_flags) = match is_simd {
            true => (Mark::With(LoopFlags::SIMD), InstFlags::empty()),
            false => (self.plain_mark(), InstFlags::REASSOCIATE | InstFlags::CONTRACT),
        };
        let product_flags = sum_flags - InstFlags::REASSOCIATE;
        let has_products = self.random().percent(70);
        let op = self.random().pick(&[Op::Fadd, Op::Fadd, Op::Fsub, Op::Fmax]);
        let sum_flags = if op == Op::Fmax { sum_flags - InstFlags::CONTRACT } else { sum_flags };
        let first = self.zero(ty);
        self.counted(&count, mark, &[first], |writer, round| {
            let [one, other] = [0, 1].map(|index| writer.read(&places[index], round));
            let (none, mut part) = (Payload::None, one);
            if has_products {
                let product = writer.push_with(Op::Fmul, ty, &[one, other], none, product_flags);
                part = writer.body.results(product)[0];
            }
            let sum = writer.push_with(op, ty, &[round.carried[0], part], none, sum_flags);
            vec![writer.body.results(sum)[0]]
        });
    }

    fn work(&mut self, arrays: &[Array], ty: Type, count: &Count) -> Work {
        let (mut loads, mut stores): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
        for _ in 0..self.random().between(1, 3) {
            let (array, ty) = (self.random().pick(arrays), self.type_beside(ty, count));
            let known = loads.first().copied().filter(|_| self.program.random.percent(25));
            let place = match known {
                Some(place) => self.beside(place, count),
                None => self.place_for(array, ty, count.range(), MARGIN),
            };
            loads.push(place);
        }
        for _ in 0..self.random().pick(&[0, 1, 1, 1, 1, 2]) {
            let (array, ty) = (self.random().pick(arrays), self.type_beside(ty, count));
            let place = match self.random().below(10) {
                0..3 => loads[0],
                3..6 => self.beside(loads[0], count),
                _ => self.place_for(array, ty, count.range(), MARGIN),
            };
            stores.push(place);
        }
        let known = self.invariants(ty);
        let (reductions, walks) = (Vec::new(), Vec::new());
        let flags = LoopFlags::empty();
        Work { loads, stores, reductions, known, flags, walks, step: 0 }
    }

    /// A type of which an array has enough elements, mostly that one.
    fn type_beside(&mut self, ty: Type, count: &Count) -> Type {
        let other = self.element_type(ty);
        let (low, high) = count.range();
        let wanted = (high - low + 2 * MARGIN + 1) as u64 * self.size_in_bytes(other);
        if wanted <= ROOM { other } else { ty }
    }

    /// A place of the same array some elements on: often such as the load comes to in the next
    /// round, or has come from.
    fn beside(&mut self, place: Place, count: &Count) -> Place {
        let next = place.advance(count.step());
        let by = match self.random().below(10) {
            0..4 if next.abs() <= MARGIN => next,
            4..6 if next.abs() <= MARGIN => -next,
            _ => self.random().pick(&[-1, 1, -1, 1, -2, 2, -3, 4, -4]),
        };
        place.moved(by)
    }

    /// A mark, all of whose promises are true.
    fn mark_of(&mut self, work: &Work) -> Mark {
        let mut flags = LoopFlags::empty();
        flags.set(LoopFlags::SIMD, self.random().percent(15));
        let is_independent = work.stores.iter().enumerate().all(|(index, store)| {
            let is_free =
                |other: &Place| store.is_same(other) || store.array.is_apart(&other.array);
            store.moves()
                && work.loads.iter().all(is_free)
                && work.stores[index + 1..].iter().all(is_free)
        });
        flags.set(LoopFlags::IVDEP, is_independent && self.random().percent(25));
        match flags.is_empty() {
            true => self.plain_mark(),
            false => Mark::With(flags),
        }
    }

    /// Has the addresses of some places handed on, where the first index is known.
    fn walk_sometimes(&mut self, work: &mut Work, count: &Count, first: &mut Vec<Value>) {
        let Some((begin, step)) = count.known() else { return };
        work.step = step;
        for place in work.loads.iter_mut().chain(&mut work.stores) {
            if !self.program.random.percent(12) {
                continue;
            }
            let address = self.walk(place, first.len(), begin);
            first.push(address);
            work.walks.push(*place);
        }
    }

    fn element_round(&mut self, work: &Work, round: &Round) -> Vec<Value> {
        let mut from = Ingredients::default();
        for place in &work.loads {
            let value = self.read(place, round);
            from.values.push(value);
        }
        let element = from.values[0];
        from.values.extend(&work.known.values);
        from.conditions.extend(&work.known.conditions);
        if self.random().percent(15) {
            from.values.push(round.index);
        }
        if work.permission() == Permission::None && self.random().percent(15) {
            let plain = round.carried[..work.reductions.len()].first().copied();
            from.values.extend(plain);
        }
        let leaves_early = self.random().percent(8);
        if leaves_early && self.random().percent(50) {
            self.leave_at(element, round, &round.carried);
        }
        self.something_else(work, &mut from);
        let mut made = element;
        for place in &work.stores {
            made = self.expression(place.ty, &from);
            match self.random().percent(12) {
                true => self.write_sometimes(place, round, made),
                false => self.write(place, round, made),
            }
        }
        let handed = self.handed_on(work, round, [element, made]);
        if leaves_early && self.random().percent(50) {
            self.leave_at(element, round, &handed);
        }
        handed
    }

    fn handed_on(&mut self, work: &Work, round: &Round, [element, made]: [Value; 2]) -> Vec<Value> {
        let mut handed = Vec::with_capacity(round.carried.len());
        for (number, reduction) in work.reductions.iter().enumerate() {
            let value = if self.random().percent(50) { element } else { made };
            let state = (round, round.carried[number]);
            handed.push(self.reduce(reduction, state, value, work.permission()));
        }
        for place in &work.walks {
            handed.extend(self.walk_on(place, round, work.step));
        }
        handed
    }

    /// Ends the loop at an element that is hardly ever met.
    fn leave_at(&mut self, element: Value, round: &Round, handed: &[Value]) {
        let ty = self.body.value_type(element);
        let constant = self.constant(ty);
        let found = self.compared(ty, [element, constant]);
        let found = match self.random().percent(70) {
            true => {
                let rare = self.rare_condition();
                self.compute(Op::And, Type::I1, &[found, rare])
            }
            false => found,
        };
        self.leave_if(found, round, handed);
    }

    /// Now and then what no vector does: a check, or any instruction.
    fn something_else(&mut self, work: &Work, from: &mut Ingredients) {
        match self.random().below(100) {
            0..5 => {
                let fails = self.rare_condition();
                let holds = self.compute(Op::Not, Type::I1, &[fails]);
                self.check_that(holds);
            }
            // What is called may know the arrays.
            5..8 if !work.flags.contains(LoopFlags::IVDEP) => self.statement(MOST_NEST),
            8..12 if !from.values.is_empty() => {
                let index = self.random().below(from.values.len());
                let value = from.values[index];
                let ty = self.body.value_type(value);
                from.values[index] = self.compute(Op::Opaque, ty, &[value]);
            }
            _ => {}
        }
    }

    /// The same, in rounds in which something holds only.
    fn write_sometimes(&mut self, place: &Place, round: &Round, value: Value) {
        let constant = self.constant(place.ty);
        let condition = self.compared(place.ty, [value, constant]);
        let (yes, on) = (self.body.make_block(), self.body.make_block());
        self.branch(condition, (yes, &[]), (on, &[]));
        self.start(yes);
        self.write(place, round, value);
        self.jump(on, &[]);
        self.start(on);
    }
}
