//! Which objects are there when others are made, and what preserved ones keep alive.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;

use super::judge::{Findings, Reason, is_steady};
use super::nodes::Offset;
use crate::analysis::Liveness;

/// The most references in an object that something preserves.
const MOST_REFERENCES: usize = 16;

/// In how many preserves of a function objects with references may be.
const MOST_PRESERVES: usize = 32;

/// The bytes of a reference.
const REFERENCE_SIZE: u32 = 8;

impl Findings {
    /// Lets objects stay of which an address is used once the same instruction has made the
    /// next one: they would be one slot.
    pub(super) fn refuse_twice_alive(&mut self, body: &Body, graph: &FlowGraph) {
        let is_asked = |value: Value| {
            let node = self.nodes.get(value);
            node.is_some_and(|node| node.objects.iter().any(|&object| self.goes(object)))
        };
        let liveness = Liveness::of(body, graph, is_asked);
        let mut walk = Walk { live: SecondaryMap::new(), counts: vec![0; self.reasons.len()] };
        for block in graph.reverse_postorder() {
            let live = liveness.live_out(block, graph);
            live.iter().for_each(|&value| walk.add(self, value));
            for inst in body.layout.insts(block).collect::<Vec<_>>().into_iter().rev() {
                body.results(inst).iter().for_each(|&value| walk.remove(self, value));
                let own = body.result(inst).filter(|_| body.inst(inst).op == Op::AllocObject);
                let own = own.and_then(|own| self.nodes.get(own)).map(|node| node.objects[0]);
                if let Some(own) = own.filter(|&own| walk.counts[own as usize] > 0) {
                    self.refuse(own, Reason::Twice);
                }
                body.uses(inst).for_each(|value| walk.add(self, value));
            }
            body.params(block).iter().for_each(|&value| walk.remove(self, value));
            for &value in liveness.live_in(block) {
                walk.remove(self, value);
            }
        }
    }

    /// Lets objects stay that are preserved and of which cannot be told what they refer to
    /// meanwhile: what they refer to where that begins is preserved in their place.
    pub(super) fn refuse_preserved(&mut self, body: &Body, graph: &FlowGraph) {
        let mut left = MOST_PRESERVES;
        for inst in self.preserves.clone() {
            for &arg in body.args(inst) {
                let Some(node) = self.nodes.get(arg).cloned() else { continue };
                for &object in &node.objects {
                    if !is_steady(body, self.nodes.objects[object as usize].ty) {
                        self.refuse(object, Reason::Preserved);
                    }
                    let deeds = &self.deeds[object as usize];
                    if !self.goes(object) || (deeds.stores.is_empty() && !deeds.is_filled) {
                        continue;
                    }
                    let is_known = !node.is_nullable
                        && node.offset == Offset::Known(0)
                        && !deeds.is_filled
                        && left > 0
                        && self.has_room(&node.objects)
                        && !self.is_stored_to(body, graph, inst, object);
                    left = left.saturating_sub(1);
                    if !is_known {
                        self.refuse(object, Reason::Preserved);
                    }
                }
            }
        }
    }

    /// Whether all references of these objects can be read from each of them.
    fn has_room(&self, objects: &[u32]) -> bool {
        let room = objects.iter().map(|&index| self.nodes.objects[index as usize].size).min();
        let room = room.unwrap_or(0);
        objects.iter().all(|&index| {
            let references = &self.deeds[index as usize].references;
            let fits =
                |&offset: &u32| offset.checked_add(REFERENCE_SIZE).is_some_and(|end| end <= room);
            references.len() <= MOST_REFERENCES && references.iter().all(fits)
        })
    }

    /// Whether a reference may be stored to the object while `begin` preserves it.
    fn is_stored_to(&self, body: &Body, graph: &FlowGraph, begin: Inst, object: u32) -> bool {
        let Some(token) = body.result(begin) else { return true };
        let mut ends: EntitySet<Inst> = EntitySet::new();
        match self.ends.get(&token) {
            Some(Some(some)) => {
                for &end in some {
                    ends.insert(end);
                }
            }
            Some(None) => return true,
            None => {}
        }
        // The next object that is made there is another one.
        ends.insert(self.nodes.objects[object as usize].inst);
        let mut stores: EntitySet<Inst> = EntitySet::new();
        for &store in &self.deeds[object as usize].stores {
            stores.insert(store);
        }
        let mut seen: EntitySet<Block> = EntitySet::new();
        let mut open: Vec<Inst> = body.layout.next_inst(begin).into_iter().collect();
        while let Some(first) = open.pop() {
            let mut next = Some(first);
            while let Some(inst) = next {
                if stores.contains(inst) {
                    return true;
                }
                if ends.contains(inst) {
                    break;
                }
                next = body.layout.next_inst(inst);
                if next.is_none()
                    && let Some(block) = body.layout.block_of(inst)
                {
                    let behind = graph.successors(block).iter().copied();
                    let new: Vec<Block> = behind.filter(|&block| seen.insert(block)).collect();
                    open.extend(new.iter().filter_map(|&block| body.layout.first_inst(block)));
                }
            }
        }
        false
    }
}

/// The addresses that are live at a place, and how many of each object.
struct Walk {
    live: SecondaryMap<Value, bool>,
    counts: Vec<u32>,
}

impl Walk {
    fn add(&mut self, found: &Findings, value: Value) {
        let Some(node) = found.nodes.get(value) else { return };
        if !std::mem::replace(&mut self.live[value], true) {
            node.objects.iter().for_each(|&index| self.counts[index as usize] += 1);
        }
    }

    fn remove(&mut self, found: &Findings, value: Value) {
        let Some(node) = found.nodes.get(value).filter(|_| self.live[value]) else { return };
        self.live[value] = false;
        node.objects.iter().for_each(|&index| self.counts[index as usize] -= 1);
    }
}
