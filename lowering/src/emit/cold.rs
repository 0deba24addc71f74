//! Which blocks stand behind all others: what next to never runs.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet};
use brolga_ir::flow::FlowGraph;

/// The blocks to which none but edges of weight 0 and unwind edges lead, and what leads
/// from such blocks alone: O(edges).
pub(super) fn cold_blocks(body: &Body, graph: &FlowGraph) -> EntitySet<Block> {
    let mut warm: EntitySet<Block> = EntitySet::new();
    warm.extend(graph.postorder().last().copied());
    let mut cold = EntitySet::new();
    for block in graph.reverse_postorder() {
        if !warm.contains(block) {
            cold.insert(block);
            continue;
        }
        let Some(last) = body.layout.last_inst(block) else { continue };
        let weights = body.weights(last).unwrap_or(&[]);
        let is_try = body.inst(last).op.is_try_call();
        for (index, target) in body.targets(last).iter().enumerate() {
            let is_seldom = weights.get(index) == Some(&0) || (is_try && index == 1);
            if !is_seldom {
                warm.insert(target.block);
            }
        }
    }
    cold
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    fn cold_names(code: &str) -> Vec<String> {
        let text = format!("func @g() {{\nb:\n  return\n}}\nfunc @f(i1) {{\n{code}}}\n");
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let id = module.function_named("f").unwrap();
        let body = module.function(id).unwrap().body.as_deref().unwrap();
        let cold = cold_blocks(body, &FlowGraph::new(body));
        let names = body.layout.blocks().filter(|&block| cold.contains(block));
        names.map(|block| body.block_name(block).unwrap_or("").to_owned()).collect()
    }

    #[test]
    fn blocks_are_cold_that_only_edges_of_weight_zero_lead_to() {
        let code = "a(%c: i1):\n  branch %c, b, c weights(0, 1)\nb:\n  jump d\nc:\n  \
                    branch %c, e, d weights(1, 2000)\nd:\n  return\ne:\n  return\n";
        assert_eq!(cold_names(code), ["b"]);
    }

    #[test]
    fn what_cold_blocks_alone_lead_to_is_cold_loops_too() {
        let code = "a(%c: i1):\n  branch %c, b, z weights(0, 1)\nb:\n  jump l\nl:\n  \
                    branch %c, l, m\nm:\n  return\nz:\n  return\n";
        assert_eq!(cold_names(code), ["b", "l", "m"]);
    }

    #[test]
    fn handlers_are_cold_and_what_they_share_is_not() {
        let code = "a(%c: i1):\n  try_call @g() normal b, unwind h\nb:\n  jump d\nh:\n  \
                    jump d\nd:\n  return\n";
        assert_eq!(cold_names(code), ["h"]);
    }
}
