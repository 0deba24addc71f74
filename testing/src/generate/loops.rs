//! Loops over the elements of two objects, and what is said of them.

use brolga_ir::attribute::{IntCond, LoopFlags};
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::memory::Wish;
use super::writer::{LEAST_OBJECT, Sort, Writer};

impl Writer<'_> {
    /// What stands at the beginning of any loop.
    pub(super) fn mark_loop(&mut self) {
        self.poll_sometimes();
        if self.random().percent(30) {
            self.push_mark(LoopFlags::empty());
        }
    }

    pub(super) fn poll_sometimes(&mut self) {
        if self.random().percent(30) {
            self.push(Op::Poll, Type::NONE, &[], Payload::None);
        }
    }

    fn push_mark(&mut self, flags: LoopFlags) {
        let unroll = self.random().below(5) as u32;
        let payload = Payload::LoopMark { flags, unroll };
        self.push(Op::LoopMark, Type::NONE, &[], payload);
    }

    /// Reads the elements of a data object one after the other, writes to
    /// those of a slot, and adds them up. Rounds do not depend on each other
    /// but by the sum, which is one of integers: every promise about the loop
    /// is true, and every order of adding gives the same.
    pub(super) fn array_loop(&mut self) {
        let ty = self.random().pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let size = self.program.module.types.layout(ty).size;
        let most = LEAST_OBJECT / size;
        let rounds = match self.random().percent(50) {
            true => self.index(most),
            false => self.small(Type::I64, most as u128 - 1),
        };
        let (header, inside, behind) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let first = [self.index(0), self.any(ty)];
        self.jump(header, &first);
        self.start(header);
        let scope = self.open_scope();
        let round = self.param(header, Type::I64, Sort::Plain);
        let sum = self.param(header, ty, Sort::Plain);
        let weight = self.weight;
        self.weight *= most + 1;
        self.poll_sometimes();
        let flags = self.loop_flags();
        self.push_mark(flags);
        let payload = Payload::IntCond(IntCond::Ult);
        let goes_on = self.compute_with(Op::Icmp, Type::I64, &[round, rounds], payload);
        self.branch(goes_on, (inside, &[]), (behind, &[]));
        self.start(inside);
        let next = self.array_round(ty, size, [round, sum]);
        self.jump(header, &next);
        self.weight = weight;
        self.close_scope(scope);
        self.start(behind);
        self.keep_as(sum, Sort::Plain);
    }

    fn loop_flags(&mut self) -> LoopFlags {
        let mut flags = LoopFlags::empty();
        flags.set(LoopFlags::SIMD, self.random().percent(60));
        flags.set(LoopFlags::IVDEP, self.program.raw && self.random().percent(60));
        flags
    }

    /// One round; gives the arguments of the next.
    fn array_round(&mut self, ty: Type, size: u64, [round, sum]: [Value; 2]) -> [Value; 2] {
        let data = self.program.some_data(Wish::Read);
        let slot = self.slots[0].slot;
        let size = self.index(size);
        let at = self.compute(Op::Mul, Type::I64, &[round, size]);
        let by_address = self.program.raw && self.random().percent(50);
        let element = match by_address {
            true => {
                let base = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data.id));
                let place = self.compute(Op::PtrAdd, Type::NONE, &[base, at]);
                let payload = Payload::Access(Access::default());
                self.compute_with(Op::Load, ty, &[place], payload)
            }
            false => self.compute_with(Op::DataLoad, ty, &[at], Payload::Data(data.id)),
        };
        let op = self.random().pick(&[Op::Add, Op::Mul, Op::Xor, Op::Smax, Op::Umin]);
        let other = self.constant(ty);
        let made = self.compute(op, ty, &[element, other]);
        match by_address {
            true => {
                let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
                let place = self.compute(Op::PtrAdd, Type::NONE, &[base, at]);
                let payload = Payload::Access(Access::default());
                self.push(Op::Store, ty, &[made, place], payload);
            }
            false => {
                self.push(Op::SlotStore, ty, &[made, at], Payload::Slot(slot));
            }
        }
        let one = self.index(1);
        let sum = self.compute(Op::Add, ty, &[sum, made]);
        [self.compute(Op::Add, Type::I64, &[round, one]), sum]
    }
}
