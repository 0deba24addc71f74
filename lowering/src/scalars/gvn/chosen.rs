//! Loads in a loop at an address that the round before has chosen.
//!
//! The search for the greatest keeps the index of the best so far, a select, and loads by it
//! in each round. What the edge to the next round gives is either operand of the select; if
//! what both addresses hold was loaded in the round already, the next round need not load
//! it: a select by the same condition comes along in a parameter. So a round waits for one
//! select and not for the arithmetic of an address and a load.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;

use super::Walk;
use super::carried::{Carried, Way};
use crate::analysis::memory_ssa::{Origin, Version};

/// What a loop chooses at its end.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The edge to the next round.
    back: (Edge, Block),
    condition: Value,
}

impl Walk {
    /// The condition and the operands of a select between scalars.
    pub(super) fn choice(&mut self, body: &Body, value: Value) -> Option<(Value, [Value; 2])> {
        let ValueDef::Result(inst, 0) = body.value_def(value) else { return None };
        let (Op::Select, &[condition, yes, no]) = (body.inst(inst).op, body.args(inst)) else {
            return None;
        };
        let mut resolve = |value| self.renames.resolve(value);
        Some((resolve(condition), [resolve(yes), resolve(no)]))
    }

    /// Notes that the walk comes to `block`, which may begin a loop.
    pub(super) fn note_header(&mut self, body: &Body, block: Block) {
        while self.headers.pop_if(|header| !self.dominators.dominates(*header, block)).is_some() {}
        let is_back = |edge: &Edge| {
            let from = body.layout.block_of(edge.inst);
            from.is_some_and(|from| self.dominators.dominates(block, from))
        };
        if self.edges.of(block).iter().any(is_back) {
            self.headers.push(block);
        }
    }

    /// Notes a load that stays, for when all of its loop is known.
    pub(super) fn note_choosing(&mut self, body: &Body, (load, version): (Inst, Version)) {
        let Some(&header) = self.headers.last() else { return };
        if body.inst(load).op == Op::Load && self.holds_where_begun(body, version, header) {
            let is_certain = self.is_certain && self.since == Some(header);
            self.choosing.push(Carried { load, header, is_certain });
        }
    }

    /// Whether memory was in that state where a round of a loop began.
    fn holds_where_begun(&self, body: &Body, version: Version, header: Block) -> bool {
        let Some(memory) = &self.memory else { return false };
        let made = match memory.ssa.origin(version) {
            Origin::Entry => return true,
            Origin::Meeting(block) => Some(block),
            Origin::Write(inst) => body.layout.block_of(inst).filter(|&block| block != header),
        };
        made.is_some_and(|made| self.dominators.dominates(made, header))
    }

    /// Lets parameters stand for loads at what the rounds before have chosen.
    pub(super) fn choose_loads(&mut self, body: &mut Body) {
        let mut looked_at = None;
        for carried in std::mem::take(&mut self.choosing) {
            if self.is_gone.contains(carried.load) {
                continue;
            }
            let choice = match looked_at {
                Some((header, choice)) if header == carried.header => choice,
                _ => self.choice_of(body, carried.header),
            };
            looked_at = Some((carried.header, choice));
            if let Some(choice) = choice
                && let Some(value) = self.choose_load(body, choice, carried)
            {
                self.counts.chosen_loads += 1;
                self.replace(body, carried.load, &[value]);
            }
        }
    }

    /// By which condition a loop chooses first what comes along to its next round.
    fn choice_of(&mut self, body: &Body, header: Block) -> Option<Choice> {
        let (back, _) = self.back_and_entering(body, header)?;
        let &[back] = back.as_slice() else { return None };
        (0..body.params(header).len()).find_map(|index| {
            let given = self.renames.resolve(back.0.arg(body, index)?);
            let (condition, _) = self.choice(body, given)?;
            Some(Choice { back, condition })
        })
    }

    fn choose_load(&mut self, body: &mut Body, choice: Choice, carried: Carried) -> Option<Value> {
        let Carried { load, header, .. } = carried;
        let Choice { back: (edge, from), condition } = choice;
        let location = self.steady_object(body, carried)?;
        let (_, entering) = self.back_and_entering(body, header)?;
        let ty = body.inst(load).ty;
        let mut arms = [condition; 2];
        for (operand, arm) in arms.iter_mut().enumerate() {
            let way = Way { edge, from, arm: Some((condition, operand)) };
            *arm = self.known_before(body, way, ty, &location)?;
        }
        if arms[0] == arms[1] {
            return None;
        }
        let mut first = Vec::with_capacity(entering.len());
        for &entry in &entering {
            first.push((entry.0, self.loaded_on_entry(body, carried, Way::along(entry))?));
        }
        let args = body.list(&[condition, arms[0], arms[1]]);
        let select = InstData::new(Op::Select, ty, args, Payload::None);
        let select = body.insert_inst(edge.inst, select, &[ty]);
        let param = body.append_param(header, ty);
        body.push_target_arg(edge.inst, edge.index as usize, body.result(select)?);
        for (edge, value) in first {
            body.push_target_arg(edge.inst, edge.index as usize, value);
        }
        Some(param)
    }
}
