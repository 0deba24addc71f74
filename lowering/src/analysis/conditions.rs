//! What branches, switches, checks and promises on the way to a place say of values there.
//!
//! An edge that alone leads to its block makes what its branch or switch saw true in
//! every block that this one dominates, and a check that was passed makes its operand
//! true behind it, as an `assume` does by its promise. What is known somewhere is a list that grows down the dominator tree
//! and shares its beginnings (as scopes of names do), so that all of it takes O(blocks +
//! conditions). Of truth values that are made by `and`, `or` and `not`, the parts are
//! known, too. Questions walk the list, up to a bound.
//!
//! The values of a condition are those of the place, also in loops: none of them is
//! computed anew between the edge and a block that it dominates.
//!
//! Does not try: what follows from two conditions by arithmetic; conditions of floats;
//! what all edges into a block have in common.

mod known;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use super::value_facts::{Fact, ValueFacts};

pub use known::{Known, Operand, Outcomes};

/// How much is known at a place: an end of the list. What was known before is behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position(u32);

const NOTHING: Position = Position(0);

/// The conditions that hold in the blocks of a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Conditions {
    /// What is known, and what was before it.
    list: Vec<(Known, Position)>,
    starts: Vec<Position>,
    ends: Vec<Position>,
    checks: SecondaryMap<Inst, Position>,
}

impl Conditions {
    /// The most conditions that a question looks at.
    pub const BOUND: usize = 64;

    /// Of the blocks that the entry reaches.
    pub fn new(body: &Body, graph: &FlowGraph, dominators: &Dominators) -> Conditions {
        let nowhere = vec![NOTHING; graph.block_capacity()];
        let mut conditions = Conditions {
            list: Vec::new(),
            starts: nowhere.clone(),
            ends: nowhere,
            checks: SecondaryMap::new(),
        };
        // Which edge of a block led to each: one that is alone is found at once, of many, too.
        let mut indices = vec![0; graph.block_capacity()];
        for &block in dominators.preorder() {
            for (index, to) in graph.successors(block).iter().enumerate() {
                indices[to.index()] = index;
            }
        }
        for &block in dominators.preorder() {
            let index = indices[block.index()];
            let mut position = conditions.before(body, graph, dominators, (block, index));
            conditions.starts[block.index()] = position;
            for inst in body.layout.insts(block) {
                if says_truth(body, inst)
                    && let Some(&condition) = body.args(inst).first()
                {
                    position = conditions.learn(body, position, Known::truth(condition, 1));
                    conditions.checks[inst] = position;
                }
            }
            conditions.ends[block.index()] = position;
        }
        conditions
    }

    /// What is known where a block begins, to which an edge of that index leads.
    fn before(
        &mut self,
        body: &Body,
        graph: &FlowGraph,
        dominators: &Dominators,
        (block, index): (Block, usize),
    ) -> Position {
        let Some(above) = dominators.immediate_dominator(block) else { return NOTHING };
        let mut position = self.ends[above.index()];
        let mut before = graph.predecessors(block).iter().filter(|&&at| graph.is_reachable(at));
        if let (Some(&only), None) = (before.next(), before.next()) {
            for known in known::on_edge(body, only, index) {
                position = self.learn(body, position, known);
            }
        }
        position
    }

    /// Adds a condition, and the parts of it that hold as well.
    fn learn(&mut self, body: &Body, mut position: Position, known: Known) -> Position {
        for part in known::parts(body, known) {
            self.list.push((part, position));
            position = Position(self.list.len() as u32);
        }
        position
    }

    /// Where `block` begins.
    pub fn at_start(&self, block: Block) -> Position {
        self.starts.get(block.index()).copied().unwrap_or(NOTHING)
    }

    /// Where `block` ends, before its edges.
    pub fn at_end(&self, block: Block) -> Position {
        self.ends.get(block.index()).copied().unwrap_or(NOTHING)
    }

