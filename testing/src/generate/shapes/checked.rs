//! Loops over arrays that begin with their length, which each round checks the index against.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::array::Array;
use super::counted::Round;
use super::expression::{ELEMENTS, Ingredients};
use super::reduction::{Permission, Reduction};
use crate::generate::writer::Writer;

/// Bytes in front of the elements.
const HEAD: u64 = 16;

/// One below a power of two, and no more elements than there is room for behind the head.
const MOST_LENGTH: u64 = 31;

const MOST_ROUNDS: u64 = 20;

/// An array whose length stands in front of its elements.
#[derive(Clone, Copy)]
struct Checked {
    array: Array,
    /// The type of the length.
    length: Type,
    /// The length, if it is read before the loop alone.
    known: Option<Value>,
}

struct Work<'a> {
    arrays: &'a [Checked],
    ty: Type,
    /// What is added to the index.
    distances: Vec<i64>,
    reduction: Reduction,
}

impl Writer<'_> {
    /// A loop over one or two arrays of which each round asks whether they are long enough.
    pub(super) fn checked_arrays(&mut self) {
        let is_wild = self.has_hazard() || self.random().percent(6);
        let count = self.random().between(1, 2);
        let arrays = self.arrays(count);
        let arrays: Vec<Checked> =
            arrays.into_iter().map(|array| self.checked_array(array, is_wild)).collect();
        let ty = self.random().pick(ELEMENTS);
        let distances: Vec<i64> = arrays
            .iter()
            .map(|_| self.program.random.pick(&[0, 0, 0, 0, 1, 2, if is_wild { -1 } else { 0 }]))
            .collect();
        let mut count = self.count(MOST_ROUNDS);
        if !is_wild {
            let (begun, far) = count.begun_at_zero();
            count = begun;
            let far = far + distances.iter().copied().max().unwrap_or(0);
            for array in &arrays {
                let length = self.length_of(array);
                count.rounds = self.no_more_rounds(count.ty, count.rounds, length, far);
            }
        }
        let (reduction, first) = self.reduction(ty, Permission::None);
        let mark = self.plain_mark();
        let work = Work { arrays: &arrays, ty, distances, reduction };
        self.counted(&count, mark, &[first], |writer, round| writer.checked_round(&work, round));
        for checked in arrays {
            self.leave_array(checked.array);
        }
    }

    fn checked_array(&mut self, array: Array, is_wild: bool) -> Checked {
        let length = self.random().pick(&[Type::I64, Type::I64, Type::I32]);
        let some = self.small(length, MOST_LENGTH.into());
        let least = self.random().pick(&[if is_wild { 0 } else { 8 }, 8, 16]);
        let least = self.int(length, least);
        let number = self.compute(Op::Or, length, &[some, least]);
        let payload = Payload::Access(Access::default());
        self.push(Op::Store, length, &[number, array.base], payload);
        let mut checked = Checked { array, length, known: None };
        if self.random().percent(40) {
            checked.known = Some(self.length_of(&checked));
        }
        checked
    }

    fn length_of(&mut self, checked: &Checked) -> Value {
        let payload = Payload::Access(Access::default());
        self.compute_with(Op::Load, checked.length, &[checked.array.base], payload)
    }

    /// So few rounds that an index which goes that much further stays below the length, and one
    /// all the same.
    fn no_more_rounds(&mut self, ty: Type, rounds: Value, length: Value, far: i64) -> Value {
        let known = self.body.value_type(length);
        let far = self.int(known, far);
        let rest = self.compute(Op::UsubSat, known, &[length, far]);
        let rest = if known == ty { rest } else { self.converted(rest, ty) };
        let one = self.int(ty, 1);
        // Steps of two go twice as far.
        let half = self.compute(Op::Lshr, ty, &[rest, one]);
        self.compute(Op::Umin, ty, &[rounds, half])
    }

    fn checked_round(&mut self, work: &Work<'_>, round: &Round) -> Vec<Value> {
        let mut from = Ingredients::default();
        let mut last = None;
        for (array, &distance) in work.arrays.iter().zip(&work.distances) {
            let index = self.checked_index(array, distance, round);
            let head = self.index(HEAD);
            let base = self.compute(Op::PtrAdd, Type::NONE, &[array.array.base, head]);
            let size = self.index(self.size_in_bytes(work.ty));
            let offset = self.compute(Op::Mul, Type::I64, &[index, size]);
            let place = self.compute(Op::PtrAdd, Type::NONE, &[base, offset]);
            let payload = Payload::Access(Access::default());
            let element = self.compute_with(Op::Load, work.ty, &[place], payload);
            from.values.push(element);
            last = Some(place);
        }
        let made = self.expression(work.ty, &from);
        if let Some(place) = last.filter(|_| self.program.random.percent(70)) {
            let (made, payload) = (self.steadied(made), Payload::Access(Access::default()));
            self.push(Op::Store, work.ty, &[made, place], payload);
        }
        vec![self.reduce(&work.reduction, (round, round.carried[0]), made, Permission::None)]
    }

    /// The index in 64 bits, behind a check that it is below the length.
    fn checked_index(&mut self, checked: &Checked, distance: i64, round: &Round) -> Value {
        let index = match distance {
            0 => round.index,
            _ => {
                let distance = self.int(round.ty, distance);
                self.compute(Op::Add, round.ty, &[round.index, distance])
            }
        };
        let length = match checked.known {
            Some(length) => length,
            None => self.length_of(checked),
        };
        let wide = match round.ty {
            Type::I64 => index,
            _ => self.compute(Op::Sext, Type::I64, &[index]),
        };
        let length = match checked.length {
            Type::I64 => length,
            _ => self.compute(Op::Zext, Type::I64, &[length]),
        };
        let holds = self.icmp(IntCond::Ult, Type::I64, [wide, length]);
        if self.random().percent(50) {
            self.check_that(holds);
            return wide;
        }
        let (on, bad) = (self.body.make_block(), self.body.make_block());
        self.branch(holds, (on, &[]), (bad, &[]));
        self.start(bad);
        self.push(Op::Trap, Type::NONE, &[], Payload::Trap(TrapCode::Bounds));
        self.start(on);
        wide
    }
}
