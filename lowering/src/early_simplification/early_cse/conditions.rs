//! What is known where a condition has decided the way.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::ValueDef;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::Walk;
use crate::analysis::conditions::Outcomes;

impl Walk<'_, '_> {
    /// Enters a block below `above`: memory is as it was there if no other path
    /// leads here, and the condition of the only edge is known.
    pub(super) fn arrive(&mut self, above: Option<Block>, edges: &[Edge]) {
        let &[edge] = edges else { return self.change_memory() };
        let from = self.body.layout.block_of(edge.inst);
        match from.filter(|&from| Some(from) == above) {
            Some(from) => self.state = self.states_behind[from],
            None => return self.change_memory(),
        }
        let Some(&operand) = self.body.args(edge.inst).first() else { return };
        match self.body.inst(edge.inst).payload {
            Payload::Branch(_) if self.body.inst(edge.inst).op == Op::Branch => {
                self.learn(operand, u128::from(edge.index == 0));
            }
            Payload::Switch(table) => {
                let switch = self.body.switch(table);
                let case = switch.and_then(|it| it.cases.get(edge.index as usize)).copied();
                if let Some(case) = case {
                    self.learn(operand, case);
                }
            }
            _ => {}
        }
    }

    /// A check or promise whose condition is known goes; behind any other its condition holds.
    pub(super) fn check(&mut self, inst: Inst) {
        let Some(&condition) = self.body.args(inst).first() else { return };
        match self.body.as_scalar_constant(condition) {
            Some(1) => {
                self.counts.checks += 1;
                self.body.remove_inst(inst);
            }
            Some(_) => {}
            None => self.learn(condition, 1),
        }
    }

    /// An edge that hands on the condition that it is taken by hands on a constant.
    pub(super) fn name_condition(&mut self, inst: Inst) {
        let Some(&condition) = self.body.args(inst).first() else { return };
        if self.body.as_constant(condition).is_some() {
            return;
        }
        for (index, bits) in [(0, 1), (1, 0)] {
            let Some(&target) = self.body.targets(inst).get(index) else { return };
            if self.body.target_args(&target).contains(&condition) {
                let Some(constant) = self.constant(Type::I1, bits) else { return };
                let args = self.body.target_args(&target).iter();
                let args: Vec<Value> =
                    args.map(|&arg| if arg == condition { constant } else { arg }).collect();
                let target = self.body.target(target.block, &args);
                self.body.targets_mut(inst)[index] = target;
                self.counts.conditions += 1;
            }
        }
    }

    fn constant(&mut self, ty: Type, bits: u128) -> Option<Value> {
        Some(self.body.constant(Constant::scalar(ty, bits)?))
    }

    /// Notes that a value has those bits, and what follows.
    fn learn(&mut self, value: Value, bits: u128) {
        let mut left: SmallVec<[(Value, u128); 4]> = SmallVec::new();
        left.push((value, bits));
        while let Some((value, bits)) = left.pop() {
            if self.body.as_constant(value).is_some() || self.known.get(&value).is_some() {
                continue;
            }
            let Some(constant) = self.constant(self.body.value_type(value), bits) else { continue };
            self.known.insert(value, constant);
            if let ValueDef::Result(inst, 0) = self.body.value_def(value)
                && self.body.value_type(value) == Type::I1
            {
                self.follow(inst, bits, &mut left);
            }
        }
    }

    /// Finds what else is known if an instruction has given that truth value.
    fn follow(&mut self, inst: Inst, bits: u128, left: &mut SmallVec<[(Value, u128); 4]>) {
        let data = *self.body.inst(inst);
        let is_constant =
            |value: Value, bits: u128| self.body.as_scalar_constant(value) == Some(bits);
        match (data.op, self.body.args(inst), bits) {
            (Op::And, &[x, y], 1) => left.extend([(x, 1), (y, 1)]),
            (Op::Or, &[x, y], 0) => left.extend([(x, 0), (y, 0)]),
            (Op::Not, &[x], bits) => left.push((x, bits ^ 1)),
            (Op::Xor, &[x, y], bits) if is_constant(y, 1) => left.push((x, bits ^ 1)),
            (Op::Select, &[c, x, y], 1) if is_constant(y, 0) => left.extend([(c, 1), (x, 1)]),
            (Op::Select, &[c, x, y], 0) if is_constant(x, 1) => left.extend([(c, 0), (y, 0)]),
            (Op::Icmp, &[x, y], bits) if !data.ty.is_vector() => {
                let Payload::IntCond(condition) = data.payload else { return };
                let condition = if bits == 1 { condition } else { condition.inverted() };
                if condition == IntCond::Eq {
                    for (x, y) in [(x, y), (y, x)] {
                        // Where it is equal to a number, an address still keeps its object alive.
                        let is_number =
                            !self.body.value_type(x).lane().is_some_and(Scalar::is_managed)
                                || self.body.value_type(x) == Type::REF;
                        let bits = self.body.as_scalar_constant(y).filter(|_| is_number);
                        left.extend(bits.map(|bits| (x, bits)));
                    }
                }
                self.learn_compare(data.ty, condition, x, y);
            }
            _ => {}
        }
    }

    /// Notes how two numbers compare, of which one condition is known to hold.
    fn learn_compare(&mut self, ty: Type, condition: IntCond, x: Value, y: Value) {
        let (pair, condition) = in_order(ty, condition, x, y);
        let before = self.compared.get(&pair).copied().unwrap_or(Outcomes::ANY);
        self.compared.insert(pair, before & Outcomes::of(condition));
    }

    /// What a compare of numbers gives that are known to compare in some ways only.
    pub(super) fn decided(&mut self, inst: Inst) -> Option<Value> {
        let data = self.body.inst(inst);
        let (Payload::IntCond(condition), &[x, y]) = (data.payload, self.body.args(inst)) else {
            return None;
        };
        let (pair, condition) = in_order(data.ty, condition, x, y);
        let holds = self.compared.get(&pair)?.decide(condition)?;
        self.constant(Type::I1, holds.into())
    }
}

/// A compare with the lesser value first, by the condition as it is meant.
fn in_order(ty: Type, condition: IntCond, x: Value, y: Value) -> ((Value, Value), IntCond) {
    let is_address = ty.lane().is_none_or(Scalar::is_address);
    let condition = if is_address { condition.unsigned() } else { condition };
    if x > y { ((y, x), condition.swapped()) } else { ((x, y), condition) }
}
