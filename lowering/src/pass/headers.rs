//! Headers of loops, where nothing else of the loops is wanted.

use brolga_ir::entity::{Block, EntitySet};
use brolga_ir::flow::FlowGraph;

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
