//! What the rounds of one vector do.

use brolga_ir::attribute::InstFlags;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::super::groups::of_some_rounds;
use super::super::memory::{Moved, Way};
use super::super::plan::Role;
use super::super::reduction::Reduction;
use super::super::shape::{Mask, MaskParts, Step};
use super::{Builder, ones};

impl Builder<'_, '_, '_> {
    /// What addresses are made of.
    pub(super) fn write_scalars(&mut self) {
        let plan = self.plan;
        let steps = plan.round.steps.iter();
        for step in steps {
            let &Step::Do(inst, _) = step else { continue };
            let Some(result) = self.body().result(inst) else { continue };
            if !plan.scalars.contains(&result) {
                continue;
            }
            self.editor.stand_before(self.vectors_end);
            self.editor.take_location(inst);
            let data = *self.body().inst(inst);
            let args: Vec<Value> =
                self.body().args(inst).iter().map(|arg| self.first_of(*arg)).collect();
            let copy = self.editor.op_like(&data, data.ty, &args);
            self.scalars.insert(result, copy);
        }
    }

    /// What a value is in the first round of the first vector.
    pub(super) fn first_of(&self, value: Value) -> Value {
        self.scalars.get(&value).copied().unwrap_or(value)
    }

    pub(super) fn write_copy(&mut self, params: &[Value], copy: u32) {
        self.made.clear();
        self.masks.clear();
        for (index, &param) in params.iter().enumerate() {
            self.begin_copy(index, param, copy);
        }
        let plan = self.plan;
        for step in &plan.round.steps {
            match step {
                _ if !plan.is_made(self.body(), step) => {}
                Step::Do(inst, _) => {
                    self.editor.stand_before(self.vectors_end);
                    self.editor.take_location(*inst);
                    self.write_inst(*inst, copy);
                }
                Step::Merge(param, ways) => self.write_merge(*param, ways),
            }
        }
        for index in 0..params.len() {
            self.end_copy(index);
        }
    }

    /// What a parameter is in the rounds of this copy.
    fn begin_copy(&mut self, index: usize, param: Value, copy: u32) {
        let ty = self.body().value_type(param);
        match &self.plan.roles[index] {
            Role::Steady if self.plan.vectors.contains(&param) => {
                let splat = self.splat(self.given[index]);
                self.made.insert(param, splat);
            }
            Role::Counter(step) => {
                let Some(vector) = self.carried[index].vector else { return };
                let further = step.wrapping_mul((copy * self.plan.lanes).into()) & ones(ty);
                let here = self.further(vector, further);
                self.made.insert(param, here);
            }
            Role::Reduction(sum) if sum.narrow.is_some() => {}
            Role::Reduction(_) => {
                let own = self.carried[index].sums[copy as usize];
                self.made.insert(param, own);
            }
            Role::Steady | Role::Earlier(_) => {}
        }
    }

    /// A vector with a number added to each lane.
    pub(super) fn further(&mut self, vector: Value, by: u128) -> Value {
        if by == 0 {
            return vector;
        }
        let ty = self.body().value_type(vector);
        self.stand(self.vectors_end);
        let by = self.editor.constant(ty, by);
        self.editor.op(Op::Add, ty, &[vector, by])
    }

    fn end_copy(&mut self, index: usize) {
        let plan = self.plan;
        match &plan.roles[index] {
            Role::Reduction(Reduction { narrow: Some(narrow), .. }) => self.add_part(index, narrow),
            Role::Reduction(sum) => {
                let end = self.of(sum.next);
                self.carried[index].ends.push(end);
            }
            Role::Earlier(value) => {
                let end = self.of(*value);
                self.carried[index].ends.push(end);
            }
            Role::Steady | Role::Counter(_) => {}
        }
    }

    /// The vector of a value in the rounds of this copy.
    pub(super) fn of(&mut self, value: Value) -> Value {
        if let Some(&made) = self.made.get(&value) {
            return made;
        }
        let plan = self.plan;
        if let Some(index) = plan.index_of(self.body(), value)
            && let Role::Earlier(next) = plan.roles[index]
        {
            let own = self.of(next);
            let before = self.carried[index].ends.last().copied();
            let before = before.or(self.carried[index].vector).unwrap_or(own);
            let lanes: Vec<u32> = (plan.lanes - 1..2 * plan.lanes - 1).collect();
            let ty = self.body().value_type(own);
            let moved = self.editor.shuffle(ty, before, own, &lanes);
            self.made.insert(value, moved);
            return moved;
        }
        let place = self.vectors_end;
        let splat = self.splat(value);
        self.editor.stand_before(place);
        splat
    }

    fn write_inst(&mut self, inst: Inst, copy: u32) {
        let plan = self.plan;
        if let Some(group) = plan.memory.group_of(inst) {
            return self.write_group(group, copy);
        }
        let data = *self.body().inst(inst);
        if let Some(&moved) = plan.memory.find(inst) {
            return self.write_access(&data, &moved, copy);
        }
        let args = self.body().args(inst).to_vec();
        let vector = self.vector(data.ty);
        let is_chosen_alike = |builder: &Self| {
            data.op == Op::Select && !builder.plan.shape.computes(builder.body(), args[0])
        };
        let keeps_first = is_chosen_alike(self);
        let mut operands = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            operands.push(match plan.rows.get(&(inst, index)) {
                Some(row) => self.row(row),
                None if keeps_first && index == 0 => arg,
                None => self.of(arg),
            });
        }
        if !plan.rows.is_empty() {
            self.editor.stand_before(self.vectors_end);
        }
        self.editor.take_location(inst);
        let op = if data.op == Op::Select && !keeps_first { Op::VecSelect } else { data.op };
        // Other rounds are put together here than in the scalar loop.
        let flags = data.flags - (InstFlags::NO_SIGNED_WRAP | InstFlags::NO_UNSIGNED_WRAP);
        let made = self.editor.op_like(&InstData { op, flags, ..data }, vector, &operands);
        if let Some(result) = self.body().result(inst) {
            self.made.insert(result, made);
        }
    }

    fn write_access(&mut self, data: &InstData, moved: &Moved, copy: u32) {
        let vector = self.vector(moved.ty);
        let size = moved.size() as i32;
        let lanes = self.plan.lanes as i32;
        let rounds = match moved.way {
            Way::Up => copy as i32 * lanes,
            Way::Down => -((copy as i32 + 1) * lanes - 1),
        };
        let mut access = data.access().copied().unwrap_or_default();
        if moved.is_conditional {
            access = of_some_rounds(access);
        }
        access.offset = access.offset.wrapping_add(rounds * size);
        let payload = Payload::Access(access);
        let address = self.first_of(moved.address);
        let turned: Vec<u32> = (0..self.plan.lanes).rev().collect();
        let is_turned = moved.way == Way::Down && self.plan.turns;
        if data.op == Op::Load {
            let mut made = self.editor.op_with(Op::Load, vector, &[address], payload);
            if is_turned {
                made = self.editor.shuffle(vector, made, made, &turned);
            }
            if let Some(result) = self.body().result(moved.inst) {
                self.made.insert(result, made);
            }
            return;
        }
        let stored = self.body().args(moved.inst)[0];
        let mut value = self.of(stored);
        self.editor.take_location(moved.inst);
        let mut mask = moved.mask.map(|mask| self.mask(mask));
        if is_turned {
            value = self.editor.shuffle(vector, value, value, &turned);
            let truths = self.vector(Type::I1);
            mask = mask.map(|mask| self.editor.shuffle(truths, mask, mask, &turned));
        }
        match mask {
            None => {
                self.editor.op_without_result(Op::Store, vector, &[value, address], payload);
            }
            Some(mask) => {
                self.store_some((moved.inst, vector), [mask, value, address], payload);
            }
        }
    }

    /// What a parameter of a block is, by the ways that lead there.
    fn write_merge(&mut self, param: Value, ways: &[(Option<Mask>, Value)]) {
        self.stand(self.vectors_end);
        let ty = self.vector(self.body().value_type(param));
        let Some((&(_, last), others)) = ways.split_last() else { return };
        let mut merged = self.of(last);
        for &(mask, value) in others.iter().rev() {
            let value = self.of(value);
            merged = match mask {
                _ if value == merged => merged,
                Some(mask) => self.choose(ty, mask, [value, merged]),
                None => value,
            };
        }
        self.made.insert(param, merged);
    }

    /// One vector where a mask holds, the other one elsewhere.
    fn choose(&mut self, ty: Type, mask: Mask, [yes, no]: [Value; 2]) -> Value {
        if let MaskParts::Edge { from: None, condition, holds: false } = self.plan.round.parts(mask)
        {
            let condition = self.of(condition);
            return self.editor.op(Op::VecSelect, ty, &[condition, no, yes]);
        }
        let mask = self.mask(mask);
        self.editor.op(Op::VecSelect, ty, &[mask, yes, no])
    }

    fn mask(&mut self, mask: Mask) -> Value {
        if let Some(&known) = self.masks.get(&mask.number()) {
            return known;
        }
        let ty = self.vector(Type::I1);
        let made = match self.plan.round.parts(mask) {
            MaskParts::Edge { from, condition, holds } => {
                let mut made = self.of(condition);
                if !holds {
                    made = self.editor.op(Op::Not, ty, &[made]);
                }
                if let Some(from) = from {
                    let from = self.mask(from);
                    made = self.editor.op(Op::And, ty, &[from, made]);
                }
                made
            }
            MaskParts::Either(one, other) => {
                let (one, other) = (self.mask(one), self.mask(other));
                self.editor.op(Op::Or, ty, &[one, other])
            }
        };
        self.masks.insert(mask.number(), made);
        made
    }
}
