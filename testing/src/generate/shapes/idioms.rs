//! Loops that one op does: fills, copies, searches, counts of bits.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::expression::ELEMENTS;
use crate::generate::writer::{Sort, Writer};

/// The most rounds.
const MOST: u64 = 20;

/// The most bytes that a search looks at, one below a power of two.
const MOST_BYTES: u64 = 127;

/// How far copies go inside of one array.
const MARGIN: i64 = 5;

const STRIDES: &[i64] = &[1, 1, 1, 1, 1, -1, -1, 2];

impl Writer<'_> {
    /// A loop that does nothing else.
    pub(super) fn idiom(&mut self) {
        match self.random().below(100) {
            0..30 => self.fill_loop(),
            30..62 => self.copy_loop(),
            62..80 => self.search_loop(),
            _ => self.bit_loop(),
        }
    }

    fn fill_loop(&mut self) {
        let arrays = self.arrays(1);
        let ty = self.moved_type();
        let count = self.count(MOST);
        let place = self.place_by(STRIDES, arrays[0], ty, count.range(), 0);
        let value = match self.random().below(10) {
            0..3 => self.zero(ty),
            3..6 => self.splat_of_a_byte(ty),
            _ => self.steady(ty),
        };
        let mark = self.plain_mark();
        self.counted(&count, mark, &[], |writer, round| {
            writer.write(&place, round, value);
            Vec::new()
        });
        self.leave_array(arrays[0]);
    }

    fn moved_type(&mut self) -> Type {
        match self.random().percent(40) {
            true => Type::I8,
            false => self.random().pick(ELEMENTS),
        }
    }

    /// A number all of whose bytes are the same.
    fn splat_of_a_byte(&mut self, ty: Type) -> Value {
        let byte = self.random().below(256) as u128;
        let bits = ty.lane().map_or(8, |lane| lane.bits());
        let bytes = (0..bits / 8).fold(0, |number, _| number << 8 | byte);
        self.number_of(ty, bytes)
    }

    fn copy_loop(&mut self) {
        let count = self.random().between(1, 2);
        let arrays = self.arrays(count);
        let ty = self.moved_type();
        let count = self.count(MOST);
        let from = self.place_by(STRIDES, arrays[0], ty, count.range(), MARGIN);
        let last = arrays[arrays.len() - 1];
        let to = match self.random().percent(50) {
            true => {
                let by = self.random().between(0, 2 * MARGIN as usize) as i64 - MARGIN;
                from.moved(by).inside(last)
            }
            false => self.place_by(STRIDES, last, ty, count.range(), MARGIN),
        };
        let mark = self.plain_mark();
        self.counted(&count, mark, &[], |writer, round| {
            let value = writer.read(&from, round);
            writer.write(&to, round, value);
            Vec::new()
        });
        for array in arrays {
            self.leave_array(array);
        }
    }

    /// Looks for a byte, by an index or by an address; tells where it is, or that it is not.
    fn search_loop(&mut self) {
        let array = self.arrays(1)[0];
        let most = if array.room() > MOST_BYTES { MOST_BYTES } else { 15 };
        let bytes = match self.random().percent(60) {
            true => self.small(Type::I64, most.into()),
            false => {
                let bytes = self.random().below(most as usize + 1);
                self.int(Type::I64, bytes as i64)
            }
        };
        let byte = if self.random().percent(50) { self.zero(Type::I8) } else { self.any(Type::I8) };
        let (header, look, next) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let (found, behind) = (self.body.make_block(), self.body.make_block());
        let (zero, step) = (self.zero(Type::I64), self.random().pick(&[1, 1, 1, -1, 3]));
        let start = if self.random().percent(60) { zero } else { self.any(Type::I64) };
        let tests_last = self.random().percent(60);
        let first = [zero, array.base, start];
        if tests_last {
            let is_any = self.icmp(IntCond::Ne, Type::I64, [bytes, zero]);
            self.branch(is_any, (header, &first), (behind, &[start]));
        } else {
            self.jump(header, &first);
        }
        self.start(header);
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= most + 1;
        let [index, address, told] =
            [Type::I64, Type::PTR, Type::I64].map(|ty| self.body.append_param(header, ty));
        if !tests_last {
            let goes_on = self.icmp(IntCond::Ult, Type::I64, [index, bytes]);
            self.branch(goes_on, (look, &[]), (behind, &[told]));
            self.start(look);
        }
        let place = match self.random().percent(50) {
            true => self.compute(Op::PtrAdd, Type::NONE, &[array.base, index]),
            false => address,
        };
        let access = Payload::Access(Access::default());
        let read = self.compute_with(Op::Load, Type::I8, &[place], access);
        let is_it = self.icmp(IntCond::Eq, Type::I8, [read, byte]);
        self.branch(is_it, (found, &[]), (next, &[]));
        self.start(next);
        let (one, step) = (self.int(Type::I64, 1), self.int(Type::I64, step));
        let after = self.compute(Op::Add, Type::I64, &[index, one]);
        let beyond = self.compute(Op::PtrAdd, Type::NONE, &[address, one]);
        let tell = self.compute(Op::Add, Type::I64, &[told, step]);
        let again = [after, beyond, tell];
        if tests_last {
            let goes_on = self.icmp(IntCond::Ne, Type::I64, [after, bytes]);
            self.branch(goes_on, (header, &again), (behind, &[tell]));
        } else {
            self.jump(header, &again);
        }
        self.start(found);
        let other = self.compute(Op::Xor, Type::I64, &[told, index]);
        self.jump(behind, &[other]);
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        self.param(behind, Type::I64, Sort::Plain);
    }

    /// Takes bit after bit of a number, and counts.
    fn bit_loop(&mut self) {
        let ty = self.random().pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let counter = self.random().pick(&[ty, Type::I32, Type::I64]);
        let number = self.any(ty);
        let (header, inside, behind) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let start = match self.random().percent(70) {
            true => self.zero(counter),
            false => self.any(counter),
        };
        let tests_last = self.random().percent(50);
        let zero = self.zero(ty);
        if tests_last {
            let is_any = self.icmp(IntCond::Ne, ty, [number, zero]);
            self.branch(is_any, (header, &[number, start]), (behind, &[start]));
        } else {
            self.jump(header, &[number, start]);
        }
        self.start(header);
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= u64::from(ty.lane().map_or(64, |lane| lane.bits())) + 1;
        let rest = self.body.append_param(header, ty);
        let known = self.body.append_param(header, counter);
        if !tests_last {
            let goes_on = self.icmp(IntCond::Ne, ty, [rest, zero]);
            self.branch(goes_on, (inside, &[]), (behind, &[known]));
            self.start(inside);
        }
        let less = self.without_a_bit(ty, rest);
        let step = self.random().pick(&[1, 1, 1, -1, 3]);
        let step = self.int(counter, step);
        let next = self.compute(Op::Add, counter, &[known, step]);
        if tests_last {
            let goes_on = self.icmp(IntCond::Ne, ty, [less, zero]);
            self.branch(goes_on, (header, &[less, next]), (behind, &[next]));
        } else {
            self.jump(header, &[less, next]);
        }
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        self.param(behind, counter, Sort::Plain);
    }

    fn without_a_bit(&mut self, ty: Type, number: Value) -> Value {
        let one = self.int(ty, 1);
        match self.random().below(3) {
            0 => {
                let all = self.int(ty, -1);
                let less = self.compute(Op::Add, ty, &[number, all]);
                self.compute(Op::And, ty, &[number, less])
            }
            1 => self.compute(Op::Lshr, ty, &[number, one]),
            _ => self.compute(Op::Shl, ty, &[number, one]),
        }
    }
}
