//! Handler regions: which ones each block is inside of.
//!
//! Each `enter` is one node of a tree whose root is outside of all regions; a
//! block is at one node. `leave n` goes up n nodes, by jumps that halve what
//! is left (Myers, "An applicative random-access stack", 1983), so that deep
//! nesting left by many blocks stays near-linear.

use super::Rule;
use super::function::Checker;
use super::report::At;
use crate::entity::{Block, EntityRef, Inst};
use crate::flow::FlowGraph;
use crate::instruction::Payload;
use crate::op::{Effects, Op};

/// A node of the tree.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    parent: u32,
    /// A node further up.
    jump: u32,
    /// How many regions are around, its own among them.
    pub(crate) depth: u32,
}

/// The tree of a body's regions.
pub(crate) struct Regions {
    nodes: Vec<Region>,
}

/// The root: inside of none.
pub(crate) const OUTSIDE: u32 = 0;

impl Regions {
    pub(crate) fn new() -> Regions {
        Regions { nodes: vec![Region { parent: OUTSIDE, jump: OUTSIDE, depth: 0 }] }
    }

    pub(crate) fn at(&self, node: u32) -> Region {
        self.nodes[node as usize]
    }

    /// A new node below `parent`.
    pub(crate) fn enter(&mut self, parent: u32) -> u32 {
        let (up, far) = (self.at(parent), self.at(self.at(parent).jump));
        let even = up.depth - far.depth == far.depth - self.at(far.jump).depth;
        let jump = if even { far.jump } else { parent };
        self.nodes.push(Region { parent, jump, depth: up.depth + 1 });
        self.nodes.len() as u32 - 1
    }

    /// The node of `depth` above `node`, and how many steps led there.
    pub(crate) fn ancestor(&self, mut node: u32, depth: u32) -> (u32, u64) {
        let mut steps = 0;
        while self.at(node).depth > depth {
            let jump = self.at(node).jump;
            node = if self.at(jump).depth >= depth { jump } else { self.at(node).parent };
            steps += 1;
        }
        (node, steps)
    }
}

impl Checker<'_, '_> {
    pub(super) fn check_regions(&mut self, graph: &FlowGraph) {
        let mut regions = Regions::new();
        let mut inside: Vec<Option<u32>> = vec![None; graph.block_capacity()];
        for block in graph.reverse_postorder() {
            // Every block but the entry stands behind one that leads to it.
            let mut node = inside[block.index()].unwrap_or(OUTSIDE);
            for inst in self.insts(block) {
                node = self.pass(&mut regions, node, inst);
            }
            if let Some(last) = self.body.layout.last_inst(block) {
                self.leave_block(&mut regions, &mut inside, node, last);
            }
        }
    }

    /// The region behind `inst`, no terminator, where `node` is the one before it.
    fn pass(&mut self, regions: &mut Regions, node: u32, inst: Inst) -> u32 {
        self.report.work += 1;
        let data = self.body.inst(inst);
        let (Op::Leave, Payload::Count(count)) = (data.op, data.payload) else { return node };
        let depth = regions.at(node).depth;
        if count > depth {
            let message = format_args!("{count} regions cannot be left inside of {depth}");
            self.fail(Rule::RegionNesting, At::Inst(inst), message);
        }
        let (outer, steps) = regions.ancestor(node, depth.saturating_sub(count));
        self.report.work += steps;
        outer
    }

    fn leave_block(
        &mut self,
        regions: &mut Regions,
        inside: &mut [Option<u32>],
        node: u32,
        last: Inst,
    ) {
        let op = self.body.inst(last).op;
        let returns =
            op == Op::Return || op.is_call() && op.info().effects.contains(Effects::NO_RETURN);
        if returns && node != OUTSIDE {
            let depth = regions.at(node).depth;
            let message = format_args!("{depth} regions must be left before the function returns");
            self.fail(Rule::ReturnInRegion, At::Inst(last), message);
        }
        let body = if op == Op::Enter { regions.enter(node) } else { node };
        for (i, target) in self.body.targets(last).iter().enumerate() {
            self.arrive(inside, target.block, if i == 0 { body } else { node }, last);
        }
    }

    fn arrive(&mut self, inside: &mut [Option<u32>], block: Block, node: u32, from: Inst) {
        self.report.work += 1;
        let known = inside[block.index()].get_or_insert(node);
        if *known != node {
            let name = self.show_block(block);
            let message = format_args!("another path leads to {name} inside of other regions");
            self.fail(Rule::RegionNesting, At::Inst(from), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_ancestor_is_found_in_few_steps() {
        let mut regions = Regions::new();
        let mut path = vec![OUTSIDE];
        for _ in 0..5000 {
            let top = *path.last().unwrap();
            path.push(regions.enter(top));
        }
        for depth in [0, 1, 17, 2500, 4999, 5000] {
            let (node, steps) = regions.ancestor(path[5000], depth);
            assert_eq!(node, path[depth as usize]);
            assert!(steps <= 40, "{steps}");
        }
    }
}
