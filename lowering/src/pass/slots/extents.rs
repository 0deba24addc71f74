//! Where parts of slots are live, and which of them need no block parameter.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntitySet, SecondaryMap, Slot};
use brolga_ir::flow::FlowGraph;

use super::accesses::{Access, Deed, Range, Uses};
use super::addresses::Place;
use super::partition::{Part, Plan};

/// In how many blocks, for each block of the function, parts may be live that
/// are set more than once. Beyond, they stay in memory: where thousands of
/// variables are live throughout a function, their parameters would take the
/// square of its size.
const LIVE_BLOCKS: usize = 64;

/// What is small enough to be of no account.
const FREE_BLOCKS: usize = 1 << 14;

/// How an access touches a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Touch {
    Read,
    /// All of it is set.
    Set,
    /// Some of it is set.
    Change,
}

/// How a part is used.
#[derive(Clone, Debug, Default)]
struct Extent {
    is_read: bool,
    sets: u32,
    /// The block of the first set.
    home: Option<Block>,
    /// Blocks that set it.
    setting: Vec<Block>,
    /// Blocks that need what it was before them.
    exposed: Vec<Block>,
}

/// Where parts are live.
#[derive(Debug)]
pub(super) struct Extents {
    extents: Vec<Extent>,
    steady: Vec<bool>,
    /// Slots with parts that are live in too many blocks.
    pub(super) excess: Vec<Slot>,
}

impl Extents {
    pub(super) fn new(
        body: &Body,
        graph: &FlowGraph,
        dominators: &Dominators,
        uses: &Uses,
        plan: &Plan,
    ) -> Extents {
        let count = plan.part_count();
        let mut extents = Extents {
            extents: vec![Extent::default(); count],
            steady: Vec::new(),
            excess: Vec::new(),
        };
        for access in &uses.accesses {
            touches(plan, access, &mut |number, touch| {
                extents.extents[number].is_read |= touch == Touch::Read;
            });
        }
        for access in &uses.accesses {
            let Some(block) = body.layout.block_of(access.inst) else { continue };
            touches(plan, access, &mut |number, touch| {
                extents.extents[number].note(block, touch);
            });
        }
        extents.steady = extents.extents.iter().map(|it| it.is_steady(dominators)).collect();
        extents.find_excess(body, graph, plan);
        extents
    }

    /// Whether a part is looked at at all.
    pub(super) fn is_read(&self, number: usize) -> bool {
        self.extents[number].is_read
    }

    /// Whether one set of a part stands on every way to each read of it.
    pub(super) fn is_steady(&self, number: usize) -> bool {
        self.steady[number]
    }

    fn find_excess(&mut self, body: &Body, graph: &FlowGraph, plan: &Plan) {
        let edges = graph.edge_count() + graph.postorder().len();
        let mut left = FREE_BLOCKS + LIVE_BLOCKS * edges;
        let mut seen: SecondaryMap<Block, u32> = SecondaryMap::new();
        for (slot, _) in body.slots() {
            for index in 0..plan.parts(slot).len() {
                let number = plan.number(slot, index);
                let extent = &self.extents[number];
                if !extent.is_read || self.steady[number] {
                    continue;
                }
                match extent.live_blocks(graph, &mut seen, number as u32 + 1, left) {
                    Some(count) => left -= count,
                    None => {
                        self.excess.push(slot);
                        break;
                    }
                }
            }
        }
    }
}

impl Extent {
    /// Accesses come in the order of the blocks and of the instructions in each.
    fn note(&mut self, block: Block, touch: Touch) {
        if !self.is_read {
            return;
        }
        let is_set_here = self.setting.last() == Some(&block);
        if touch != Touch::Set && !is_set_here && self.exposed.last() != Some(&block) {
            self.exposed.push(block);
        }
        if touch != Touch::Read {
            self.sets += if touch == Touch::Set { 1 } else { 2 };
            self.home = self.home.or(Some(block));
            if !is_set_here {
                self.setting.push(block);
            }
        }
    }

    fn is_steady(&self, dominators: &Dominators) -> bool {
        let Some(home) = self.home.filter(|_| self.sets == 1) else { return false };
        self.exposed.iter().all(|&block| block != home && dominators.dominates(home, block))
    }

    /// How many blocks and edges are looked at to find all ways from sets to
    /// reads; nothing if more than `most`.
    fn live_blocks(
        &self,
        graph: &FlowGraph,
        seen: &mut SecondaryMap<Block, u32>,
        mark: u32,
        most: usize,
    ) -> Option<usize> {
        let mut setting = EntitySet::new();
        for &block in &self.setting {
            setting.insert(block);
        }
        let mut left = Vec::new();
        let mut count = 0;
        let mut enter = |block: Block, left: &mut Vec<Block>| {
            if std::mem::replace(&mut seen[block], mark) != mark {
                left.push(block);
            }
        };
        self.exposed.iter().for_each(|&block| enter(block, &mut left));
        while let Some(block) = left.pop() {
            let before = graph.predecessors(block);
            count += 1 + before.len();
            if count > most {
                return None;
            }
            let open = before.iter().filter(|&&block| !setting.contains(block));
            open.for_each(|&block| enter(block, &mut left));
        }
        Some(count)
    }
}

/// Calls `note` for each part that an access touches and that becomes a value,
/// by its number.
fn touches(plan: &Plan, access: &Access, note: &mut dyn FnMut(usize, Touch)) {
    let is_value = |part: &Part| part.ty.is_some();
    match access.deed {
        Deed::Load(_) | Deed::Store(_) => {
            for &place in &access.places {
                let Some(index) = plan.part_at(place) else { continue };
                let part = plan.parts(place.slot)[index];
                if is_value(&part) {
                    note(plan.number(place.slot, index), touch_of(access, place, part));
                }
            }
        }
        Deed::Clear => {
            let slot = access.places[0].slot;
            for (index, part) in plan.parts(slot).iter().enumerate() {
                if is_value(part) {
                    note(plan.number(slot, index), Touch::Set);
                }
            }
        }
        Deed::Fill(size) => {
            let place = access.places[0];
            for piece in plan.pieces(place, size) {
                let Some(index) = piece.part else { continue };
                let part = plan.parts(place.slot)[index];
                if is_value(&part) {
                    let all = piece.range == part.range;
                    let touch = if all { Touch::Set } else { Touch::Change };
                    note(plan.number(place.slot, index), touch);
                }
            }
        }
        Deed::Copy { to, from, size } => {
            let cuts = plan.cuts(to, from, size);
            for side in cuts.iter().filter_map(|&cut| plan.side(from, cut)) {
                note(plan.number(side.slot, side.index), Touch::Read);
            }
            for side in cuts.iter().filter_map(|&cut| plan.side(to, cut)) {
                let all = side.range == side.part.range;
                let touch = if all { Touch::Set } else { Touch::Change };
                note(plan.number(side.slot, side.index), touch);
            }
        }
        Deed::CompareNull { .. } | Deed::Nothing => {}
    }
}

fn touch_of(access: &Access, place: Place, part: Part) -> Touch {
    let is_whole = Range::at(place, access.size) == part.range;
    match access.deed {
        Deed::Store(_) if access.places.len() == 1 && is_whole => Touch::Set,
        Deed::Store(_) => Touch::Change,
        _ => Touch::Read,
    }
}
