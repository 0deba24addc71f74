//! Straight lines: neighbours in memory that are treated alike, arms of a branch that begin or
//! end alike, quotients with their rests.

use brolga_ir::attribute::InstFlags;
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::{Array, ROOM};
use super::expression::{ELEMENTS, is_float};
use crate::generate::writer::{Sort, Writer};

/// Ops that vectors have for most types; what they make of small whole floats is one.
const INT_OPS: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Smin,
    Op::Umax,
    Op::Shl,
    Op::UaddSat,
];
const FLOAT_OPS: &[Op] = &[Op::Fadd, Op::Fsub, Op::Fmul, Op::Fmin, Op::Fmax];

/// Bytes of all neighbours together at most.
const MOST_BYTES: u64 = 64;

/// What the other operand of a step is.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// The neighbour in the other array.
    Other,
    /// A number of each lane.
    Constant,
    /// One value for all lanes.
    Same(Value),
    /// What the step before made.
    Itself,
}

/// Where neighbours begin: an array, and bytes.
#[derive(Clone, Copy, Debug)]
struct Start {
    array: Array,
    offset: i32,
}

/// What is done with each neighbour.
struct Work {
    ty: Type,
    sources: [Start; 2],
    target: Start,
    steps: Vec<(Op, Operand)>,
    /// A lane with which something else is done.
    odd: Option<u64>,
}

