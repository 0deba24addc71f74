//! What a round computes of the elements that it has.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::generate::writer::Writer;

/// What elements are.
pub(super) const ELEMENTS: &[Type] =
    &[Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];

const INT_OPS: &[Op] = &[
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Smin,
    Op::Smax,
    Op::Umin,
    Op::Umax,
    Op::SaddSat,
    Op::UsubSat,
    Op::Rotl,
    Op::Smulhi,
    Op::Sdiv,
    Op::Urem,
];

const FLOAT_OPS: &[Op] = &[
    Op::Fadd,
    Op::Fadd,
    Op::Fsub,
    Op::Fmul,
    Op::Fmul,
    Op::Fdiv,
    Op::Fmin,
    Op::Fmax,
    Op::Fcopysign,
];

const INT_ALONE: &[Op] = &[Op::Neg, Op::Not, Op::Abs, Op::Popcount, Op::Clz, Op::Bswap];

const FLOAT_ALONE: &[Op] = &[Op::Fneg, Op::Fabs, Op::Fsqrt, Op::Ffloor];

/// What there is to compute with.
#[derive(Clone, Debug, Default)]
pub(super) struct Ingredients {
    pub(super) values: Vec<Value>,
    /// Conditions that are the same in each round.
    pub(super) conditions: Vec<Value>,
}

pub(super) fn is_float(ty: Type) -> bool {
    ty.lane().is_some_and(|lane| lane.is_float())
}

impl Writer<'_> {
    /// A type of elements, mostly that one.
    pub(super) fn element_type(&mut self, mostly: Type) -> Type {
        match self.random().percent(70) {
            true => mostly,
            false => self.random().pick(ELEMENTS),
        }
    }

    /// What is the same in each round of a loop that begins here.
    pub(super) fn invariants(&mut self, ty: Type) -> Ingredients {
        let mut known = Ingredients::default();
        for _ in 0..self.random().below(3) {
            let value = self.any(ty);
            known.values.push(value);
        }
        if self.random().percent(20) {
            let condition = self.any(Type::I1);
            known.conditions.push(condition);
        }
        known
    }

    /// Something of `ty`.
    pub(super) fn expression(&mut self, ty: Type, from: &Ingredients) -> Value {
        let mut made = self.ingredient(ty, from);
        for _ in 0..self.random().below(4) {
            let other = match self.random().below(10) {
                0..6 => self.ingredient(ty, from),
                6 => made,
                _ => self.constant(ty),
            };
            made = self.element_op(ty, [made, other]);
            if self.random().percent(15) {
                let invariant = from.conditions.first().copied();
                let invariant = invariant.filter(|_| self.program.random.percent(60));
                made = self.arms(ty, [made, other], invariant);
            }
        }
        made
    }

    fn ingredient(&mut self, ty: Type, from: &Ingredients) -> Value {
        if from.values.is_empty() {
            return self.constant(ty);
        }
        // The first ones are what the loop is about.
        let count = from.values.len();
        let chosen = self.random().below(count).min(self.program.random.below(count));
        self.converted(from.values[chosen], ty)
    }

    /// The number as one of another type, somehow.
    pub(super) fn converted(&mut self, value: Value, to: Type) -> Value {
        let from = self.body.value_type(value);
        let bits = |ty: Type| ty.lane().map_or(0, |lane| lane.bits());
        let signed = self.random().percent(60);
        let op = match (is_float(from), is_float(to)) {
            _ if from == to => return value,
            (false, false) if bits(from) > bits(to) => Op::Trunc,
            (false, false) if signed => Op::Sext,
            (false, false) => Op::Zext,
            (false, true) if signed => Op::Sitofp,
            (false, true) => Op::Uitofp,
            (true, false) if signed => Op::FptosiSat,
            (true, false) => Op::FptouiSat,
            (true, true) if bits(from) > bits(to) => Op::Fptrunc,
            (true, true) => Op::Fpext,
        };
        self.compute(op, to, &[value])
    }

    fn element_op(&mut self, ty: Type, [one, other]: [Value; 2]) -> Value {
        let is_float = is_float(ty);
        if self.random().percent(12) {
            let ops = if is_float { FLOAT_ALONE } else { INT_ALONE };
            let mut op = self.random().pick(ops);
            if op == Op::Bswap && ty == Type::I8 {
                op = Op::Not;
            }
            return self.compute(op, ty, &[one]);
        }
        let op = self.random().pick(if is_float { FLOAT_OPS } else { INT_OPS });
        let other = match op {
            Op::Fcopysign => self.steadied(other),
            // Neither zero nor minus one.
            Op::Sdiv | Op::Urem => {
                let (mask, least) = (self.int(ty, 31), self.int(ty, 3));
                let small = self.compute(Op::And, ty, &[other, mask]);
                self.compute(Op::Or, ty, &[small, least])
            }
            _ => other,
        };
        self.compute(op, ty, &[one, other])
    }

    /// Whether something holds of the two.
    pub(super) fn compared(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        if is_float(ty) {
            let condition = self.random().pick(FloatCond::ALL);
            return self.compute_with(Op::Fcmp, ty, &operands, Payload::FloatCond(condition));
        }
        let condition = self.random().pick(IntCond::ALL);
        self.icmp(condition, ty, operands)
    }

    /// One value or another, by a branch or two.
    fn arms(&mut self, ty: Type, operands: [Value; 2], invariant: Option<Value>) -> Value {
        let condition = match invariant {
            Some(condition) => condition,
            None => self.compared(ty, operands),
        };
        if self.random().percent(30) {
            return self.compute(Op::Select, ty, &[condition, operands[0], operands[1]]);
        }
        let (yes, no, join) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let merged = self.body.append_param(join, ty);
        if is_float(ty) {
            self.taint(merged);
        }
        let skips = self.random().percent(40);
        let other: (Block, &[Value]) = if skips { (join, &operands[1..]) } else { (no, &[]) };
        self.branch(condition, (yes, &[]), other);
        self.start(yes);
        let made = self.element_op(ty, operands);
        if self.random().percent(30) {
            let (further, constant) = (self.body.make_block(), self.constant(ty));
            let condition = self.compared(ty, [made, constant]);
            self.branch(condition, (further, &[]), (join, &[made]));
            self.start(further);
        }
        let constant = self.constant(ty);
        let made = self.element_op(ty, [made, constant]);
        self.jump(join, &[made]);
        if !skips {
            self.start(no);
            let made = self.element_op(ty, [operands[1], operands[0]]);
            self.jump(join, &[made]);
        }
        self.start(join);
        merged
    }
}
