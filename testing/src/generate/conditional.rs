//! Accesses that promise what a condition in front of them says, and that hold nowhere else.

use brolga_ir::attribute::IntCond;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::memory::Wish;
use super::writer::{LEAST_OBJECT, Sort, Writer};

impl Writer<'_> {
    /// Reads, and may write, where an address has so many low zeros, by accesses that promise them.
    pub(super) fn aligned_where_it_is_so(&mut self) {
        let ty = self.random().pick(&[Type::I8, Type::I32, Type::I64, Type::F64]);
        let wish = self.random().pick(&[Wish::Read, Wish::Write]);
        let base = match wish {
            Wish::Read => self.pointer(),
            Wish::Write => self.slot_pointer(),
        };
        // The access lies in the first half of the object, or begins there.
        let offset = self.small(Type::I64, u128::from(LEAST_OBJECT / 2 - 1));
        let address = self.compute(Op::PtrAdd, Type::NONE, &[base, offset]);
        let number = self.compute(Op::PtrToInt, Type::NONE, &[address]);
        // Objects are aligned to 16 bytes, so that what decides is the offset alone.
        let align_log2 = self.random().between(1, 4) as u8;
        let mask = self.index((1 << align_log2) - 1);
        let low = self.compute(Op::And, Type::I64, &[number, mask]);
        let zero = self.index(0);
        let payload = Payload::IntCond(IntCond::Eq);
        let is_so = self.compute_with(Op::Icmp, Type::I64, &[low, zero], payload);
        let (inside, join) = (self.body.make_block(), self.body.make_block());
        let otherwise = self.any(ty);
        self.branch(is_so, (inside, &[]), (join, &[otherwise]));
        self.start(inside);
        let scope = self.open_scope();
        let access = Access { align_log2, ..Access::default() };
        let payload = Payload::Access(access);
        let loaded = self.compute_with(Op::Load, ty, &[address], payload);
        if wish == Wish::Write {
            let value = self.steady(ty);
            self.push(Op::Store, ty, &[value, address], payload);
        }
        self.jump(join, &[loaded]);
        self.close_scope(scope);
        self.start(join);
        self.param(join, ty, Sort::Plain);
    }
}
