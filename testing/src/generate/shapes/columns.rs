//! Loops down the columns of arrays, whose rows are so far apart as is known when they run, and
//! numbers that go on beside their counters, several of them alike.

use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::Array;
use super::counted::Round;
use super::expression::{ELEMENTS, is_float};
use super::reduction::{Permission, Reduction};
use crate::generate::writer::Writer;

const MOST_ROUNDS: u64 = 7;

/// Elements from one row to the next at most: of the longest elements, an array has more than
/// so many times the rows that there are, and a column.
const MOST_PITCH: u64 = 4;

/// Columns of which some are gone down.
const COLUMNS: usize = 8;

/// A column of an array.
#[derive(Clone, Copy)]
struct Column {
    array: Array,
    ty: Type,
    /// Its number, as a value.
    number: Value,
    /// Whether it begins a row further down.
    is_lower: bool,
}

/// What loops down columns have.
struct Columns {
    places: Vec<Column>,
    pitch: Value,
    reduction: Reduction,
    /// What numbers beside the counter go on by.
    steps: Vec<Value>,
    is_stored: bool,
}

impl Writer<'_> {
    /// A loop down one column or several.
    pub(super) fn column_loop(&mut self) {
        let count = self.random().between(1, 2);
        let arrays = self.arrays(count);
        let ty = self.random().pick(ELEMENTS);
        let count = self.count(MOST_ROUNDS);
        let pitch = match self.random().percent(50) {
            true => self.small(Type::I64, 3),
            false => {
                let known = self.random().between(1, MOST_PITCH as usize);
                self.index(known as u64)
            }
        };
        let mut places = Vec::new();
        for _ in 0..self.random().between(1, 4) {
            let array = self.random().pick(&arrays);
            let number = match self.random().percent(50) {
                true => self.small(Type::I64, COLUMNS as u128 - 1),
                false => {
                    let known = self.random().below(COLUMNS);
                    self.index(known as u64)
                }
            };
            let is_lower = self.random().percent(30);
            places.push(Column { array, ty, number, is_lower });
        }
        let (reduction, sum) = self.reduction(ty, Permission::None);
        let (mut first, steps) = self.numbers_beside(count.step());
        first.insert(0, sum);
        let is_stored = self.random().percent(40);
        let columns = Columns { places, pitch, reduction, steps, is_stored };
        let mark = self.plain_mark();
        self.counted(&count, mark, &first, |writer, round| writer.down(&columns, round));
        for array in arrays {
            self.leave_array(array);
        }
    }

    /// Numbers with which a loop begins, and what they go on by: as the counter does, mostly.
    fn numbers_beside(&mut self, step: i64) -> (Vec<Value>, Vec<Value>) {
        let (mut first, mut steps): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for number in 0..self.random().below(4) {
            let like = number.checked_sub(1).filter(|_| self.random().percent(70));
            let value = match like {
                None => {
                    let ty = self.random().pick(&[Type::I64, Type::I64, Type::I32]);
                    if self.random().percent(50) { self.zero(ty) } else { self.any(ty) }
                }
                Some(like) => self.alike(first[like]),
            };
            let ty = self.body.value_type(value);
            first.push(value);
            let own = self.random().pick(&[1, 3, 24]);
            let by = if self.random().percent(80) { step } else { own };
            steps.push(self.int(ty, by));
        }
        (first, steps)
    }

    /// A number that is the same as another, so much apart from it, or its low bits.
    fn alike(&mut self, other: Value) -> Value {
        let ty = self.body.value_type(other);
        match self.random().below(3) {
            0 => other,
            1 => {
                let more = self.int(ty, 5);
                self.compute(Op::Add, ty, &[other, more])
            }
            _ if ty == Type::I64 => self.compute(Op::Trunc, Type::I32, &[other]),
            _ => other,
        }
    }

    fn down(&mut self, columns: &Columns, round: &Round) -> Vec<Value> {
        let index = self.row_index(round);
        let places: Vec<Value> = columns
            .places
            .iter()
            .map(|column| self.place_in_column(column, columns.pitch, index))
            .collect();
        let ty = columns.places[0].ty;
        let access = Payload::Access(Access::default());
        let load =
            |writer: &mut Self, place: Value| writer.compute_with(Op::Load, ty, &[place], access);
        let mut element = load(self, places[0]);
        for &place in &places[1..] {
            let other = load(self, place);
            let op = if is_float(ty) { Op::Fmin } else { Op::Xor };
            element = self.compute(op, ty, &[element, other]);
        }
        let (sum, beside) = (round.carried[0], &round.carried[1..]);
        for &number in beside.iter().filter(|_| !is_float(ty)) {
            let number = self.converted(number, ty);
            element = self.compute(Op::Add, ty, &[element, number]);
        }
        if columns.is_stored {
            let value = self.steadied(element);
            self.push(Op::Store, ty, &[value, places[0]], access);
        }
        let mut next =
            vec![self.reduce(&columns.reduction, (round, sum), element, Permission::None)];
        for (&number, &step) in beside.iter().zip(&columns.steps) {
            let ty = self.body.value_type(number);
            next.push(self.compute(Op::Add, ty, &[number, step]));
        }
        next
    }

    /// The address of the element of a column in a row.
    fn place_in_column(&mut self, column: &Column, pitch: Value, row: Value) -> Value {
        let row = match column.is_lower {
            true => {
                let one = self.index(1);
                self.compute(Op::Add, Type::I64, &[row, one])
            }
            false => row,
        };
        let size = self.size_in_bytes(column.ty);
        let scale = self.index(size);
        let offset = match self.random().percent(70) {
            true => {
                let before = self.compute(Op::Mul, Type::I64, &[row, pitch]);
                let element = self.compute(Op::Add, Type::I64, &[before, column.number]);
                self.compute(Op::Mul, Type::I64, &[element, scale])
            }
            false => {
                let pitch = self.compute(Op::Mul, Type::I64, &[pitch, scale]);
                let before = self.compute(Op::Mul, Type::I64, &[row, pitch]);
                let own = self.compute(Op::Mul, Type::I64, &[column.number, scale]);
                self.compute(Op::Add, Type::I64, &[before, own])
            }
        };
        self.compute(Op::PtrAdd, Type::NONE, &[column.array.base, offset])
    }
}