    /// Before `inst`; takes a step for each instruction from there to the check or promise
    /// before it.
    pub fn at(&self, body: &Body, inst: Inst) -> Position {
        let mut at = body.layout.prev_inst(inst);
        while let Some(before) = at {
            if says_truth(body, before) {
                return self.checks[before];
            }
            at = body.layout.prev_inst(before);
        }
        body.layout.block_of(inst).map_or(NOTHING, |block| self.at_start(block))
    }

    /// The instructions of `block`, each with the place before it.
    pub fn places(&self, body: &Body, block: Block) -> Vec<(Position, Inst)> {
        let mut at = self.at_start(block);
        let place = |inst: Inst| {
            let before = at;
            if says_truth(body, inst) {
                at = self.checks[inst];
            }
            (before, inst)
        };
        body.layout.insts(block).map(place).collect()
    }

    /// All that is known at a place, the latest first.
    pub fn known(&self, at: Position) -> impl Iterator<Item = Known> + '_ {
        let node = |at: Position| self.list.get((at.0 as usize).checked_sub(1)?);
        std::iter::successors(node(at), move |(_, before)| node(*before)).map(|(known, _)| *known)
    }

    /// What is known where the edge of that index leaves `block`, the latest first.
    pub fn on_edge<'a>(
        &'a self,
        body: &'a Body,
        block: Block,
        index: usize,
    ) -> impl Iterator<Item = Known> + 'a {
        let own = known::on_edge(body, block, index);
        let parts = own.flat_map(move |known| known::parts(body, known));
        parts.chain(self.known(self.at_end(block)))
    }

    /// What is known of `value` at a place, by its conditions and by `facts`; nothing of
    /// what is no number.
    pub fn fact(
        &self,
        body: &Body,
        facts: &ValueFacts,
        at: Position,
        value: Value,
    ) -> Option<Fact> {
        narrowed(body, facts, value, self.known(at))
    }

    /// The same on the edge of that index out of a block.
    pub fn fact_on_edge(
        &self,
        body: &Body,
        facts: &ValueFacts,
        (block, index): (Block, usize),
        value: Value,
    ) -> Option<Fact> {
        narrowed(body, facts, value, self.on_edge(body, block, index))
    }

    /// What a compare of two integers or addresses gives at a place, if that is known.
    pub fn compare(
        &self,
        body: &Body,
        facts: &ValueFacts,
        at: Position,
        compared: (IntCond, Value, Value),
    ) -> Option<bool> {
        compare(body, facts, compared, || self.known(at))
    }

    /// The same on the edge of that index out of a block.
    pub fn compare_on_edge(
        &self,
        body: &Body,
        facts: &ValueFacts,
        (block, index): (Block, usize),
        compared: (IntCond, Value, Value),
    ) -> Option<bool> {
        compare(body, facts, compared, || self.on_edge(body, block, index))
    }
}

/// Whether the operand of `inst` is true behind it.
fn says_truth(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::Check | Op::Assume)
}

/// What is known of `value` by `facts` and by conditions.
fn narrowed(
    body: &Body,
    facts: &ValueFacts,
    value: Value,
    known: impl Iterator<Item = Known>,
) -> Option<Fact> {
    let fact = facts.of(body, value)?;
    let narrow = |fact: Fact, known: Known| known.narrow(body, facts, value, &fact);
    Some(known.take(Conditions::BOUND).fold(fact, narrow))
}

/// What a compare gives by `facts` and by conditions.
fn compare<K: Iterator<Item = Known>>(
    body: &Body,
    facts: &ValueFacts,
    (condition, one, other): (IntCond, Value, Value),
    known: impl Fn() -> K,
) -> Option<bool> {
    let mut outcomes = Outcomes::ANY;
    for known in known().take(Conditions::BOUND) {
        outcomes = outcomes.intersection(known.outcomes(body, one, other));
    }
    outcomes.decide(condition).or_else(|| {
        let one = narrowed(body, facts, one, known())?;
        one.compare(condition, &narrowed(body, facts, other, known())?)
    })
}

#[cfg(test)]
mod tests;
