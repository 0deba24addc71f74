//! Following stores on the ways that lead on from them.

use std::rc::Rc;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntitySet, Inst};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;
use rustc_hash::FxHashSet;

use super::events::{Events, Place};
use crate::analysis::Accesses;
use crate::analysis::access::Location;
use crate::analysis::addresses::Base;
use crate::pass::PassContext;

/// How many instructions and blocks each store is followed over.
const BOUND: u32 = 200;

/// Whether the values of a location are those of the store, or of any round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Round {
    Same,
    Any,
}

/// When a place can be seen no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// When the function ends in any way.
    Function,
    /// When it returns.
    Return,
    /// Later.
    Never,
}

/// What follows stores.
pub(super) struct Search {
    graph: Rc<FlowGraph>,
    dominators: Rc<Dominators>,
    accesses: Rc<Accesses>,
    events: Events,
    /// From which blocks some way leads to an end. Where none does, others may see for ever
    /// what was stored.
    comes_out: EntitySet<Block>,
}

impl Search {
    pub(super) fn new(body: &Body, context: &mut PassContext<'_>) -> Search {
        let graph = context.analyses.flow(body);
        let dominators = context.analyses.dominators(body);
        let accesses = context.analyses.accesses(body, context.module);
        let events = Events::new(body, context, &accesses);
        let comes_out = blocks_that_end(&graph);
        Search { graph, dominators, accesses, events, comes_out }
    }

    /// Where a store writes; nothing where it is not known or never comes to it.
    pub(super) fn place(&self, body: &Body, store: Inst) -> Option<Location> {
        let block = body.layout.block_of(store)?;
        let location = self.accesses.writes(store).location()?;
        self.graph.is_reachable(block).then_some(*location)
    }

    fn end(&self, location: &Location) -> End {
        match location.base {
            base if self.accesses.escapes().is_private(base) => End::Function,
            Base::Slot(_) => End::Return,
            _ => End::Never,
        }
    }

    /// Goes on as if a store was not there.
    pub(super) fn take_out(&mut self, store: Inst) {
        self.events.remove(store);
    }

    /// Whether nobody sees what `store` puts into `location`, without the stores that were
    /// taken out.
    pub(super) fn is_dead(&self, body: &Body, store: Inst, location: &Location) -> bool {
        let Some(home) = body.layout.block_of(store) else { return false };
        let any = location.at_any_time();
        let end = self.end(location);
        let mut left = BOUND;
        let mut seen: FxHashSet<(Block, Round)> = FxHashSet::default();
        let mut stack = vec![(home, self.events.place(store), Round::Same)];
        while let Some((block, start, round)) = stack.pop() {
            let wanted = if round == Round::Same { location } else { &any };
            let Some(rest) = left.checked_sub(1) else { return false };
            left = rest;
            if end != End::Function && !self.comes_out.contains(block) {
                return false;
            }
            match self.through(body, start, wanted, end, &mut left) {
                Passage::Overwritten => continue,
                Passage::Seen => return false,
                Passage::Open => {}
            }
            if self.graph.successors(block).is_empty() && !self.ends_with(body, block, end) {
                return false;
            }
            let successors = self.graph.successors(block);
            // Those of a large switch are looked at for each store before it.
            let many = successors.len().saturating_sub(2) as u32;
            let Some(rest) = left.checked_sub(many) else { return false };
            left = rest;
            for &next in successors {
                let round = self.round_in(body, next, location, round);
                if seen.insert((next, round)) {
                    stack.push((next, self.events.start(next), round));
                }
            }
        }
        true
    }

