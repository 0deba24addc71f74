//! Which values are live where blocks begin: defined before, and used there or later.
//!
//! From each use, predecessors are followed up to the definition, and every block on
//! the way notes the value (Boissinot, Brandner, Darte, de Dinechin and Rastello,
//! "Computing liveness sets for SSA-form programs", 2011). Values come one after
//! another, so that a look at the last one noted tells whether the way was gone
//! before, and each set is sorted. It takes O(uses + edges for each noted value):
//! linear in what it gives, which for common code is a few values for each block, and
//! for values that are live everywhere is values times blocks. Who needs a few of the
//! values only asks for those by [`Liveness::of`].
//!
//! A value that is handed to a block parameter is used at the end of the block that
//! hands it over. Constants are never live. Blocks that the entry does not reach use
//! nothing.
//!
//! Does not try: places inside of blocks, which a walk from the end of the block gives.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, Value};
use brolga_ir::flow::FlowGraph;

/// The values that are live where blocks begin and end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    live_in: Vec<Vec<Value>>,
}

impl Liveness {
    /// Of all values.
    pub fn new(body: &Body, graph: &FlowGraph) -> Liveness {
        Liveness::of(body, graph, |_| true)
    }

    /// Of those values that are of interest.
    pub fn of(body: &Body, graph: &FlowGraph, is_of_interest: impl Fn(Value) -> bool) -> Liveness {
        let mut live_in: Vec<Vec<Value>> = vec![Vec::new(); graph.block_capacity()];
        let mut stack: Vec<Block> = Vec::new();
        for (value, defined, uses) in Uses::new(body, graph, is_of_interest).iter() {
            stack.extend(uses);
            while let Some(block) = stack.pop() {
                let live = &mut live_in[block.index()];
                if block == defined || live.last() == Some(&value) {
                    continue;
                }
                live.push(value);
                let before = graph.predecessors(block).iter();
                stack.extend(before.filter(|&&before| graph.is_reachable(before)));
            }
        }
        Liveness { live_in }
    }

    /// The values that are live where `block` begins, its parameters left out, in
    /// ascending order.
    pub fn live_in(&self, block: Block) -> &[Value] {
        self.live_in.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether `value` is live where `block` begins.
    pub fn is_live_in(&self, block: Block, value: Value) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }

    /// The values that are live where some block behind `block` begins, in ascending
    /// order. What `block` hands to parameters is not among them for that alone.
    pub fn live_out(&self, block: Block, graph: &FlowGraph) -> Vec<Value> {
        let behind = graph.successors(block).iter();
        let mut values: Vec<Value> = behind.flat_map(|&to| self.live_in(to)).copied().collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Whether `value` is live where some block behind `block` begins.
    pub fn is_live_out(&self, block: Block, graph: &FlowGraph, value: Value) -> bool {
        graph.successors(block).iter().any(|&to| self.is_live_in(to, value))
    }
}

/// Where values are used outside of the blocks that define them, by value.
struct Uses {
    /// A value, the block that defines it, and the end of its uses in the list.
    values: Vec<(Value, Block, usize)>,
    blocks: Vec<Block>,
}

impl Uses {
    fn new(body: &Body, graph: &FlowGraph, is_of_interest: impl Fn(Value) -> bool) -> Uses {
        let mut defined = vec![None; body.value_count()];
        for (index, block) in defined.iter_mut().enumerate() {
            let value = Value::new(index);
            *block = body.defining_block(value).filter(|_| is_of_interest(value));
        }
        let mut pairs: Vec<(Value, Block)> = Vec::new();
        for block in graph.reverse_postorder() {
            for value in body.layout.insts(block).flat_map(|inst| body.uses(inst)) {
                let elsewhere = defined.get(value.index()).copied().flatten();
                if elsewhere.is_some_and(|defined| defined != block) {
                    pairs.push((value, block));
                }
            }
        }
        let mut ends = vec![0; body.value_count() + 1];
        pairs.iter().for_each(|(value, _)| ends[value.index() + 1] += 1);
        (1..ends.len()).for_each(|index| ends[index] += ends[index - 1]);
        let mut blocks = vec![Block::new(0); pairs.len()];
        // The end of the uses before is where these begin, until they are placed.
        for (value, block) in pairs {
            let next = &mut ends[value.index()];
            blocks[*next] = block;
            *next += 1;
        }
        let used = defined.iter().enumerate();
        let used = used.filter_map(|(index, &block)| Some((Value::new(index), block?)));
        let values = used.map(|(value, block)| (value, block, ends[value.index()]));
        Uses { values: values.collect(), blocks }
    }

    /// Each value, the block that defines it, and those that use it.
    fn iter(&self) -> impl Iterator<Item = (Value, Block, &[Block])> {
        let mut start = 0;
        self.values.iter().map(move |&(value, block, end)| {
            (value, block, &self.blocks[std::mem::replace(&mut start, end)..end])
        })
    }
}

#[cfg(test)]
mod tests;
