//! Leads edges past blocks that only decide where to go, where the edge has decided it.
//!
//! Before:
//! ```text
//! func @f(i1, i64) -> i64 {
//! block0(%0: i1, %1: i64):
//!     branch %0, block1, block2(0)
//! block1:
//!     %2 = mul.i64 %1, %1
//!     jump block2(%2)
//! block2(%3: i64):
//!     branch %0, block3, block4
//! block3:
//!     return %3
//! block4:
//!     %4 = sub.i64 %3, %1
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! func @f(i1, i64) -> i64 {
//! block0(%0: i1, %1: i64):
//!     branch %0, block1, block5
//! block1:
//!     %2 = mul.i64 %1, %1
//!     jump block6
//! block6:
//!     jump block3
//! block5:
//!     jump block4
//! block3:
//!     return %2
//! block4:
//!     %4 = sub.i64 0, %1
//!     return %4
//! }
//! ```
//! What a block ends with is computed for each edge that leads to it: from the constants
//! that the edge gives for parameters, and from what branches, switches, checks and promises
//! on the way to the edge say (Conditions, ValueFacts). Where that tells the way, the edge leads
//! to a copy of the block that goes that way, without a question; edges of one way share a
//! copy. Each path runs the same instructions in the same order as before, so that
//! effects, traps and calls need no thought. A value of the block that others use has
//! several definitions then, which Variable brings together. (Mueller and Whalley,
//! "Avoiding conditional branches by code replication", 1995; LLVM's `JumpThreading`.)
//!
//! A block is copied once for each way and round, if it is short, and there are only so
//! many rounds and copies, so that the pass takes O(instructions).
//!
//! Needs: nothing. Keeps: nothing; no edge is led past the header of a loop, or to one, so that
//! none gets a second entry, but exits get other blocks before them. Does not try: to see through two blocks
//! at once (the next round does); unwind edges; headers, which `loop_rotate` turns.

mod mend;
mod way;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use crate::pass::{
    Copies, Edge, Graph, IncomingEdges, PassContext, PassResult, Uses, drop_stale_marks,
    effects_of, headers,
};
use mend::{Copied, can_be_mended, mend};
use way::{Joint, Ways};

/// The most instructions of a block that is copied, beside its end.
const MOST_COPIED: usize = 8;

/// What all copies may have together, however small the function is.
const LEAST_GROWTH: usize = 100;

/// How often edges are looked for.
const MOST_ROUNDS: usize = 4;

/// Leads edges past decided branches.
///
/// # Errors
/// None.
pub fn jump_threading(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let unreachable = context.remove_unreachable_blocks(body);
    let mut growth = (body.layout.all_insts().count() / 2).max(LEAST_GROWTH);
    let mut threaded = 0;
    for _ in 0..MOST_ROUNDS {
        let found = round(body, context, &mut growth);
        if found == 0 {
            break;
        }
        threaded += found;
        context.analyses.drop_all();
    }
    if threaded > 0 {
        drop_stale_marks(body);
    }
    let counts = [("unreachable blocks", unreachable), ("edges", threaded)];
    Ok(context.statistics.add_each("jump_threading", counts))
}

/// Leads edges past the blocks whose ends they decide; gives how many.
fn round(body: &mut Body, context: &mut PassContext<'_>, growth: &mut usize) -> usize {
    let graph = context.analyses.flow(body);
    let headers = headers(&graph);
    let is_joint = |&block: &Block| {
        let end = body.layout.last_inst(block).map(|last| body.inst(last).op);
        matches!(end, Some(Op::Branch | Op::Switch))
            && graph.predecessors(block).len() > 1
            && !headers.contains(block)
    };
    // What is known of numbers costs more than all else here: no block is asked about in vain.
    let sized = |block: Block| Some((block, copied_size(body, context, block)?));
    let joints: Vec<(Block, usize)> =
        graph.reverse_postorder().filter(is_joint).filter_map(sized).collect();
    if joints.is_empty() {
        return 0;
    }
    let ways = Ways {
        conditions: context.analyses.conditions(body),
        facts: context.analyses.value_facts(body, context.module),
    };
    let edges = IncomingEdges::new(body);
    let search = Search { headers, edges: &edges, ways };
    let threads = joints.into_iter().map(|joint| search.threads(body, joint));
    let mut found: Vec<Vec<Thread>> = threads.filter(|threads| !threads.is_empty()).collect();
    if found.is_empty() {
        return 0;
    }
    let (dominators, uses) = (context.analyses.dominators(body), Uses::new(body));
    let flow = Graph { flow: &graph, dominators: &dominators, edges: &edges };
    found.retain(|threads| {
        let size: usize = threads.iter().map(|thread| thread.size).sum();
        let block = threads.first().map(|thread| thread.block);
        let fits = size <= *growth && block.is_some_and(|it| can_be_mended(body, flow, &uses, it));
        *growth -= if fits { size } else { 0 };
        fits
    });
    let found: Vec<Thread> = found.into_iter().flatten().collect();
    let copied: Vec<Copied> = found.iter().map(|thread| thread.lead(body)).collect();
    if !copied.is_empty() {
        mend(body, &copied);
    }
    found.iter().map(|thread| thread.edges.len()).sum()
}

/// Edges to a block that go on the same way from there.
#[derive(Debug)]
struct Thread {
    block: Block,
    edges: Vec<Edge>,
    /// Which of the targets of the block's end.
    index: usize,
    /// Instructions of a copy.
    size: usize,
}

/// Looks for edges that decide where they lead on.
struct Search<'a> {
    headers: EntitySet<Block>,
    edges: &'a IncomingEdges,
    ways: Ways,
}