    /// What becomes of the place behind `start` to the end of the block.
    fn through(
        &self,
        body: &Body,
        start: Place,
        wanted: &Location,
        end: End,
        left: &mut u32,
    ) -> Passage {
        for event in self.events.behind(start) {
            let Some(rest) = left.checked_sub(1) else { return Passage::Seen };
            *left = rest;
            let is_left = event.leaves && end != End::Function;
            if is_left || self.accesses.may_read(event.inst, wanted) {
                return Passage::Seen;
            }
            let written = self.accesses.overwrites(body, event.inst);
            if written.is_some_and(|written| written.covers(wanted)) {
                return Passage::Overwritten;
            }
        }
        Passage::Open
    }

    /// Whether the place is gone where a block without successors ends.
    fn ends_with(&self, body: &Body, block: Block, end: End) -> bool {
        let last = body.layout.last_inst(block).map(|last| body.inst(last).op);
        end == End::Function || (end == End::Return && last == Some(Op::Return))
    }

    /// Whether the values of a location are still those of the store behind an edge.
    fn round_in(&self, body: &Body, block: Block, location: &Location, round: Round) -> Round {
        let is_above = |value| {
            let defined = body.defining_block(value);
            defined.is_none_or(|above| above != block && self.dominators.dominates(above, block))
        };
        if location.values().all(is_above) { round } else { Round::Any }
    }

    /// The bytes of a fill, a copy or a slot that is emptied which are not overwritten
    /// in the same block, from the first to behind the last; nothing if these are all.
    pub(super) fn left(&self, body: &Body, store: Inst, location: &Location) -> Option<(u64, u64)> {
        let op = body.inst(store).op;
        if !matches!(op, Op::MemFill | Op::MemCopy | Op::SlotStart | Op::SlotEnd) {
            return None;
        }
        let size = location.size.filter(|&size| size > 0 && size <= i64::MAX as u64)?;
        let end = self.end(location);
        let mut parts = Parts { left: vec![(0, size)] };
        for event in self.events.behind(self.events.place(store)).take(BOUND as usize) {
            let (first, last) = parts.hull();
            if first == last
                || (event.leaves && end != End::Function)
                || self.accesses.may_read(event.inst, &location.part(first, last))
            {
                break;
            }
            if let Some(written) = self.accesses.overwrites(body, event.inst)
                && let (Some(distance), Some(written)) = (location.distance(written), written.size)
            {
                parts.remove(distance, written);
            }
        }
        Some(parts.hull()).filter(|&hull| hull != (0, size))
    }
}

/// The blocks from which some way leads to one without successors.
fn blocks_that_end(graph: &FlowGraph) -> EntitySet<Block> {
    let mut found = EntitySet::new();
    let ends = graph.postorder().iter().copied();
    let mut stack: Vec<Block> = ends.filter(|&at| graph.successors(at).is_empty()).collect();
    while let Some(block) = stack.pop() {
        if found.insert(block) {
            stack.extend(graph.predecessors(block));
        }
    }
    found
}

/// How a place comes out of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passage {
    /// With all bytes overwritten.
    Overwritten,
    /// After somebody may have seen it.
    Seen,
    /// As it was.
    Open,
}

/// Pieces of a range, in ascending order.
#[derive(Clone, Debug)]
struct Parts {
    left: Vec<(u64, u64)>,
}

impl Parts {
    /// From the first byte to behind the last.
    fn hull(&self) -> (u64, u64) {
        match (self.left.first(), self.left.last()) {
            (Some(&(first, _)), Some(&(_, last))) => (first, last),
            _ => (0, 0),
        }
    }

    /// Takes out `size` bytes that begin at `start`, which may be before the range.
    fn remove(&mut self, start: i64, size: u64) {
        let from = start.max(0) as u64;
        let to = i128::from(start) + i128::from(size);
        let to = u64::try_from(to).unwrap_or(0);
        let outside = |&(first, last): &(u64, u64)| {
            let before = (first, last.min(from));
            let behind = (first.max(to), last);
            [before, behind].into_iter().filter(|(first, last)| first < last)
        };
        if from < to {
            self.left = self.left.iter().flat_map(outside).collect();
        }
    }
}
