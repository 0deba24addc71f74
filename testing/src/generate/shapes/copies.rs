//! Copies and fills of a known length, and accesses to what they left.

use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::array::{Array, ROOM};
use super::expression::ELEMENTS;
use crate::generate::writer::{Sort, Writer};

/// Bytes of a copy at most, and how far from the beginning of an array it lies.
const MOST_BYTES: usize = 48;
const MOST_OFFSET: usize = 40;

impl Writer<'_> {
    /// Bytes that move from array to array, and are read and overwritten on their way.
    pub(super) fn copies(&mut self) {
        let arrays = self.arrays(3);
        for _ in 0..self.random().between(2, 6) {
            match self.random().below(10) {
                0..4 => self.copy_between(&arrays),
                4..5 => self.fill_some(&arrays),
                5..7 => self.write_some(&arrays),
                _ => self.read_some(&arrays),
            }
        }
        for array in arrays {
            self.leave_array(array);
        }
    }

    fn somewhere(&mut self, arrays: &[Array]) -> Value {
        let array = self.random().pick(arrays);
        let offset = match self.random().percent(50) {
            true => 0,
            false => self.random().below(MOST_OFFSET) as u64,
        };
        match offset {
            0 => array.base,
            _ => {
                let offset = self.index(offset);
                self.compute(Op::PtrAdd, Type::NONE, &[array.base, offset])
            }
        }
    }

    fn size(&mut self) -> Value {
        match self.random().below(10) {
            0..2 => self.small(Type::I64, 31),
            2..6 => {
                let size = self.random().pick(&[1, 2, 4, 8, 16, 24, 32]);
                self.index(size)
            }
            _ => {
                let size = self.random().below(MOST_BYTES + 1) as u64;
                self.index(size)
            }
        }
    }

    fn copy_between(&mut self, arrays: &[Array]) {
        let args = [self.somewhere(arrays), self.somewhere(arrays), self.size()];
        self.push(Op::MemCopy, Type::NONE, &args, Payload::Access(Access::default()));
    }

    fn fill_some(&mut self, arrays: &[Array]) {
        let args = [self.somewhere(arrays), self.any(Type::I8), self.size()];
        self.push(Op::MemFill, Type::NONE, &args, Payload::Access(Access::default()));
    }

    fn access_somewhere(&mut self) -> Payload {
        let offset = self.random().below(MOST_BYTES) as i32;
        debug_assert!(MOST_OFFSET + MOST_BYTES + 8 < ROOM as usize);
        Payload::Access(Access { offset, ..Access::default() })
    }

    fn write_some(&mut self, arrays: &[Array]) {
        let ty = self.random().pick(ELEMENTS);
        let (value, place) = (self.steady(ty), self.somewhere(arrays));
        let access = self.access_somewhere();
        self.push(Op::Store, ty, &[value, place], access);
    }

    fn read_some(&mut self, arrays: &[Array]) {
        let ty = self.random().pick(ELEMENTS);
        let place = self.somewhere(arrays);
        let access = self.access_somewhere();
        let value = self.compute_with(Op::Load, ty, &[place], access);
        self.keep_as(value, Sort::Plain);
    }
}
