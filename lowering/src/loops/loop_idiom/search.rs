//! Loops that look for a byte.
//!
//! Nothing that a round does can be seen but that it reads the next byte, so that the loop may
//! begin with its last round: the one that finds the byte, or the last one that there is. All
//! that goes on along a line is moved there, and that round leads out.

use brolga_ir::attribute::{AccessFlags, IntCond};
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use super::memory::{MOST, Start, Way, of_bytes, start, write_start};
use super::shape::{Equality, Setting, equality};
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{Accesses, Loop, ScalarEvolution};
use crate::loops::expansion::{Available, Expansion, integer};
use crate::loops::form::preheader_jump;
use crate::pass::{Editor, PassContext, count_uses, effects_of, take_way};

/// Loops of no more rounds are quicker than a call.
const FEWEST_ROUNDS: u128 = 16;

/// A loop that looks for a byte.
#[derive(Debug)]
pub(super) struct Search {
    of: Loop,
    preheader: Inst,
    load: Inst,
    byte: Value,
    /// The compare with the byte, and the branch that leaves where it is found.
    compare: Inst,
    branch: Inst,
    /// Which of its ways that is.
    found: usize,
    /// The branch that leaves where nothing is left to be looked at, and which way.
    end: Option<(Inst, usize)>,
}

/// What goes along a line: a parameter of the header, and how far it goes in a round.
type Line = (usize, Type, Expr);

/// What comes before the loop in its place.
struct Plan {
    from: Start,
    /// How many bytes are looked at, at most.
    bytes: Expr,
    /// The number of the last round, where nothing is found in it that ends by the count.
    last: Option<Expr>,
    lines: Vec<Line>,
}

/// The loops that do nothing but look for a byte.
pub(super) fn find(body: &Body, context: &PassContext<'_>, setting: Setting<'_>) -> Vec<Search> {
    let mut uses = None;
    let all = setting.loops.all();
    all.filter_map(|of| only_search(body, context, setting, &mut uses, of)).collect()
}

fn only_search(
    body: &Body,
    context: &PassContext<'_>,
    setting: Setting<'_>,
    uses: &mut Option<SecondaryMap<Value, u32>>,
    of: Loop,
) -> Option<Search> {
    let Setting { loops, graph, dominators } = setting;
    let &[latch] = loops.get(of)?.latches.as_slice() else { return None };
    let load = only_load(body, context, loops.is_innermost(of).then(|| loops.blocks(of))?)?;
    let (one, other) = exits(body, setting, of)?;
    let leaves = |inst: Inst, way: usize| {
        let is_outside = |way: usize| {
            body.targets(inst).get(way).is_some_and(|it| !loops.contains(of, it.block))
        };
        is_outside(way) && !is_outside(1 - way)
    };
    let found = |branch: Inst| {
        let found = compared(body, branch, load)?;
        let home = body.defining_block(found.byte);
        let is_steady = home.is_none_or(|home| !loops.contains(of, home));
        (is_steady && leaves(branch, found.way)).then_some(found)
    };
    let (branch, found, other) = match (found(one), other.map(|other| (other, found(other)))) {
        (Some(found), other) => (one, found, other.map(|other| other.0)),
        (None, Some((branch, Some(found)))) => (branch, found, Some(one)),
        _ => return None,
    };
    let end = match other {
        Some(inst) => Some((inst, (0..2).find(|&way| leaves(inst, way))?)),
        None => None,
    };
    let (home, last) = (body.layout.block_of(load)?, body.layout.block_of(branch)?);
    let is_in_every_round = dominators.dominates(last, latch) && dominators.dominates(home, last);
    let uses = uses.get_or_insert_with(|| count_uses(body));
    let is_only_compared = uses[body.result(load)?] == 1 && uses[body.result(found.compare)?] == 1;
    let preheader = preheader_jump(body, graph, loops, of)?;
    let Compared { byte, way, compare } = found;
    let is_fine = is_in_every_round && is_only_compared;
    is_fine.then_some(Search { of, preheader, load, byte, compare, branch, found: way, end })
}

