//! The order of a callee's blocks. It is asked at each call, so it takes steps for what stands
//! in the body alone: passes and texts leave numbers of values and blocks unused, which maps by
//! number would be made for each time.

use brolga_ir::body::Body;
use brolga_ir::entity::Block;
use brolga_ir::instruction::Target;
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks that the entry reaches.
pub(super) struct Order {
    /// Each before all that it leads to except along edges that lead back.
    pub(super) blocks: Vec<Block>,
    /// Where edges lead back to on the walk.
    pub(super) headers: FxHashSet<Block>,
    /// By the places of blocks in the order, whether the block stands between a header and the end
    /// of an edge that leads back to it: in a loop, and at worst beside one.
    pub(super) goes_round: Vec<bool>,
}

/// How far the walk is with a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    Met,
    Left,
}

impl Order {
    /// The same order as that of the flow graph.
    pub(super) fn new(body: &Body) -> Order {
        let (mut blocks, mut headers) = (Vec::new(), FxHashSet::default());
        let mut back: Vec<(Block, Block)> = Vec::new();
        let mut progress: FxHashMap<Block, Progress> = FxHashMap::default();
        let mut stack: Vec<(Block, usize)> =
            body.layout.entry().map(|it| (it, 0)).into_iter().collect();
        progress.extend(stack.iter().map(|&(entry, _)| (entry, Progress::Met)));
        while let Some((block, next)) = stack.last_mut() {
            let block = *block;
            let Some(target) = targets(body, block).get(*next) else {
                progress.insert(block, Progress::Left);
                blocks.push(block);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = target.block;
            match progress.get(&to) {
                Some(Progress::Left) => {}
                Some(Progress::Met) => {
                    headers.insert(to);
                    back.push((to, block));
                }
                None if body.layout.is_placed(to) => {
                    progress.insert(to, Progress::Met);
                    stack.push((to, 0));
                }
                None => {}
            }
        }
        blocks.reverse();
        let goes_round = between(&blocks, &back);
        Order { blocks, headers, goes_round }
    }
}

/// Which of the blocks stand between those of a pair, or are one.
fn between(blocks: &[Block], pairs: &[(Block, Block)]) -> Vec<bool> {
    let mut is_between = vec![false; blocks.len()];
    if pairs.is_empty() {
        return is_between;
    }
    let places: FxHashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
    let mut begun = vec![0_i32; blocks.len() + 1];
    for (first, last) in pairs {
        if let (Some(&first), Some(&last)) = (places.get(first), places.get(last)) {
            begun[first] += 1;
            begun[last + 1] -= 1;
        }
    }
    let mut open = 0;
    for (is_between, begun) in is_between.iter_mut().zip(begun) {
        open += begun;
        *is_between = open > 0;
    }
    is_between
}

/// Where the end of a block leads.
pub(super) fn targets(body: &Body, block: Block) -> &[Target] {
    body.layout.last_inst(block).map_or(&[], |last| body.targets(last))
}

#[cfg(test)]
mod tests {
    use brolga_ir::flow::FlowGraph;
    use brolga_ir::text::parse_module;

    use super::*;
    use crate::pass::headers;

    const CYCLES: &str = "
func @f(i64) {
entry(%x: i64):
    switch.i64 %x, [0: left, 1: right, 2: out], loop
nowhere:
    jump loop
loop:
    branch 1, inside, loop
inside:
    switch.i64 %x, [0: loop, 1: out, 2: left], inside
left:
    branch 0, right, out
right:
    branch 0, left, out
out:
    return
}";

    #[test]
    fn blocks_come_as_in_the_graph_and_headers_are_those_of_it() {
        let module = parse_module(CYCLES).unwrap();
        let function = module.function_named("f").unwrap();
        let body = module.function(function).unwrap().body.as_deref().unwrap();
        let graph = FlowGraph::new(body);
        let order = Order::new(body);
        assert_eq!(order.blocks, graph.reverse_postorder().collect::<Vec<_>>());
        let headers = headers(&graph);
        for block in body.layout.blocks() {
            assert_eq!(order.headers.contains(&block), headers.contains(block), "{block}");
        }
        let named = |block: &Block| body.block_name(*block).unwrap_or_default().to_owned();
        let inside = order.blocks.iter().zip(&order.goes_round).filter(|(_, goes)| **goes);
        let inside: Vec<String> = inside.map(|(block, _)| named(block)).collect();
        assert_eq!(inside, ["loop", "inside", "left", "right"]);
    }
}
