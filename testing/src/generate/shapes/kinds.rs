//! Interior addresses of plain memory, which keep no object alive, and of objects.

use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::expression::ELEMENTS;
use crate::generate::writer::{LEAST_OBJECT, Sort, Writer};

impl Writer<'_> {
    /// Accesses by interior addresses that went through branches, choices and loops.
    pub(super) fn address_kinds(&mut self) {
        let arrays = self.arrays(2);
        let [one, mut other] =
            [0, 1].map(|index| self.compute(Op::AddressCast, Type::DERIVED, &[arrays[index].base]));
        if self.random().percent(25) {
            let object = self.object_reference();
            other = self.compute(Op::AddressCast, Type::DERIVED, &[object]);
        }
        let met = match self.random().below(4) {
            0 => one,
            1 => {
                let condition = self.any(Type::I1);
                self.compute(Op::Select, Type::DERIVED, &[condition, one, other])
            }
            _ => self.meeting(one, other),
        };
        let ty = self.random().pick(ELEMENTS);
        let met = match self.random().percent(50) {
            true => self.walk_over(met, ty),
            false => met,
        };
        let room = (LEAST_OBJECT / 2 - self.size_in_bytes(ty)) as usize;
        for _ in 0..self.random().between(1, 3) {
            let distance = self.random().below(room) as u64;
            let access = Payload::Access(Access::default());
            let distance = self.index(distance);
            let place = self.compute(Op::DerivedAdd, Type::NONE, &[met, distance]);
            if self.random().percent(50) {
                let value = self.steady(ty);
                self.push(Op::Store, ty, &[value, place], access);
            }
            let value = self.compute_with(Op::Load, ty, &[place], access);
            self.keep_as(value, Sort::Plain);
        }
        for array in arrays {
            self.leave_array(array);
        }
    }

    /// One address or the other, where two ways meet.
    fn meeting(&mut self, one: Value, other: Value) -> Value {
        let condition = self.any(Type::I1);
        let (yes, join) = (self.body.make_block(), self.body.make_block());
        let met = self.body.append_param(join, Type::DERIVED);
        self.branch(condition, (yes, &[]), (join, &[other]));
        self.start(yes);
        let distance = self.index(4);
        let moved = self.compute(Op::DerivedAdd, Type::NONE, &[one, distance]);
        self.jump(join, &[moved]);
        self.start(join);
        met
    }

    /// Goes over what is there, element by element, and gives where it has come to: half of the
    /// least object at most.
    fn walk_over(&mut self, start: Value, ty: Type) -> Value {
        let size = self.size_in_bytes(ty);
        let count = self.count(3);
        let mark = self.plain_mark();
        let came_to = self.counted(&count, mark, &[start], |writer, round| {
            let address = round.carried[0];
            let access = Payload::Access(Access::default());
            let value = writer.compute_with(Op::Load, ty, &[address], access);
            let changed = writer.converted(value, Type::I8);
            let access = Payload::Access(Access { offset: 1, ..Access::default() });
            writer.push(Op::Store, Type::I8, &[changed, address], access);
            let size = writer.index(size);
            vec![writer.compute(Op::DerivedAdd, Type::NONE, &[address, size])]
        });
        came_to[0]
    }
}
