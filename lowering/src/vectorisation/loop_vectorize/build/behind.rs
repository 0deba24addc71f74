//! What stands behind the vectors: putting lanes together, and going on from there.

use brolga_ir::attribute::InstFlags;
use brolga_ir::entity::Value;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::super::guard::Whole;
use super::super::plan::Role;
use super::super::reduction::{Neutral, Reduction};
use super::{Builder, ones};

impl Builder<'_, '_, '_> {
    /// Puts together what the vectors hold, and leads on from there.
    pub(super) fn leave(&mut self) {
        self.stand(self.middle_end);
        let mut resumed = Vec::new();
        let mut behind: FxHashMap<Value, Value> = FxHashMap::default();
        let handed = self.plan.shape.handed(self.body()).to_vec();
        for (index, next) in handed.into_iter().enumerate() {
            let value = self.resumed(index);
            behind.insert(next, value);
            resumed.push(value);
        }
        let leaving = *self.plan.shape.leaving(self.body());
        let mut leaves = self.body().target_args(&leaving).to_vec();
        for value in &mut leaves {
            *value = match (behind.get(value), self.plan.index_of(self.body(), *value)) {
                (Some(&resumed), _) => resumed,
                (None, Some(index)) => self.last(index, resumed[index]),
                (None, None) => *value,
            };
        }
        let rest = self.editor.body.target(self.rest, &resumed);
        let exit = self.editor.body.target(leaving.block, &leaves);
        let (op, args, payload) = match self.guard.whole {
            Whole::Always => (Op::Jump, vec![], Payload::Jump(exit)),
            Whole::Never => (Op::Jump, vec![], Payload::Jump(rest)),
            Whole::Where(whole) => (Op::Branch, vec![whole], Payload::Branch([exit, rest])),
        };
        self.end(self.middle_end, op, &args, payload);
    }

    /// What a parameter is in the first round that vectors have left over.
    fn resumed(&mut self, index: usize) -> Value {
        let start = self.given[index];
        let ty = self.body().value_type(start);
        match self.plan.roles[index].clone() {
            Role::Steady => start,
            Role::Counter(step) => self.resumed_count(ty, start, step),
            Role::Reduction(sum) => self.summed(&sum, start, &self.carried[index].ends.clone()),
            Role::Earlier(_) => {
                let last = self.carried[index].ends.last().copied().unwrap_or(start);
                self.editor.extract(last, self.plan.lanes - 1)
            }
        }
    }

    /// What a count has been in the last round, if it would be that in the next one.
    fn last(&mut self, index: usize, next: Value) -> Value {
        match self.plan.roles[index] {
            Role::Counter(step) => {
                let ty = self.body().value_type(next);
                self.counted(ty, next, step.wrapping_neg())
            }
            _ => next,
        }
    }

    fn resumed_count(&mut self, ty: Type, start: Value, step: u128) -> Value {
        let number = if ty == Type::PTR { Type::I64 } else { ty };
        let step = step & ones(number);
        let is_zero = self.body().as_scalar_constant(start) == Some(0);
        let way = match self.body().as_scalar_constant(self.guard.done) {
            Some(done) => self.editor.constant(number, done.wrapping_mul(step) & ones(number)),
            None => self.way(number, step),
        };
        match ty == Type::PTR {
            true => self.editor.op(Op::PtrAdd, Type::NONE, &[start, way]),
            false if is_zero => way,
            false => self.editor.op(Op::Add, ty, &[start, way]),
        }
    }

    /// How far a count goes on while vectors do their rounds.
    fn way(&mut self, number: Type, step: u128) -> Value {
        let done = match number == Type::I64 {
            true => self.guard.done,
            false => self.editor.op(Op::Trunc, number, &[self.guard.done]),
        };
        match step {
            1 => done,
            _ => {
                let step = self.editor.constant(number, step);
                self.editor.op(Op::Mul, number, &[done, step])
            }
        }
    }

    /// All lanes of all copies, and what the first round was given.
    fn summed(&mut self, sum: &Reduction, start: Value, ends: &[Value]) -> Value {
        let vector = sum.vector(self.plan.lanes).unwrap_or(sum.ty);
        let like = |op: Op, ty: Type, builder: &mut Self| {
            let args = builder.editor.body.list(&[]);
            InstData { flags: sum.flags, ..InstData::new(op, ty, args, Payload::None) }
        };
        let mut ends = ends.to_vec();
        while ends.len() > 1 {
            let pairs: Vec<Vec<Value>> = ends.chunks(2).map(<[Value]>::to_vec).collect();
            ends.clear();
            for pair in pairs {
                let data = like(sum.combine, vector, self);
                ends.push(match pair.as_slice() {
                    &[one, other] => self.editor.op_like(&data, vector, &[one, other]),
                    rest => rest[0],
                });
            }
        }
        let Some(&whole) = ends.first() else { return start };
        let data = like(sum.reduce, sum.ty, self);
        match (sum.combine, sum.neutral) {
            (Op::Fadd | Op::Fmul, _) => self.editor.op_like(&data, sum.ty, &[start, whole]),
            (Op::Fmin | Op::Fmax, _) | (_, Neutral::Start) => {
                let data = InstData { flags: InstFlags::empty(), ..data };
                self.editor.op_like(&data, sum.ty, &[whole])
            }
            _ => {
                let lanes = self.editor.op_like(&data, sum.ty, &[whole]);
                let is_zero = self.body().as_scalar_constant(start) == Some(0);
                if is_zero && sum.neutral == Neutral::Zero {
                    return lanes;
                }
                let data = like(sum.combine, sum.ty, self);
                self.editor.op_like(&data, sum.ty, &[start, lanes])
            }
        }
    }
}
