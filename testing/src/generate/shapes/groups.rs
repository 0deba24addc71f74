//! Loops over groups of elements: parts of complex numbers, fields of records, bytes of pixels.

use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::{Array, Place, ROOM};
use super::counted::{Count, Round};
use super::expression::{ELEMENTS, Ingredients, is_float};
use super::reduction::{Permission, Reduction};
use crate::generate::writer::Writer;

/// The most rounds: vectors of bytes need many.
const MOST_ROUNDS: u64 = 20;
const MANY_ROUNDS: u64 = 44;

/// The most elements of a group.
const MOST_SIZE: i64 = 4;

/// How far the first place of a group lies from the ends of its array: its others, and those
/// of a group behind it, of which one may lie in the round behind that.
const MARGIN: i64 = 3 * MOST_SIZE - 1;

const INT_OPS: &[Op] = &[Op::Add, Op::Sub, Op::Mul, Op::Xor, Op::And, Op::Smax, Op::Umin, Op::Lshr];

const FLOAT_OPS: &[Op] = &[Op::Fadd, Op::Fsub, Op::Fmul];

/// What a loop does.
struct Work {
    loads: Vec<Place>,
    stores: Vec<Store>,
    reductions: Vec<Reduction>,
    known: Ingredients,
    /// Whether some is stored while there is more to load.
    is_mixed: bool,
}

/// What is stored to a place.
struct Store {
    place: Place,
    made: Made,
}

/// What is made of what is loaded.
#[derive(Clone)]
enum Made {
    /// What stands at that place, and what each op makes of it and an operand.
    Alike(usize, Vec<(Op, Value)>),
    Anything,
}

