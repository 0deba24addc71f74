//! Turns atomic changes by functions into loops of compare-exchanges, and those that one
//! operation does into that.
//!
//! Before:
//! ```text
//! local func @larger(i64, i64) -> i64 {
//! block0(%0: i64, %1: i64):
//!     %2 = umax.i64 %0, %1
//!     return %2
//! }
//!
//! func @f(ptr, i64) -> i64 {
//! block0(%0: ptr, %1: i64):
//!     %2, %3 = atomic_modify.i64 @larger, acq_rel %0, %1
//!     %4 = add.i64 %2, %3
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! local func @larger(i64, i64) -> i64 {
//! block0(%0: i64, %1: i64):
//!     %2 = umax.i64 %0, %1
//!     return %2
//! }
//!
//! func @f(ptr, i64) -> i64 {
//! block0(%0: ptr, %1: i64):
//!     %6 = atomic_load.i64 relaxed %0
//!     jump block1(%6)
//! block1(%5: i64):
//!     %7 = call @larger(%5, %1)
//!     %8, %9 = atomic_cas.i64 acq_rel acquire %0, %5, %7
//!     branch %9, block2, block1(%8) weights(2000, 1)
//! block2:
//!     %4 = add.i64 %5, %7
//!     return %4
//! }
//! ```
//! The loop asks for the new value of what it has seen last, and puts it there if that is
//! still what is there. First of all, so that a handler region gives the call its edge, and
//! `inline` takes it over as any other: what is only a wrapper around an operation is that
//! operation then.
//!
//! With the option `recognise`, for which it runs behind `inline`, a loop that puts a sum, a
//! bitwise or extreme one, a difference or a value from outside into the place of what it
//! saw is one `atomic_rmw`, also where somebody has written the loop: what it saw first
//! does not matter, as the loop goes round until nobody came between. What else the loop
//! computes is computed once, from the old value, and goes if nobody uses it.
//!
//! Needs: nothing. Keeps: nothing. Does not try: to recognise loops that do more, with
//! several numbers that change, or through addresses that they compute; functions that
//! `inline` leaves alone.

mod recognise;

use brolga_ir::attribute::{AccessFlags, Order};
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{Change, PassContext, PassResult, Renames};

/// The option by which loops become operations.
const RECOGNISE: &str = "recognise";

/// How much likelier it is that nobody came between.
const LIKELY: u32 = 2000;

/// Expands `atomic_modify`, or recognises what it is.
///
/// # Errors
/// None.
pub fn expand_atomic_modify(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.option == RECOGNISE {
        return Ok(recognise::recognise(body, context));
    }
    if !context.analyses.ops(body).has_any(&[Op::AtomicModify]) {
        return Ok(Change::Nothing);
    }
    let mut renames = Renames::default();
    let mut expanded = 0;
    for block in body.layout.blocks().collect::<Vec<_>>() {
        expanded += expand_block(body, &mut renames, block);
    }
    renames.apply(body);
    context.statistics.add("expand_atomic_modify", "loops of compare-exchanges", expanded);
    Ok(Change::Something)
}

/// Expands what stands in a block. What follows is put behind the loops one by one.
fn expand_block(body: &mut Body, renames: &mut Renames, whole: Block) -> u64 {
    let mut expanded = 0;
    let mut block = whole;
    for inst in body.layout.insts(whole).collect::<Vec<_>>() {
        if block != whole {
            body.layout.remove_inst(inst);
            // A mark belongs to the header, which `whole` still is.
            match body.layout.first_inst(whole).filter(|_| body.inst(inst).op == Op::LoopMark) {
                Some(first) => body.layout.insert_inst_before(inst, first),
                None => body.layout.append_inst(inst, block),
            }
        }
        if body.inst(inst).op == Op::AtomicModify
            && let Some(next) = expand(body, renames, inst, block)
        {
            block = next;
            expanded += 1;
        }
    }
    expanded
}

/// Writes a loop in the place of `inst`, the last one of `block`; gives the block where
/// what follows goes on.
fn expand(body: &mut Body, renames: &mut Renames, inst: Inst, block: Block) -> Option<Block> {
    let data = *body.inst(inst);
    let Payload::AtomicModify { function, order, access } = data.payload else { return None };
    let (&[address, operand], &[old, new]) = (body.args(inst), body.results(inst)) else {
        return None;
    };
    let ty = data.ty;
    let again = body.make_block();
    body.layout.insert_block_after(again, block);
    let next = body.make_block();
    body.layout.insert_block_after(next, again);
    let seen = body.append_param(again, ty);

    let write = |body: &mut Body, block, op, ty, args: &[_], payload, results: &[Type]| {
        let args = body.list(args);
        let made = InstData { loc: data.loc, ..InstData::new(op, ty, args, payload) };
        body.append_inst(block, made, results)
    };
    let mut first_access = access;
    first_access.flags &= AccessFlags::VOLATILE;
    let payload = Payload::Atomic { order: Order::Relaxed, access: first_access };
    let first = write(body, block, Op::AtomicLoad, ty, &[address], payload, &[ty]);
    let first = body.result(first)?;
    let payload = Payload::Jump(body.target(again, &[first]));
    write(body, block, Op::Jump, Type::NONE, &[], payload, &[]);

    let payload = Payload::Function(function);
    let call = write(body, again, Op::Call, Type::NONE, &[seen, operand], payload, &[ty]);
    let wanted = body.result(call)?;
    let payload = Payload::AtomicCas { order, failure: failure(order), access };
    let args = [address, seen, wanted];
    let exchange = write(body, again, Op::AtomicCas, ty, &args, payload, &[ty, Type::I1]);
    let &[found, is_done] = body.results(exchange) else { return None };
    let targets = [body.target(next, &[]), body.target(again, &[found])];
    let payload = Payload::Branch(targets);
    let branch = write(body, again, Op::Branch, Type::NONE, &[is_done], payload, &[]);
    body.set_weights(branch, &[LIKELY, 1]);

    for (from, to) in [(old, seen), (new, wanted)] {
        if let Some(name) = body.value_name(from).map(str::to_owned) {
            body.set_value_name(to, &name);
        }
        renames.rename(from, to);
    }
    body.remove_inst(inst);
    Some(next)
}

/// How an exchange that puts nothing there is ordered: as what it reads.
fn failure(order: Order) -> Order {
    match order {
        Order::Unordered | Order::Relaxed | Order::Release => Order::Relaxed,
        Order::Acquire | Order::AcquireRelease => Order::Acquire,
        Order::SequentiallyConsistent => Order::SequentiallyConsistent,
    }
}
