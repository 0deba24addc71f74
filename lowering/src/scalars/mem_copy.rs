//! Reads from where bytes were copied from, and copies few bytes by loads and stores.
//!
//! Before:
//! ```text
//! func @f(ptr, ptr) -> i64 {
//!     ss0 = slot 32
//!     ss1 = slot 32
//! block0(%0: ptr, %1: ptr):
//!     %2 = slot_addr ss0
//!     mem_copy %2, %0, 32
//!     %3 = load.i64 %2+8
//!     mem_copy %1, %2, 8
//!     %4 = slot_addr ss1
//!     mem_fill %4, 0, 32
//!     %5 = load.i64 %4
//!     %6 = add.i64 %3, %5
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, ptr) -> i64 {
//!     ss0 = slot 32
//!     ss1 = slot 32
//! block0(%0: ptr, %1: ptr):
//!     %2 = slot_addr ss0
//!     %11 = load.i64x2 %0
//!     %13 = ptr_add %0, 16
//!     %14 = load.i64x2 %13
//!     store.i64x2 %11, %2
//!     %15 = ptr_add %2, 16
//!     store.i64x2 %14, %15
//!     %3 = load.i64 %0+8
//!     %16 = load.i64 %0
//!     store.i64 %16, %1
//!     %4 = slot_addr ss1
//!     store.i64x2 zero, %4
//!     %18 = ptr_add %4, 16
//!     store.i64x2 zero, %18
//!     %6 = add.i64 %3, 0
//!     return %6
//! }
//! ```
//! What last wrote to the bytes that a copy or load reads is found over memory SSA. If it is a
//! copy, and what that has copied is still what it was, it is read there: a copy of a copy, a
//! load of a copy in an object that nobody else knows, so that the first copy may be dead then.
//! A load at an index is, where the copy fills its slot: it stays in there, or is wrong as it
//! was. If it is a fill, or nothing has written to a zeroed slot yet, the copy is a fill, and the
//! load a constant.
//!
//! Another thread may store to memory that is neither constant nor the function's own, and a byte
//! that was copied once must be the same for all who read the copy. From there only one reads
//! each byte instead of the copy, as often as it was copied.
//!
//! None of this changes memory, so that one look at it is enough. At last copies and fills of a
//! few bytes become loads and stores, as the back end calls for any other.
//!
//! Keeps: the flow graph and all that follows from it. Does not try: bytes that several
//! writes have put together; slots that could stand in the same place (`slot` of the one for the
//! other); one reader in another block; copies of managed objects, which hold references.

mod expand;
mod forward;
mod readers;

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::op::Op;

use crate::analysis::Kept;
use crate::pass::{Change, PassContext, PassResult, Renames};

use forward::{Forwarding, Step};

/// Reads from where bytes come from, and copies few bytes without a call.
///
/// # Errors
/// None.
pub fn mem_copy(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let bulk = |inst: &Inst| matches!(body.inst(*inst).op, Op::MemCopy | Op::MemFill);
    if !body.layout.all_insts().any(|inst| bulk(&inst)) {
        return Ok(Change::Nothing);
    }
    let mut counts = Counts::default();
    forward(body, context, &mut counts);
    let short: Vec<Inst> = body
        .layout
        .all_insts()
        .filter(|&inst| matches!(body.inst(inst).op, Op::MemCopy | Op::MemFill))
        .collect();
    let expanded = short.into_iter().filter(|&inst| expand::expand(body, context, inst));
    counts.expanded = expanded.count() as u64;
    context.analyses.keep(Kept::GRAPH);
    Ok(counts.report(context))
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    copies: u64,
    fills: u64,
    nothings: u64,
    loads: u64,
    constants: u64,
    expanded: u64,
}

impl Counts {
    fn report(self, context: &mut PassContext<'_>) -> Change {
        let counts = [
            ("copies of copies", self.copies),
            ("copies of fills", self.fills),
            ("copies of nothing", self.nothings),
            ("loads of copies", self.loads),
            ("loads of fills", self.constants),
            ("short copies and fills", self.expanded),
        ];
        context.statistics.add_each("mem_copy", counts)
    }
}

/// Lets copies and loads read where the bytes come from.
fn forward(body: &mut Body, context: &mut PassContext<'_>, counts: &mut Counts) {
    let mut forwarding = Forwarding::new(body, context);
    let mut renames = Renames::default();
    // Removed at the end: until then, locations stand for what was there.
    let mut gone: Vec<Inst> = Vec::new();
    for block in forwarding.blocks() {
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            match forwarding.step(body, context.module, inst) {
                Step::Nothing => {}
                Step::Copied if body.inst(inst).op == Op::MemCopy => counts.copies += 1,
                Step::Copied => counts.loads += 1,
                Step::Filled => counts.fills += 1,
                Step::Useless => {
                    counts.nothings += 1;
                    gone.push(inst);
                }
                Step::Constant(constant) => {
                    counts.constants += 1;
                    body.results(inst).to_vec().iter().for_each(|&result| {
                        renames.rename(result, constant);
                    });
                    gone.push(inst);
                }
            }
        }
    }
    renames.apply(body);
    for inst in gone {
        body.remove_inst(inst);
    }
}
