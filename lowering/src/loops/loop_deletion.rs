//! Takes out loops that do nothing but come to an end.
//!
//! Before:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     jump block1(0, %1)
//! block1(%2: i32, %3: i32):
//!     %4 = mul.i32 %3, 3
//!     %5 = add.i32 %2, 1
//!     %6 = icmp.i32 slt %5, %0
//!     branch %6, block1(%5, %4), block2
//! block2:
//!     return %1
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     jump block2
//! block2:
//!     return %1
//! }
//! ```
//! A loop goes if nothing in it writes, traps, calls or polls, none of its values is used
//! outside, and all of its exits lead to one block with the same arguments from outside: the
//! preheader then leads there. It must come to an end, as one that does not is something
//! that can be seen: its rounds must have a bound (see `scalar_evolution`), and all loops
//! inside of it must end, too. Counting wraps: what may pass over its end proves nothing.
//!
//! Needs: preheaders and single latches, as `loop_simplify` leaves them; `licm` takes what
//! is used outside out of the way. Keeps: nothing. Does not try: the last values of loops
//! that are used behind them (`induction`), infinite loops.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, PackedOption, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};

use super::form::preheader_jump;
use crate::analysis::{Loop, Loops};
use crate::pass::{Change, PassContext, PassResult, effects_of, remove_unreachable_blocks};

/// Takes out loops that do nothing.
///
/// # Errors
/// None.
pub fn loop_deletion(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let flow = context.analyses.flow(body);
    let idle = idle_loops(body, context, &loops);
    if !loops.all().any(|id| idle[id]) {
        return Ok(Change::Nothing);
    }
    let ending = ending_loops(body, context, &loops);
    let mut deleted = 0;
    let mut gone: SecondaryMap<Loop, bool> = SecondaryMap::new();
    for id in loops.all() {
        // Loops inside of one that has gone have gone with it.
        let parent = loops.get(id).and_then(|data| data.parent.expand());
        gone[id] = parent.is_some_and(|parent| gone[parent]);
        if gone[id] || !idle[id] || !ending[id] {
            continue;
        }
        let Some(jump) = preheader_jump(body, &flow, &loops, id) else { continue };
        let Some((exit, args)) = only_exit(body, &flow, &loops, id) else { continue };
        context.remark(jump, RemarkKind::Applied, "the loop behind this did nothing, and is gone");
        let target = body.target(exit, &args);
        body.targets_mut(jump)[0] = target;
        deleted += 1;
        gone[id] = true;
    }
    context.statistics.add("loop_deletion", "deleted loops", deleted);
    if deleted == 0 {
        return Ok(Change::Nothing);
    }
    remove_unreachable_blocks(body);
    Ok(Change::Something)
}

/// The loops that do nothing that can be seen, and compute nothing that is used outside.
fn idle_loops(body: &Body, context: &PassContext<'_>, loops: &Loops) -> SecondaryMap<Loop, bool> {
    let above = |id: Loop| loops.get(id).and_then(|data| data.parent.expand());
    let mut acting: SecondaryMap<Loop, bool> = SecondaryMap::new();
    let mut used = UsedLoops { is_used: SecondaryMap::new(), outer: SecondaryMap::new() };
    loops.all().for_each(|id| used.outer[id] = above(id).into());
    for inst in body.layout.all_insts() {
        let Some(block) = body.layout.block_of(inst) else { continue };
        let mut around = loops.innermost(block).filter(|_| acts(body, context, inst));
        // What acts does so in all loops around it.
        while let Some(id) = around.filter(|&id| !acting[id]) {
            acting[id] = true;
            around = above(id);
        }
        for defined in body.uses(inst).filter_map(|value| body.defining_block(value)) {
            let mut around = used.first_unused(loops.innermost(defined));
            while let Some(id) = around.filter(|&id| !loops.contains(id, block)) {
                used.is_used[id] = true;
                around = used.first_unused(Some(id));
            }
        }
    }
    let mut idle = SecondaryMap::new();
    loops.all().for_each(|id| idle[id] = !acting[id] && !used.is_used[id]);
    idle
}

/// The loops of which a value is used outside.
struct UsedLoops {
    is_used: SecondaryMap<Loop, bool>,
    /// A loop around each; between the two there are only used ones. The way grows shorter as
    /// it is gone: a value of a deep nest that each loop around uses would go it each time.
    outer: SecondaryMap<Loop, PackedOption<Loop>>,
}

impl UsedLoops {
    /// The closest loop that is not used, from one on outward.
    fn first_unused(&mut self, from: Option<Loop>) -> Option<Loop> {
        let mut at = from;
        while let Some(id) = at.filter(|&id| self.is_used[id]) {
            if let Some(outer) = self.outer[id].expand().filter(|&outer| self.is_used[outer]) {
                self.outer[id] = self.outer[outer];
            }
            at = self.outer[id].expand();
        }
        at
    }
}

/// The loops that come to an end whenever they are entered, as far as nothing in them stops.
fn ending_loops(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
) -> SecondaryMap<Loop, bool> {
    let evolution = context.analyses.scalar_evolution(body, context.module);
    let mut endless: SecondaryMap<Loop, bool> = SecondaryMap::new();
    // Inner loops before those around them.
    for id in loops.all().rev() {
        let is_counted = evolution.trips(id).is_some_and(|trips| trips.most.is_some());
        endless[id] = endless[id] || !is_counted || !loops.is_reducible(id);
        if let Some(parent) = loops.get(id).and_then(|data| data.parent.expand()) {
            endless[parent] = endless[parent] || endless[id];
        }
    }
    let mut ending = SecondaryMap::new();
    loops.all().for_each(|id| ending[id] = !endless[id]);
    ending
}

/// Whether `inst` does something beside computing its results and leading on.
fn acts(body: &Body, context: &PassContext<'_>, inst: Inst) -> bool {
    match body.inst(inst).op {
        Op::Jump | Op::Branch | Op::Switch | Op::LoopMark => false,
        _ => !(effects_of(context.module, body, inst) - Effects::SAFEPOINT).is_removable(),
    }
}

/// The block that all edges out of the loop lead to with the same arguments, if these come
/// from outside.
fn only_exit(
    body: &Body,
    flow: &FlowGraph,
    loops: &Loops,
    id: Loop,
) -> Option<(Block, Vec<Value>)> {
    let mut found: Option<(Block, Vec<Value>)> = None;
    let mut sources: Vec<Block> = loops.exits(id, flow).map(|(from, _)| from).collect();
    sources.dedup();
    for last in sources.into_iter().filter_map(|from| body.layout.last_inst(from)) {
        for target in body.targets(last).iter().filter(|it| !loops.contains(id, it.block)) {
            let args = body.target_args(target);
            match &found {
                Some((exit, first)) if (*exit, first.as_slice()) == (target.block, args) => {}
                Some(_) => return None,
                None => found = Some((target.block, args.to_vec())),
            }
        }
    }
    let is_outside = |value: &Value| {
        let defined = body.defining_block(*value);
        defined.is_none_or(|block| !loops.contains(id, block))
    };
    found.filter(|(_, args)| args.iter().all(is_outside))
}
