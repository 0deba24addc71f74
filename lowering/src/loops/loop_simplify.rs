//! Gives loops the form that passes over loops want: a preheader, that is, a block before
//! the header that leads nowhere else; one latch, that is, one edge back to the header; and
//! exits that only edges out of the loop lead to.
//!
//! Before:
//! ```text
//! func @f(i32, i1) -> i32 {
//! block0(%0: i32, %1: i1):
//!     branch %1, block1(0), block3(%0)
//! block1(%2: i32):
//!     %3 = add.i32 %2, 1
//!     %4 = and.i32 %3, 3
//!     %5 = icmp.i32 eq %4, 0
//!     branch %5, block1(%3), block2
//! block2:
//!     %6 = icmp.i32 slt %3, %0
//!     branch %6, block1(%4), block3(%3)
//! block3(%7: i32):
//!     return %7
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i1) -> i32 {
//! block0(%0: i32, %1: i1):
//!     branch %1, block4, block3(%0)
//! block4:
//!     jump block1(0)
//! block1(%2: i32):
//!     %3 = add.i32 %2, 1
//!     %4 = and.i32 %3, 3
//!     %5 = icmp.i32 eq %4, 0
//!     branch %5, block5(%3), block2
//! block5(%11: i32):
//!     jump block1(%11)
//! block2:
//!     %6 = icmp.i32 slt %3, %0
//!     branch %6, block5(%4), block6
//! block6:
//!     jump block3(%3)
//! block3(%7: i32):
//!     return %7
//! }
//! ```
//! Only edges change: those that are to be one are led through a new empty block, which
//! has a parameter for what they hand on differently. Headers come first, all by one look
//! at the loops; then exits, by a second one. A block that edges out of different loops
//! lead to gets a new one before it for each innermost loop that they leave; loops around
//! that need no more. No instruction runs more or less often. `simplify_cfg` leaves such
//! blocks standing.
//!
//! Needs: nothing. Keeps: nothing, if it changes something. Does not try: to make two loops
//! of one with several latches; cycles that are entered at several blocks.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};

use crate::analysis::{Loop, Loops};
use crate::pass::{Edge, IncomingEdges, PassContext, PassResult, join_edges};

/// Gives loops preheaders, single latches and exits of their own.
///
/// # Errors
/// None.
pub fn loop_simplify(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let unreachable = context.remove_unreachable_blocks(body);
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(context
            .statistics
            .add_each("loop_simplify", [("unreachable blocks", unreachable)]));
    }
    let (preheaders, latches) = simplify_headers(body, &loops);
    if preheaders + latches > 0 {
        context.analyses.drop_all();
    }
    let loops = context.analyses.loops(body);
    let exits = simplify_exits(body, &loops);
    let counts = [
        ("unreachable blocks", unreachable),
        ("preheaders", preheaders),
        ("latches", latches),
        ("exits", exits),
    ];
    Ok(context.statistics.add_each("loop_simplify", counts))
}

/// Makes the edges into each header two: one from outside, one from inside.
fn simplify_headers(body: &mut Body, loops: &Loops) -> (usize, usize) {
    let incoming = IncomingEdges::new(body);
    let (mut preheaders, mut latches) = (0, 0);
    for id in loops.all() {
        let Some(header) = loops.get(id).map(|data| data.header) else { continue };
        let is_inside = |edge: &Edge| source(body, edge.inst, loops, id);
        let (back, entering): (Vec<Edge>, Vec<Edge>) =
            incoming.of(header).iter().copied().partition(is_inside);
        let is_preheader = matches!(entering[..], [only] if body.targets(only.inst).len() == 1);
        if !is_preheader && let Some(after) = home(body, entering.first()) {
            join_edges(body, header, &entering, after);
            preheaders += 1;
        }
        if back.len() > 1
            && let Some(after) = home(body, back.first())
        {
            join_edges(body, header, &back, after);
            latches += 1;
        }
    }
    (preheaders, latches)
}

/// Lets only edges out of one loop lead to a block, where any does.
fn simplify_exits(body: &mut Body, loops: &Loops) -> usize {
    let incoming = IncomingEdges::new(body);
    let blocks: Vec<Block> = body.layout.blocks().collect();
    let mut exits = 0;
    for block in blocks {
        let left = |edge: &Edge| {
            let from = body.layout.block_of(edge.inst)?;
            loops.innermost(from).filter(|&id| !loops.contains(id, block))
        };
        let mut edges: Vec<(Option<Loop>, Edge)> =
            incoming.of(block).iter().map(|edge| (left(edge), *edge)).collect();
        if edges.iter().all(|(id, _)| *id == edges[0].0) {
            continue;
        }
        edges.sort_by_key(|(id, _)| *id);
        for group in edges.chunk_by(|one, other| one.0 == other.0).filter(|it| it[0].0.is_some()) {
            let group: Vec<Edge> = group.iter().map(|(_, edge)| *edge).collect();
            if let Some(after) = home(body, group.first()) {
                join_edges(body, block, &group, after);
                exits += 1;
            }
        }
    }
    exits
}

fn source(body: &Body, inst: Inst, loops: &Loops, id: Loop) -> bool {
    body.layout.block_of(inst).is_some_and(|from| loops.contains(id, from))
}

/// The block that the edge leaves.
fn home(body: &Body, edge: Option<&Edge>) -> Option<Block> {
    body.layout.block_of(edge?.inst)
}
