//! Makes one load or store of those that both arms of a branch have.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, i1) -> i64 {
//! block0(%0: ptr, %1: i64, %2: i1):
//!     branch %2, block1, block2
//! block1:
//!     %3 = load.i64 %0+8
//!     store.i64 %1, %0
//!     jump block3(%3)
//! block2:
//!     %4 = load.i64 %0+8
//!     %5 = add.i64 %4, 1
//!     store.i64 %5, %0
//!     jump block3(%5)
//! block3(%6: i64):
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, i1) -> i64 {
//! block0(%0: ptr, %1: i64, %2: i1):
//!     %8 = load.i64 %0+8
//!     branch %2, block1, block2
//! block1:
//!     jump block3(%8, %1)
//! block2:
//!     %5 = add.i64 %8, 1
//!     jump block3(%5, %5)
//! block3(%6: i64, %9: i64):
//!     store.i64 %9, %0
//!     return %6
//! }
//! ```
//! Loads that are the first thing to happen in both arms, from the same place, are one load
//! before the branch; stores that are the last thing to happen in both, to the same place,
//! are one store where the arms meet, of a parameter. Each path still loads and stores once
//! what it did, in the same order; what happens in a block is whatever its ops may do
//! beside giving results. (LLVM's `MergedLoadStoreMotion`, and `GVNHoist` for loads.)
//!
//! The arms are looked at from their ends only, up to a bound, so that the pass takes
//! O(blocks). Fewer instructions are left, and arms that are empty become `select`.
//!
//! Keeps: the flow graph
//! and all that follows from it. Does not try: branches with one arm, for which a path
//! would get a store that it had not; what is not the first or last thing; switches.

use std::rc::Rc;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::Op;

use crate::analysis::access::{Location, Overlap, Variable};
use crate::analysis::{Accesses, Kept};
use crate::pass::{Change, PassContext, PassResult, Renames, effects_of};

/// How many loads, and how many stores, of a branch are made one.
const MOST_MERGED: usize = 4;

/// How many instructions of an arm are looked at for each.
const BOUND: usize = 32;

/// Makes one load or store of two.
///
/// # Errors
/// None.
pub fn merged_load_store(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let heads = graph.postorder().iter();
    let heads: Vec<(Block, [Block; 2])> =
        heads.filter_map(|&head| Some((head, arms_of(body, &graph, head)?))).collect();
    if heads.is_empty() {
        return Ok(Change::Nothing);
    }
    let accesses = context.analyses.accesses(body, context.module);
    let renames = Renames::default();
    let mut merge = Merge { graph, accesses, renames, gone: Vec::new(), is_gone: EntitySet::new() };
    let (mut loads, mut stores) = (0, 0);
    for (head, arms) in heads {
        for _ in 0..MOST_MERGED {
            loads += u64::from(merge.hoist_load(body, context.module, head, arms));
        }
        if let Some(meeting) = merge.meeting(arms) {
            for _ in 0..MOST_MERGED {
                stores += u64::from(merge.sink_store(body, context.module, meeting, arms));
            }
        }
    }
    context.statistics.add("merged_load_store", "merged loads", loads);
    context.statistics.add("merged_load_store", "merged stores", stores);
    if loads + stores == 0 {
        return Ok(Change::Nothing);
    }
    merge.renames.apply(body);
    for inst in merge.gone {
        body.remove_inst(inst);
    }
    context.analyses.keep(Kept::GRAPH);
    Ok(Change::Something)
}

struct Merge {
    graph: Rc<FlowGraph>,
    accesses: Rc<Accesses>,
    renames: Renames,
    /// Loads that are made elsewhere.
    gone: Vec<Inst>,
    is_gone: EntitySet<Inst>,
}

/// The two blocks that a branch leads to, if nothing else does and both load or both store.
fn arms_of(body: &Body, graph: &FlowGraph, head: Block) -> Option<[Block; 2]> {
    let last = body.layout.last_inst(head)?;
    let &[one, other] = graph.successors(head) else { return None };
    let is_alone = |block| graph.predecessors(block).len() == 1;
    let fits = body.inst(last).op == Op::Branch && one != other;
    let has = |block: Block, op: Op| body.layout.insts(block).any(|inst| body.inst(inst).op == op);
    let both_have = |op: Op| has(one, op) && has(other, op);
    let is_found = fits && is_alone(one) && is_alone(other);
    (is_found && (both_have(Op::Load) || both_have(Op::Store))).then_some([one, other])
}

impl Merge {
    /// The block that both arms lead to, and nothing else.
    fn meeting(&self, [one, other]: [Block; 2]) -> Option<Block> {
        let (&[meeting], &[second]) = (self.graph.successors(one), self.graph.successors(other))
        else {
            return None;
        };
        (meeting == second && self.graph.predecessors(meeting).len() == 2).then_some(meeting)
    }

    /// Loads before the branch what both arms load first.
    fn hoist_load(
        &mut self,
        body: &mut Body,
        module: &Module,
        head: Block,
        arms: [Block; 2],
    ) -> bool {
        let first = |block: Block| {
            let mut insts = body.layout.insts(block).take(BOUND);
            let found = insts.find(|&inst| {
                !self.is_gone.contains(inst) && !effects_of(module, body, inst).is_empty()
            });
            found.filter(|&inst| is_plain(body, inst) && body.inst(inst).op == Op::Load)
        };
        let (Some(one), Some(other)) = (first(arms[0]), first(arms[1])) else { return false };
        let places = [self.accesses.reads(one).location(), self.accesses.reads(other).location()];
        let Some(data) = self.common(body, [one, other], places, arms) else { return false };
        let Some(last) = body.layout.last_inst(head) else { return false };
        let loaded = body.insert_inst(last, data, &[data.ty]);
        let Some(loaded) = body.result(loaded) else { return false };
        for load in [one, other] {
            let result = body.result(load);
            result.into_iter().for_each(|result| self.renames.rename(result, loaded));
            self.gone.push(load);
            self.is_gone.insert(load);
        }
        true
    }

    /// Stores where the arms meet what both store last.
    fn sink_store(
        &mut self,
        body: &mut Body,
        module: &Module,
        meeting: Block,
        arms: [Block; 2],
    ) -> bool {
        let last = |block: Block| {
            let jump = body.layout.last_inst(block)?;
            let mut at = body.layout.prev_inst(jump);
            for _ in 0..BOUND {
                let inst = at?;
                if !effects_of(module, body, inst).is_empty() {
                    return Some(inst);
                }
                at = body.layout.prev_inst(inst);
            }
            None
        };
        let store = |block| {
            last(block).filter(|&inst| is_plain(body, inst) && body.inst(inst).op == Op::Store)
        };
        let (Some(one), Some(other)) = (store(arms[0]), store(arms[1])) else { return false };
        let places = [self.accesses.writes(one).location(), self.accesses.writes(other).location()];
        let Some(data) = self.common(body, [one, other], places, arms) else { return false };
        let (Some(&a), Some(&b)) = (body.args(one).first(), body.args(other).first()) else {
            return false;
        };
        let Some(before) = body.layout.first_inst(meeting) else { return false };
        let Some(&place) = body.list_values(data.args).last() else { return false };
        let value = if a == b && !is_in(body, a, arms) {
            a
        } else {
            let param = body.append_param(meeting, data.ty);
            for (arm, value) in arms.into_iter().zip([a, b]) {
                if let Some(jump) = body.layout.last_inst(arm) {
                    body.push_target_arg(jump, 0, value);
                }
            }
            param
        };
        let args = body.list(&[value, place]);
        body.insert_inst(before, InstData { args, ..data }, &[]);
        body.remove_inst(one);
        body.remove_inst(other);
        true
    }

    /// The access that both make, with its operands put so that it can stand outside of
    /// the arms; nothing if they are not the same.
    fn common(
        &self,
        body: &mut Body,
        [one, other]: [Inst; 2],
        places: [Option<&Location>; 2],
        arms: [Block; 2],
    ) -> Option<InstData> {
        let [Some(place), Some(second)] = places else { return None };
        let (data, twin) = (*body.inst(one), *body.inst(other));
        let (access, twin_access) = (*data.access()?, *twin.access()?);
        let is_same = data.ty == twin.ty
            && self.accesses.overlap(place, second) == Overlap::Same
            && Access { offset: 0, ..access } == Access { offset: 0, ..twin_access };
        let Variable::Address(address) = place.variable else { return None };
        let offset = i32::try_from(place.offset).ok()?;
        let own = *body.args(one).last()?;
        let is_there = !is_in(body, address, arms)
            && body.value_type(address) == body.value_type(own)
            && !matches!(body.value_def(address), ValueDef::Unused);
        if !is_same || !is_there {
            return None;
        }
        let mut args = body.args(one).to_vec();
        *args.last_mut()? = address;
        let args = body.list(&args);
        let access = Access { offset, ..access };
        Some(InstData { args, payload: Payload::Access(access), ..data })
    }
}

/// Whether an access is made as it is, and may stand elsewhere.
fn is_plain(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let access = data.access();
    !data.ty.is_aggregate()
        && access.is_some_and(|access| !access.flags.contains(AccessFlags::VOLATILE))
}

/// Whether a value is defined in one of the arms.
fn is_in(body: &Body, value: Value, arms: [Block; 2]) -> bool {
    body.defining_block(value).is_some_and(|block| arms.contains(&block))
}
