//! Computes addresses of objects anew behind the calls of a loop.
//!
//! Before:
//! ```text
//! func @f(i64) -> i64 {
//!     ss0 = slot 64
//! block0(%0: i64):
//!     %1 = slot_addr ss0
//!     jump block1(0, 0)
//! block1(%2: i64, %3: i64):
//!     %4 = shl.i64 %2, 3
//!     %5 = ptr_add %1, %4
//!     %6 = load.i64 %5
//!     %7 = call @g(%6)
//!     store.i64 %7, %1
//!     %8 = add.i64 %2, 1
//!     %9 = icmp.i64 slt %8, %0
//!     branch %9, block1(%8, %7), block2
//! block2:
//!     return %7
//! }
//!
//! import func @g(i64) -> i64
//! ```
//! After:
//! ```text
//! func @f(i64) -> i64 {
//!     ss0 = slot 64
//! block0(%0: i64):
//!     %1 = slot_addr ss0
//!     jump block1(0, 0)
//! block1(%2: i64, %3: i64):
//!     %4 = shl.i64 %2, 3
//!     %13 = slot_addr ss0
//!     %5 = ptr_add %13, %4
//!     %6 = load.i64 %5
//!     %7 = call @g(%6)
//!     %14 = slot_addr ss0
//!     store.i64 %7, %14
//!     %8 = add.i64 %2, 1
//!     %9 = icmp.i64 slt %8, %0
//!     branch %9, block1(%8, %7), block2
//! block2:
//!     return %7
//! }
//!
//! import func @g(i64) -> i64
//! ```
//! A call leaves few registers as they are. What lives across one takes one of these, or is
//! stored and loaded again; the address of an object is one instruction with no operands,
//! which takes less time than the load (Briggs, Cooper and Torczon, "Rematerialization",
//! 1992). In the blocks of loops that call, an address is computed before its first use, and
//! again before the first one behind each call.
//!
//! Needs: nothing; behind all that lets equal values stand for each other. Keeps: the flow
//! graph. Does not try: loops without calls, where a register that is held costs less;
//! addresses of what each thread has its own of; constants, which emission writes where
//! they are used.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Module, Storage};
use brolga_ir::op::Op;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::{Loop, Loops};
use crate::pass::{Change, Copies, PassContext, PassResult};

/// Computes addresses of objects anew behind the calls of a loop.
///
/// # Errors
/// None.
pub fn rematerialize(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let calls = || body.layout.all_insts().any(|inst| body.inst(inst).op.is_call());
    if !context.analyses.ops(body).has_any(&[Op::SlotAddr, Op::DataAddr]) || !calls() {
        return Ok(Change::Nothing);
    }
    let loops = context.analyses.loops(body);
    let calling = calling_loops(body, &loops);
    let mut count = 0;
    let is_in_one = |block: &Block| loops.innermost(*block).is_some_and(|of| calling.contains(of));
    for block in body.layout.blocks().filter(is_in_one).collect::<Vec<_>>() {
        count += renew(body, context.module, block);
    }
    context.statistics.add("rematerialize", "addresses computed anew", count);
    Ok(if count > 0 { Change::Something } else { Change::Nothing })
}

/// The loops that call, those that others call in among them.
fn calling_loops(body: &Body, loops: &Loops) -> EntitySet<Loop> {
    let mut calling = EntitySet::new();
    for block in body.layout.blocks() {
        let above = |of: &Loop| loops.get(*of).and_then(|data| data.parent.expand());
        let mut around = std::iter::successors(loops.innermost(block), above).peekable();
        let is_new = around.peek().is_some_and(|of| !calling.contains(*of));
        if is_new && body.layout.insts(block).any(|inst| body.inst(inst).op.is_call()) {
            around.for_each(|of| {
                calling.insert(of);
            });
        }
    }
    calling
}

/// Computes the addresses that a block of such a loop uses before their first uses behind
/// its begin and behind each call; how many.
fn renew(body: &mut Body, module: &Module, block: Block) -> u64 {
    // Addresses, and what stands for them until the next call.
    let mut known: FxHashMap<Value, Value> = FxHashMap::default();
    let mut count = 0;
    for inst in body.layout.insts(block).collect::<Vec<_>>() {
        let used: SmallVec<[Value; 4]> = body.uses(inst).collect();
        for value in used {
            let Some(origin) = address(body, module, value) else { continue };
            if known.contains_key(&value) {
                continue;
            }
            let copy = Copies::default().copy_inst(body, origin);
            body.layout.insert_inst_before(copy, inst);
            if let Some(result) = body.result(copy) {
                known.insert(value, result);
                count += 1;
            }
        }
        body.map_uses(inst, |value| known.get(&value).copied().unwrap_or(value));
        if body.inst(inst).op.is_call() {
            known.clear();
        }
        if let Some(result) =
            body.result(inst).filter(|&value| address(body, module, value).is_some())
        {
            known.insert(result, result);
        }
    }
    count
}

/// What computes an address of which one instruction is all.
fn address(body: &Body, module: &Module, value: Value) -> Option<Inst> {
    let ValueDef::Result(inst, _) = body.value_def(value) else { return None };
    let is_one = match body.inst(inst).payload {
        Payload::Slot(_) => body.inst(inst).op == Op::SlotAddr,
        Payload::Data(data) if body.inst(inst).op == Op::DataAddr => {
            module.data(data).is_some_and(|data| data.storage != Storage::ThreadLocal)
        }
        _ => false,
    };
    is_one.then_some(inst)
}