impl Writer<'_> {
    /// A loop that goes on by several elements in each round.
    pub(super) fn group_loop(&mut self) {
        let some = self.random().between(1, 3);
        let arrays = self.arrays(some);
        let ty = self.random().pick(ELEMENTS);
        let size = self.random().pick(&[2, 2, 3, MOST_SIZE]);
        let room = (ROOM / self.size_in_bytes(ty)) as i64 - 2 * MARGIN - 1;
        let most = if self.random().percent(50) { MANY_ROUNDS } else { MOST_ROUNDS };
        let count = self.count(most.min((room / size) as u64));
        let work = self.group_work(&arrays, ty, size, &count);
        let (mut work, mut first) = (work, Vec::new());
        for _ in 0..self.random().pick(&[0, 0, 1, 1, 2]) {
            let (reduction, value) = self.reduction(ty, Permission::None);
            work.reductions.push(reduction);
            first.push(value);
        }
        let mark = self.plain_mark();
        self.counted(&count, mark, &first, |writer, round| writer.group_round(&work, round));
        for array in arrays {
            self.leave_array(array);
        }
    }

    fn group_work(&mut self, arrays: &[Array], ty: Type, size: i64, count: &Count) -> Work {
        let group = self.group(arrays, ty, size, count);
        let mut loads = self.members(group, size, 70);
        if self.random().percent(30) {
            let other = match self.random().percent(40) {
                true => group.moved(self.random().pick(&[-1, 1, size])),
                false => self.group(arrays, ty, size, count),
            };
            loads.extend(self.members(other, size, 70));
        }
        let known = self.invariants(ty);
        let mut stores = Vec::new();
        for _ in 0..self.random().pick(&[0, 1, 1, 1, 1, 2]) {
            let to = match self.random().below(10) {
                0..4 => group,
                4 => group.moved(self.random().pick(&[-1, 1, size])),
                _ => self.group(arrays, ty, size, count),
            };
            let places = self.members(to, size, 92);
            let made = self.all_made(ty, &loads, places.len());
            stores.extend(places.into_iter().zip(made).map(|(place, made)| Store { place, made }));
        }
        let is_mixed = self.random().percent(30);
        Work { loads, stores, reductions: Vec::new(), known, is_mixed }
    }

    /// The first place of a group that goes on by its size.
    fn group(&mut self, arrays: &[Array], ty: Type, size: i64, count: &Count) -> Place {
        let array = self.random().pick(arrays);
        // An index that goes on by two needs half the stride.
        let stride = if count.step() == 2 && size % 2 == 0 { size / 2 } else { size };
        let strides = [stride, stride, stride, -stride];
        self.place_by(&strides, array, ty, count.range(), MARGIN)
    }

    /// The places of a group in any order, mostly all of them.
    fn members(&mut self, group: Place, size: i64, mostly: usize) -> Vec<Place> {
        let mut places: Vec<i64> = (0..size).collect();
        if self.random().percent(40) {
            let (one, other) = (self.random().below(size as usize), places.len() - 1);
            places.swap(one, other);
        }
        if !self.random().percent(mostly) {
            let odd = self.random().below(size as usize);
            match self.random().below(4) {
                0 => places[odd] += size,
                1 => places.push(odd as i64),
                _ => drop(places.remove(odd)),
            }
        }
        places.into_iter().map(|place| group.moved(place)).collect()
    }

    /// What each place of a group gets.
    fn all_made(&mut self, ty: Type, loads: &[Place], count: usize) -> Vec<Made> {
        if self.random().percent(35) {
            return vec![Made::Anything; count];
        }
        let ops = if is_float(ty) { FLOAT_OPS } else { INT_OPS };
        let mut steps: Vec<Vec<(Op, Value)>> = vec![Vec::new(); count];
        for _ in 0..self.random().below(3) {
            let (op, same) = (self.random().pick(ops), self.any(ty));
            let is_same = self.random().percent(50);
            for made in &mut steps {
                let own = if is_same { same } else { self.constant(ty) };
                made.push((op, own));
            }
        }
        let turn = if self.random().percent(40) { self.random().below(loads.len()) } else { 0 };
        let is_broadcast = self.random().percent(10);
        let from = |place: usize| if is_broadcast { turn } else { (place + turn) % loads.len() };
        (0..).map(from).zip(steps).map(|(from, steps)| Made::Alike(from, steps)).collect()
    }

    fn group_round(&mut self, work: &Work, round: &Round) -> Vec<Value> {
        let mut from = Ingredients::default();
        let mut stores = work.stores.iter();
        for place in &work.loads {
            let value = self.read(place, round);
            from.values.push(value);
            if work.is_mixed && self.random().percent(40) {
                stores.next().into_iter().for_each(|it| self.write_made(it, work, &from, round));
            }
        }
        let made: Vec<(&Store, Value)> =
            stores.map(|store| (store, self.made(store, work, &from))).collect();
        for (store, value) in made {
            self.write(&store.place, round, value);
        }
        let mut handed = Vec::with_capacity(round.carried.len());
        for (reduction, &carried) in work.reductions.iter().zip(&round.carried) {
            let mut value = carried;
            for _ in 0..self.random().between(1, 2) {
                let element = self.random().pick(&from.values);
                value = self.reduce(reduction, (round, value), element, Permission::None);
            }
            handed.push(value);
        }
        handed
    }

    fn write_made(&mut self, store: &Store, work: &Work, from: &Ingredients, round: &Round) {
        let value = self.made(store, work, from);
        self.write(&store.place, round, value);
    }

    fn made(&mut self, store: &Store, work: &Work, from: &Ingredients) -> Value {
        let ty = store.place.ty;
        let Made::Alike(place, steps) = &store.made else {
            let mut from = from.clone();
            from.values.extend(&work.known.values);
            from.conditions.extend(&work.known.conditions);
            return self.expression(ty, &from);
        };
        let mut value = from.values[place % from.values.len()];
        for &(op, operand) in steps {
            let is_turned = op.is_commutative() && self.random().percent(30);
            let operands = if is_turned { [operand, value] } else { [value, operand] };
            value = self.compute(op, ty, &operands);
        }
        value
    }
}
