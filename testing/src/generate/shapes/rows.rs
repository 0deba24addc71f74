//! Loops in loops: over the rows of an array, and what is in each.

use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::{Array, Place, ROOM};
use super::counted::Round;
use super::expression::{ELEMENTS, Ingredients};
use super::reduction::{Permission, Reduction};
use crate::generate::writer::Writer;

const MOST_ROWS: u64 = 4;
const MOST_COLUMNS: u64 = 9;

/// Elements from one row to the next at most.
const MOST_PITCH: u64 = 12;

/// Bytes of an array that all rows but the last have together.
const MOST_BEFORE: u64 = ROOM / 2;

const MARGIN: i64 = 2;

/// How the sums of rows go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sums {
    /// One goes over all rows.
    Through,
    /// Each row begins anew, and what it comes to is put into an array.
    Anew(Place),
}

/// What loops over rows have.
struct Rows<'a> {
    arrays: &'a [Array],
    ty: Type,
    pitch: Value,
    sums: Sums,
    reduction: Reduction,
    first: Value,
    known: Ingredients,
}

impl Writer<'_> {
    /// A loop over rows with a loop over the elements of each.
    pub(super) fn row_loop(&mut self) {
        let count = self.random().between(1, 2);
        let arrays = self.arrays(count);
        let ty = self.random().pick(ELEMENTS);
        let outer = self.count(MOST_ROWS);
        let rows = (outer.range().1 - outer.range().0).max(1) as u64;
        let most = (MOST_BEFORE / (rows * self.size_in_bytes(ty))).min(MOST_PITCH);
        let pitch = self.pitch(most);
        let known = self.invariants(ty);
        let (reduction, first) = self.reduction(ty, Permission::None);
        let sums = match self.random().percent(50) {
            true => Sums::Through,
            false => {
                let (array, ty) = (arrays[0], self.body.value_type(first));
                Sums::Anew(self.place_for(array, ty, outer.range(), MARGIN))
            }
        };
        let rows = Rows { arrays: &arrays, ty, pitch, sums, reduction, first, known };
        let mark = self.plain_mark();
        self.counted(&outer, mark, &[first], |writer, round| writer.row(&rows, round));
        for array in arrays {
            self.leave_array(array);
        }
    }

    fn pitch(&mut self, most: u64) -> Value {
        match self.random().percent(60) {
            true => {
                let pitch = self.random().below(most as usize + 1) as u64;
                self.index(pitch)
            }
            false => self.small(Type::I64, (1 << (most + 1).ilog2()) - 1),
        }
    }

    fn row(&mut self, rows: &Rows<'_>, round: &Round) -> Vec<Value> {
        let arrays: Vec<Array> =
            rows.arrays.iter().map(|&array| self.row_of(rows, array, round)).collect();
        let inner = self.count(MOST_COLUMNS);
        let array = self.random().pick(&arrays);
        let load = self.place_for(array, rows.ty, inner.range(), MARGIN);
        let store = match self.random().below(10) {
            0..3 => None,
            3..6 => Some(load),
            _ => {
                let (array, ty) = (self.random().pick(&arrays), self.element_type(rows.ty));
                Some(self.place_for(array, ty, inner.range(), MARGIN))
            }
        };
        let first = if rows.sums == Sums::Through { round.carried[0] } else { rows.first };
        let mark = self.plain_mark();
        let came_to = self.counted(&inner, mark, &[first], |writer, column| {
            let element = writer.read(&load, column);
            let mut from = Ingredients { values: vec![element], ..rows.known.clone() };
            from.values.extend(&rows.known.values);
            if let Some(store) = store {
                let made = writer.expression(store.ty, &from);
                writer.write(&store, column, made);
            }
            let state = (column, column.carried[0]);
            vec![writer.reduce(&rows.reduction, state, element, Permission::None)]
        });
        if let Sums::Anew(place) = rows.sums {
            self.write(&place, round, came_to[0]);
        }
        came_to
    }

    /// The part of the array that begins with the row of this round.
    fn row_of(&mut self, rows: &Rows<'_>, array: Array, round: &Round) -> Array {
        let size = self.size_in_bytes(rows.ty);
        let index = self.row_index(round);
        let scale = self.index(size);
        let offset = self.compute(Op::Mul, Type::I64, &[index, rows.pitch]);
        let offset = self.compute(Op::Mul, Type::I64, &[offset, scale]);
        let base = self.compute(Op::PtrAdd, Type::NONE, &[array.base, offset]);
        array.part(base, MOST_BEFORE)
    }

    /// The number of a row: the first one is that of the least index.
    pub(super) fn row_index(&mut self, round: &Round) -> Value {
        let index = self.converted_index(round);
        match round.range.0 {
            0 => index,
            low => {
                let more = self.int(Type::I64, -low);
                self.compute(Op::Add, Type::I64, &[index, more])
            }
        }
    }

    fn converted_index(&mut self, round: &Round) -> Value {
        match round.ty {
            Type::I64 => round.index,
            _ => self.compute(Op::Sext, Type::I64, &[round.index]),
        }
    }
}
