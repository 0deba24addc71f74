//! Gives every value that is live across a call that returns twice a slot of
//! its own, so that the second return finds it.
//!
//! Before:
//! ```text
//! foreign func @setjmp(ptr) -> i32 returns twice
//!
//! func @f(i64, ptr) -> i64 {
//! block0(%0: i64, %1: ptr):
//!     %2 = call_foreign @setjmp(%1)
//!     %3 = zext.i64 %2
//!     %4 = add.i64 %3, %0
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! foreign func @setjmp(ptr) -> i32 returns twice
//!
//! func @f(i64, ptr) -> i64 {
//!     ss0 = slot 8 uninit
//! block0(%0: i64, %1: ptr):
//!     %5 = slot_addr ss0
//!     store.i64 %0, %5
//!     %2 = call_foreign @setjmp(%1)
//!     %3 = zext.i64 %2
//!     %6 = slot_addr ss0
//!     %7 = load.i64 %6
//!     %4 = add.i64 %3, %7
//!     return %4
//! }
//! ```
//! `longjmp` puts back the registers that a call keeps, and nothing of the
//! frame: where the register allocator has put a value, it may have put another
//! one since, once the first way through the function needed that no more. A
//! slot has one owner. A value is stored where it is defined, and loaded again
//! wherever such a call may stand between.
//!
//! Needs: no aggregates. Keeps: edges between blocks that are reached. Does not
//! try: to find out which values the second way needs. A value of which a call
//! that returns twice may stand behind the definition and before a use, in
//! different blocks, is taken to be live across it.

use brolga_ir::body::{Body, Initial, SlotData, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Slot, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::Type;
use brolga_ir::verify::{MAX_FRAME_SIZE, frame_size};
use rustc_hash::FxHashMap;

use crate::pass::{
    Change, Editor, PassContext, PassError, PassResult, remove_unreachable_blocks, returns_twice,
};

/// Gives values that are live across a call that returns twice their slots.
///
/// # Errors
/// A value across such a call that cannot stand in memory as it is.
pub fn demote_returns_twice(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let mut sites = EntitySet::new();
    for inst in body.layout.all_insts().filter(|&inst| returns_twice(context.module, body, inst)) {
        sites.insert(inst);
    }
    if sites.is_empty() {
        return Ok(Change::Nothing);
    }
    remove_unreachable_blocks(body);
    let reach = Reach::new(body, &sites);
    let demoted = find_demoted(body, &sites, &reach);
    let count = demoted.len();
    let mut demotion = Demotion {
        editor: Editor::new(body, context),
        slots: SecondaryMap::new(),
        sites: &sites,
        reach: &reach,
        current: EntitySet::new(),
        is_behind: false,
    };
    demotion.make_slots(&demoted)?;
    let size = frame_size(demotion.editor.body);
    if let Some(site) = demotion.editor.body.layout.all_insts().find(|&inst| sites.contains(inst))
        && size > MAX_FRAME_SIZE
    {
        let reason = format!(
            "with what lives across it, the slots fill {size} bytes, the limit is {MAX_FRAME_SIZE}"
        );
        return Err(PassError::unsupported(site, reason));
    }
    let blocks: Vec<Block> = demotion.editor.body.layout.blocks().collect();
    for block in blocks {
        demotion.rewrite_block(block);
    }
    context.statistics.add("demote_returns_twice", "values in slots", count as u64);
    Ok(Change::Something)
}

/// What lies before and behind the sites in the flow of control.
struct Reach {
    /// Blocks from whose end a site can be reached.
    before: EntitySet<Block>,
    /// Blocks whose start can be reached from a site.
    behind: EntitySet<Block>,
}

impl Reach {
    fn new(body: &Body, sites: &EntitySet<Inst>) -> Reach {
        let graph = FlowGraph::new(body);
        let has_site = |&block: &Block| body.layout.insts(block).any(|inst| sites.contains(inst));
        let homes: Vec<Block> = body.layout.blocks().filter(has_site).collect();
        Reach {
            before: closure(&homes, |block| graph.predecessors(block)),
            behind: closure(&homes, |block| graph.successors(block)),
        }
    }
}

/// What `next` leads to from `start`, one step or more.
fn closure<'g>(start: &[Block], next: impl Fn(Block) -> &'g [Block]) -> EntitySet<Block> {
    let mut found = EntitySet::new();
    let mut left: Vec<Block> = start.to_vec();
    while let Some(block) = left.pop() {
        left.extend(next(block).iter().copied().filter(|&next| found.insert(next)));
    }
    found
}

