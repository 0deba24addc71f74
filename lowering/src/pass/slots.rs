//! Slots whose bytes become values: what `sroa` does with those that code declares, and
//! `alloc_opt` with those that it makes.

mod accesses;
mod addresses;
mod copies;
mod extents;
mod partition;
mod rewrite;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{EntitySet, Slot};
use brolga_ir::flow::FlowGraph;

use super::{Change, Editor, PassContext};
use accesses::Uses;
use addresses::Addresses;
use extents::Extents;
use partition::Plan;
use rewrite::{Findings, Rewriter};

/// How often a plan is made anew without the slots that are live in too many blocks.
const MOST_PLANS: usize = 3;

/// Turns slots into values but those in `refused`; or does nothing, and gives those of
/// `whole` of which something would stay in memory.
pub(crate) fn take_apart(
    body: &mut Body,
    context: &mut PassContext<'_>,
    mut refused: EntitySet<Slot>,
    whole: &[Slot],
) -> Result<Change, Vec<Slot>> {
    let mut shape = None;
    let addresses = Addresses::new(body);
    for _ in 0..MOST_PLANS {
        let types = &context.module.types;
        let uses = Uses::new(body, types, &addresses, &refused);
        let plan = Plan::new(body, types, &uses);
        let stay: Vec<Slot> = whole.iter().copied().filter(|&slot| !plan.vanishes(slot)).collect();
        if !stay.is_empty() {
            return Err(stay);
        }
        if !plan.has_gain(body) {
            return Ok(Change::Nothing);
        }
        // Most slots have no part that is worth it.
        let (graph, dominators) = shape.get_or_insert_with(|| {
            let graph = FlowGraph::new(body);
            let dominators = Dominators::new(&graph);
            (graph, dominators)
        });
        let extents = Extents::new(body, graph, dominators, &uses, &plan);
        if extents.excess.is_empty() {
            let found =
                Findings { addresses: &addresses, uses: &uses, plan: &plan, extents: &extents };
            Rewriter::new(Editor::new(body, context), found).run(graph, dominators);
            return Ok(Change::Something);
        }
        for slot in extents.excess {
            refused.insert(slot);
        }
    }
    if whole.is_empty() { Ok(Change::Nothing) } else { Err(whole.to_vec()) }
}