impl Search<'_> {
    /// Which edges to a block can be led past it, of which a copy has so many instructions.
    fn threads(&self, body: &Body, (block, size): (Block, usize)) -> Vec<Thread> {
        let Some(last) = body.layout.last_inst(block) else { return Vec::new() };
        let joint = Joint::new(body, block, last);
        let mut threads: Vec<Thread> = Vec::new();
        // A large switch has as many ways on as there may be edges.
        let mut of_index: FxHashMap<usize, usize> = FxHashMap::default();
        for &edge in self.edges.of(block) {
            let Some(index) = self.way(&joint, edge) else { continue };
            let place = *of_index.entry(index).or_insert(threads.len());
            match threads.get_mut(place) {
                Some(thread) => thread.edges.push(edge),
                None => threads.push(Thread { block, edges: vec![edge], index, size }),
            }
        }
        threads
    }

    /// Where the end of a block goes whenever `edge` was taken.
    fn way(&self, joint: &Joint<'_>, edge: Edge) -> Option<usize> {
        let Joint { body, block, last, .. } = *joint;
        let from = body.layout.block_of(edge.inst)?;
        if !matches!(body.inst(edge.inst).op, Op::Jump | Op::Branch | Op::Switch) {
            return None;
        }
        let index = self.ways.index(joint, (from, edge))?;
        let target = body.targets(last).get(index)?.block;
        (target != block && !self.headers.contains(target)).then_some(index)
    }
}

/// How many instructions a copy of `block` has, if it can have one.
fn copied_size(body: &Body, context: &PassContext<'_>, block: Block) -> Option<usize> {
    let bound = Effects::MARK | Effects::SAFEPOINT;
    // What is promised on each way is promised of the copy.
    let is_bound = |inst: Inst| {
        body.inst(inst).op != Op::Assume && effects_of(context.module, body, inst).intersects(bound)
    };
    let insts = copied_insts(body, block);
    let size = insts.len();
    (size <= MOST_COPIED && !insts.into_iter().any(is_bound)).then_some(size + 1)
}

fn copied_insts(body: &Body, block: Block) -> Vec<Inst> {
    let last = body.layout.last_inst(block);
    body.layout.insts(block).filter(|&inst| Some(inst) != last).take(MOST_COPIED + 1).collect()
}

impl Thread {
    /// Leads the edges to a copy of the block that goes their way.
    fn lead(&self, body: &mut Body) -> Copied {
        let copy = body.make_block();
        body.layout.insert_block_after(copy, self.block);
        let mut copies = Copies::default();
        self.enter(body, copy, &mut copies);
        for inst in copied_insts(body, self.block) {
            let new = copies.copy_inst(body, inst);
            body.layout.append_inst(new, copy);
        }
        if let Some(last) = body.layout.last_inst(self.block)
            && let Some(&way) = body.targets(last).get(self.index)
        {
            let args: Vec<Value> =
                body.target_args(&way).iter().map(|&arg| copies.value(arg)).collect();
            let target = body.target(way.block, &args);
            let args = body.list(&[]);
            let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(target));
            body.append_inst(copy, InstData { loc: body.loc(last), ..jump }, &[]);
        }
        Copied { home: self.block, copy, copies }
    }

    /// Leads the edges to `copy`. What a single edge gives stands for the parameters there.
    fn enter(&self, body: &mut Body, copy: Block, copies: &mut Copies) {
        let params = body.params(self.block).to_vec();
        if let &[edge] = self.edges.as_slice() {
            for (index, &param) in params.iter().enumerate() {
                if let Some(arg) = edge.arg(body, index) {
                    copies.stand_in(param, arg);
                }
            }
            let target = body.target(copy, &[]);
            body.targets_mut(edge.inst)[edge.index as usize] = target;
            return;
        }
        for &param in &params {
            let ty = body.value_type(param);
            let stand_in = body.append_param(copy, ty);
            copies.stand_in(param, stand_in);
        }
        for edge in &self.edges {
            body.targets_mut(edge.inst)[edge.index as usize].block = copy;
        }
    }
}
