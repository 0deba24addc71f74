//! Leads edges that give a block the same constants there by one way.
//!
//! Before:
//! ```text
//! func @f(i64, i64) -> i64 {
//! block0(%0: i64, %1: i64):
//!     %2 = icmp.i64 ult %0, 100
//!     branch %2, block1, block3(-1)
//! block1:
//!     %3 = add.i64 %0, %1
//!     %4 = icmp.i64 ult %3, 200
//!     branch %4, block2, block3(-1)
//! block2:
//!     %5 = mul.i64 %3, %1
//!     jump block3(%5)
//! block3(%6: i64):
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, i64) -> i64 {
//! block0(%0: i64, %1: i64):
//!     %2 = icmp.i64 ult %0, 100
//!     branch %2, block1, block4
//! block1:
//!     %3 = add.i64 %0, %1
//!     %4 = icmp.i64 ult %3, 200
//!     branch %4, block2, block4
//! block4:
//!     jump block3(-1)
//! block2:
//!     %5 = mul.i64 %3, %1
//!     jump block3(%5)
//! block3(%6: i64):
//!     return %6
//! }
//! ```
//! The back end puts a constant that an edge hands over into its register before the branch,
//! whichever way that goes, and gives every such edge a block of its own, in the middle of
//! what runs. Ways out that say the same, as those of a decoder that finds a fault, cost
//! nothing where nobody takes them if they are one block.
//!
//! Needs: nothing; behind all that leads edges past empty blocks. Keeps: nothing. Does not
//! try: edges back to what they come from, which loops are quicker with; values that are no
//! constants, which are in a register already; jumps.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pass::{Change, PassContext, PassResult};

/// Edges to one block that hand over the same: their branches, and which of the targets.
type Edges = SmallVec<[(Inst, usize); 4]>;

/// What an edge leads to, and what it hands over.
type Way = (Block, SmallVec<[Value; 4]>);

/// Leads edges that give a block the same constants there by one way.
///
/// # Errors
/// None.
pub fn shared_edges(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let ways = ways(body, &graph);
    let mut count = 0;
    for ((to, args), edges) in ways {
        if edges.len() < 2 {
            continue;
        }
        count += edges.len() as u64;
        lead(body, to, &args, &edges);
    }
    context.statistics.add("shared_edges", "edges with a way in common", count);
    Ok(if count > 0 { Change::Something } else { Change::Nothing })
}

/// The edges of branches that hand over constants, by where they lead and what they give,
/// in the order in which they are met.
fn ways(body: &Body, graph: &FlowGraph) -> Vec<(Way, Edges)> {
    let mut ranks: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (rank, block) in (1..).zip(graph.reverse_postorder()) {
        ranks[block] = rank;
    }
    let mut ways: Vec<(Way, Edges)> = Vec::new();
    let mut known: FxHashMap<Way, usize> = FxHashMap::default();
    for block in graph.reverse_postorder() {
        let Some(last) = body.layout.last_inst(block) else { continue };
        if !matches!(body.inst(last).op, Op::Branch | Op::Switch) {
            continue;
        }
        for (index, target) in body.targets(last).iter().enumerate() {
            let args = body.target_args(target);
            let is_back = ranks[target.block] <= ranks[block];
            if is_back || !args.iter().any(|&arg| body.as_constant(arg).is_some()) {
                continue;
            }
            let way: Way = (target.block, args.into());
            let at = *known.entry(way.clone()).or_insert_with(|| {
                ways.push((way, Edges::new()));
                ways.len() - 1
            });
            ways[at].1.push((last, index));
        }
    }
    ways
}

/// Leads edges through a block of their own.
fn lead(body: &mut Body, to: Block, args: &[Value], edges: &Edges) {
    let Some(&(last, _)) = edges.last() else { return };
    let Some(from) = body.layout.block_of(last) else { return };
    let block = body.make_block();
    body.layout.insert_block_after(block, from);
    let target = body.target(to, args);
    let none = body.list(&[]);
    let jump = InstData::new(Op::Jump, Type::NONE, none, Payload::Jump(target));
    body.append_inst(block, jump, &[]);
    for &(branch, index) in edges {
        let target = body.target(block, &[]);
        body.targets_mut(branch)[index] = target;
    }
}
