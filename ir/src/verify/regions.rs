//! Handler regions: which ones each block is inside of, one and the same on
//! every path.

use super::Rule;
use super::function::Checker;
use super::report::At;
use crate::entity::{Block, EntityRef, Inst};
use crate::flow::FlowGraph;
use crate::instruction::Payload;
use crate::op::{Effects, Op};
use crate::regions::{OUTSIDE, Region, RegionTree};

impl Checker<'_, '_> {
    pub(super) fn check_regions(&mut self, graph: &FlowGraph) {
        let mut regions = RegionTree::default();
        let mut inside: Vec<Option<Region>> = vec![None; graph.block_capacity()];
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
        self.report.work += regions.work();
    }

    /// The region behind `inst`, no terminator, where `node` is the one before it.
    fn pass(&mut self, regions: &mut RegionTree, node: Region, inst: Inst) -> Region {
        self.report.work += 1;
        let data = self.body.inst(inst);
        let (Op::Leave, Payload::Count(count)) = (data.op, data.payload) else { return node };
        let depth = regions.depth(node);
        if count > depth {
            let message = format_args!("{count} regions cannot be left inside of {depth}");
            self.fail(Rule::RegionNesting, At::Inst(inst), message);
        }
        regions.leave(node, count)
    }

    fn leave_block(
        &mut self,
        regions: &mut RegionTree,
        inside: &mut [Option<Region>],
        node: Region,
        last: Inst,
    ) {
        let op = self.body.inst(last).op;
        let returns =
            op == Op::Return || op.is_call() && op.info().effects.contains(Effects::NO_RETURN);
        if returns && node != OUTSIDE {
            let depth = regions.depth(node);
            let message = format_args!("{depth} regions must be left before the function returns");
            self.fail(Rule::ReturnInRegion, At::Inst(last), message);
        }
        let body = if op == Op::Enter { regions.enter(node) } else { node };
        for (i, target) in self.body.targets(last).iter().enumerate() {
            self.arrive(inside, target.block, if i == 0 { body } else { node }, last);
        }
    }

    fn arrive(&mut self, inside: &mut [Option<Region>], block: Block, node: Region, from: Inst) {
        self.report.work += 1;
        let known = inside[block.index()].get_or_insert(node);
        if *known != node {
            let name = self.show_block(block);
            let message = format_args!("another path leads to {name} inside of other regions");
            self.fail(Rule::RegionNesting, At::Inst(from), message);
        }
    }
}