/// The load of a byte that is all that blocks do.
fn only_load(body: &Body, context: &PassContext<'_>, blocks: &[Block]) -> Option<Inst> {
    let is_busy =
        |&inst: &Inst| !(effects_of(context.module, body, inst) - Effects::TERMINATE).is_empty();
    let mut busy = blocks.iter().flat_map(|&block| body.layout.insts(block)).filter(is_busy);
    let load = busy.next().filter(|_| busy.next().is_none())?;
    let data = body.inst(load);
    let is_plain = data.access().is_some_and(|it| !it.flags.contains(AccessFlags::VOLATILE));
    (data.op == Op::Load && data.ty == Type::I8 && is_plain).then_some(load)
}

/// The branch by which a loop is left, and the other one if there are two.
fn exits(body: &Body, setting: Setting<'_>, of: Loop) -> Option<(Inst, Option<Inst>)> {
    let leads_out = |&block: &Block| {
        let mut successors = setting.graph.successors(block).iter();
        successors.any(|&to| !setting.loops.contains(of, to))
    };
    let mut exits = setting.loops.blocks(of).iter().copied().filter(leads_out);
    let (first, second) = (exits.next()?, exits.next());
    if exits.next().is_some() {
        return None;
    }
    let branch =
        |block| body.layout.last_inst(block).filter(|&last| body.inst(last).op == Op::Branch);
    match second {
        Some(second) => Some((branch(first)?, Some(branch(second)?))),
        None => Some((branch(first)?, None)),
    }
}

/// What a branch goes by that asks for a byte.
struct Compared {
    byte: Value,
    /// Which way it goes where the byte is found.
    way: usize,
    compare: Inst,
}

/// What a branch compares with what is loaded.
fn compared(body: &Body, branch: Inst, load: Inst) -> Option<Compared> {
    let Equality { compare, operands: [a, b], equal } = equality(body, branch)?;
    let loaded = body.result(load)?;
    let byte = if a == loaded { b } else { a };
    ((a == loaded) != (b == loaded)).then_some(Compared { byte, way: equal, compare })
}

/// Puts searches before loops; how many.
pub(super) fn replace(
    body: &mut Body,
    context: &mut PassContext<'_>,
    setting: Setting<'_>,
    available: &Available,
    evolution: &mut ScalarEvolution,
    searches: &[Search],
) -> u64 {
    let mut replaced = 0;
    let accesses = context.analyses.accesses(body, context.module);
    for it in searches {
        let Some(block) = body.layout.block_of(it.preheader) else { continue };
        let dominators = setting.dominators;
        let mut expansion = Expansion { evolution, available, dominators, block };
        let plan = plan(body, &accesses, setting, &mut expansion, it);
        if let Some(plan) = plan
            && write(body, context, &mut expansion, it, &plan).is_some()
        {
            replaced += 1;
        }
    }
    replaced
}

fn plan(
    body: &Body,
    accesses: &Accesses,
    setting: Setting<'_>,
    expansion: &mut Expansion<'_>,
    it: &Search,
) -> Option<Plan> {
    // Where it is seen whether the byte is the one that is looked for.
    let home = body.layout.block_of(it.branch)?;
    let (bytes, last) = match it.end {
        None => (expansion.evolution.constant(64, u128::from(u64::MAX)), None),
        Some((end, _)) => {
            let end = body.layout.block_of(end)?;
            let trips = expansion.evolution.trips(it.of)?;
            let round = trips.exits.iter().find(|exit| exit.0 == end)?.1;
            let evolution = &mut *expansion.evolution;
            if evolution.width(round) > 64 || evolution.fact(round).unsigned().1 < FEWEST_ROUNDS {
                return None;
            }
            let round = evolution.resized(64, round);
            match setting.dominators.dominates(home, end) {
                // The round after the last of all numbers is none: no memory is as long.
                true => {
                    let after = evolution.add_constant(round, 1);
                    (evolution.extreme(Op::Umax, after, round), Some(round))
                }
                false => (round, None),
            }
        }
    };
    let location = *accesses.reads(it.load).location()?;
    let from = start(body, accesses, expansion, (it.of, 1), (it.load, location), bytes)?;
    let lines = lines(body, setting, expansion, it)?;
    let mut cost = expansion.cost(body, bytes, Type::I64);
    cost = cost.saturating_add(expansion.cost(body, from.added, Type::I64));
    if let Some(last) = last {
        cost = cost.saturating_add(expansion.cost(body, last, Type::I64));
    }
    (from.way == Way::Up && cost <= MOST).then_some(Plan { from, bytes, last, lines })
}

