//! The ends of blocks: edges past empty blocks, and branches that are decided.

use std::cell::OnceCell;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::exits::Exits;
use super::shape::{Way, only_jump, params_used_elsewhere, replace_by_branch, replace_by_jump};
use super::{Counts, select, switch};
use crate::analysis::Analyses;
use crate::pass::{PassContext, decide_branch, headers};

/// How many arguments more than before an edge may have behind an empty block: each
/// is a move where the edge is taken, and the sum stays linear.
const MOST_MORE_ARGS: usize = 4;

/// What is known of the graph. Edges only go away and lead further down.
struct Known<'a> {
    graph: &'a FlowGraph,
    /// The rest is asked only where there is an empty block.
    analyses: &'a mut Analyses,
    headers: OnceCell<EntitySet<Block>>,
    exits: Option<Exits>,
    used_elsewhere: OnceCell<EntitySet<Value>>,
}

/// Simplifies the end of each block, those of its successors first.
pub(super) fn simplify(
    body: &mut Body,
    graph: &FlowGraph,
    context: &mut PassContext<'_>,
    counts: &mut Counts,
) {
    let mut known = Known {
        graph,
        analyses: context.analyses,
        headers: OnceCell::new(),
        exits: None,
        used_elsewhere: OnceCell::new(),
    };
    for &block in graph.postorder() {
        let Some(last) = body.layout.last_inst(block) else { continue };
        counts.threaded += known.thread(body, block, last);
        match body.inst(last).op {
            Op::Branch => branch(body, last, counts),
            Op::Switch => switch::simplify(body, last, counts),
            _ => {}
        }
    }
}

impl Known<'_> {
    /// Leads the edges of `last`, the end of `block`, past empty blocks.
    fn thread(&mut self, body: &mut Body, block: Block, last: Inst) -> usize {
        // What a handler is given comes by its own edge.
        let count = if body.inst(last).op.is_try_call() { 1 } else { body.targets(last).len() };
        let mut threaded = 0;
        for index in 0..count {
            // Most edges lead to what is more than a jump.
            let next = body.targets(last)[index].block;
            let Some(jump) = only_jump(body, next) else { continue };
            let Some(way) = Way::of(body, last, index) else { continue };
            let further = self.past(body, &way, jump);
            if let Some(further) = further.filter(|it| self.keeps_exit(body, block, &way, it)) {
                let target = further.target(body);
                body.targets_mut(last)[index] = target;
                threaded += 1;
            }
        }
        threaded
    }

    /// Whether exits of loops keep to themselves if an edge out of `block` leads `further`
    /// than `way`: nothing but that loop leads there, and nothing else to the block between.
    fn keeps_exit(&mut self, body: &Body, block: Block, way: &Way, further: &Way) -> bool {
        if self.headers.get_or_init(|| headers(self.graph)).is_empty() {
            return true;
        }
        // Of the graph as it was, which is known.
        let exits = self.exits.get_or_insert_with(|| Exits::new(self.analyses.loops(body)));
        let Some(left) = exits.left(block, way.block) else { return true };
        self.graph.predecessors(way.block).len() == 1
            && exits.is_behind(self.graph, further.block, (left, way.block))
    }

    /// Where `way` leads in the end, if its block, which is only that jump, may be passed.
    fn past(&self, body: &Body, way: &Way, jump: Inst) -> Option<Way> {
        let next = Way::of(body, jump, 0)?;
        let headers = self.headers.get_or_init(|| headers(self.graph));
        let is_free = !headers.contains(way.block) && !headers.contains(next.block);
        let is_short = next.args.len() <= way.args.len() + MOST_MORE_ARGS;
        if !is_free || !is_short {
            return None;
        }
        let used_elsewhere = self.used_elsewhere.get_or_init(|| params_used_elsewhere(body));
        if body.params(way.block).iter().any(|&param| used_elsewhere.contains(param)) {
            return None;
        }
        let given = |arg: Value| match body.value_def(arg) {
            ValueDef::Param(of, index) if of == way.block => way.args.get(index as usize).copied(),
            _ => Some(arg),
        };
        let args = next.args.iter().map(|&arg| given(arg)).collect::<Option<_>>()?;
        Some(Way { block: next.block, args })
    }
}

/// Decides a branch whose condition is constant or whose edges are one, and takes
/// the negation from its condition.
fn branch(body: &mut Body, last: Inst, counts: &mut Counts) {
    let (Some(&condition), &[yes, no]) = (body.args(last).first(), body.targets(last)) else {
        return;
    };
    if decide_branch(body, last) {
        counts.folded += 1;
        return;
    }
    let negated = negated(body, condition);
    if yes.block != no.block && negated.is_none() {
        return;
    }
    let (Some(yes), Some(no)) = (Way::of(body, last, 0), Way::of(body, last, 1)) else { return };
    if yes == no {
        replace_by_jump(body, last, &yes);
        counts.folded += 1;
    } else if yes.block == no.block {
        counts.selects += usize::from(select::join(body, last, condition, &yes, &no));
    } else if let Some(condition) = negated {
        let weights = body.weights(last).and_then(|weights| match *weights {
            [yes, no] => Some([no, yes]),
            _ => None,
        });
        replace_by_branch(body, last, condition, [&no, &yes], weights);
        counts.folded += 1;
    }
}

/// What `condition` is the negation of.
fn negated(body: &Body, condition: Value) -> Option<Value> {
    let ValueDef::Result(inst, _) = body.value_def(condition) else { return None };
    let data = body.inst(inst);
    let is_not = data.op == Op::Not && data.ty == Type::I1;
    body.args(inst).first().copied().filter(|_| is_not)
}
