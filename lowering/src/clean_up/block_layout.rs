//! Says which blocks are to stand out of the way, where the others are fetched without them.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = icmp.i32 slt %0, 0
//!     branch %1, block1, block2 weights(1, 2000)
//! block1:
//!     %2 = sub.i32 0, %0
//!     jump block3(%2)
//! block2:
//!     %3 = icmp.i32 sgt %0, 100
//!     branch %3, block4, block3(%0)
//! block3(%4: i32):
//!     return %4
//! block4:
//!     trap user(1)
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = icmp.i32 slt %0, 0
//!     branch %1, block1, block2 weights(0, 2000)
//! block1:
//!     %2 = sub.i32 0, %0
//!     jump block3(%2)
//! block2:
//!     %3 = icmp.i32 sgt %0, 100
//!     branch %3, block4, block3(%0) weights(0, 1023)
//! block3(%4: i32):
//!     return %4
//! block4:
//!     trap user(1)
//! }
//! ```
//! A weight of 0 beside others says that an edge is next to never taken. Emission puts
//! blocks behind all others to which such edges alone lead, and what only these lead to, so
//! that what runs is close together; so does one that knows its weights, from a profile, say.
//! The back end orders the others itself.
//!
//! A block is one of these that runs for no more than a 64th of the rounds of its innermost
//! loop, or of the runs of the function where it is in none (see `analysis/frequencies`), or
//! that calls a function which is declared `cold`. What stands behind a loop runs as often
//! as what stands before it, however seldom one of its rounds leads there.
//!
//! Needs: nothing; late, as weights that are 0 tell later passes less. Keeps: the flow graph.
//! Does not try: to put blocks that follow each other often side by side, of which the back
//! end takes no advice.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst};
use brolga_ir::flow::FlowGraph;
use brolga_ir::module::{Module, Temperature};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::analysis::{Frequencies, Loops};
use crate::pass::{Change, PassContext, PassResult};

/// How seldom a block runs, against what is around it, that it stands out of the way.
const SELDOM: u64 = 64;

/// What shares of one are shifted by to be weights.
const GUESS_SHIFT: u32 = 22;

/// Marks edges to blocks that next to never run.
///
/// # Errors
/// None.
pub fn block_layout(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let Some(&entry) = graph.postorder().last().filter(|_| graph.postorder().len() > 1) else {
        return Ok(Change::Nothing);
    };
    let loops = context.analyses.loops(body);
    let frequencies = context.analyses.frequencies(body);
    let cold = cold_blocks(body, context.module, (&graph, &loops, &frequencies), entry);
    let mut marked = 0;
    for block in graph.reverse_postorder() {
        if cold.contains(block) {
            continue;
        }
        if let Some(last) = body.layout.last_inst(block)
            && mark(body, &frequencies, &cold, (block, last))
        {
            context.remark(last, RemarkKind::Applied, "what next to never runs stands elsewhere");
            marked += 1;
        }
    }
    context.statistics.add("block_layout", "branches to where code next to never runs", marked);
    Ok(if marked > 0 { Change::Something } else { Change::Nothing })
}

/// The blocks that next to never run.
fn cold_blocks(
    body: &Body,
    module: &Module,
    (graph, loops, frequencies): (&FlowGraph, &Loops, &Frequencies),
    entry: Block,
) -> EntitySet<Block> {
    let mut cold = EntitySet::new();
    for block in graph.reverse_postorder().filter(|&block| block != entry) {
        let around = loops.innermost(block).and_then(|id| loops.get(id));
        let usual = around.map_or(Frequencies::ENTRY, |data| frequencies.of(data.header));
        let is_seldom = frequencies.of(block).saturating_mul(SELDOM) <= usual;
        if is_seldom || body.layout.insts(block).any(|inst| calls_cold(body, module, inst)) {
            cold.insert(block);
        }
    }
    cold
}

fn calls_cold(body: &Body, module: &Module, inst: Inst) -> bool {
    let data = body.inst(inst);
    let callee = data.function().filter(|_| data.op.is_call());
    let callee = callee.and_then(|callee| module.function(callee));
    callee.is_some_and(|callee| callee.attributes.temperature == Temperature::Cold)
}

/// Gives the edges from `block` to cold blocks the weight 0; whether it changes any.
fn mark(
    body: &mut Body,
    frequencies: &Frequencies,
    cold: &EntitySet<Block>,
    (block, last): (Block, Inst),
) -> bool {
    if !matches!(body.inst(last).op, Op::Branch | Op::Switch) {
        return false;
    }
    let is_cold: Vec<bool> =
        body.targets(last).iter().map(|target| cold.contains(target.block)).collect();
    if !is_cold.contains(&true) || !is_cold.contains(&false) {
        return false;
    }
    let known = body.weights(last).map(<[u32]>::to_vec);
    let guess = |index: usize| {
        let share = frequencies.likelihoods().of(block, index) >> GUESS_SHIFT;
        u32::try_from(share).unwrap_or(u32::MAX).max(1)
    };
    let weight = |(index, &is_cold): (usize, &bool)| match (is_cold, &known) {
        (true, _) => 0,
        // That it is there beside others says more than that it never was.
        (false, Some(known)) => known.get(index).copied().unwrap_or(0).max(1),
        (false, None) => guess(index),
    };
    let weights: Vec<u32> = is_cold.iter().enumerate().map(weight).collect();
    let changes = known.as_deref() != Some(&weights);
    if changes {
        body.set_weights(last, &weights);
    }
    changes
}
