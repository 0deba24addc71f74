//! What accesses take that are made together.

use brolga_ir::body::Body;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::super::groups::Group;
use super::super::memory::Way;
use super::super::network::{Form, Network};
use super::super::plan::Plan;
use super::super::shape::Step;
use super::vector_of;
use crate::target::TargetFacts;

impl Plan {
    /// Registers that hold what is not the same for each element of a group.
    pub(super) fn row_registers(
        &self,
        body: &Body,
        facts: &dyn TargetFacts,
        lanes: u32,
    ) -> Option<u32> {
        let steps = self.round.steps.iter();
        let insts = steps.filter_map(|step| match step {
            Step::Do(inst, _) => Some(*inst),
            Step::Merge(..) => None,
        });
        let operands = insts.flat_map(|inst| (0..body.args(inst).len()).map(move |at| (inst, at)));
        let rows = operands.filter_map(|operand| self.rows.get(&operand)?.first());
        rows.map(|&first| Some(facts.registers_of(vector_of(body.value_type(first), lanes)?))).sum()
    }

    /// The registers that a step has in use beside what it needs and makes.
    pub(super) fn between(&self, step: &Step, facts: &dyn TargetFacts, lanes: u32) -> Option<u32> {
        let group = match step {
            Step::Do(inst, _) => self.memory.group_of(*inst),
            Step::Merge(..) => None,
        };
        let Some(group) = group.filter(|_| self.parts == 1) else { return Some(0) };
        Some(group.stride * facts.registers_of(Type::vector(group.lane, lanes)?))
    }

    /// The places of a group of which vectors are needed.
    pub(in super::super) fn places(&self, body: &Body, group: &Group) -> Vec<u32> {
        let is_wanted = |inst| body.result(inst).is_some_and(|it| self.vectors.contains(&it));
        let members = group.members.iter().filter(|&&(inst, _)| is_wanted(inst));
        let mut places: Vec<u32> = members.map(|&(_, place)| place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How the lanes of a group get from where memory has them to where rounds do, or back.
    fn network(
        &self,
        facts: &dyn TargetFacts,
        group: &Group,
        places: &[u32],
        lanes: u32,
    ) -> Network {
        let form = Form { lane: group.lane, lanes, stride: group.stride };
        match group.op {
            Op::Store => Network::joined(facts, form),
            _ => Network::parted(facts, form, places),
        }
    }

    /// The same for all groups, if any are taken apart or put together.
    pub(in super::super) fn networks(&self, body: &Body, facts: &dyn TargetFacts) -> Vec<Network> {
        let groups = self.memory.groups.iter().filter(|_| self.parts == 1);
        let network = |group| self.network(facts, group, &self.places(body, group), self.lanes);
        groups.map(network).collect()
    }

    pub(super) fn group_cost(
        &self,
        body: &Body,
        facts: &dyn TargetFacts,
        group: &Group,
        lanes: u32,
    ) -> Option<u32> {
        let ty = Type::vector(group.lane, lanes)?;
        if self.parts > 1 {
            let results = group.members.iter().filter_map(|&(inst, _)| body.result(inst));
            let needed = results.filter(|result| self.vectors.contains(result));
            let orders = needed.filter_map(|result| self.order_of(result, lanes / self.parts));
            let moves: u32 = orders.map(|order| facts.order_cost(ty, &order)).sum();
            return Some(facts.access_cost(ty) + moves);
        }
        let places = self.places(body, group);
        let count = if group.op == Op::Store { group.stride } else { places.len() as u32 };
        let is_turned = group.way == Way::Down && self.turns;
        let turned = if is_turned { count * facts.shuffle_cost(ty) } else { 0 };
        let form = Form { lane: group.lane, lanes, stride: group.stride };
        let network = self.network(facts, group, &places, lanes);
        let accesses = match group.op {
            Op::Store => group.stride,
            _ => (0..group.stride).filter(|&part| network.needs(part)).count() as u32,
        };
        Some(accesses * facts.access_cost(ty) + network.cost(facts, form) + turned)
    }
}