impl Writer<'_> {
    /// Loads side by side, the same with each, and stores side by side.
    pub(super) fn neighbours(&mut self) {
        let ty = self.random().pick(ELEMENTS);
        let count = self.random().between(1, 3);
        let arrays = self.arrays(count);
        let lanes = self.random().pick(&[2, 4, 4, 8, 16]).min(MOST_BYTES / self.size_in_bytes(ty));
        let sources = match is_float(ty) {
            true => [self.reals(ty), self.reals(ty)],
            false => [self.random().pick(&arrays), self.random().pick(&arrays)],
        };
        let sources = sources.map(|array| self.start_in(array, ty));
        if self.random().percent(30) {
            self.sum_of_neighbours(ty, lanes, sources);
        } else {
            let array = self.random().pick(&arrays);
            let target = self.start_in(array, ty);
            let steps = self.steps(ty);
            let is_odd = self.random().percent(12);
            let odd = is_odd.then(|| self.program.random.below(lanes as usize) as u64);
            self.each_neighbour(lanes, &Work { ty, sources, target, steps, odd });
        }
        for array in arrays {
            self.leave_array(array);
        }
    }

    fn start_in(&mut self, array: Array, ty: Type) -> Start {
        let size = self.size_in_bytes(ty);
        let most = (array.room().min(ROOM) - MOST_BYTES) / size;
        // Mostly close to each other.
        let most = if self.random().percent(70) { most.min(6) } else { most };
        let mut offset = self.random().below(most as usize) as u64 * size;
        if self.random().percent(10) && !is_float(ty) {
            offset += self.random().below(size as usize) as u64;
        }
        Start { array, offset: offset as i32 }
    }

    fn steps(&mut self, ty: Type) -> Vec<(Op, Operand)> {
        let ops = if is_float(ty) { FLOAT_OPS } else { INT_OPS };
        let count = self.random().between(0, 3);
        let mut steps = Vec::with_capacity(count);
        for _ in 0..count {
            let op = self.random().pick(ops);
            let operand = match self.random().below(10) {
                0..4 => Operand::Other,
                4..6 => Operand::Constant,
                6..9 => Operand::Same(self.plain_number(ty)),
                _ => Operand::Itself,
            };
            steps.push((op, operand));
        }
        steps
    }

    /// Any integer, or a float that is a small whole number.
    fn plain_number(&mut self, ty: Type) -> Value {
        if !is_float(ty) {
            return self.any(ty);
        }
        let small = self.small(Type::I32, 3);
        let number = self.compute(Op::Sitofp, ty, &[small]);
        self.tame(number);
        number
    }

    fn constant_number(&mut self, ty: Type) -> Value {
        if !is_float(ty) {
            return self.constant(ty);
        }
        let (one, two) = match ty {
            Type::F32 => (0x3f80_0000, 0x4000_0000),
            _ => (0x3ff0_0000_0000_0000, 0x4000_0000_0000_0000),
        };
        let number = self.random().pick(&[0, one, one, two]);
        self.number_of(ty, number)
    }

    fn each_neighbour(&mut self, lanes: u64, work: &Work) {
        let mut order: Vec<u64> = (0..lanes).collect();
        match self.random().below(10) {
            0..6 => {}
            6..8 => order.reverse(),
            _ => {
                for index in (1..order.len()).rev() {
                    order.swap(index, self.program.random.below(index + 1));
                }
            }
        }
        if self.random().percent(50) {
            let made: Vec<Value> = order.iter().map(|&lane| self.lane(lane, work)).collect();
            for (&lane, value) in order.iter().zip(made) {
                self.store_lane(work.target, work.ty, lane, value);
            }
            return;
        }
        for lane in order {
            let value = self.lane(lane, work);
            self.store_lane(work.target, work.ty, lane, value);
        }
    }

    fn lane(&mut self, lane: u64, work: &Work) -> Value {
        let ty = work.ty;
        let mut made = self.load_lane(work.sources[0], ty, lane);
        for &(op, operand) in &work.steps {
            let op = match (work.odd == Some(lane), is_float(ty)) {
                (true, true) => Op::Fadd,
                (true, false) => Op::Xor,
                _ => op,
            };
            let other = match operand {
                Operand::Other => self.load_lane(work.sources[1], ty, lane),
                Operand::Constant => self.constant_number(ty),
                Operand::Same(value) => value,
                Operand::Itself => made,
            };
            let swaps = self.random().percent(15);
            made = self.compute(op, ty, &if swaps { [other, made] } else { [made, other] });
            // Of small whole numbers.
            self.tame(made);
        }
        made
    }

    fn access_of(&mut self, start: Start, ty: Type, lane: u64) -> (Value, Access) {
        let offset = start.offset + (lane * self.size_in_bytes(ty)) as i32;
        if self.random().percent(20) {
            let offset = self.int(Type::I64, offset.into());
            let place = self.compute(Op::PtrAdd, Type::NONE, &[start.array.base, offset]);
            return (place, Access::default());
        }
        (start.array.base, Access { offset, ..Access::default() })
    }

    fn load_lane(&mut self, start: Start, ty: Type, lane: u64) -> Value {
        let (address, access) = self.access_of(start, ty, lane);
        self.compute_with(Op::Load, ty, &[address], Payload::Access(access))
    }

    fn store_lane(&mut self, start: Start, ty: Type, lane: u64, value: Value) {
        let (address, access) = self.access_of(start, ty, lane);
        self.push(Op::Store, ty, &[value, address], Payload::Access(access));
    }

    /// A sum of many parts, of floats one that may be regrouped.
    fn sum_of_neighbours(&mut self, ty: Type, lanes: u64, sources: [Start; 2]) {
        let is_float = is_float(ty);
        let ints = [Op::Add, Op::Add, Op::Xor, Op::Mul, Op::Smax, Op::Or];
        let floats = [Op::Fadd, Op::Fadd, Op::Fmax];
        let op = self.random().pick(if is_float { &floats[..] } else { &ints[..] });
        let has_products = self.random().percent(50);
        let flags = if is_float { InstFlags::REASSOCIATE } else { InstFlags::empty() };
        let mut sum: Option<Value> = None;
        for lane in 0..lanes {
            let mut part = self.load_lane(sources[0], ty, lane);
            if has_products {
                let other = self.load_lane(sources[1], ty, lane);
                let op = if is_float { Op::Fmul } else { Op::Mul };
                part = self.compute(op, ty, &[part, other]);
                self.tame(part);
            }
            sum = Some(match sum {
                None => part,
                Some(sum) => {
                    let inst = self.push_with(op, ty, &[sum, part], Payload::None, flags);
                    self.body.results(inst)[0]
                }
            });
        }
        if let Some(sum) = sum {
            self.keep_as(sum, Sort::Plain);
        }
    }

    /// Two arms that load from one place first, or store to one place last.
    pub(super) fn diamond(&mut self) {
        let arrays = self.arrays(2);
        let ty = self.random().pick(ELEMENTS);
        let [loaded, stored] = [0, 1].map(|index| self.start_in(arrays[index], ty));
        let [loads, stores] = [(); 2].map(|()| self.random().percent(75));
        let invariants = self.invariants(ty);
        let condition = self.any(Type::I1);
        let (yes, no, join) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        self.branch(condition, (yes, &[]), (no, &[]));
        let mut handed = Vec::new();
        for block in [yes, no] {
            let scope = self.open_scope();
            self.start(block);
            let mut from = invariants.clone();
            if loads {
                let value = self.load_lane(loaded, ty, 0);
                from.values.insert(0, value);
            }
            if self.random().percent(20) {
                let value = self.steady(ty);
                let lane = self.random().below(4) as u64;
                self.store_lane(stored, ty, lane, value);
            }
            let made = self.expression(ty, &from);
            let made = self.steadied(made);
            if stores {
                self.store_lane(stored, ty, 0, made);
            }
            handed.push(made);
            self.jump(join, &[made]);
            self.close_scope(scope);
        }
        self.start(join);
        self.param(join, ty, Sort::Plain);
        for array in arrays {
            self.leave_array(array);
        }
    }

    /// Quotients and rests of the same numbers.
    pub(super) fn divisions(&mut self) {
        let ty = self.random().pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let (quotient, rest) = match self.random().percent(50) {
            true => (Op::Sdiv, Op::Srem),
            false => (Op::Udiv, Op::Urem),
        };
        let (number, divisor) = (self.any(ty), self.divisor(ty));
        let mut ops = [quotient, rest, quotient];
        if self.random().percent(50) {
            ops.reverse();
        }
        for (index, op) in ops.into_iter().enumerate() {
            let inst = self.push(op, ty, &[number, divisor], Payload::None);
            self.keep(inst);
            if index == 0 && self.random().percent(40) {
                let on = self.body.make_block();
                let condition = self.any(Type::I1);
                self.branch(condition, (on, &[]), (on, &[]));
                self.start(on);
            }
        }
    }
}
