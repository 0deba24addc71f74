//! What needs the graph of blocks: dominance, loops and regions.

use super::Rule;
use super::function::Checker;
use super::report::At;
use crate::body::{Body, ValueDef};
use crate::dominators::Dominators;
use crate::entity::{Block, EntityRef, Inst, Value};
use crate::flow::FlowGraph;
use crate::op::Op;

/// How the blocks of a body lead to each other.
#[derive(Default)]
struct Flow {
    graph: FlowGraph,
    /// Nothing of a body that is one block: what it asks for is told by positions.
    dominators: Option<Dominators>,
}

impl Flow {
    fn new(body: &Body) -> Flow {
        let graph = FlowGraph::new(body);
        let dominators = Some(Dominators::new(&graph));
        Flow { graph, dominators }
    }

    fn dominates(&self, above: Block, below: Block) -> bool {
        match &self.dominators {
            Some(dominators) => dominators.dominates(above, below),
            None => above == below,
        }
    }

    fn is_reachable(&self, block: Block) -> bool {
        self.dominators.as_ref().is_none_or(|dominators| dominators.is_reachable(block))
    }
}

/// Whether a body is one block, which leads nowhere.
fn is_single_block(body: &Body) -> bool {
    let mut blocks = body.layout.blocks();
    let last = blocks.next().and_then(|block| body.layout.last_inst(block));
    blocks.next().is_none() && last.is_some_and(|last| body.targets(last).is_empty())
}

impl Checker<'_, '_> {
    pub(super) fn check_flow(&mut self) {
        let body = self.body;
        let flow = match is_single_block(body) && !self.has_regions {
            true => Flow::default(),
            false => Flow::new(body),
        };
        self.report.work += flow.graph.edge_count() as u64;
        self.report.work += flow.dominators.as_ref().map_or(0, Dominators::work);
        if let Some(entry) = body.layout.entry() {
            self.check_entry(&flow.graph, entry);
        }
        for block in body.layout.blocks() {
            self.check_uses(&flow, block);
            self.check_loop_marks(&flow, block);
        }
        if self.has_regions {
            self.check_regions(&flow.graph);
        }
    }

    fn check_entry(&mut self, graph: &FlowGraph, entry: Block) {
        if let Some(&from) = graph.predecessors(entry).first() {
            let at = self.body.layout.last_inst(from).map_or(At::Block(from), At::Inst);
            let message =
                format_args!("nothing may lead to the first block; put an empty one before it");
            self.fail(Rule::EntryPredecessor, at, message);
        }
    }

    fn check_uses(&mut self, flow: &Flow, block: Block) {
        let body = self.body;
        for inst in self.insts(block) {
            for &value in body.args(inst) {
                self.check_use(flow, block, inst, value, Edge::None);
            }
            for (i, target) in body.targets(inst).iter().enumerate() {
                let edge = if i == 0 { Edge::First } else { Edge::Other };
                for &value in body.target_args(target) {
                    self.check_use(flow, block, inst, value, edge);
                }
            }
        }
    }

    fn check_use(&mut self, flow: &Flow, block: Block, inst: Inst, value: Value, edge: Edge) {
        self.report.work += 1;
        let body = self.body;
        let dominated = match body.value_def(value) {
            ValueDef::Constant(_) | ValueDef::Unused => true,
            ValueDef::Param(by, _) => flow.dominates(by, block),
            ValueDef::Result(by, _) if body.inst(by).op.is_terminator() => {
                if by != inst || edge != Edge::First {
                    let name = self.show_value(value);
                    let message = format_args!(
                        "{name} exists only on the normal edge of the call; pass it as an argument there"
                    );
                    self.fail(Rule::TryResult, At::Inst(inst), message);
                }
                true
            }
            ValueDef::Result(by, _) => match body.layout.block_of(by) {
                Some(from) if from == block => {
                    self.positions[by.index()] < self.positions[inst.index()]
                }
                Some(from) => flow.dominates(from, block),
                None => true,
            },
        };
        // No execution comes to a block that the entry does not reach.
        if !dominated && flow.is_reachable(block) {
            let name = self.show_value(value);
            let message = format_args!("{name} is not defined on every path to its use");
            self.fail(Rule::Dominance, At::Inst(inst), message);
        }
    }

    fn check_loop_marks(&mut self, flow: &Flow, block: Block) {
        let body = self.body;
        let mut marks = self.insts(block).filter(|&inst| body.inst(inst).op == Op::LoopMark);
        let Some(mark) = marks.next() else { return };
        if let Some(second) = marks.next() {
            let message = format_args!("the block has a loop mark already");
            self.fail(Rule::LoopMark, At::Inst(second), message);
        }
        let before = flow.graph.predecessors(block);
        self.report.work += before.len() as u64;
        let is_header = before.iter().any(|&from| flow.dominates(block, from));
        if !is_header && flow.is_reachable(block) {
            let message =
                format_args!("the block is no header of a loop: no block below leads back to it");
            self.fail(Rule::LoopMark, At::Inst(mark), message);
        }
    }
}

/// The edge along which an instruction uses a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    None,
    First,
    Other,
}
