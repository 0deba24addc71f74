//! Takes out stores that nobody sees: what is overwritten on every path before it is
//! read, what nothing reads before its object is gone, and what memory holds already.
//!
//! Before:
//! ```text
//! func @f(i64, ptr) -> i64 {
//!     ss0 = slot 32 uninit
//! block0(%0: i64, %1: ptr):
//!     %2 = slot_addr ss0
//!     mem_fill %2, 0, 32
//!     store.i64 %0, %2
//!     store.i64 1, %1
//!     %3 = load.i64 %1+8
//!     store.i64 %3, %1+8
//!     store.i64 %0, %1
//!     %4 = slot_load.i64 ss0, 0
//!     %5 = slot_load.i64 ss0, 16
//!     %6 = add.i64 %4, %5
//!     slot_end ss0
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, ptr) -> i64 {
//!     ss0 = slot 32 uninit
//! block0(%0: i64, %1: ptr):
//!     %2 = slot_addr ss0
//!     %13 = ptr_add %2, 8
//!     mem_fill %13, 0, 24
//!     store.i64 %0, %2
//!     %3 = load.i64 %1+8
//!     store.i64 %0, %1
//!     %4 = slot_load.i64 ss0, 0
//!     %5 = slot_load.i64 ss0, 16
//!     %6 = add.i64 %4, %5
//!     return %6
//! }
//! ```
//! What memory holds already is found over memory SSA: between a load and the store of
//! its value, or between two equal stores, nothing changes the place. Then each store,
//! the last one first, is followed on every way that leads on from it, until the place is
//! overwritten, may be read, or the way ends. A place in an object that nobody outside
//! knows is gone where the function ends; any other is seen by whoever gets control, so
//! that an instruction in between which may trap or throw keeps the store. Fills and
//! copies of which later stores in the block overwrite the beginning or the end do less.
//! Each way is followed up to a bound, so that the pass takes O(instructions).
//!
//! Keeps: the flow graph
//! and all that follows from it. Does not try: overwriting by several stores in different
//! blocks; stores that only some paths need (sinking); what callees do with what they are
//! given; allocations that nobody reads (`alloc_opt`).

mod dead;
mod events;
mod present;
mod trim;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};

use crate::analysis::Kept;
use crate::pass::{Change, PassContext, PassResult, effects_of};

use dead::Search;
use present::Memory;

/// Takes out stores that nobody sees.
///
/// # Errors
/// None.
pub fn dse(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let mut stores: Vec<Inst> =
        body.layout.all_insts().filter(|&inst| is_removable(context.module, body, inst)).collect();
    if has_promises(body) {
        // Behind the beginning of another use, a slot holds what other classes speak of.
        let is_mark = |inst: Inst| matches!(body.inst(inst).op, Op::SlotStart | Op::SlotEnd);
        stores.retain(|&inst| !is_mark(inst));
    }
    if stores.is_empty() {
        return Ok(Change::Nothing);
    }
    let present = remove_present(body, context, &stores);
    let (dead, trimmed) = remove_dead(body, context, &stores);
    let counts = [
        ("stores of what is there", present),
        ("dead stores", dead),
        ("trimmed fills and copies", trimmed),
    ];
    context.analyses.keep(Kept::GRAPH);
    Ok(context.statistics.add_each("dse", counts))
}

/// Whether an instruction does nothing but write, so that it may go if nobody sees that.
fn is_removable(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match data.op {
        Op::SlotStart | Op::SlotEnd => true,
        Op::SlotStore | Op::DataStore => !effects_of(module, body, inst).contains(Effects::TRAP),
        Op::Store | Op::MaskedStore | Op::MemFill | Op::MemCopy => {
            !data.access().is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE))
        }
        _ => false,
    }
}

/// Whether an access promises something of what it overlaps.
fn has_promises(body: &Body) -> bool {
    body.layout.all_insts().any(|inst| {
        body.inst(inst).access().is_some_and(|access| {
            access.class.is_some() || access.scopes.is_some() || access.no_alias.is_some()
        })
    })
}

/// Takes out stores of what memory holds already. None of them changes memory, so that
/// what was found of one holds when others are gone.
fn remove_present(body: &mut Body, context: &mut PassContext<'_>, stores: &[Inst]) -> u64 {
    let memory = Memory::new(body, context);
    let present: Vec<Inst> =
        stores.iter().copied().filter(|&store| memory.holds_already(body, store)).collect();
    for &store in &present {
        body.remove_inst(store);
    }
    present.len() as u64
}

/// Takes out dead stores, and what is dead of fills and copies; gives how many of each.
fn remove_dead(body: &mut Body, context: &mut PassContext<'_>, stores: &[Inst]) -> (u64, u64) {
    let mut search = Search::new(body, context);
    let (mut removed, mut trims) = (Vec::new(), Vec::new());
    for &store in stores.iter().rev() {
        let Some(location) = search.place(body, store) else { continue };
        if search.is_dead(body, store, &location) {
            search.take_out(store);
            removed.push(store);
            continue;
        }
        let Some((start, end)) = search.left(body, store, &location) else { continue };
        if start == end || search.is_dead(body, store, &location.part(start, end)) {
            search.take_out(store);
            removed.push(store);
        } else {
            trims.push((store, start, end));
        }
    }
    for &store in &removed {
        body.remove_inst(store);
    }
    let trimmed = trims.iter().filter(|&&(store, start, end)| trim::trim(body, store, start, end));
    let trimmed = trimmed.count() as u64;
    (removed.len() as u64, trimmed)
}
