//! What goes behind a loop.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::op::Op;

use crate::analysis::{Loop, Loops};
use crate::pass::{
    Copies, DedicatedExits, Graph, IncomingEdges, PassContext, Renames, Uses, effects_of,
    retain_params,
};

/// How many copies an instruction may have behind a loop.
const MOST_COPIES: usize = 4;

/// Moves what is used behind loops only there; gives how many instructions that were.
pub(super) fn sink(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    let loops = context.analyses.loops(body);
    if !has_use_behind(body, &loops) {
        return 0;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let dedicated = DedicatedExits::new(graph, &loops);
    let exits: Vec<(Loop, &[Block])> = loops
        .all()
        .rev()
        .filter_map(|id| Some((id, dedicated.of(id)?)))
        .filter(|(_, exits)| !exits.is_empty())
        .collect();
    let dropped = drop_common_params(body, graph, exits.iter().flat_map(|(_, exits)| *exits));
    let mut uses = Uses::new(body);
    let mut sunk = 0;
    for (id, exits) in &exits {
        sunk += sink_out_of(body, context, graph, &loops, (*id, exits), &mut uses);
    }
    context.statistics.add("licm", "parameters of exits", dropped as u64);
    sunk + dropped
}

/// Whether anything of a loop is used outside of it, or handed out of it.
fn has_use_behind(body: &Body, loops: &Loops) -> bool {
    let is_of_loop_around = |value: Value, at: Block| {
        let home = body.defining_block(value).and_then(|block| loops.innermost(block));
        home.is_some_and(|of| !loops.contains(of, at))
    };
    let leaves =
        |block: Block, to: Block| loops.innermost(block).is_some_and(|of| !loops.contains(of, to));
    body.layout.blocks().any(|block| {
        let mut insts = body.layout.insts(block);
        insts.any(|inst| body.uses(inst).any(|value| is_of_loop_around(value, block)))
            || body.layout.last_inst(block).is_some_and(|last| {
                let mut targets = body.targets(last).iter();
                targets.any(|target| {
                    leaves(block, target.block) && !body.target_args(target).is_empty()
                })
            })
    })
}

/// Lets what all edges into an exit hand on stand for the parameter.
fn drop_common_params<'a>(
    body: &mut Body,
    graph: Graph<'_>,
    exits: impl Iterator<Item = &'a Block>,
) -> usize {
    let mut renames = Renames::default();
    let mut dropped = 0;
    for &exit in exits {
        let edges = graph.edges.of(exit);
        let mut kept = Vec::new();
        for (index, &param) in body.params(exit).iter().enumerate() {
            let first = edges.first().and_then(|edge| edge.arg(body, index));
            let is_common = edges.iter().all(|edge| edge.arg(body, index) == first);
            match first.filter(|&value| is_common && is_there_before(body, value)) {
                Some(value) => renames.rename(param, value),
                None => kept.push(param),
            }
        }
        if kept.len() < body.params(exit).len() {
            dropped += body.params(exit).len() - kept.len();
            retain_params(body, exit, edges, |param| kept.contains(&param));
        }
    }
    renames.apply(body);
    dropped
}

/// Whether a value is there before the edge that hands it on.
fn is_there_before(body: &Body, value: Value) -> bool {
    match body.value_def(value) {
        ValueDef::Result(inst, _) => !body.inst(inst).op.is_terminator(),
        _ => true,
    }
}

fn sink_out_of(
    body: &mut Body,
    context: &mut PassContext<'_>,
    graph: Graph<'_>,
    loops: &Loops,
    (id, exits): (Loop, &[Block]),
    uses: &mut Uses,
) -> usize {
    let mut sunk = 0;
    for &block in loops.own_blocks(id).iter().rev() {
        let insts: Vec<Inst> = body.layout.insts(block).collect();
        for &inst in insts.iter().rev() {
            let data = body.inst(inst);
            let is_pure = !data.op.is_terminator()
                && data.op != Op::LoopMark
                && !body.results(inst).is_empty()
                && effects_of(context.module, body, inst).is_empty();
            if !is_pure {
                continue;
            }
            if let Some(users) = users_by_exit(body, graph, loops, (id, exits), inst, uses) {
                context.trace(format_args!("sinks {inst} out of {block}"));
                move_behind(body, inst, &users, uses);
                sunk += 1;
            }
        }
    }
    sunk
}

/// The users of what `inst` gives, by the exits that they stand behind; nothing unless it
/// has some, all of them behind few exits.
fn users_by_exit(
    body: &Body,
    graph: Graph<'_>,
    loops: &Loops,
    (id, exits): (Loop, &[Block]),
    inst: Inst,
    uses: &Uses,
) -> Option<Vec<(Block, Vec<Inst>)>> {
    let mut found: Vec<(Block, Vec<Inst>)> = Vec::new();
    for &result in body.results(inst) {
        for user in uses.of(body, result) {
            let block = body.layout.block_of(user).filter(|&block| !loops.contains(id, block))?;
            let known = found.iter().position(|(exit, _)| graph.dominators.dominates(*exit, block));
            match known {
                Some(index) => found[index].1.push(user),
                None if found.len() == MOST_COPIES => return None,
                None => {
                    let above = |exit: &&Block| graph.dominators.dominates(**exit, block);
                    found.push((*exits.iter().find(above)?, vec![user]));
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Computes what `inst` gives where each exit begins.
fn move_behind(body: &mut Body, inst: Inst, users: &[(Block, Vec<Inst>)], uses: &mut Uses) {
    for (exit, users) in users {
        let mut copies = Copies::default();
        let copy = copies.copy_inst(body, inst);
        if let Some(first) = body.layout.first_inst(*exit) {
            body.layout.insert_inst_before(copy, first);
        }
        uses.add(body, copy);
        for result in body.results(inst).to_vec() {
            for &user in users {
                uses.replace(body, user, result, copies.value(result));
            }
        }
    }
    body.remove_inst(inst);
}
