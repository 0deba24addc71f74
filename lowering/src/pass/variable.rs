//! A variable with values at several places, as parameters of blocks.
//!
//! Blocks in which it is live are found backward from where it is wanted. There it has the
//! value of the immediate dominator's end, unless an edge brings another one: then the
//! block has a parameter. That is asked again until nothing changes, a few rounds of the
//! region and no step outside of it (the result is that of Cytron, Ferrante, Rosen, Wegman and Zadeck, "Efficiently
//! computing static single assignment form and the control dependence graph", 1991, pruned).

use std::collections::BTreeMap;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::IncomingEdges;

/// What stays as it is while variables are placed: parameters come, blocks and edges do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph<'a> {
    pub(crate) flow: &'a FlowGraph,
    pub(crate) dominators: &'a Dominators,
    pub(crate) edges: &'a IncomingEdges,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    ty: Type,
    /// The value that it has where a block ends that changes it.
    ends: BTreeMap<Block, Value>,
    /// The value that it has where a block begins.
    starts: FxHashMap<Block, Value>,
    params: FxHashSet<Block>,
    added: Vec<Block>,
}

impl Variable {
    /// A variable that no block gives a value yet.
    pub(crate) fn new(ty: Type) -> Variable {
        Variable {
            ty,
            ends: BTreeMap::new(),
            starts: FxHashMap::default(),
            params: FxHashSet::default(),
            added: Vec::new(),
        }
    }

    /// Says what it is where `block` ends.
    pub(crate) fn set_end(&mut self, block: Block, value: Value) {
        self.ends.insert(block, value);
    }

    /// What it is where `block` begins, behind [`place`](Self::place).
    pub(crate) fn at_start(&self, block: Block) -> Option<Value> {
        self.starts.get(&block).copied()
    }

    /// What it is where `block` ends, behind [`place`](Self::place).
    pub(crate) fn at_end(&self, block: Block) -> Option<Value> {
        self.ends.get(&block).or_else(|| self.starts.get(&block)).copied()
    }

    /// The blocks that got a parameter.
    pub(crate) fn blocks_with_params(&self) -> &[Block] {
        &self.added
    }

    /// The blocks in which it is live where those begin at which it is wanted; nothing if
    /// some path from the entry gives it no value, or if these are more than `most`.
    pub(crate) fn live_blocks(
        &self,
        graph: Graph<'_>,
        wanted: impl IntoIterator<Item = Block>,
        most: usize,
    ) -> Option<Vec<Block>> {
        let mut seen = FxHashSet::default();
        let mut live = Vec::new();
        let mut stack: Vec<Block> = wanted.into_iter().collect();
        while let Some(block) = stack.pop() {
            if !seen.insert(block) {
                continue;
            }
            let before = graph.flow.predecessors(block);
            if before.is_empty() || live.len() == most {
                return None;
            }
            live.push(block);
            stack.extend(before.iter().filter(|before| !self.ends.contains_key(before)));
        }
        live.sort_unstable_by_key(|&block| graph.flow.reverse_postorder_number(block));
        Some(live)
    }

    /// Finds its value in the blocks that [`live_blocks`](Self::live_blocks) gave, with
    /// parameters where values meet.
    pub(crate) fn place(&mut self, body: &mut Body, graph: Graph<'_>, live: &[Block]) {
        loop {
            self.inherit(graph, live);
            let meets = |block: &&Block| {
                let inherited = self.starts.get(block).copied();
                let mut before = graph.flow.predecessors(**block).iter();
                !self.params.contains(block) && before.any(|&from| self.at_end(from) != inherited)
            };
            let meeting: Vec<Block> = live.iter().filter(meets).copied().collect();
            if meeting.is_empty() {
                break;
            }
            for block in meeting {
                let param = body.append_param(block, self.ty);
                self.starts.insert(block, param);
                self.params.insert(block);
                self.added.push(block);
            }
        }
        for &block in &self.added {
            for edge in graph.edges.of(block) {
                let from = body.layout.block_of(edge.inst);
                if let Some(value) = from.and_then(|from| self.at_end(from)) {
                    body.push_target_arg(edge.inst, edge.index as usize, value);
                }
            }
        }
    }

    /// Gives the blocks without a parameter what their immediate dominators end with.
    fn inherit(&mut self, graph: Graph<'_>, live: &[Block]) {
        for block in live.iter().filter(|block| !self.params.contains(block)) {
            let above = graph.dominators.immediate_dominator(*block);
            match above.and_then(|above| self.at_end(above)) {
                Some(value) => self.starts.insert(*block, value),
                None => self.starts.remove(block),
            };
        }
    }
}
