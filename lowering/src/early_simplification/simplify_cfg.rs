//! Makes the graph of blocks small: straight lines become one block, empty blocks
//! are jumped over, branches that are decided become jumps, short sides of a
//! branch become selects, a switch of one range becomes a compare, compares of one
//! number with several constants become a switch, and two that ask for a range one.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = icmp.i32 slt %0, 10
//!     branch %1, block1, block2
//! block1:
//!     %2 = add.i32 %0, 1
//!     jump block3(%2)
//! block2:
//!     jump block3(%0)
//! block3(%3: i32):
//!     %4 = mul.i32 %3, %3
//!     jump block4
//! block4:
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = icmp.i32 slt %0, 10
//!     %2 = add.i32 %0, 1
//!     %7 = select.i32 %1, %2, %0
//!     %4 = mul.i32 %7, %7
//!     return %4
//! }
//! ```
//! A round simplifies the end of each block, successors first, so that a chain of
//! empty blocks is jumped over in one step each; then joins straight lines, from
//! their first block on, so that no instruction moves twice; then makes selects.
//! Each step takes an edge or a block away and none adds one, and what a round
//! uncovers is left to the next, of which there are only so many.
//!
//! Loops stay in the form that loop passes want: no edge is led past an empty block
//! into the header of a loop, which would take its preheader or single latch away, and no
//! edge out of a loop to a block that others lead to.
//!
//! With the option `aggressive`, an instruction that both sides of a branch begin with
//! moves before the branch, and one that both ways to a block end with into that block,
//! with a parameter for an operand that differs where the result was one; traps, throws
//! and calls only from one place of the source, which they tell. A switch whose cases only
//! hand constants to one block becomes arithmetic, or a shift of a word in which they stand.
//! That is for late: on two sides, what is known of the branch says more of an instruction
//! than before it, and `jump_threading` goes by constants on edges.
//!
//! Needs: nothing. Keeps: no analysis; weights and loop marks go along with their
//! branches and headers. Does not try: to copy code (`jump_threading`), to share it
//! between more than two ways, tables in memory,
//! which would be data of the module and not of the function.

mod chain;
mod end;
mod exits;
mod merge;
mod ranges;
mod select;
mod shape;
mod share;
mod switch;
mod table;

use std::rc::Rc;

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use crate::pass::{Change, PassContext, PassResult, drop_stale_marks, remove_unreachable_blocks};

/// The option by which code that two ways have in common stands once.
const AGGRESSIVE: &str = "aggressive";

/// How often the blocks are gone through: what nests deeper is left as it is.
const MOST_ROUNDS: usize = 8;

/// Makes the graph of blocks small.
///
/// # Errors
/// None.
pub fn simplify_cfg(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let mut counts = Counts { blocks: remove_unreachable_blocks(body), ..Counts::default() };
    counts.cuts = cut_behind_failing_checks(body);
    // What had been done when no block was unreachable.
    let mut reached = Counts { cuts: 0, ..counts };
    // And when the graph was looked at that is known.
    let mut known = Counts::default();
    for _ in 0..MOST_ROUNDS {
        let before = counts;
        end::simplify(body, &flow(body, context, &mut known, counts), context, &mut counts);
        if counts != reached {
            counts.blocks += remove_unreachable_blocks(body);
        }
        reached = counts;
        merge::merge(body, &flow(body, context, &mut known, counts), &mut counts);
        let graph = flow(body, context, &mut known, counts);
        select::select(body, &graph, context, &mut counts);
        let graph = flow(body, context, &mut known, counts);
        chain::find(body, &graph, context.analyses, &mut counts);
        let graph = flow(body, context, &mut known, counts);
        ranges::find(body, &graph, context.analyses, &mut counts);
        if context.option == AGGRESSIVE {
            table::find(body, &mut counts);
            let graph = flow(body, context, &mut known, counts);
            share::share(body, &graph, context, &mut counts);
        }
        if counts == before {
            break;
        }
    }
    if counts == Counts::default() {
        return Ok(Change::Nothing);
    }
    drop_stale_marks(body);
    Ok(counts.report(context))
}

/// The graph of blocks: that which is known, if nothing was done since.
fn flow(
    body: &Body,
    context: &mut PassContext<'_>,
    known: &mut Counts,
    now: Counts,
) -> Rc<FlowGraph> {
    if std::mem::replace(known, now) != now {
        context.analyses.drop_all();
    }
    context.analyses.flow(body)
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    blocks: usize,
    cuts: usize,
    threaded: usize,
    folded: usize,
    merged: usize,
    params: usize,
    selects: usize,
    switches: usize,
    ranges: usize,
    tables: usize,
    hoisted: usize,
    sunk: usize,
}

impl Counts {
    fn report(&self, context: &mut PassContext<'_>) -> Change {
        let counts = [
            ("unreachable blocks", self.blocks),
            ("failing checks", self.cuts),
            ("edges past empty blocks", self.threaded),
            ("decided branches", self.folded),
            ("merged blocks", self.merged),
            ("parameters of one edge", self.params),
            ("branches to selects", self.selects),
            ("simplified switches", self.switches),
            ("branches that ask for one range", self.ranges),
            ("switches between constants", self.tables),
            ("hoisted instructions", self.hoisted),
            ("sunk instructions", self.sunk),
        ];
        context.statistics.add_each("simplify_cfg", counts)
    }
}

/// Ends a block behind a check that always fails: nothing comes behind it.
fn cut_behind_failing_checks(body: &mut Body) -> usize {
    let fails = |inst: &Inst| {
        body.inst(*inst).op == Op::Check
            && body.args(*inst).first().is_some_and(|&arg| body.as_scalar_constant(arg) == Some(0))
    };
    let failing: Vec<Inst> = body.layout.all_insts().filter(fails).collect();
    let mut cuts = 0;
    for check in failing {
        let Some(block) = body.layout.block_of(check) else { continue };
        if body.layout.last_inst(block).is_none_or(|last| body.inst(last).op == Op::Unreachable) {
            continue;
        }
        while let Some(last) = body.layout.last_inst(block).filter(|&last| last != check) {
            body.layout.remove_inst(last);
        }
        shape::append(body, block, Op::Unreachable, check);
        cuts += 1;
    }
    if cuts > 0 {
        remove_unreachable_blocks(body);
    }
    cuts
}
