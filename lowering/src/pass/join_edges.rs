//! New blocks on edges.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::{Copies, Edge, IncomingEdges};

/// Leads the edges of a copied region to each of its exits through one block, and those of its copy
/// through another.
pub(crate) fn join_copied_edges(
    body: &mut Body,
    edges: &IncomingEdges,
    exits: &[Block],
    copies: &Copies,
) {
    for &exit in exits {
        let own = edges.of(exit);
        let copy_of = |edge: &Edge| {
            let block = body.layout.block_of(edge.inst)?;
            let inst = body.layout.last_inst(copies.block(block))?;
            Some(Edge { inst, ..*edge })
        };
        let copied: Vec<Edge> = own.iter().filter_map(copy_of).collect();
        for edges in [own, &copied] {
            let after = edges.first().and_then(|edge| body.layout.block_of(edge.inst));
            if let Some(after) = after {
                join_edges(body, exit, edges, after);
            }
        }
    }
}

/// Leads `edges`, which all lead to `target`, through a new block directly behind the block
/// `after`, and gives that. What all of them hand on stays what it is; what differs, or is
/// there on its edge only, as what a call gives is, becomes a parameter of the new block.
pub(crate) fn join_edges(body: &mut Body, target: Block, edges: &[Edge], after: Block) -> Block {
    let block = body.make_block();
    body.layout.insert_block_after(block, after);
    let params = body.params(target).to_vec();
    let mut handed: Vec<Vec<Value>> = vec![Vec::new(); edges.len()];
    let mut given = Vec::with_capacity(params.len());
    for (index, &param) in params.iter().enumerate() {
        let args: Vec<Value> = edges.iter().filter_map(|edge| edge.arg(body, index)).collect();
        given.push(match common(body, &args) {
            Some(value) => value,
            None => {
                handed.iter_mut().zip(&args).for_each(|(handed, &arg)| handed.push(arg));
                let ty = body.value_type(param);
                body.append_param(block, ty)
            }
        });
    }
    for (edge, args) in edges.iter().zip(&handed) {
        let through = body.target(block, args);
        body.targets_mut(edge.inst)[edge.index as usize] = through;
    }
    let on = body.target(target, &given);
    let args = body.list(&[]);
    let loc = edges.first().map_or(None.into(), |edge| body.loc(edge.inst));
    let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(on));
    body.append_inst(block, InstData { loc, ..jump }, &[]);
    block
}

/// The value that all `args` are, if it is there before the edges.
fn common(body: &Body, args: &[Value]) -> Option<Value> {
    let first = *args.first()?;
    let is_of_edge = matches!(
        body.value_def(first),
        ValueDef::Result(inst, _) if body.inst(inst).op.is_terminator()
    );
    (!is_of_edge && args.iter().all(|&arg| arg == first)).then_some(first)
}
