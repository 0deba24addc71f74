//! What goes from round to round: sums, extremes, counts, places, the value of the last round.

use brolga_ir::attribute::{FloatCond, InstFlags, IntCond};
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::counted::Round;
use super::expression::is_float;
use crate::generate::writer::Writer;

/// One value that goes from round to round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    ty: Type,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// By an op that gives the same in any order, or is not permitted another.
    By(Op),
    /// The same, in rounds in which something holds only.
    Sometimes(Op),
    /// By an op on floats that may be regrouped, of numbers so small that it gives the same.
    Permitted(Op),
    /// By a compare and a choice.
    Chosen,
    /// How often something holds.
    Matches,
    /// The number of the last round in which something holds.
    LastMatch,
    /// What the round before had.
    Before,
}

/// Whether the mark of the loop permits sums of floats in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Permission {
    None,
    Simd,
}

const INT_OPS: &[Op] = &[
    Op::Add,
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Xor,
    Op::Or,
    Op::And,
    Op::Smin,
    Op::Smax,
    Op::Umin,
    Op::Umax,
];

impl Writer<'_> {
    /// Some value that goes from round to round, and the first.
    pub(super) fn reduction(
        &mut self,
        element: Type,
        permission: Permission,
    ) -> (Reduction, Value) {
        let is_float = is_float(element);
        let permitted = [Op::Fadd, Op::Fadd, Op::Fsub, Op::Fmul, Op::Fmin, Op::Fmax];
        let kind = match self.random().below(100) {
            0..10 => Kind::Matches,
            10..15 => Kind::LastMatch,
            15..23 => Kind::Before,
            23..40 => Kind::Permitted(self.random().pick(&permitted)),
            40..55 if permission == Permission::None || !is_float => Kind::Chosen,
            _ if is_float && permission == Permission::Simd => {
                Kind::Permitted(self.random().pick(&permitted))
            }
            _ if is_float => {
                let op = self.random().pick(&[Op::Fmin, Op::Fmax, Op::Fadd, Op::Fmul, Op::Fsub]);
                Kind::By(op)
            }
            55..70 => Kind::Sometimes(self.random().pick(INT_OPS)),
            _ => Kind::By(self.random().pick(INT_OPS)),
        };
        let wide = self.random().pick(&[element, element, Type::I32, Type::I64]);
        let ty = match kind {
            Kind::Permitted(_) => self.random().pick(&[Type::F32, Type::F64]),
            Kind::Matches | Kind::LastMatch => {
                self.random().pick(&[Type::I8, Type::I32, Type::I64])
            }
            Kind::By(_) | Kind::Sometimes(_) if !is_float => wide,
            _ => element,
        };
        let first = match kind {
            Kind::Permitted(_) => {
                let small = self.random().below(4) as i64;
                let small = self.int(Type::I32, small);
                self.compute(Op::Sitofp, ty, &[small])
            }
            _ if self.random().percent(50) => self.zero(ty),
            _ => self.any(ty),
        };
        (Reduction { ty, kind }, first)
    }

    /// What the round hands on, of what it was handed and of an element.
    pub(super) fn reduce(
        &mut self,
        reduction: &Reduction,
        (round, carried): (&Round, Value),
        element: Value,
        permission: Permission,
    ) -> Value {
        let Reduction { ty, kind } = *reduction;
        match kind {
            Kind::By(op) => {
                let element = self.converted(element, ty);
                let made = self.compute(op, ty, &[carried, element]);
                if self.random().percent(65) {
                    return made;
                }
                // More than one part goes into it in a round.
                let more = self.converted(round.index, ty);
                self.compute(op, ty, &[made, more])
            }
            Kind::Sometimes(op) => {
                let condition = self.matches(element);
                let element = self.converted(element, ty);
                let made = self.compute(op, ty, &[carried, element]);
                self.chosen(condition, ty, [made, carried])
            }
            Kind::Permitted(op) => self.regrouped(op, ty, carried, element, permission),
            Kind::Chosen => {
                let element = self.converted(element, ty);
                let condition = self.is_more_extreme(ty, [element, carried]);
                self.chosen(condition, ty, [element, carried])
            }
            Kind::Matches => {
                let condition = self.matches(element);
                let one = self.compute(Op::Zext, ty, &[condition]);
                self.compute(Op::Add, ty, &[carried, one])
            }
            Kind::LastMatch => {
                let condition = self.matches(element);
                let index = self.converted(round.index, ty);
                self.chosen(condition, ty, [index, carried])
            }
            Kind::Before => self.converted(element, ty),
        }
    }

    fn is_more_extreme(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        if !is_float(ty) {
            let conditions = [IntCond::Slt, IntCond::Sgt, IntCond::Ult, IntCond::Uge];
            let condition = self.random().pick(&conditions);
            return self.icmp(condition, ty, operands);
        }
        let conditions = [FloatCond::Olt, FloatCond::Ogt, FloatCond::Uge, FloatCond::Ule];
        let payload = Payload::FloatCond(self.random().pick(&conditions));
        self.compute_with(Op::Fcmp, ty, &operands, payload)
    }

    fn matches(&mut self, element: Value) -> Value {
        let ty = self.body.value_type(element);
        let constant = self.constant(ty);
        self.compared(ty, [element, constant])
    }

    /// One or the other, by a select or a branch.
    fn chosen(&mut self, condition: Value, ty: Type, values: [Value; 2]) -> Value {
        if self.random().percent(70) {
            return self.compute(Op::Select, ty, &[condition, values[0], values[1]]);
        }
        let (yes, join) = (self.body.make_block(), self.body.make_block());
        let merged = self.body.append_param(join, ty);
        if is_float(ty) {
            self.taint(merged);
        }
        self.branch(condition, (yes, &[]), (join, &values[1..]));
        self.start(yes);
        self.jump(join, &values[..1]);
        self.start(join);
        merged
    }

    /// Of whole numbers that are so small that no order and no contraction rounds.
    fn regrouped(
        &mut self,
        op: Op,
        ty: Type,
        carried: Value,
        element: Value,
        permission: Permission,
    ) -> Value {
        let narrow = self.converted(element, Type::I8);
        let mask = self.int(Type::I8, if op == Op::Fmul { 1 } else { 7 });
        let small = self.compute(Op::And, Type::I8, &[narrow, mask]);
        let mut small = self.compute(Op::Sitofp, ty, &[small]);
        let mut flags = match permission {
            Permission::Simd => InstFlags::empty(),
            Permission::None => InstFlags::REASSOCIATE,
        };
        let two = self.int(Type::I32, 2);
        let two = self.compute(Op::Sitofp, ty, &[two]);
        if op == Op::Fmul {
            // One or two: at most as many bits as there are rounds.
            let one = self.int(Type::I32, 1);
            let one = self.compute(Op::Sitofp, ty, &[one]);
            small = self.compute(Op::Fadd, ty, &[small, one]);
        } else if matches!(op, Op::Fadd | Op::Fsub) && self.random().percent(60) {
            let permitted = contract(permission);
            let product = self.push_with(Op::Fmul, ty, &[small, two], Payload::None, permitted);
            small = self.body.results(product)[0];
            flags |= permitted;
        }
        let inst = self.push_with(op, ty, &[carried, small], Payload::None, flags);
        self.body.results(inst)[0]
    }
}

fn contract(permission: Permission) -> InstFlags {
    match permission {
        Permission::Simd => InstFlags::empty(),
        Permission::None => InstFlags::CONTRACT,
    }
}
