//! What a round of a loop takes whose blocks stand one behind the other, and what of it
//! several in a row take once.

use std::iter::successors;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::Op;
use rustc_hash::FxHashMap;

use super::choose::insts_of;
use crate::analysis::{ScalarEvolution, compare_of_extreme};
use crate::pass::Uses;
use crate::target::TargetFacts;
use crate::vectorisation::loop_vectorize::shape::Shape;

/// After how many cycles a load is there.
const LOAD_LATENCY: u32 = 4;

/// How many rounds it takes at most, in what is looked at, until each comes as long behind
/// the one before as all further ones do.
const SETTLED: u32 = 4;

/// Instructions of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    /// Those of every round.
    pub(super) kept: u32,
    /// Those that only the last of several rounds in a row has.
    pub(super) saved: u32,
}

/// The round of a loop whose blocks jump each to the next.
pub(super) struct Round<'a> {
    pub(super) body: &'a Body,
    pub(super) uses: &'a Uses,
    pub(super) facts: &'a dyn TargetFacts,
    pub(super) shape: &'a Shape,
}

impl Round<'_> {
    /// How many instructions it takes. The branch is saved, its test, a counter that nothing
    /// else needs, and what brings values to where the next round looks for them.
    pub(super) fn cost(&self) -> Cost {
        let all = self.insts().map(|inst| self.cost_of(inst)).sum::<u32>();
        let saved = (1 + self.cost_of_test()).min(all);
        let moves = self.moves();
        // They stand on the way back, from which a jump leads on.
        let on_way_back = if moves > 0 { moves + 1 } else { 0 };
        Cost { kept: all - saved, saved: saved + on_way_back }
    }

    fn insts(&self) -> impl Iterator<Item = Inst> {
        insts_of(self.body, &self.shape.blocks)
    }

    fn cost_of(&self, inst: Inst) -> u32 {
        let data = self.body.inst(inst);
        let from = self.body.args(inst).first().map_or(data.ty, |&arg| self.body.value_type(arg));
        match data.op {
            Op::Load | Op::Store => self.facts.access_cost(data.ty),
            op => self.facts.cost(op, from, data.ty),
        }
    }

    /// Of the test behind the branch, if it is there for that alone, with its counter.
    fn cost_of_test(&self) -> u32 {
        let (body, shape) = (self.body, self.shape);
        let only = |value: Value, users: &[Inst]| {
            self.uses.of(body, value).iter().all(|user| users.contains(user))
        };
        let [condition] = *body.args(shape.branch) else { return 0 };
        let ValueDef::Result(test, _) = body.value_def(condition) else { return 0 };
        if !shape.computes(body, condition) || !only(condition, &[shape.branch]) {
            return 0;
        }
        let cost = self.cost_of(test);
        for (param, next) in self.handed() {
            let ValueDef::Result(step, _) = body.value_def(next) else { continue };
            let is_test = |value: Value, also: Inst| only(value, &[test, also]);
            let is_counter = body.args(step).contains(&param)
                && body.args(test).iter().any(|&arg| arg == param || arg == next);
            if is_counter && is_test(param, step) && is_test(next, shape.branch) {
                return cost + self.cost_of(step);
            }
        }
        cost
    }

    /// What a round is given, each with what the next one is given in its place.
    fn handed(&self) -> impl Iterator<Item = (Value, Value)> {
        let params = self.body.params(self.shape.header).iter();
        params.copied().zip(self.shape.handed(self.body).iter().copied())
    }

    /// How many values there are that cannot take the register of what they follow, as that
    /// is needed beside them.
    fn moves(&self) -> u32 {
        let body = self.body;
        let order: FxHashMap<Inst, usize> = self.insts().zip(0..).collect();
        let names: FxHashMap<Value, Value> =
            self.insts().flat_map(|inst| self.passed_on(inst)).collect();
        let is_beside = |&(param, next): &(Value, Value)| {
            let next = successors(Some(next), |name| names.get(name).copied()).last();
            let made = match next.map(|next| body.value_def(next)) {
                Some(ValueDef::Result(inst, _)) => order.get(&inst),
                _ => None,
            };
            let Some(made) = made else { return next != Some(param) };
            self.uses.of(body, param).iter().any(|user| order.get(user) > Some(made))
        };
        self.handed().filter(is_beside).count() as u32
    }

    /// By how many cycles a round comes behind the one before, if all that it waits for is
    /// what that one hands on. Counts are not waited for: what copies add to them comes to
    /// one sum.
    pub(super) fn latency(&self, evolution: &ScalarEvolution) -> u32 {
        let of = self.shape.of;
        let is_count = |param: Value| {
            let affine = evolution.of(param).and_then(|own| evolution.as_affine(own, of));
            affine.is_some_and(|own| evolution.as_constant(own.step).is_some())
        };
        let handed: Vec<_> = self.handed().filter(|&(param, _)| !is_count(param)).collect();
        let mut given: FxHashMap<Value, u32> =
            handed.iter().map(|&(param, _)| (param, 0)).collect();
        let mut rounds = || {
            for _ in 0..SETTLED {
                let ready = self.ready(given.clone());
                for &(param, next) in &handed {
                    given.insert(param, ready.get(&next).copied().unwrap_or(0));
                }
            }
            given.values().copied().max().unwrap_or(0)
        };
        let first = rounds();
        (rounds() - first).div_ceil(SETTLED)
    }

    /// When what is computed is there, of all that waits for what a round is given.
    fn ready(&self, given: FxHashMap<Value, u32>) -> FxHashMap<Value, u32> {
        let body = self.body;
        let mut ready = given;
        for inst in self.insts() {
            let data = body.inst(inst);
            for (param, given) in self.passed_on(inst) {
                ready.extend(ready.get(&given).map(|&there| (param, there)));
            }
            let args = match compare_of_extreme(body, inst) {
                Some(compare) => body.args(compare),
                None => body.args(inst),
            };
            let last = args.iter().filter_map(|arg| ready.get(arg)).max();
            let (Some(&last), Some(result)) = (last, body.result(inst)) else { continue };
            let own = match data.op {
                Op::Load => LOAD_LATENCY,
                op => self.facts.latency(op, data.ty),
            };
            ready.insert(result, last + own);
        }
        ready
    }

    /// What the block behind a jump of the round is given, each with what stands for it.
    fn passed_on(&self, inst: Inst) -> impl Iterator<Item = (Value, Value)> {
        let body = self.body;
        let targets = body.targets(inst).iter().filter(move |_| inst != self.shape.branch);
        targets.flat_map(|target| {
            let params = body.params(target.block).iter().copied();
            params.zip(body.target_args(target).iter().copied())
        })
    }
}
