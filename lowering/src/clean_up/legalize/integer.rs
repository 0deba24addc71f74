//! Integer ops that a register does not do, spelt with those that it does.

use brolga_ir::entity::Value;
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::bitcast::register;
use super::legality::is_supported;
use crate::pass::Editor;

/// The pattern whose lowest `bits` of every `2 * bits` are set.
fn alternating(bits: u32) -> u128 {
    u128::MAX / ((1 << bits) + 1)
}

impl Editor<'_, '_> {
    /// An integer op on a register.
    pub(super) fn integer_lanes(&mut self, data: &InstData, ty: Type, args: &[Value]) -> Value {
        let x = args[0];
        match data.op {
            Op::Mul => self.multiply_bytes(ty, x, args[1]),
            Op::Popcount => self.count_ones(ty, x),
            Op::Clz => self.count_leading_zeros(ty, x),
            Op::Ctz => self.count_trailing_zeros(ty, x),
            Op::Bswap => self.swap_bytes(ty, x),
            Op::Bitreverse => self.reverse_bits(ty, x),
            _ => self.shift_lanes(data, ty, args),
        }
    }

    /// A shift of every lane by the same constant.
    pub(super) fn shift_all(&mut self, op: Op, ty: Type, x: Value, amount: u32) -> Value {
        let amount = self.constant(ty, amount.into());
        self.op(op, ty, &[x, amount])
    }

    /// Products of bytes: of the even and of the odd ones, as words.
    fn multiply_bytes(&mut self, ty: Type, x: Value, y: Value) -> Value {
        let words = register(Scalar::I16);
        let [x, y] = [x, y].map(|bytes| self.op(Op::Bitcast, words, &[bytes]));
        let even = self.op(Op::Mul, words, &[x, y]);
        let low = self.constant(words, 0xff);
        let even = self.op(Op::And, words, &[even, low]);
        let [x, y] = [x, y].map(|odd| self.shift_all(Op::Lshr, words, odd, 8));
        let odd = self.op(Op::Mul, words, &[x, y]);
        let odd = self.shift_all(Op::Shl, words, odd, 8);
        let both = self.op(Op::Or, words, &[even, odd]);
        self.op(Op::Bitcast, ty, &[both])
    }

    /// `(x & mask) + ((x >> bits) & mask)`.
    fn add_neighbours(&mut self, ty: Type, x: Value, bits: u32) -> Value {
        let mask = self.constant(ty, alternating(bits));
        let low = self.op(Op::And, ty, &[x, mask]);
        let high = self.shift_all(Op::Lshr, ty, x, bits);
        let high = self.op(Op::And, ty, &[high, mask]);
        self.op(Op::Add, ty, &[low, high])
    }

    /// Counts in pairs of bits, then in pairs of counts.
    fn count_ones(&mut self, ty: Type, x: Value) -> Value {
        let width = ty.lane().map_or(8, Scalar::bits);
        let mut bits = 1;
        let mut counts = x;
        let bytes = register(Scalar::I8);
        if is_supported(self.context.target, Op::Popcount, bytes, bytes) {
            let ones = self.op(Op::Bitcast, bytes, &[x]);
            let ones = self.op(Op::Popcount, bytes, &[ones]);
            counts = self.op(Op::Bitcast, ty, &[ones]);
            bits = 8;
        }
        while bits < width {
            counts = self.add_neighbours(ty, counts, bits);
            bits *= 2;
        }
        counts
    }

    fn ones(&mut self, ty: Type, x: Value) -> Value {
        match is_supported(self.context.target, Op::Popcount, ty, ty) {
            true => self.op(Op::Popcount, ty, &[x]),
            false => self.count_ones(ty, x),
        }
    }

    /// The highest bit spread over all below it, then the zeros counted.
    fn count_leading_zeros(&mut self, ty: Type, x: Value) -> Value {
        let width = ty.lane().map_or(8, Scalar::bits);
        let (mut spread, mut bits) = (x, 1);
        while bits < width {
            let lower = self.shift_all(Op::Lshr, ty, spread, bits);
            spread = self.op(Op::Or, ty, &[spread, lower]);
            bits *= 2;
        }
        let zeros = self.op(Op::Not, ty, &[spread]);
        self.ones(ty, zeros)
    }

    /// The ones of `!x & (x - 1)`, which are those below the lowest bit.
    fn count_trailing_zeros(&mut self, ty: Type, x: Value) -> Value {
        let one = self.constant(ty, 1);
        let below = self.op(Op::Sub, ty, &[x, one]);
        let not = self.op(Op::Not, ty, &[x]);
        let zeros = self.op(Op::And, ty, &[not, below]);
        self.ones(ty, zeros)
    }

    fn swap_bytes(&mut self, ty: Type, x: Value) -> Value {
        let bytes = register(Scalar::I8);
        let size = ty.lane().map_or(8, Scalar::bits) / 8;
        let order: Vec<u32> =
            (0..16).map(|byte| byte / size * size + size - 1 - byte % size).collect();
        let x = self.op(Op::Bitcast, bytes, &[x]);
        let swapped = self.shuffle(bytes, x, x, &order);
        self.op(Op::Bitcast, ty, &[swapped])
    }

    /// Bytes in reverse order, then halves, quarters and bits within each.
    fn reverse_bits(&mut self, ty: Type, x: Value) -> Value {
        let mut reversed = match ty.lane() {
            Some(Scalar::I8) => x,
            _ => self.swap_bytes(ty, x),
        };
        for bits in [4, 2, 1] {
            let mask = self.constant(ty, alternating(bits));
            let low = self.op(Op::And, ty, &[reversed, mask]);
            let low = self.shift_all(Op::Shl, ty, low, bits);
            let high = self.shift_all(Op::Lshr, ty, reversed, bits);
            let high = self.op(Op::And, ty, &[high, mask]);
            reversed = self.op(Op::Or, ty, &[low, high]);
        }
        reversed
    }
}
