//! Which exits of loops keep to themselves.

use std::rc::Rc;

use brolga_ir::entity::{Block, SecondaryMap};
use brolga_ir::flow::FlowGraph;
use rustc_hash::FxHashMap;

use crate::analysis::{Loop, Loops};

/// The loops of a graph, and what leads to the blocks behind them.
pub(super) struct Exits {
    loops: Rc<Loops>,
    /// Where blocks stand in an order in which those of each loop are side by side, and behind
    /// all of them those in no loop.
    places: SecondaryMap<Block, u32>,
    /// The first two and the last two of the blocks that lead to one, in that order: as many
    /// edges may ask for one block as lead to it.
    before: FxHashMap<Block, Vec<Block>>,
}

impl Exits {
    pub(super) fn new(loops: Rc<Loops>) -> Exits {
        let mut places = SecondaryMap::with_default(u32::MAX);
        let is_outermost = |id: &Loop| loops.get(*id).is_some_and(|data| data.parent.is_none());
        let blocks = loops.all().filter(is_outermost).flat_map(|id| loops.blocks(id));
        for (place, &block) in (0..).zip(blocks) {
            places[block] = place;
        }
        Exits { loops, places, before: FxHashMap::default() }
    }

    /// The innermost loop that an edge leaves.
    pub(super) fn left(&self, from: Block, to: Block) -> Option<Loop> {
        self.loops.innermost(from).filter(|&id| !self.loops.contains(id, to))
    }

    /// Whether nothing leads to `block` but a loop and `other`, which stands outside of that.
    pub(super) fn is_behind(
        &mut self,
        graph: &FlowGraph,
        block: Block,
        (left, other): (Loop, Block),
    ) -> bool {
        let Exits { loops, places, before } = self;
        let ends = before.entry(block).or_insert_with(|| {
            let mut all = graph.predecessors(block).to_vec();
            all.sort_unstable_by_key(|&from| (places[from], from));
            all.dedup();
            let behind = all.split_off(all.len().min(2));
            all.extend(behind.iter().rev().take(2));
            all
        });
        ends.iter().all(|&from| from == other || loops.contains(left, from))
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::dominators::Dominators;
    use brolga_ir::text::parse_module;

    use super::*;

    /// Loops in each other and behind each other, and ways out of all of them.
    const LOOPS: &str = "
func @f(i64) {
entry(%x: i64):
    jump outer
outer:
    switch.i64 %x, [0: middle, 1: found, 2: break1, 3: far], tail
middle:
    switch.i64 %x, [0: inner, 1: found, 2: break2, 3: break3], outer
inner:
    switch.i64 %x, [0: inner, 1: found, 2: found, 3: break4, 4: near], middle
tail:
    switch.i64 %x, [0: outer, 1: near], second
second:
    switch.i64 %x, [0: second, 1: far, 2: break5], third
third:
    switch.i64 %x, [0: third, 1: break6], far
break1:
    jump found
break2:
    jump near
break3:
    jump middle_found
break4:
    jump middle_found
middle_found:
    jump near
break5:
    branch 1, far, far
break6:
    jump alone
found:
    return
near:
    return
far:
    return
alone:
    return
}";

    #[test]
    fn a_block_is_behind_a_loop_if_all_that_leads_there_is_in_it_but_one() {
        let module = parse_module(LOOPS).unwrap();
        let function = module.function_named("f").unwrap();
        let body = module.function(function).unwrap().body.as_deref().unwrap();
        let graph = FlowGraph::new(body);
        let loops = Rc::new(Loops::new(&graph, &Dominators::new(&graph)));
        let mut exits = Exits::new(Rc::clone(&loops));
        let mut found = 0;
        for left in loops.all() {
            for other in body.layout.blocks().filter(|&other| !loops.contains(left, other)) {
                for block in body.layout.blocks() {
                    let mut before = graph.predecessors(block).iter();
                    let expected = before.all(|&from| from == other || loops.contains(left, from));
                    let is_behind = exits.is_behind(&graph, block, (left, other));
                    assert_eq!(is_behind, expected, "{block} behind {left} and {other}");
                    found += usize::from(expected && !graph.predecessors(block).is_empty());
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}