/// How the parameters of the header go on; nothing if one of them goes along no line.
fn lines(
    body: &Body,
    setting: Setting<'_>,
    expansion: &mut Expansion<'_>,
    it: &Search,
) -> Option<Vec<Line>> {
    let header = setting.loops.get(it.of)?.header;
    let mut lines = Vec::new();
    for (index, &param) in body.params(header).iter().enumerate() {
        let evolution = &mut *expansion.evolution;
        let line = evolution.of(param)?;
        if evolution.is_invariant(line, it.of) {
            continue;
        }
        let step = evolution.as_affine(line, it.of)?.step;
        let ty = body.value_type(param);
        let number = if ty == Type::PTR { Type::I64 } else { ty };
        // Code computes with no truth values.
        let is_number = integer(evolution.width(line)) == Some(number);
        // Steps that must be computed would be for one parameter of many.
        (is_number && expansion.cost(body, step, number) == 0).then_some(())?;
        lines.push((index, ty, step));
    }
    Some(lines)
}

fn write(
    body: &mut Body,
    context: &mut PassContext<'_>,
    expansion: &mut Expansion<'_>,
    it: &Search,
    plan: &Plan,
) -> Option<()> {
    let access = *body.inst(it.load).access()?;
    let access = of_bytes(access);
    let mut editor = Editor::new(body, context);
    editor.stand_before(it.preheader);
    let from = write_start(&mut editor, expansion, plan.from)?;
    let bytes = expansion.write(&mut editor, plan.bytes, Type::I64)?;
    let args = [from, it.byte, bytes];
    let found = editor.op_with(Op::MemFind, Type::NONE, &args, Payload::Access(access));
    let (round, condition) = match plan.last {
        Some(last) => {
            let last = expansion.write(&mut editor, last, Type::I64)?;
            let order = if it.found == 0 { IntCond::Ule } else { IntCond::Ugt };
            let is_found = editor.icmp(order, Type::I64, found, last);
            (editor.op(Op::Umin, Type::I64, &[found, last]), Some(is_found))
        }
        None => (found, None),
    };
    let way = *editor.body.targets(it.preheader).first()?;
    let mut args = editor.body.target_args(&way).to_vec();
    for &(index, ty, step) in &plan.lines {
        let first = *args.get(index)?;
        args[index] = write_moved(&mut editor, expansion, (ty, first), step, round)?;
    }
    let way = editor.body.target(way.block, &args);
    editor.body.targets_mut(it.preheader)[0] = way;
    context.remark(it.load, RemarkKind::Applied, "the loop looks for a byte");
    lead_out(body, it, condition);
    Some(())
}

/// Where a line has come to in the round of that number.
fn write_moved(
    editor: &mut Editor<'_, '_>,
    expansion: &mut Expansion<'_>,
    (ty, first): (Type, Value),
    step: Expr,
    round: Value,
) -> Option<Value> {
    let number = if ty == Type::PTR { Type::I64 } else { ty };
    let round = match number.as_scalar()?.bits() {
        64 => round,
        fewer @ ..64 => editor.op(Op::Trunc, integer(fewer)?, &[round]),
        _ => editor.op(Op::Zext, number, &[round]),
    };
    let far = match expansion.evolution.as_constant(step) {
        Some(1) => round,
        _ => {
            let step = expansion.write(editor, step, number)?;
            editor.op(Op::Mul, number, &[round, step])
        }
    };
    Some(match ty {
        Type::PTR => editor.op(Op::PtrAdd, Type::NONE, &[first, far]),
        _ if editor.body.as_scalar_constant(first) == Some(0) => far,
        _ => editor.op(Op::Add, ty, &[first, far]),
    })
}

/// Lets the round that is left lead out of the loop: where the byte is found, as that
/// condition says, or in any case; and where it is not, by the count.
fn lead_out(body: &mut Body, it: &Search, condition: Option<Value>) {
    match (condition, it.end) {
        (Some(condition), Some((end, way))) => {
            let args = body.list(&[condition]);
            body.inst_mut(it.branch).args = args;
            take_way(body, end, way);
        }
        _ => {
            take_way(body, it.branch, it.found);
        }
    }
    body.remove_inst(it.compare);
    body.remove_inst(it.load);
}
