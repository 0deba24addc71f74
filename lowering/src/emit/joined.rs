//! Blocks that go on where another one ends: nothing but its jump leads to them.
//!
//! The back end makes such a pair one block only where it rewrites, and it keeps no value
//! in a register from one block to another where it assigns registers in one pass: a block
//! more is code, and time to compile it.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::op::Op;

use super::fault::{Emitted, Fault};
use super::function::{Emitter, is_loop_header};

/// The reachable blocks to which one jump alone leads, and the first one if nothing leads to
/// it: O(blocks).
pub(super) fn joined_blocks(body: &Body, graph: &FlowGraph) -> EntitySet<Block> {
    let mut joined = EntitySet::new();
    let ends_in_jump = |block: Block| {
        let last = body.layout.last_inst(block);
        last.is_some_and(|last| body.inst(last).op == Op::Jump)
    };
    let entry = body.layout.entry();
    joined.extend(graph.reverse_postorder().filter(|&block| match graph.predecessors(block) {
        [] => Some(block) == entry,
        &[from] => Some(block) != entry && ends_in_jump(from),
        _ => false,
    }));
    joined
}

/// The blocks that do nothing but lead on to another, which can be led to in their place: by
/// that one. A way back is not among them, nor is a loop's first block, where code may be
/// asked to stop.
pub(super) fn empty_blocks(
    body: &Body,
    graph: &FlowGraph,
    joined: &EntitySet<Block>,
) -> Vec<(Block, Block)> {
    let onward = |block: Block| {
        let first = body.layout.first_inst(block)?;
        let Payload::Jump(target) = body.inst(first).payload else { return None };
        let is_bare = body.params(block).is_empty() && target.args.is_empty();
        let is_own = |block: Block| !joined.contains(block);
        let leads_on = graph.postorder_number(target.block) < graph.postorder_number(block);
        let is_empty = is_bare && leads_on && is_own(block) && is_own(target.block);
        let is_plain = Some(block) != body.layout.entry() && !is_loop_header(graph, block);
        (is_empty && is_plain).then_some((block, target.block))
    };
    graph.postorder().iter().filter_map(|&block| onward(block)).collect()
}

impl Emitter<'_> {
    /// Whether a block has none of the back end's to itself.
    pub(super) fn is_joined(&self, target: &Target) -> bool {
        self.joined.contains(target.block)
    }

    /// Lets the parameters of a block that goes on here be the arguments for it.
    pub(super) fn join(&mut self, target: &Target) -> Emitted {
        let body = self.body;
        let values = self.values_of(body.target_args(target))?;
        self.bind_params(target.block, &values)
    }

    /// Says what the parameters of a block are.
    pub(super) fn bind_params(
        &mut self,
        block: Block,
        values: &[cranelift_codegen::ir::Value],
    ) -> Emitted {
        let params = self.body.params(block);
        if params.len() != values.len() {
            return Err(Fault::illegal(format!("{block} has other parameters")));
        }
        for (&param, &value) in params.iter().zip(values) {
            if self.machine_type_of(param)? != self.builder.func.dfg.value_type(value) {
                return Err(Fault::illegal(format!("{param} is of another type than arrives")));
            }
            self.values[param] = value.into();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    #[test]
    fn what_leads_to_an_empty_block_can_lead_on() {
        let text = "func @f(i1) {\na(%c: i1):\n  branch %c, b, c\nb:\n  jump d\nc:\n  jump l\n\
                    d:\n  jump l\nl:\n  branch %c, m, n\nm:\n  jump l\nn:\n  return\n}\n";
        let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let id = module.function_named("f").unwrap();
        let body = module.function(id).unwrap().body.as_deref().unwrap();
        let graph = FlowGraph::new(body);
        let joined = joined_blocks(body, &graph);
        let name = |block: Block| body.block_name(block).unwrap_or("");
        let mut found: Vec<(&str, &str)> = empty_blocks(body, &graph, &joined)
            .into_iter()
            .map(|(block, target)| (name(block), name(target)))
            .collect();
        found.sort_unstable();
        assert_eq!(found, [("c", "l")]);
    }

    #[test]
    fn a_block_is_joined_to_the_one_block_that_jumps_to_it() {
        let text = "func @f(i1) {\na(%c: i1):\n  jump b\nb:\n  branch %c, c, d\nc:\n  jump e\n\
                    d:\n  jump e\ne:\n  jump l\nl:\n  branch %c, l, m\nm:\n  jump n\nn:\n  return\n}\n";
        let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let id = module.function_named("f").unwrap();
        let body = module.function(id).unwrap().body.as_deref().unwrap();
        let joined = joined_blocks(body, &FlowGraph::new(body));
        let names = body.layout.blocks().filter(|&block| joined.contains(block));
        let names: Vec<&str> = names.map(|block| body.block_name(block).unwrap_or("")).collect();
        assert_eq!(names, ["a", "b", "n"]);
    }
}
