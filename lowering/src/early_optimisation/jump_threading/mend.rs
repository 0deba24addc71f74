//! Values of copied blocks, which have several definitions then.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::FlowGraph;
use smallvec::SmallVec;

use crate::pass::{
    Copies, Graph, IncomingEdges, Uses, Variable, can_be_param, remove_unreachable_blocks,
};

/// The most values of a block that others may use.
const MOST_VALUES: usize = 8;

/// Through how many blocks such a value may be followed.
const MOST_BLOCKS: usize = 100;

/// A copy of a block.
#[derive(Debug)]
pub(super) struct Copied {
    pub(super) home: Block,
    pub(super) copy: Block,
    pub(super) copies: Copies,
}

/// The copies of one block, which stand behind each other, and what it gives values.
struct Group<'a> {
    home: Block,
    values: Vec<Value>,
    copied: &'a [Copied],
}

impl<'a> Group<'a> {
    fn of(body: &Body, copied: &'a [Copied]) -> Option<Group<'a>> {
        let home = copied.first()?.home;
        Some(Group { home, values: defined(body, home), copied })
    }
}

/// Whether the values of `block` that others use can be brought together.
pub(super) fn can_be_mended(body: &Body, graph: Graph<'_>, uses: &Uses, block: Block) -> bool {
    let mut count = 0;
    defined(body, block).into_iter().all(|value| {
        let users = users_elsewhere(body, uses, value, block);
        if users.is_empty() {
            return true;
        }
        count += 1;
        let mut variable = Variable::new(body.value_type(value));
        variable.set_end(block, value);
        count <= MOST_VALUES
            && can_be_param(body.value_type(value))
            && variable.live_blocks(graph, blocks_of(body, &users), MOST_BLOCKS).is_some()
    })
}

/// Brings together what the copies of blocks give for values that others use.
pub(super) fn mend(body: &mut Body, copied: &[Copied]) {
    let groups: Vec<Group<'_>> = copied
        .chunk_by(|one, other| one.home == other.home)
        .filter_map(|it| Group::of(body, it))
        .collect();
    remove_unreachable_blocks(body);
    let flow = FlowGraph::new(body);
    let dominators = Dominators::new(&flow);
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let mut uses = Uses::new(body);
    // Later ones first: what a copy takes for a parameter is of an earlier block, and has
    // several definitions itself if that was copied, too.
    for Group { home, values, copied } in groups.into_iter().rev() {
        for value in values {
            let users = users_elsewhere(body, &uses, value, home);
            if users.is_empty() {
                continue;
            }
            let mut variable = Variable::new(body.value_type(value));
            let stays = flow.is_reachable(home).then_some((home, value));
            let others = copied.iter().map(|it| (it.copy, it.copies.value(value)));
            for (block, value) in stays.into_iter().chain(others) {
                variable.set_end(block, value);
            }
            let live = variable.live_blocks(graph, blocks_of(body, &users), usize::MAX);
            variable.place(body, graph, &live.unwrap_or_default());
            for &block in variable.blocks_with_params() {
                let ends = edges.of(block).iter().map(|edge| edge.inst);
                ends.for_each(|inst| uses.add(body, inst));
            }
            for user in users {
                let block = body.layout.block_of(user);
                if let Some(now) = block.and_then(|block| variable.at_start(block)) {
                    uses.replace(body, user, value, now);
                }
            }
        }
    }
}

/// What `block` gives values: its parameters and the results of what stands in it.
fn defined(body: &Body, block: Block) -> Vec<Value> {
    let results = body.layout.insts(block).flat_map(|inst| body.results(inst));
    body.params(block).iter().chain(results).copied().collect()
}

fn users_elsewhere(body: &Body, uses: &Uses, value: Value, home: Block) -> SmallVec<[Inst; 4]> {
    let mut users = uses.of(body, value);
    users.retain(|user| body.layout.block_of(*user) != Some(home));
    users
}

fn blocks_of<'a>(body: &'a Body, users: &'a [Inst]) -> impl Iterator<Item = Block> + 'a {
    users.iter().filter_map(|&user| body.layout.block_of(user))
}
