//! Loops whose values are used outside as arguments of their exits only.
//!
//! A pass that gives a loop a second copy, another end or another beginning then has
//! nothing to mend outside: what the exits are given says all. A value that is used outside
//! gets a parameter in each exit that it reaches; a use behind one exit alone takes that,
//! and others what [`Variable`] finds where exits meet (LLVM's loop-closed form).

use std::collections::{BTreeMap, BTreeSet};

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef, Inst, SecondaryMap, Value};
use brolga_ir::types::{Scalar, Type};

use super::variable::{Graph, Variable};
use super::{IncomingEdges, PassContext};
use crate::analysis::{Loop, Loops};

/// How many blocks a value may have to be followed through behind several exits, and how
/// large a loop may be that has such values.
const MOST_BLOCKS: usize = 1000;

/// Whether a value of the type can be a parameter: marks of regions cannot, and what calls
/// alone may have is not handed around.
pub(crate) fn can_be_param(ty: Type) -> bool {
    !matches!(ty.as_scalar(), Some(Scalar::Token | Scalar::Callee))
}

/// The exits of loops, each once, of those loops whose exits no edge from elsewhere leads to.
#[derive(Clone, Debug)]
pub(crate) struct DedicatedExits {
    of: SecondaryMap<Loop, Vec<Block>>,
    /// The same, each with its place in the preorder of the dominators, in that order.
    by_place: SecondaryMap<Loop, Vec<(u32, Block)>>,
    is_shared: SecondaryMap<Loop, bool>,
}

impl DedicatedExits {
    /// Of all loops; an edge takes a step for each loop that it leaves.
    pub(crate) fn new(graph: Graph<'_>, loops: &Loops) -> DedicatedExits {
        let mut exits = DedicatedExits {
            of: SecondaryMap::new(),
            by_place: SecondaryMap::new(),
            is_shared: SecondaryMap::new(),
        };
        for from in graph.flow.reverse_postorder() {
            for &to in graph.flow.successors(from) {
                let mut around = loops.innermost(from);
                while let Some(id) = around.filter(|&id| !loops.contains(id, to)) {
                    exits.of[id].push(to);
                    around = loops.get(id).and_then(|data| data.parent.expand());
                }
            }
        }
        for id in loops.all() {
            exits.of[id].sort_unstable();
            exits.of[id].dedup();
            let place = |&exit: &Block| Some((graph.dominators.preorder_number(exit)?, exit));
            exits.by_place[id] = exits.of[id].iter().filter_map(place).collect();
            exits.by_place[id].sort_unstable();
            let enters = |&from: &Block| !loops.contains(id, from);
            let mut before = exits.of[id].iter().flat_map(|&exit| graph.flow.predecessors(exit));
            exits.is_shared[id] = before.any(enters);
        }
        exits
    }

    /// The exit of a loop that all ways to `block` lead through, if all are dedicated: none of
    /// these is above another, so that the last that begins before it is the one to ask.
    fn above(&self, dominators: &Dominators, id: Loop, block: Block) -> Option<Block> {
        let (number, exits) = (dominators.preorder_number(block)?, &self.by_place[id]);
        let behind = exits.partition_point(|&(place, _)| place <= number);
        let (_, exit) = *exits.get(behind.checked_sub(1)?)?;
        dominators.dominates(exit, block).then_some(exit)
    }

    /// Those of a loop, if all are dedicated.
    pub(crate) fn of(&self, id: Loop) -> Option<&[Block]> {
        (!self.is_shared[id]).then_some(&self.of[id])
    }
}

/// What closing loops has done.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    /// How many parameters it took.
    pub(crate) params: usize,
    is_closed: Vec<bool>,
}

impl Closed {
    /// Whether that loop is closed now.
    pub(crate) fn contains(&self, id: Loop) -> bool {
        self.is_closed.get(id.index()).copied().unwrap_or(false)
    }
}

/// Closes those of the loops whose exits are dedicated, in a body without unreachable
/// blocks. The graph stays what it is.
pub(crate) fn close_loops(
    body: &mut Body,
    graph: Graph<'_>,
    loops: &Loops,
    exits: &DedicatedExits,
    wanted: &[Loop],
) -> Closed {
    let mut closing = Closing {
        graph,
        loops,
        closed: Closed { params: 0, is_closed: vec![false; loops.all().len()] },
        exits,
        uses: SecondaryMap::new(),
        pending: BTreeSet::new(),
        meetings: (None, Vec::new()),
    };
    for &id in wanted {
        closing.closed.is_closed[id.index()] = exits.of(id).is_some();
    }
    for inst in body.layout.all_insts() {
        body.uses(inst).for_each(|value| closing.note(body, value, inst));
    }
    while let Some(id) = closing.pending.pop_last() {
        closing.close(body, id);
    }
    closing.closed
}

/// Closes loops as they are, and gives those of them of which that could be done.
pub(crate) fn closed_of(
    body: &mut Body,
    context: &mut PassContext<'_>,
    loops: &Loops,
    wanted: Vec<Loop>,
) -> Vec<Loop> {
    if wanted.is_empty() {
        return wanted;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    let closed = close_loops(body, graph, loops, &DedicatedExits::new(graph, loops), &wanted);
    wanted.into_iter().filter(|&of| closed.contains(of)).collect()
}

struct Closing<'a> {
    graph: Graph<'a>,
    loops: &'a Loops,
    closed: Closed,
    exits: &'a DedicatedExits,
    /// The uses outside of each loop of what it defines.
    uses: SecondaryMap<Loop, Vec<(Value, Inst)>>,
    pending: BTreeSet<Loop>,
    /// The blocks that a loop leads to, by its exits: of the loop that was asked for last.
    meetings: (Option<Loop>, Vec<Block>),
}

