//! Switches: cases that change nothing, and switches that one compare decides.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::Counts;
use super::shape::{Way, compute, replace_by_branch, replace_by_jump};

/// A switch, taken apart.
struct Cases {
    operand: Value,
    ty: Type,
    /// Each case with its edge and weight.
    cases: Vec<(u128, Way, u32)>,
    default: Way,
    default_weight: u32,
    is_weighted: bool,
}

/// Simplifies the switch `last`.
pub(super) fn simplify(body: &mut Body, last: Inst, counts: &mut Counts) {
    let Some(mut switch) = Cases::of(body, last) else { return };
    if let Some(bits) = body.as_scalar_constant(switch.operand) {
        let case = switch.cases.iter().find(|(case, ..)| *case == bits);
        let way = case.map_or(&switch.default, |(_, way, _)| way);
        replace_by_jump(body, last, way);
        counts.folded += 1;
        return;
    }
    let before = switch.cases.len();
    switch.prune();
    if switch.cases.is_empty() {
        replace_by_jump(body, last, &switch.default);
    } else if let Some((low, count)) = switch.range() {
        switch.write_compare(body, last, low, count);
    } else if switch.cases.len() < before {
        switch.write(body, last);
    } else {
        return;
    }
    counts.switches += 1;
}

impl Cases {
    fn of(body: &Body, last: Inst) -> Option<Cases> {
        let data = body.inst(last);
        let Payload::Switch(table) = data.payload else { return None };
        let operand = *body.args(last).first()?;
        let mut ways = Way::all(body, last);
        let default = ways.pop()?;
        let weights = body.weights(last).unwrap_or(&[]);
        let weight = |index: usize| weights.get(index).copied().unwrap_or(0);
        let values = body.switch(table)?.cases.iter().copied();
        let cases: Vec<_> =
            values.zip(ways).enumerate().map(|(i, (value, way))| (value, way, weight(i))).collect();
        let default_weight = weight(cases.len());
        let is_weighted = !weights.is_empty();
        Some(Cases { operand, ty: data.ty, cases, default, default_weight, is_weighted })
    }

    /// Leaves out the cases that go where all others go.
    fn prune(&mut self) {
        let (default, weight) = (&self.default, &mut self.default_weight);
        self.cases.retain(|(_, way, own)| {
            let stays = way != default;
            *weight = if stays { *weight } else { weight.saturating_add(*own) };
            stays
        });
    }

    /// The first case and the number of cases, if they follow each other and all go
    /// one way.
    fn range(&self) -> Option<(u128, u128)> {
        let (_, way, _) = self.cases.first()?;
        if !self.cases.iter().all(|(_, other, _)| other == way) {
            return None;
        }
        let low = self.cases.iter().map(|(case, ..)| *case).min()?;
        let high = self.cases.iter().map(|(case, ..)| *case).max()?;
        let count = self.cases.len() as u128;
        // Each case is there once, so that they have no gap if they span as many numbers.
        (high - low == count - 1).then_some((low, count))
    }

    /// Puts a compare and a branch in the place of the switch.
    fn write_compare(&self, body: &mut Body, last: Inst, low: u128, count: u128) {
        let Some((_, way, _)) = self.cases.first() else { return };
        let bits = self.ty.lane().map_or(0, |lane| lane.bits());
        if count.checked_shr(bits).unwrap_or(0) > 0 {
            return replace_by_jump(body, last, way);
        }
        let mut number = |bits: u128| Some(body.constant(Constant::scalar(self.ty, bits)?));
        let (Some(least), Some(length)) = (number(low), number(count)) else { return };
        let condition = if count == 1 {
            self.compare(body, last, IntCond::Eq, [self.operand, least])
        } else if low == 0 {
            self.compare(body, last, IntCond::Ult, [self.operand, length])
        } else {
            let args = [self.operand, least];
            let offset = compute(body, last, Op::Sub, self.ty, &args, Payload::None, self.ty);
            self.compare(body, last, IntCond::Ult, [offset, length])
        };
        let weight = self.cases.iter().fold(0_u32, |sum, (.., weight)| sum.saturating_add(*weight));
        let weights = self.is_weighted.then_some([weight, self.default_weight]);
        replace_by_branch(body, last, condition, [way, &self.default], weights);
    }

    fn compare(&self, body: &mut Body, last: Inst, cond: IntCond, args: [Value; 2]) -> Value {
        compute(body, last, Op::Icmp, self.ty, &args, Payload::IntCond(cond), Type::I1)
    }

    /// Gives the switch the cases that are left.
    fn write(&self, body: &mut Body, last: Inst) {
        let Payload::Switch(table) = body.inst(last).payload else { return };
        let ways = self.cases.iter().map(|(_, way, _)| way).chain([&self.default]);
        let targets = ways.map(|way| way.target(body)).collect();
        if let Some(switch) = body.switch_mut(table) {
            switch.cases = self.cases.iter().map(|(case, ..)| *case).collect();
            switch.targets = targets;
        }
        if self.is_weighted {
            let weights = self.cases.iter().map(|(.., weight)| *weight);
            let weights: Vec<u32> = weights.chain([self.default_weight]).collect();
            body.set_weights(last, &weights);
        }
    }
}
