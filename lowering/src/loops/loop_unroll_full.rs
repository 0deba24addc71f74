//! Writes the rounds of loops that run a few times one behind another.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1(0, %0)
//! block1(%1: i32, %2: i32):
//!     %3 = mul.i32 %2, %2
//!     %4 = add.i32 %1, 1
//!     %5 = icmp.i32 ult %4, 2
//!     branch %5, block1(%4, %3), block2
//! block2:
//!     return %3
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block3(0, %0)
//! block1(%1: i32, %2: i32):
//!     %3 = mul.i32 %2, %2
//!     %4 = add.i32 %1, 1
//!     %5 = icmp.i32 ult %4, 2
//!     jump block2
//! block3(%9: i32, %10: i32):
//!     %11 = mul.i32 %10, %10
//!     %12 = add.i32 %9, 1
//!     %13 = icmp.i32 ult %12, 2
//!     jump block1(%12, %11)
//! block2:
//!     return %3
//! }
//! ```
//! How often a loop goes back is known as a number (see `analysis/scalar_evolution`), and
//! what ends it is one branch that every round comes by: in all rounds but the last one it
//! stays in the loop, in that one it leaves. The rounds before the last one are copies of
//! the loop; the last one is the loop itself, so that what is used behind it stays as it is.
//! Calls, traps, stores and polls of a round stay in their order.
//!
//! A loop is taken if it and its copies come to a few instructions, or if its `loop_mark`
//! asks for as many rounds as it has, within bounds: then more. The mark goes with the loop.
//! Counters, what is computed of them alone, and their part in addresses count little, as
//! each copy knows them as numbers.
//!
//! Needs: preheaders and single latches, as `loop_simplify` leaves them. Keeps: nothing.
//! Does not try: loops with loops in them, of which the inner go first; several exits; to
//! write only some of the rounds, as `loop_unroll` does later; loops that end by
//! switches or calls.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};

use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::pass::{
    Change, PassContext, PassResult, copy_rounds, drop_stale_marks, remove_unreachable_blocks,
    take_way, wished_rounds,
};

/// The most instructions that a loop and its copies come to, without those that are known
/// by the number of the round.
const MOST: usize = 96;

/// The same, with them: they are there until later passes compute them.
const MOST_COPIED: usize = 2 * MOST;

/// The same, of a loop that is marked.
const MOST_MARKED: usize = 2048;

/// The most rounds of a loop that is not marked.
const MOST_ROUNDS: u128 = 32;

/// A loop that is written out.
#[derive(Debug)]
struct Short {
    blocks: Vec<Block>,
    header: Block,
    /// The jump that enters it.
    entering: Inst,
    /// The branch that ends it, and the index of its target inside.
    leaving: Inst,
    staying: usize,
    /// How many copies there are beside it.
    copies: usize,
}

/// Writes out loops that are short.
///
/// # Errors
/// None.
pub fn loop_unroll_full(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let evolution = context.analyses.scalar_evolution(body, context.module);
    let mut found = Vec::new();
    for of in loops.all_innermost() {
        found.extend(short(body, context, &loops, &evolution, of));
    }
    for short in &found {
        let message = format_args!("the loop runs {} times and is written out", short.copies + 1);
        context.remark(short.leaving, RemarkKind::Applied, message);
        write_out(body, short);
    }
    context.statistics.add("loop_unroll_full", "loops written out", found.len() as u64);
    if found.is_empty() {
        return Ok(Change::Nothing);
    }
    remove_unreachable_blocks(body);
    drop_stale_marks(body);
    Ok(Change::Something)
}

