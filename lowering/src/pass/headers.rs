//! Headers of loops, and blocks before them.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// The headers of loops: blocks to which an edge leads back on a depth-first walk.
/// In graphs that are not reducible these are more than loops have.
pub(crate) fn headers(graph: &FlowGraph) -> EntitySet<Block> {
    let mut headers = EntitySet::new();
    for &block in graph.postorder() {
        let number = graph.postorder_number(block);
        for &to in graph.successors(block) {
            if graph.postorder_number(to) >= number {
                headers.insert(to);
            }
        }
    }
    headers
}

/// A new block behind `after` that hands its parameters on to a header, which has the same.
pub(crate) fn enter_with_params(body: &mut Body, header: Block, after: Block) -> Block {
    let block = body.make_block();
    body.layout.insert_block_after(block, after);
    let params = body.params(header).to_vec();
    let handed: Vec<Value> = params
        .into_iter()
        .map(|param| {
            let ty = body.value_type(param);
            body.append_param(block, ty)
        })
        .collect();
    let target = body.target(header, &handed);
    let none = body.list(&[]);
    body.append_inst(block, InstData::new(Op::Jump, Type::NONE, none, Payload::Jump(target)), &[]);
    block
}
