//! Branches whose sides do next to nothing: both are done, and a select takes the
//! result of one.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Effects, Op};

use super::Counts;
use super::shape::{Way, compute, is_selectable, replace_by_jump};
use crate::pass::{PassContext, Renames, effects_of};

/// How many instructions are done that would not have been, at most.
const MOST_SPECULATED: usize = 2;

/// How many selects a branch is worth.
const MOST_SELECTS: usize = 2;

/// A branch that goes one way so much more often is foreseen by the processor, which
/// then waits for neither side.
const FORESEEN: u64 = 16;

/// A side of a branch.
#[derive(Debug)]
struct Side {
    /// The block that does it; none for an edge that leads straight to the end.
    block: Option<Block>,
    /// What the block is given.
    given: Vec<Value>,
    /// Its instructions but the last.
    insts: Vec<Inst>,
    /// Where it ends.
    end: Way,
}

/// Makes selects of branches with short sides, the inner ones first.
pub(super) fn select(
    body: &mut Body,
    graph: &FlowGraph,
    context: &PassContext<'_>,
    counts: &mut Counts,
) {
    let mut renames = Renames::default();
    for &block in graph.postorder() {
        let Some(last) = body.layout.last_inst(block).filter(|_| body.layout.is_placed(block))
        else {
            continue;
        };
        if body.inst(last).op == Op::Branch && flatten(body, context, graph, &mut renames, last) {
            counts.selects += 1;
        }
    }
    renames.apply(body);
}

/// Makes a branch whose edges lead to one block a jump, by selects.
pub(super) fn join(body: &mut Body, last: Inst, condition: Value, yes: &Way, no: &Way) -> bool {
    let pays =
        !is_foreseen(body, last) && selects(body, yes, no).is_some_and(|it| it <= MOST_SELECTS);
    if pays {
        write(body, last, condition, yes, no);
    }
    pays
}

fn flatten(
    body: &mut Body,
    context: &PassContext<'_>,
    graph: &FlowGraph,
    renames: &mut Renames,
    last: Inst,
) -> bool {
    let Some(&condition) = body.args(last).first() else { return false };
    let Some([yes, no]) = sides(body, context, graph, last) else { return false };
    // One of the sides would have been done.
    let speculated = yes.insts.len().max(no.insts.len());
    let count = selects(body, &yes.end, &no.end);
    let pays = speculated <= MOST_SPECULATED && count.is_some_and(|it| it <= MOST_SELECTS);
    if !pays || is_foreseen(body, last) {
        return false;
    }
    for side in [&yes, &no] {
        let Some(block) = side.block else { continue };
        for (&param, &arg) in body.params(block).iter().zip(&side.given) {
            renames.rename(param, arg);
        }
        for &inst in &side.insts {
            body.layout.remove_inst(inst);
            body.layout.insert_inst_before(inst, last);
        }
        body.layout.remove_block(block);
    }
    write(body, last, condition, &yes.end, &no.end);
    true
}

/// The sides of a branch, if at least one does something and both end at one block.
fn sides(
    body: &Body,
    context: &PassContext<'_>,
    graph: &FlowGraph,
    last: Inst,
) -> Option<[Side; 2]> {
    let ways = [Way::of(body, last, 0)?, Way::of(body, last, 1)?];
    let own = body.layout.block_of(last);
    let [yes, no] = [0, 1].map(|index| {
        let way: &Way = &ways[index];
        let is_own = graph.predecessors(way.block).len() == 1 && Some(way.block) != own;
        is_own.then(|| side(body, context, way)).flatten()
    });
    let straight = |way: &Way| Side { block: None, given: vec![], insts: vec![], end: way.clone() };
    match (yes, no) {
        (Some(yes), Some(no)) if yes.end.block == no.end.block => Some([yes, no]),
        (Some(yes), _) if yes.end.block == ways[1].block => Some([yes, straight(&ways[1])]),
        (_, Some(no)) if no.end.block == ways[0].block => Some([straight(&ways[0]), no]),
        _ => None,
    }
}

/// The block of `way` as a side, if all that it does may be done in vain and is cheap.
fn side(body: &Body, context: &PassContext<'_>, way: &Way) -> Option<Side> {
    let last = body.layout.last_inst(way.block).filter(|&last| body.inst(last).op == Op::Jump)?;
    let mut insts = Vec::new();
    for inst in body.layout.insts(way.block).take_while(|&inst| inst != last) {
        let is_cheap = is_cheap(body, inst) && effects_of(context.module, body, inst).is_empty();
        if !is_cheap || insts.len() == MOST_SPECULATED {
            return None;
        }
        insts.push(inst);
    }
    let end = Way::of(body, last, 0).filter(|end| end.block != way.block)?;
    Some(Side { block: Some(way.block), given: way.args.to_vec(), insts, end })
}

/// Whether an instruction without effects takes the machine about one step.
fn is_cheap(body: &Body, inst: Inst) -> bool {
    let op = body.inst(inst).op;
    let is_step = matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Neg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::Smin
            | Op::Smax
            | Op::Umin
            | Op::Umax
            | Op::Abs
            | Op::Icmp
            | Op::Fcmp
            | Op::Select
            | Op::Trunc
            | Op::Zext
            | Op::Sext
            | Op::PtrAdd
            | Op::PtrToInt
            | Op::IntToPtr
            | Op::SlotAddr
            | Op::Fneg
            | Op::Fabs
    );
    debug_assert!(!is_step || op.info().effects == Effects::PURE);
    (is_step || is_small_product(body, inst))
        && body.results(inst).iter().all(|&result| is_selectable(body.value_type(result)))
}

/// Whether an instruction multiplies by 3, 5 or 9, which is a shift and a sum.
fn is_small_product(body: &Body, inst: Inst) -> bool {
    let factor = body.args(inst).get(1).and_then(|&arg| body.as_scalar_constant(arg));
    body.inst(inst).op == Op::Mul && matches!(factor, Some(3 | 5 | 9))
}

/// How many selects joining the edges takes; none if a value cannot be selected.
fn selects(body: &Body, yes: &Way, no: &Way) -> Option<usize> {
    let mut different = yes.args.iter().zip(&no.args).filter(|(yes, no)| yes != no);
    different
        .try_fold(0, |count, (&yes, _)| is_selectable(body.value_type(yes)).then_some(count + 1))
}

fn is_foreseen(body: &Body, last: Inst) -> bool {
    let Some(&[yes, no]) = body.weights(last) else { return false };
    let (yes, no) = (u64::from(yes), u64::from(no));
    yes.max(no) >= FORESEEN * yes.min(no).max(1)
}

/// Puts selects and a jump in the place of the branch `last`.
fn write(body: &mut Body, last: Inst, condition: Value, yes: &Way, no: &Way) {
    let mut args = Vec::with_capacity(yes.args.len());
    for (&yes, &no) in yes.args.iter().zip(&no.args) {
        let ty = body.value_type(yes);
        args.push(match yes == no {
            true => yes,
            false => {
                let operands = [condition, yes, no];
                compute(body, last, Op::Select, ty, &operands, Payload::None, ty)
            }
        });
    }
    replace_by_jump(body, last, &Way { block: yes.block, args: args.into() });
}
