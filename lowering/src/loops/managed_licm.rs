//! Takes out of loops what code does for the collector: regions that keep objects alive,
//! write barriers, and objects of which each round would make another one.
//!
//! Before:
//! ```text
//! func @f(ref, i64) {
//! block0(%0: ref, %1: i64):
//!     jump block1(0)
//! block1(%2: i64):
//!     %3 = preserve_begin %0
//!     safepoint
//!     preserve_end %3
//!     %4 = add.i64 %2, 1
//!     %5 = icmp.i64 slt %4, %1
//!     branch %5, block1(%4), block2
//! block2:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ref, i64) {
//! block0(%0: ref, %1: i64):
//!     %3 = preserve_begin %0
//!     jump block1(0)
//! block1(%2: i64):
//!     safepoint
//!     %4 = add.i64 %2, 1
//!     %5 = icmp.i64 slt %4, %1
//!     branch %5, block1(%4), block2
//! block2:
//!     preserve_end %3
//!     return
//! }
//! ```
//! Every loop is gone through on its own, inner ones first, as Julia's `julia-licm` does:
//! - `preserve_begin` of what comes from outside goes before the loop, if all ends of it are
//!   in the loop, and it is not come to again before one: these go, and each exit of the loop
//!   begins with one, but those that ways lead to past all ends. Objects live longer for it,
//!   never shorter.
//! - `write_barrier` on what comes from outside goes before the loop, if each entry comes to it
//!   before anything may leave, and the collector cannot run in the loop: what it was told
//!   would be forgotten then, and the next round would not tell it again.
//! - `alloc_object` of a small known size goes before the loop, if each round makes one, no
//!   address of the object gets out of the loop before its end, no region preserves what it
//!   refers to, nothing is copied into it out of other objects, and no address is used any more where
//!   the next one would be made, through whatever parameters and selects it goes: there the
//!   object is filled with zeros. It may now be older than what is stored in it: behind each
//!   store of a reference there is a barrier. What accesses to it promise of classes, scopes
//!   and constant bytes was said of one object of several, and goes.
//!
//! Objects of known size have room, as in `alloc_opt`: that `out_of_memory` comes earlier, or
//! not, is no change of meaning.
//!
//! Needs: preheaders, and for regions dedicated exits, as `loop_simplify` leaves them; more is
//! found behind `loop_rotate`. Keeps: the flow graph. Does not try: arrays, which say their
//! length and kind in bytes that a fill would take; objects that get out on some ways only, or
//! to callees that do not keep them; barriers in loops where the collector may run, as loops
//! with polls are; regions of which one end is in the loop and another behind it.

mod allocation;
mod barrier;
mod preserve;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use super::form::preheader_jump;
use crate::analysis::{Kept, Loop, Loops};
use crate::pass::{Change, PassContext, PassResult};

/// Takes managed ops out of loops.
///
/// # Errors
/// None.
pub fn managed_licm(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::PreserveBegin, Op::WriteBarrier, Op::AllocObject])
    {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let allocations = allocation::hoist(body, context);
    context.analyses.keep(Kept::GRAPH);
    let barriers = barrier::hoist(body, context);
    let preserves = preserve::hoist(body, context);
    context.analyses.keep(Kept::GRAPH);
    let counts = [
        ("unreachable blocks", unreachable),
        ("allocations before loops", allocations),
        ("barriers before loops", barriers),
        ("preserves around loops", preserves),
    ];
    Ok(context.statistics.add_each("managed_licm", counts))
}

/// The shape of the flow, which this pass leaves as it is.
#[derive(Clone, Copy, Debug)]
struct Shape<'a> {
    flow: &'a FlowGraph,
    dominators: &'a Dominators,
    loops: &'a Loops,
}

impl Shape<'_> {
    fn preheader_jump(&self, body: &Body, id: Loop) -> Option<Inst> {
        preheader_jump(body, self.flow, self.loops, id)
    }

    /// Whether a value comes from outside of a loop.
    fn is_invariant(&self, body: &Body, id: Loop, value: Value) -> bool {
        body.defining_block(value).is_none_or(|block| !self.loops.contains(id, block))
    }

    /// The instructions with that op in the blocks of a loop that stand in no inner one.
    fn own_insts(&self, body: &Body, id: Loop, op: Op) -> Vec<Inst> {
        let own = self.loops.own_blocks(id).iter();
        let insts = own.flat_map(|&block| body.layout.insts(block));
        insts.filter(|&inst| body.inst(inst).op == op).collect()
    }
}

/// Moves an instruction before another one.
fn move_before(body: &mut Body, inst: Inst, before: Inst) {
    body.layout.remove_inst(inst);
    body.layout.insert_inst_before(inst, before);
}
