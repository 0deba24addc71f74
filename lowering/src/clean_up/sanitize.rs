//! Has accesses by address checked against the object that they belong to, so that code traps
//! `invalid_access` where the interpreter does.
//!
//! Before:
//! ```text
//! func @f(i64) -> i32 {
//!     ss0 = slot 16
//! block0(%0: i64):
//!     %1 = slot_addr ss0
//!     %2 = ptr_add %1, %0
//!     %3 = load.i32 %1+12
//!     %4 = load.i32 %2
//!     %5 = add.i32 %3, %4
//!     return %5
//! }
//! ```
//! After:
//! ```text
//! func @f(i64) -> i32 {
//!     ss0 = slot 16
//!     exit0 = trap invalid_access
//! block0(%0: i64):
//!     %1 = slot_addr ss0
//!     %2 = ptr_add %1, %0
//!     %3 = load.i32 %1+12
//!     %6 = slot_addr ss0
//!     %7 = ptr_to_int %2
//!     %8 = ptr_to_int %6
//!     %9 = sub.i64 %7, %8
//!     %11 = icmp.i64 ule %9, 12
//!     check %11, exit0
//!     %4 = load.i32 %2
//!     %5 = add.i32 %3, %4
//!     return %5
//! }
//! ```
//! For debug builds: no level runs it by itself, who wants it asks for it by an option
//! (`LowerOptions::sanitize`) or names it in a list of passes. It knows slots and data objects
//! that this module alone defines, through offsets, selects and block parameters, and what
//! `stack_alloc` gives, through offsets; loads, stores, atomic accesses, copies, fills and
//! compares. What is inside whatever the numbers are gets no check; what is outside in any
//! case gets one that always traps, and a remark says so with its line. So does an access to
//! an object of `stack_alloc` behind a `stack_restore`, on every way there, that has ended
//! its life.
//!
//! A program whose accesses by address stay in the objects that their addresses were made
//! from, which is what raw accesses promise, does what it did. Of an access of no bytes
//! nothing is asked, and an atomic one that is not aligned traps as that first.
//!
//! Needs: no aggregates; where it runs before `legalize`, vectors are checked once. Keeps:
//! the flow graph. Does not try: functions that call what returns twice; `slot_start` and `slot_end`, behind which a slot may be
//! read: it is zero there, by what the ops mean, and no access is one after the end of a
//! life; masked accesses, of which lanes that lie outside may be off, and searches, which
//! may find what they look for before the end that they are given; addresses that come
//! from arguments, memory or callees, as those of the heap: whose they are is known at run
//! time only; objects of the collector, which lives by itself; slots of callers, whose
//! addresses are arguments, once these have returned.

mod check;
mod extent;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Inst, SecondaryMap, Value};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::analysis::addresses::Base;
use crate::pass::{Editor, PassContext, PassResult};
use check::write_check;
use extent::{Finding, Object, defining, places};

/// How many `stack_restore` of a function are looked at.
const MOST_RESTORES: usize = 64;

/// Has accesses checked against the bounds and the lives of their objects.
///
/// # Errors
/// None.
pub fn sanitize(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let dominators = context.analyses.dominators(body);
    let escapes = context.analyses.escapes(body);
    let facts = context.analyses.value_facts(body, context.module);
    let order = Order::new(body, &dominators);
    let (mut checked, mut failing) = (0, 0);
    let mut editor = Editor::new(body, context);
    for inst in editor.body.layout.all_insts().collect::<Vec<_>>() {
        for place in places(editor.body, &editor.context.module.types, inst) {
            let base = escapes.bases().of(place.address);
            let Some(object) = Object::of(editor.body, editor.context.module, base) else {
                continue;
            };
            // In a loop, what was made last need not be what an address was made from that
            // came around.
            if let Base::Fresh(made) = base
                && place.root(editor.body) != Some(made)
            {
                continue;
            }
            let finding = match base {
                Base::Fresh(made) if order.is_gone(editor.body, made, inst) => Finding::Gone,
                _ => place.look(editor.body, &facts, &object),
            };
            if finding == Finding::Inside {
                continue;
            }
            editor.stand_before(inst);
            write_check(&mut editor, &place, &object, finding);
            if finding != Finding::Open {
                let object = object.describe(editor.context.module);
                let what = finding.describe();
                editor.context.remark(inst, RemarkKind::Note, format!("{what} {object}"));
                failing += 1;
            }
            checked += 1;
        }
    }
    let counts = [("checked places", checked), ("places that are never right", failing)];
    Ok(editor.context.statistics.add_each("sanitize", counts))
}

/// What runs before what.
struct Order<'a> {
    dominators: &'a Dominators,
    numbers: SecondaryMap<Inst, u32>,
    restores: Vec<Inst>,
}

impl<'a> Order<'a> {
    fn new(body: &Body, dominators: &'a Dominators) -> Order<'a> {
        let (mut numbers, mut restores) = (SecondaryMap::new(), Vec::new());
        for (number, inst) in body.layout.all_insts().enumerate() {
            numbers[inst] = number as u32;
            if body.inst(inst).op == Op::StackRestore && restores.len() < MOST_RESTORES {
                restores.push(inst);
            }
        }
        Order { dominators, numbers, restores }
    }

    /// Whether every way to `later` comes by `earlier`.
    fn is_before(&self, body: &Body, earlier: Inst, later: Inst) -> bool {
        let blocks = [earlier, later].map(|inst| body.layout.block_of(inst));
        match blocks {
            [Some(one), Some(other)] if one == other => self.numbers[earlier] < self.numbers[later],
            [Some(one), Some(other)] => self.dominators.dominates(one, other),
            _ => false,
        }
    }

    /// Whether every way to `inst` ends the life of what was made, by giving back the stack
    /// as it was before. That the one is on every way to the other holds of the last time
    /// that each has run, too: a way around it would be one to begin with.
    fn is_gone(&self, body: &Body, made: Value, inst: Inst) -> bool {
        let Some(made) = defining(body, made) else { return false };
        self.restores.iter().any(|&restore| {
            let mark = body.args(restore).first().and_then(|&mark| defining(body, mark));
            let saved = mark.filter(|&mark| body.inst(mark).op == Op::StackSave);
            saved.is_some_and(|saved| self.is_before(body, saved, made))
                && self.is_before(body, made, restore)
                && self.is_before(body, restore, inst)
        })
    }
}
