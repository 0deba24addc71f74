//! Shapes: parts of programs such as passes look for. What instructions drawn one by one hardly
//! ever come to: loops over arrays, copies and fills, sums that have formulas, checks of
//! indices, neighbours in memory.
//!
//! Each shape is a function that draws what varies: types, strides, distances, counts, whether
//! arrays are one and the same, ways out. All go over arrays of their own, inside of which each
//! access lies by how it is made, or behind a check that traps first.

mod array;
mod checked;
mod columns;
mod copies;
mod counted;
mod elements;
mod expression;
mod groups;
mod idioms;
mod kinds;
mod matrix;
mod objects;
mod reduction;
mod rows;
mod straight;
mod sums;

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::writer::Writer;
pub(super) use array::{REALS, ROOM};
pub(super) use matrix::{COLUMNS, PITCH, ROWS};

/// The least that a function must afford for a shape to be drawn in it.
pub(super) const LEAST_COST: u64 = 400;

/// What a shape costs at most that goes over arrays.
const LOOP_COST: u64 = 2500;

impl Writer<'_> {
    /// One of the shapes.
    pub(super) fn shape(&mut self) {
        let is_rich = self.affords(LOOP_COST);
        if let Some(matrices) = self.program.matrices
            && self.affords(matrix::NEST_COST)
            && self.random().percent(40)
        {
            return self.matrix_loop(matrices);
        }
        match self.random().below(100) {
            0..21 if is_rich => self.element_loop(),
            21..26 if is_rich => self.column_loop(),
            26..32 if is_rich => self.group_loop(),
            32..38 => self.dot_loop(),
            38..45 if is_rich => self.row_loop(),
            45..54 if is_rich => self.checked_arrays(),
            54..64 if is_rich => self.idiom(),
            64..74 => self.sums(),
            74..84 => self.neighbours(),
            84..89 if self.program.managed => self.object_loop(),
            84..91 => self.diamond(),
            91..95 => self.copies(),
            95..97 => self.divisions(),
            _ if self.program.managed => self.address_kinds(),
            _ => self.exchange_loop(),
        }
    }

    fn icmp(&mut self, condition: IntCond, ty: Type, operands: [Value; 2]) -> Value {
        self.compute_with(Op::Icmp, ty, &operands, Payload::IntCond(condition))
    }

    /// The number, as one of `ty`.
    fn int(&mut self, ty: Type, number: i64) -> Value {
        let bits = ty.lane().map_or(64, |lane| lane.bits());
        let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
        self.number_of(ty, i128::from(number) as u128 & mask)
    }

    fn size_in_bytes(&self, ty: Type) -> u64 {
        self.program.module.types.layout(ty).size
    }
}