/// The values that are taken to be live across a site, in the order of their uses.
fn find_demoted(body: &Body, sites: &EntitySet<Inst>, reach: &Reach) -> Vec<Value> {
    // How many sites stand before a value's definition in its block.
    let mut defined: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut totals: SecondaryMap<Block, u32> = SecondaryMap::new();
    for block in body.layout.blocks() {
        let mut passed = 0;
        for inst in body.layout.insts(block) {
            passed += u32::from(sites.contains(inst));
            body.results(inst).iter().for_each(|&result| defined[result] = passed);
        }
        totals[block] = passed;
    }
    let (mut demoted, mut seen) = (Vec::new(), EntitySet::new());
    for block in body.layout.blocks() {
        let mut passed = 0;
        for inst in body.layout.insts(block) {
            for value in body.uses(inst) {
                let Some(home) = body.defining_block(value) else { continue };
                let crosses = match home == block {
                    true => defined[value] < passed,
                    false => {
                        let leaves = reach.before.contains(home) || defined[value] < totals[home];
                        let arrives = reach.behind.contains(block) || passed > 0;
                        leaves && arrives
                    }
                };
                if crosses && seen.insert(value) {
                    demoted.push(value);
                }
            }
            passed += u32::from(sites.contains(inst));
        }
    }
    demoted
}

struct Demotion<'a, 'm> {
    editor: Editor<'a, 'm>,
    slots: SecondaryMap<Value, Option<Slot>>,
    sites: &'a EntitySet<Inst>,
    reach: &'a Reach,
    /// The values that no site stands behind, so far in the block.
    current: EntitySet<Value>,
    /// Whether a site can stand before this place in the block.
    is_behind: bool,
}

impl Demotion<'_, '_> {
    fn make_slots(&mut self, demoted: &[Value]) -> PassResult<()> {
        for &value in demoted {
            let ty = self.editor.body.value_type(value);
            let is_bound = ty.as_scalar().is_some_and(|scalar| scalar.is_managed());
            let layout = self.editor.context.module.types.layout(ty);
            let (true, false, Ok(size)) =
                (TypeClass::Memory.contains(ty), is_bound, u32::try_from(layout.size))
            else {
                let reason = format!("a `{ty}` is live across a call that returns twice");
                return Err(PassError::unsupported(self.definition(value), reason));
            };
            let mut slot = SlotData::new(size);
            slot.initial = Initial::Uninit;
            self.slots[value] = Some(self.editor.body.make_slot(slot));
        }
        Ok(())
    }

    /// Where a value is defined, for messages.
    fn definition(&self, value: Value) -> Inst {
        let body = &*self.editor.body;
        let first = |block| body.layout.first_inst(block);
        match body.value_def(value) {
            ValueDef::Result(inst, _) => inst,
            ValueDef::Param(block, _) => first(block).unwrap_or(Inst::from_u32(0)),
            ValueDef::Constant(_) | ValueDef::Unused => Inst::from_u32(0),
        }
    }

    fn rewrite_block(&mut self, block: Block) {
        self.current = EntitySet::new();
        self.is_behind = self.reach.behind.contains(block);
        let params = self.editor.body.params(block).to_vec();
        let mut next = self.editor.body.layout.first_inst(block);
        if let Some(first) = next {
            self.editor.stand_before(first);
            params.into_iter().for_each(|param| self.store(param));
        }
        while let Some(inst) = next {
            next = self.editor.body.layout.next_inst(inst);
            self.reload_uses(inst);
            if self.sites.contains(inst) {
                self.current = EntitySet::new();
                self.is_behind = true;
            }
            let Some(behind) = next else { continue };
            self.editor.stand_before(behind);
            for result in self.editor.body.results(inst).to_vec() {
                self.store(result);
            }
        }
    }

    /// Puts a value that has just been defined into its slot, if it has one.
    fn store(&mut self, value: Value) {
        let Some(slot) = self.slots[value] else { return };
        let ty = self.editor.body.value_type(value);
        let address = self.address(slot);
        let args = self.editor.body.list(&[value, address]);
        let payload = Payload::Access(Access::default());
        let data = InstData::new(Op::Store, ty, args, payload);
        self.editor.insert(data, &[]);
        self.current.insert(value);
    }

    fn address(&mut self, slot: Slot) -> Value {
        self.editor.op_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot))
    }

    /// Loads what an instruction uses from the slots, where a site may stand between.
    fn reload_uses(&mut self, inst: Inst) {
        if !self.is_behind {
            return;
        }
        let uses: Vec<Value> = self.editor.body.uses(inst).collect();
        let mut loaded: FxHashMap<Value, Value> = FxHashMap::default();
        self.editor.stand_before(inst);
        for value in uses {
            let Some(slot) = self.slots[value] else { continue };
            if self.current.contains(value) || loaded.contains_key(&value) {
                continue;
            }
            let ty = self.editor.body.value_type(value);
            let address = self.address(slot);
            let payload = Payload::Access(Access::default());
            let load = self.editor.op_with(Op::Load, ty, &[address], payload);
            loaded.insert(value, load);
        }
        if !loaded.is_empty() {
            let body = &mut *self.editor.body;
            body.map_uses(inst, |value| loaded.get(&value).copied().unwrap_or(value));
        }
    }
}