/// What is to be done with a loop, if it is short.
fn short(
    body: &Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
    evolution: &ScalarEvolution,
    of: Loop,
) -> Option<Short> {
    let graph = context.analyses.flow(body);
    let data = loops.get(of)?;
    let entering = body.layout.last_inst(loops.preheader(of, &graph)?)?;
    let trips = evolution.trips(of)?;
    let again = evolution.as_constant(trips.exact?)?;
    let mut exits = loops.exits(of, &graph);
    let (from, to) = exits.next().filter(|_| exits.next().is_none())?;
    let leaving = body.layout.last_inst(from)?;
    let staying = body.targets(leaving).iter().position(|target| target.block != to)?;
    let blocks = loops.blocks(of).to_vec();
    let is_simple = |&block: &Block| {
        let last = body.layout.last_inst(block).map(|last| body.inst(last).op);
        matches!(last, Some(Op::Jump | Op::Branch)) && !loops.is_irreducible(block)
    };
    if data.latches.len() != 1
        || !blocks.iter().all(is_simple)
        || body.inst(leaving).op != Op::Branch
    {
        return None;
    }
    let is_work = |inst: &Inst| body.inst(*inst).op != Op::Jump;
    let works = |&block: &Block| body.layout.insts(block).filter(is_work).count();
    let size = blocks.iter().map(works).sum::<usize>();
    let rounds = again.checked_add(1)?;
    let wish = wished_rounds(body, data.header);
    let copies = usize::try_from(again).ok()?;
    let all = size.checked_mul(copies.checked_add(1)?)?;
    let is_short = match wish.is_some_and(|wish| u128::from(wish) >= rounds) {
        true => all <= MOST_MARKED,
        false if rounds > MOST_ROUNDS || all > MOST_COPIED => false,
        false => {
            let stay = blocks.iter().map(|&block| staying_work(body, evolution, (of, block)));
            stay.sum::<usize>().saturating_mul(copies + 1) <= MOST
        }
    };
    // A wish for fewer rounds is one for a loop that stays.
    let is_wanted = wish.is_none_or(|wish| u128::from(wish) >= rounds);
    (is_short && is_wanted).then_some(Short {
        blocks,
        header: data.header,
        entering,
        leaving,
        staying,
        copies,
    })
}

/// How many instructions of a block are left in each copy, when what the number of the round
/// decides has become constants and parts of addresses.
fn staying_work(body: &Body, evolution: &ScalarEvolution, (of, block): (Loop, Block)) -> usize {
    let is_known = |&value: &Value| {
        let Some(expr) = evolution.of(value) else {
            return body.as_constant(value).is_some();
        };
        let is_constant = |expr| evolution.as_constant(expr).is_some();
        is_constant(expr)
            || evolution.as_recurrence(expr).is_some_and(|line| {
                line.of == of && is_constant(line.start) && is_constant(line.step)
            })
    };
    let stays = |&inst: &Inst| {
        let args = body.args(inst);
        match body.inst(inst).op {
            Op::Jump | Op::LoopMark => false,
            Op::PtrAdd => !args.last().is_some_and(is_known),
            op if op.info().effects == Effects::PURE => !args.iter().all(is_known),
            Op::Branch => !is_decided(body, args, &is_known),
            _ => true,
        }
    };
    body.layout.insts(block).filter(stays).count()
}

/// Whether a branch goes by a compare of what is known.
fn is_decided(body: &Body, args: &[Value], is_known: &dyn Fn(&Value) -> bool) -> bool {
    let Some(&condition) = args.first() else { return false };
    let ValueDef::Result(compare, _) = body.value_def(condition) else { return false };
    body.args(compare).iter().all(is_known)
}

fn write_out(body: &mut Body, short: &Short) {
    let from = body.layout.block_of(short.leaving);
    let last = *short.blocks.last().unwrap_or(&short.header);
    let copies = copy_rounds(body, &short.blocks, short.copies, last, Some(short.header));
    for copy in &copies {
        if let Some(leaving) = from.and_then(|from| body.layout.last_inst(copy.block(from))) {
            take_way(body, leaving, short.staying);
        }
    }
    let first = copies.first().map_or(short.header, |copy| copy.block(short.header));
    if let Some(entering) = body.targets_mut(short.entering).first_mut() {
        entering.block = first;
    }
    take_way(body, short.leaving, 1 - short.staying);
}