impl Closing<'_> {
    /// Notes a use for the loops that it is outside of.
    fn note(&mut self, body: &Body, value: Value, user: Inst) {
        let Some(block) = body.layout.block_of(user) else { return };
        let defined = body.defining_block(value);
        let mut around = defined.and_then(|defined| self.loops.innermost(defined));
        while let Some(id) = around.filter(|&id| !self.loops.contains(id, block)) {
            if self.closed.contains(id) {
                self.uses[id].push((value, user));
                self.pending.insert(id);
            }
            around = self.loops.get(id).and_then(|data| data.parent.expand());
        }
    }

    fn close(&mut self, body: &mut Body, id: Loop) {
        let mut uses = std::mem::take(&mut self.uses[id]);
        uses.sort_unstable();
        uses.dedup();
        for group in uses.chunk_by(|one, other| one.0 == other.0) {
            let value = group[0].0;
            let users = group.iter().map(|&(_, user)| user);
            // What an inner loop was closed for is used no more.
            let users: Vec<Inst> =
                users.filter(|&user| body.uses(user).any(|used| used == value)).collect();
            if !users.is_empty() && self.close_value(body, id, value, &users).is_none() {
                self.closed.is_closed[id.index()] = false;
            }
        }
    }

    /// Leads the uses of a value outside of the loop through parameters of its exits.
    fn close_value(
        &mut self,
        body: &mut Body,
        id: Loop,
        value: Value,
        users: &[Inst],
    ) -> Option<()> {
        let ty = body.value_type(value);
        let defined = body.defining_block(value).filter(|_| can_be_param(ty))?;
        let mut behind_one: Vec<(Inst, Block)> = Vec::new();
        let mut behind_many: Vec<(Inst, Block)> = Vec::new();
        for &user in users {
            let block = body.layout.block_of(user)?;
            match self.exits.above(self.graph.dominators, id, block) {
                Some(exit) => behind_one.push((user, exit)),
                // What the value is where the exits met it is wherever that leads.
                None => behind_many.push((user, self.meeting_before(id, block)?)),
            }
        }
        let exits: Vec<Block> = match behind_many.is_empty() {
            true => Vec::new(),
            false => {
                let is_below = |exit: &Block| self.graph.dominators.dominates(defined, *exit);
                self.exits.of(id)?.iter().copied().filter(is_below).collect()
            }
        };
        let mut variable = Variable::new(ty);
        // Values do not matter for where it is live.
        exits.iter().for_each(|&exit| variable.set_end(exit, value));
        let wanted = behind_many.iter().map(|&(_, block)| block);
        let live = variable.live_blocks(self.graph, wanted, MOST_BLOCKS)?;
        let mut params: BTreeMap<Block, Value> = BTreeMap::new();
        let needed = behind_one.iter().map(|&(_, exit)| exit);
        for exit in needed.chain(exits.iter().copied()) {
            params.entry(exit).or_insert_with(|| {
                self.closed.params += 1;
                give_param(body, self.graph, exit, value)
            });
        }
        for (&exit, &param) in &params {
            variable.set_end(exit, param);
        }
        variable.place(body, self.graph, &live);
        self.closed.params += variable.blocks_with_params().len();
        let one = behind_one.iter().map(|&(user, exit)| (user, params.get(&exit).copied()));
        let many = behind_many.iter().map(|&(user, block)| (user, variable.at_start(block)));
        for (user, now) in one.chain(many) {
            let now = now?;
            body.map_uses(user, |used| if used == value { now } else { used });
            self.note(body, now, user);
        }
        self.note_arguments(body, &variable);
        Some(())
    }

    /// The block outside of the loop, and below none that is outside, that dominates `block`.
    fn meeting_before(&mut self, id: Loop, block: Block) -> Option<Block> {
        let inside = self.loops.blocks(id);
        if inside.len() > MOST_BLOCKS {
            return None;
        }
        if self.meetings.0 != Some(id) {
            let below = inside.iter().flat_map(|&block| self.graph.dominators.children(block));
            let outside = below.filter(|&block| !self.loops.contains(id, block));
            self.meetings = (Some(id), outside.collect());
        }
        let meetings = self.meetings.1.iter().take(MOST_BLOCKS);
        meetings.copied().find(|&meeting| self.graph.dominators.dominates(meeting, block))
    }

    /// Notes what edges hand to the parameters that the variable has got.
    fn note_arguments(&mut self, body: &Body, variable: &Variable) {
        for &block in variable.blocks_with_params() {
            for edge in self.graph.edges.of(block) {
                let from = body.layout.block_of(edge.inst);
                if let Some(value) = from.and_then(|from| variable.at_end(from)) {
                    self.note(body, value, edge.inst);
                }
            }
        }
    }
}

/// A new parameter of `block` that every edge gives the value.
fn give_param(body: &mut Body, graph: Graph<'_>, block: Block, value: Value) -> Value {
    let ty = body.value_type(value);
    for edge in graph.edges.of(block) {
        body.push_target_arg(edge.inst, edge.index as usize, value);
    }
    body.append_param(block, ty)
}
